% darc_octave - the function for MATLAB and Octave as a user meets it.
function darc_octave()
    model = [tempname() '.darc'];
    out = fopen(model, 'w');
    fprintf(out, 'model car\nparameters\n  m c d\ninputs z\noutputs a\n');
    fprintf(out, 'equations\n  m*a = c*z + d*z''\n');
    fclose(out);

    found = darc('check', 'equal', model, drive(300, 1), drive(300, 2));
    assert(strcmp(found.decision.verdict, 'consistent'));
    found = darc('check', 'equal', model, drive(300, 1), drive(330, 2), ...
                 '--tolerance', 0.01);
    assert(strcmp(found.decision.verdict, 'inconsistent'));
    assert(found.decision.tolerance == 0.01);
    assert(abs(found.estimates(1).value_a - 20 / 300) < 1e-3);

    refuses('darc:usage', @() darc('check', 'structure', model));
    refuses('darc:input', @() darc('check', 'structure', [model 'x'], model));
    refuses('darc:limit', @() darc('check', 'structure', model, ...
                                   drive(300, 1), '--timeout', 0.01, ...
                                   '--threads', 1, '--memory', 1));
    delete(model);
end

function refuses(identifier, call)
    try
        call();
    catch problem
        assert(strcmp(problem.identifier, identifier), problem.message);
        return
    end
    error('nothing was refused');
end

function data = drive(mass, seed)
    randn('state', seed);
    t = (0:4999)' / 500;
    w = [3 5 8 13 21 34];
    z = sum(sin(t * w + seed), 2);
    v = sum(w .* cos(t * w + seed), 2);
    a = (20 * z + 1.5 * v) / mass;
    data = struct('time', t, 'z', z, 'a', a + .01 * std(a) * randn(5000, 1));
end

function result = darc(varargin)
% DARC  Hold the equations of a model against measured signals.
%
%   r = darc('check', 'equal', 'car.darc', 'a.csv', 'b.csv', '--tolerance', .01)
%   r = darc('check', 'structure', 'car.darc', recording)
%   r = darc('isolate', 'car.darc', a, b)
%   r = darc('identify', 'car.darc')
%
% The arguments are those of the program darc, which must be on the path of
% programs.  A recording may be a struct or a table, too, whose fields are
% columns: r.time, r.z, r.a.  The result is what --json writes, as a struct:
% r.decision.verdict, r.estimates.  For MATLAB and Octave 7.
%
% Errors carry the message of darc and an identifier: darc:usage, darc:input,
% darc:limit.
    [line, made] = command(varargin);
    report = [tempname() '.json'];
    [code, said] = system([line ' --json ' quote(report) ' 2>&1']);
    text = '';
    if exist(report, 'file')
        text = fileread(report);
    end
    remove([made, {report}]);
    kinds = {'usage', 'input', 'limit'};
    if code >= 3
        error(['darc:' kinds{min(code, 5) - 2}], '%s', strtrim(said));
    end
    result = jsondecode(text);
end

% The command line, and the files that were made for it.
function [line, made] = command(arguments)
    made = {};
    line = program();
    for i = 1:numel(arguments)
        x = arguments{i};
        if isstruct(x) || isa(x, 'table')
            made{end + 1} = [tempname() '.csv']; %#ok<AGROW>
            write(made{end}, x);
            x = made{end};
        elseif isnumeric(x) || islogical(x)
            x = sprintf('%.17g', x);
        end
        line = [line ' ' quote(char(x))]; %#ok<AGROW>
    end
end

% The libraries that MATLAB brings are not those that darc was built with.
function line = program()
    line = 'darc';
    if isunix()
        line = 'LD_LIBRARY_PATH= darc';
    end
end

function write(file, columns)
    if isa(columns, 'table')
        columns = table2struct(columns, 'ToScalar', true);
    end
    names = fieldnames(columns);
    values = zeros(numel(columns.(names{1})), numel(names));
    for k = 1:numel(names)
        values(:, k) = columns.(names{k})(:);
    end
    out = fopen(file, 'w');
    if out < 0
        error('darc:input', '%s cannot be written', file);
    end
    fprintf(out, '%s\n', strjoin(names', ','));
    form = [strjoin(repmat({'%.17g'}, 1, numel(names)), ',') '\n'];
    fprintf(out, form, values');
    fclose(out);
end

function text = quote(text)
    if ispc()
        text = ['"' strrep(text, '"', '\"') '"'];
    else
        text = ['''' strrep(text, '''', '''\''''') ''''];
    end
end

function remove(files)
    for k = 1:numel(files)
        if exist(files{k}, 'file')
            delete(files{k});
        end
    end
end

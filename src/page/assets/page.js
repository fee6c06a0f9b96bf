/* Draws the charts of a page of darc.  Charts of one group share their time
 * axis: zooming one zooms all. */
(function () {
    'use strict';
    /* On phones a row is a block, its cells one below the other with the names of their columns (page.css). */
    document.querySelectorAll('.scroll > table').forEach(function (t) {
        var names = [];
        Array.prototype.forEach.call(t.tHead ? t.tHead.rows[0].cells : [], function (c) {
            for (var i = 0; i < c.colSpan; i++) names.push(i ? '' : c.dataset.name || c.textContent);
        });
        if (names.length < 4) return;
        t.classList.add('blocks');
        Array.prototype.forEach.call(t.tBodies[0].rows, function (r) {
            for (var i = 0, k = 0; i < r.cells.length; k += r.cells[i++].colSpan)
                if (i > 0) r.cells[i].setAttribute('data-name', names[k]);
        });
    });
    var holder = document.getElementById('darc-data');
    if (!holder || typeof uPlot === 'undefined') return;
    var data = JSON.parse(holder.textContent), LEVELS = 262142;
    var code = {}, digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    for (var i = 0; i < 64; i++) code[digits[i]] = i;

    function unpack(p) {
        var n = p.q.length / 3, v = new Array(n), half = p.hi / 2 - p.lo / 2;
        for (var k = 0; k < n; k++) {
            var level = code[p.q[3 * k]] << 12 | code[p.q[3 * k + 1]] << 6 | code[p.q[3 * k + 2]];
            v[k] = level > LEVELS ? null : p.lo + 2 * half * (level / LEVELS);
        }
        return v;
    }

    /* The times of an axis; a uniform one is known by its rule. */
    function times(a) {
        if (a.q) return unpack(a);
        var x = [];
        if (a.n <= 2 * a.buckets) {
            for (var k = 0; k < a.n; k++) x.push(a.t0 + a.dt * k);
            return x;
        }
        for (var b = 0; b < a.buckets; b++) {
            var begin = Math.floor(a.n * b / a.buckets), end = Math.floor(a.n * (b + 1) / a.buckets);
            x.push(a.t0 + a.dt * begin, a.t0 + a.dt * (begin + Math.floor((end - begin) / 2)));
        }
        return x;
    }

    function number(v, digits) {
        if (v === null || v === undefined) return '\u2013';
        var s = v === 0 ? '0' : Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3 ? v.toExponential(digits - 1) : String(+v.toPrecision(digits));
        var parts = s.split('e'), lead = parts[0].replace('-', '\u2212');
        if (parts.length < 2) return lead;
        lead = lead.indexOf('.') < 0 ? lead : lead.replace(/\.?0+$/, '');
        return lead + '\u00d7' + power(+parts[1]);
    }
    function power(v) {
        var e = Math.round(v);
        return Math.abs(v - e) > 1e-9 ? '' : '10' + String(e).replace(/[-0-9]/g, function (c) {
            return c === '-' ? '\u207b' : '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[+c];
        });
    }
    function seconds(u, values) {
        return values.map(function (v, i) { return number(v, 6) + (i === values.length - 1 ? ' s' : ''); });
    }

    var charts = [], axes = data.axes.map(times), colours;
    function readColours() {
        var style = getComputedStyle(document.documentElement);
        colours = {};
        ['ink', 'soft', 'edge', 'grid', 'a', 'b', 'c', 'd', 'band'].forEach(function (k) {
            colours[k] = style.getPropertyValue('--' + k).trim();
        });
    }

    function show(chart, min, max) {
        charts.forEach(function (other) {
            if (other.spec.group === chart.spec.group) other.plot.setScale('x', { min: min, max: max });
        });
    }
    function extent(chart) {
        var lo = Infinity, hi = -Infinity;
        charts.forEach(function (other) {
            if (other.spec.group !== chart.spec.group) return;
            lo = Math.min(lo, other.x[0]);
            hi = Math.max(hi, other.x[other.x.length - 1]);
        });
        return [lo, hi];
    }
    /* Zoom about the middle by a factor, move by a share of what is shown. */
    function zoom(chart, factor, move) {
        var scale = chart.plot.scales.x, all = extent(chart), span = (scale.max - scale.min) * factor;
        span = Math.min(span, all[1] - all[0]);
        var middle = (scale.min + scale.max) / 2 + move * span;
        var min = Math.max(all[0], Math.min(middle - span / 2, all[1] - span));
        if (span > (all[1] - all[0]) * 1e-9) show(chart, min, min + span);
    }
    function act(chart, what) {
        if (what === 'all') show(chart, extent(chart)[0], extent(chart)[1]);
        else if (what === 'in') zoom(chart, 0.5, 0);
        else if (what === 'out') zoom(chart, 2, 0);
        else if (what === 'left') zoom(chart, 1, -0.25);
        else if (what === 'right') zoom(chart, 1, 0.25);
    }
    var keys = { '+': 'in', '=': 'in', '-': 'out', '0': 'all', Escape: 'all', ArrowLeft: 'left', ArrowRight: 'right' };

    function series(chart) {
        var spec = chart.spec;
        return [{ label: 't', value: function (u, v) { return number(v, 7) + (v === null ? '' : ' s'); } }].concat(spec.series.map(function (s) {
            return {
                label: s.label, show: true, width: s.edge ? 0.8 : 1.25, spanGaps: false, points: { show: false },
                stroke: function () { return colours[s.edge ? 'edge' : s.colour]; },
                value: function (u, v) { return spec.log && v !== null ? number(Math.pow(10, v), 3) : number(v === null ? v : v * chart.unit, 5); }
            };
        }));
    }
    function axis(more) {
        return Object.assign({
            stroke: function () { return colours.soft; }, font: '11px system-ui, sans-serif',
            grid: { stroke: function () { return colours.grid; }, width: 1 }, ticks: { show: false }, gap: 4
        }, more);
    }
    function options(chart) {
        var spec = chart.spec;
        return {
            width: chart.host.clientWidth || 600, height: spec.height, series: series(chart),
            scales: { x: { time: false }, y: { range: function (u, lo, hi) {
                if (lo === null) return [-1, 1];
                if (spec.reach) { lo = Math.min(lo, spec.reach[0]); hi = Math.max(hi, spec.reach[1]); }
                var room = (hi - lo) * 0.06 || Math.abs(hi) * 0.1 || 1;
                return [lo - room, hi + room];
            } } },
            axes: [axis({ size: 24, values: seconds }), axis({ size: 62, values: function (u, values) {
                return values.map(function (v) { return spec.log ? power(v) : number(v * chart.unit, 6); });
            } })],
            bands: spec.band ? [{ series: spec.band, fill: function () { return colours.band; } }] : [],
            cursor: { sync: { key: spec.group, setSeries: false }, drag: { x: true, y: false, setScale: false }, points: { size: 5 }, focus: { prox: -1 } },
            legend: { show: true, live: true },
            hooks: {
                setSelect: [function (u) {
                    if (u.select.width < 4) return;
                    show(chart, u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
                    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
                }],
                drawClear: [function (u) { levels(u, spec); }]
            }
        };
    }
    /* Horizontal lines behind the curves. */
    function levels(u, spec) {
        (spec.levels || []).forEach(function (v) {
            var y = u.valToPos(v, 'y', true), box = u.bbox, c = u.ctx;
            if (y < box.top || y > box.top + box.height) return;
            c.save();
            c.strokeStyle = colours.soft;
            c.lineWidth = devicePixelRatio || 1;
            c.setLineDash([4, 3]);
            c.beginPath();
            c.moveTo(box.left, y);
            c.lineTo(box.left + box.width, y);
            c.stroke();
            c.restore();
        });
    }
    /* uPlot finds no ticks for values like 1e50: draw such values over a power
     * of ten, which labels put back. */
    function unitOf(spec) {
        var most = 0;
        spec.series.forEach(function (s) { most = Math.max(most, Math.abs(s.lo), Math.abs(s.hi)); });
        return most > 1e9 || (most > 0 && most < 1e-6) ? Math.pow(10, Math.floor(Math.log10(most))) : 1;
    }
    function draw(host) {
        var spec = data.charts[+host.dataset.plot], x = axes[spec.axis];
        var chart = { host: host, spec: spec, x: x, unit: unitOf(spec) };
        chart.plot = new uPlot(options(chart), [x].concat(spec.series.map(function (s) {
            return unpack(s).map(function (v) { return v === null ? null : v / chart.unit; });
        })), host);
        host.querySelectorAll('.u-series').forEach(function (row, i) {
            if (i > 0 && spec.series[i - 1].label === '') row.style.display = 'none';
        });
        host.addEventListener('dblclick', function () { act(chart, 'all'); });
        host.addEventListener('keydown', function (event) {
            if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            act(chart, keys[event.key]);
        });
        charts.push(chart);
    }
    function resize() {
        charts.forEach(function (c) {
            var w = c.host.clientWidth;
            if (w > 0 && w !== c.plot.width) c.plot.setSize({ width: w, height: c.spec.height });
        });
    }
    function restyle() {
        readColours();
        charts.forEach(function (c) { c.plot.redraw(false, true); });
    }

    readColours();
    document.querySelectorAll('[data-plot]').forEach(draw);
    document.querySelectorAll('.tools button').forEach(function (button) {
        button.addEventListener('click', function () {
            var done = {};
            charts.forEach(function (c) {
                if (done[c.spec.group]) return;
                done[c.spec.group] = true;
                act(c, button.dataset.act);
            });
        });
    });
    window.addEventListener('resize', resize);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle);
    /* Paper is white and narrower than most screens. */
    var print = matchMedia('print');
    function reprint() { restyle(); resize(); }
    print.addEventListener('change', reprint);
    window.addEventListener('beforeprint', reprint);
    window.addEventListener('afterprint', reprint);
    window.darcCharts = charts;
})();

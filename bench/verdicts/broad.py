"""What the program makes of signals that fill the spectrum up to its end.

    broad.py [RUNS] [NOISE ...]

A low pass T*y' + y = K*u, T of 10 samples, and an oscillator T^2*y'' + 2*D*T*y' +
y = K*u, T of 5 samples, D = .1, are driven by steps that are held for 20 samples
or more (`steps`), by random switching at every fifth sample (`switching`), or let go
without an input (`decay`; both models without u).  1000 samples, or 300; y has
noise of 1 % of its RMS of every kind of noises.py.  `darc check structure` is
asked (variable DARC, default build/release/darc) where the model is right, and
where y^3 is missing that is a tenth of y at its RMS.  Printed are
consistent/inconsistent/undecided of both.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import noises

DARC = os.environ.get("DARC", "build/release/darc")
FINE = 20  # steps of integration a sample
MODEL = """model m
parameters
    T
%soutputs
    y
equations
    %s = %s
"""


def slope(kind, x, u, bend):
    y = x[0]
    if kind == "low pass":
        return np.array([(u - y - bend * y**3) / 10])
    return np.array([x[1], (u - y - bend * y**3 - x[1]) / 25])


def respond(kind, u, start, bend):
    """y at each sample; u holds from one to the next."""
    x, out, h = np.array(start, float), [], 1 / FINE
    for now in u:
        out.append(x[0])
        for _ in range(FINE):
            a = slope(kind, x, now, bend)
            b = slope(kind, x + h / 2 * a, now, bend)
            c = slope(kind, x + h / 2 * b, now, bend)
            d = slope(kind, x + h * c, now, bend)
            x = x + h / 6 * (a + 2 * b + 2 * c + d)
    return np.array(out)


def excite(how, n, r):
    if how == "switching":
        return np.repeat(r.choice([-1.0, 1.0], n // 5 + 1), 5)[:n]
    edges = np.cumsum(r.integers(20, 60, n // 20 + 1))
    return r.uniform(-1, 1, len(edges) + 1)[np.searchsorted(edges, np.arange(n),
                                                           side="right")]


def record(path, kind, how, n, noise, r, wrong):
    u = np.zeros(n) if how == "decay" else excite(how, n, r)
    start = [3.0, 0.0][:1 + (kind == "oscillator")] if how == "decay" else \
        [0.0, 0.0][:1 + (kind == "oscillator")]
    rms = np.sqrt(np.mean(respond(kind, u, start, 0)**2))
    y = respond(kind, u, start, 0.1 / rms**2 if wrong else 0)
    s = noises.spoil({"y": y}, noise, 0.01, r)
    rows = [np.arange(n), s["y"]] + ([] if how == "decay" else [u])
    head = "time,y" + ("" if how == "decay" else ",u")
    np.savetxt(path, np.transpose(rows), delimiter=",", header=head,
               comments="", fmt="%.9g")


def model(kind, how):
    parameters = "    D\n" if kind == "oscillator" else ""
    left = "T*y' + y" if kind == "low pass" else "T^2*y'' + 2*D*T*y' + y"
    if how == "decay":
        return MODEL % (parameters, left, "0")
    return MODEL % (parameters + "    K\ninputs\n    u\n", left, "K*u")


def ask(folder):
    out = subprocess.run([DARC, "check", "structure", f"{folder}/m.darc",
                          f"{folder}/r.csv", "--json", "-", "--threads", "1"],
                         capture_output=True, text=True)
    return json.loads(out.stdout)["decision"]["verdict"]


def cell(folder, kind, how, n, noise, runs):
    text = []
    for wrong in (False, True):
        count = {"consistent": 0, "inconsistent": 0, "undecided": 0}
        for run in range(runs):
            r = np.random.default_rng(run)
            record(f"{folder}/r.csv", kind, how, n, noise, r, wrong)
            count[ask(folder)] += 1
        text.append("/".join(str(v) for v in count.values()))
    return text


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    kinds = sys.argv[2:] or list(noises.ADDED)
    with tempfile.TemporaryDirectory() as folder:
        for noise in kinds:
            for n in (300, 1000):
                for kind in ("low pass", "oscillator"):
                    for how in ("steps", "switching", "decay"):
                        if n == 1000 and how == "decay":
                            continue
                        with open(f"{folder}/m.darc", "w") as f:
                            f.write(model(kind, how))
                        right, wrong = cell(folder, kind, how, n, noise, runs)
                        print(f"{noise:14} {n:5} {kind:11} {how:10} "
                              f"right {right:10} wrong {wrong}", flush=True)


if __name__ == "__main__":
    main()

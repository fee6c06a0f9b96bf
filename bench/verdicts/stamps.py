"""How often a right structure is called inconsistent when time is uneven.

    stamps.py [RUNS [SAMPLES]]

The mass on a spring of courses.py answers exactly at any time: recordings of
SAMPLES (2000) rows at 100 Hz whose stamps jitter by up to a tenth of a step, of
which one row in fifty is lost, or of which u has every fifth row only, with
white noise of 1 and of 5 % of the RMS of y, a new multisine each.  The program
(variable DARC, default build/release/darc) is asked for `check structure`, and
for `check equal` with a second one of the same parameters, at alpha .01 without
a tolerance.  A cell reads consistent/inconsistent/undecided, a fourth number
failures; at .01 more than 7 of 200 inconsistent happen once in 1000.
"""
import collections
import os
import subprocess
import sys
import tempfile

import numpy as np

import courses

KINDS = "even", "jitter", "lost rows", "two rates"


def record(path, kind, samples, noise, r):
    t = np.arange(samples) / courses.RATE
    if kind == "jitter":
        t = t + r.uniform(-0.1, 0.1, samples) / courses.RATE
    if kind == "lost rows":
        t = t[(r.uniform(size=samples) > 0.02) | (t == 0)]
    w = 2 * np.pi * np.linspace(0.1, 3, 20)
    phase = np.outer(t, w) + r.uniform(0, 2 * np.pi, 20)
    g = 1 / (courses.K - courses.M * w**2 + 1j * courses.D * w)
    u = np.sin(phase).sum(1)
    y = (np.abs(g) * np.sin(phase + np.angle(g))).sum(1)
    y += noise * y.std() * r.standard_normal(len(t))
    with open(path, "w") as f:
        f.write("t,u,y\n")
        for i in range(len(t)):
            cell = "" if kind == "two rates" and i % 5 else f"{u[i]:.10g}"
            f.write(f"{t[i]:.10g},{cell},{y[i]:.10g}\n")


def ask(what, files):
    call = [courses.DARC, "check", what, *files, "--quiet", "--threads", "1"]
    return min(subprocess.run(call, capture_output=True).returncode, 3)


def cell(folder, kind, runs, samples, noise):
    model = os.path.join(folder, "model.darc")
    with open(model, "w") as f:
        f.write(courses.MODEL)
    files = [os.path.join(folder, name) for name in ("a.csv", "b.csv")]
    count = {w: collections.Counter() for w in ("structure", "equal")}
    for run in range(runs):
        r = np.random.default_rng([run, int(1000 * noise)])
        for path in files:
            record(path, kind, samples, noise, r)
        count["structure"][ask("structure", [model, files[0]])] += 1
        count["equal"][ask("equal", [model, *files])] += 1
    return ["/".join(str(c[i]) for i in range(4)) for c in count.values()]


def main():
    given = sys.argv[1:] + [None] * 2
    runs, samples = int(given[0] or 200), int(given[1] or 2000)
    print("| stamps | noise | structure | equal |")
    print("| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for noise in 0.01, 0.05:
                a, b = cell(folder, kind, runs, samples, noise)
                print(f"| {kind} | {noise:g} | {a} | {b} |", flush=True)


if __name__ == "__main__":
    main()

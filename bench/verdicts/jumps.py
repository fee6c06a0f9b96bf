"""What the program makes of recordings within which a parameter jumps.

    jumps.py [RECORDINGS [NOISE]]

m*y'' + d*y' + k*y = u, a multisine, 4000 samples at 100 Hz, is integrated by
Runge and Kutta (twenty steps a sample), noise of NOISE (.01) times the RMS of y
added.  The spring stays, or jumps once by 5 %, or twice (by 5 % and by -3 %),
at times that are drawn.  `darc check structure --over-time` is asked (variable
DARC, default build/release/darc).  "dated": off by less than SUPPORT seconds,
the support of the test functions.  "in interval": the size is within 2.58
standard deviations.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import courses

DARC = os.environ.get("DARC", "build/release/darc")
RATE, SAMPLES, FINE = 100, 4000, 20
SUPPORT = 1.0


def record(path, factor, noise, r):
    h = 1 / (RATE * FINE)
    w = 2 * np.pi * np.linspace(0.1, 3, 20)
    t = np.arange(2 * SAMPLES * FINE + 1) * h / 2
    u = np.sin(np.outer(t, w) + r.uniform(0, 2 * np.pi, 20)).sum(1).tolist()
    k = (courses.K * factor(np.arange(SAMPLES * FINE) * h)).tolist()
    m, d = courses.M, courses.D
    x, v, y = 0.0, 0.0, []
    for i in range(SAMPLES * FINE):
        if i % FINE == 0:
            y.append(x)
        a, b, c = u[2 * i], u[2 * i + 1], u[2 * i + 2]
        k1, l1 = v, (a - d * v - k[i] * x) / m
        k2 = v + h / 2 * l1
        l2 = (b - d * k2 - k[i] * (x + h / 2 * k1)) / m
        k3 = v + h / 2 * l2
        l3 = (b - d * k3 - k[i] * (x + h / 2 * k2)) / m
        k4 = v + h * l3
        l4 = (c - d * k4 - k[i] * (x + h * k3)) / m
        x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    y = np.array(y)
    y += noise * y.std() * r.standard_normal(SAMPLES)
    table = np.column_stack([np.arange(SAMPLES) / RATE,
                             u[:2 * SAMPLES * FINE:2 * FINE], y])
    np.savetxt(path, table, fmt="%.10g", delimiter=",", header="t,u,y",
               comments="")


def ask(folder, factor, noise, r):
    data = os.path.join(folder, "data.csv")
    model = os.path.join(folder, "model.darc")
    record(data, factor, noise, r)
    with open(model, "w") as f:
        f.write(courses.MODEL)
    p = subprocess.run([DARC, "check", "structure", model, data, "--over-time",
                        "--json", "-", "--threads", "1"], capture_output=True,
                       text=True)
    return json.loads(p.stdout)


def jumps(r):
    """Times and sizes of the jumps of k."""
    one = r.uniform(6, 34)
    two = np.sort(r.uniform(4, 36, 2))
    while two[1] - two[0] < 6:
        two = np.sort(r.uniform(4, 36, 2))
    return {"none": [], "one": [(one, 0.05)],
            "two": [(two[0], 0.05), (two[1], -0.03)]}


def main():
    given = sys.argv[1:] + [None] * 2
    runs, noise = int(given[0] or 100), float(given[1] or 0.01)
    r = np.random.default_rng(5)
    count = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            for name, wanted in jumps(r).items():
                def factor(t):
                    f = np.ones_like(t)
                    for at, size in wanted:
                        f *= np.where(t >= at, 1 + size, 1)
                    return f
                out = ask(folder, factor, noise, r)
                found = out["stretches"][1:]
                c = count.setdefault(name, [0, 0, 0, 0, 0])
                c[0] += len(found) == len(wanted)
                c[1] += out["decision"]["verdict"] == "inconsistent"
                if len(found) != len(wanted):
                    print(name, wanted, [s["from"] for s in found],
                          file=sys.stderr)
                    continue
                for (at, size), s in zip(wanted, found):
                    change = next(x for x in s["change"]
                                  if x["function"] == "k")
                    late = abs(s["from"] - at)
                    off = abs(change["relative"] - size) / change["sd"]
                    c[2] += late < SUPPORT
                    c[3] += off < 2.58
                    c[4] += 1
                    if late >= SUPPORT or off >= 2.58:
                        print(name, at, size, s["from"], off, file=sys.stderr)
    print("| jumps | recordings | number right | inconsistent | dated | "
          "in interval |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, c in count.items():
        print(f"| {name} | {runs} | {c[0]} | {c[1]} | {c[2]} of {c[4]} | "
              f"{c[3]} of {c[4]} |")


if __name__ == "__main__":
    main()

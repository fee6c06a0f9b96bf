"""What the program makes of inputs that jump.

    steps.py [RUNS]

An oscillator T^2*y'' + 2*D*T*y' + y = K*u, T = .05 s, D = .4, or a low pass, T =
.1 s, K = 2, 1500 samples at 100 Hz, is integrated by Runge and Kutta from jump
to jump.  u is a square wave or goes to drawn levels, about every .6 s: at equal
times (a generator of its own clock), at drawn times, or at samples, when a
converter holds it.  y has white noise of .01, u none, .002 or .02.  `darc check`
is asked (variable DARC, default build/release/darc): structure where it is
right, where y^3 is missing (.05 y^3), equal where it is, and where T differs by
5 %.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

DARC = os.environ.get("DARC", "build/release/darc")
STEP, SAMPLES, HOLD, NOISE, K = 0.01, 1500, 0.6, 0.01, 2.0
MODEL = """model m
parameters
    T [s]
    K
%s
inputs
    u
outputs
    y
equations
    %s
"""
PLANT = {"low pass": (0.1, MODEL % ("", "T*y' + y = K*u")),
         "oscillator": (0.05, MODEL % ("    D",
                                       "T^2*y'' + 2*D*T*y' + y = K*u"))}


def jumps(kind, r):
    n = int(SAMPLES * STEP / HOLD) + 3
    if kind == "equal":
        return (np.arange(n) + r.uniform()) * 1.031 * HOLD
    times = np.cumsum(r.uniform(0.5 * HOLD, 1.5 * HOLD, 2 * n))
    return np.round(times / STEP) * STEP if kind == "held" else times


def slope(plant, T, bend, x, u):
    if plant == "low pass":
        return np.array([(K * u - x[0] - bend * x[0] ** 3) / T])
    force = K * u - x[0] - bend * x[0] ** 3 - 0.8 * T * x[1]
    return np.array([x[1], force / T ** 2])


def advance(plant, T, bend, x, u, h):
    n = max(1, int(np.ceil(20 * h / T)))
    for _ in range(n):
        a = slope(plant, T, bend, x, u)
        b = slope(plant, T, bend, x + h / n / 2 * a, u)
        c = slope(plant, T, bend, x + h / n / 2 * b, u)
        d = slope(plant, T, bend, x + h / n * c, u)
        x = x + h / n / 6 * (a + 2 * b + 2 * c + d)
    return x


def record(path, plant, shape, kind, noise, r, bend=0.0, longer=1.0):
    T = PLANT[plant][0] * longer
    times = jumps(kind, r)
    level = ((-1.0) ** np.arange(len(times) + 1) if shape == "square"
             else r.uniform(-1, 1, len(times) + 1))
    x, now, k, rows = np.zeros(1 if plant == "low pass" else 2), 0.0, 0, []
    for i in range(SAMPLES):
        while now < i * STEP - 1e-12:
            to = min(i * STEP, times[k])
            x = advance(plant, T, bend, x, level[k], to - now)
            now = to
            k += now >= times[k] - 1e-12
        rows.append((i * STEP, level[k] + noise * r.standard_normal(),
                     x[0] + NOISE * r.standard_normal()))
    np.savetxt(path, rows, fmt="%.8g", delimiter=",", header="t,u,y",
               comments="")


def ask(folder, plant, test, files):
    model = os.path.join(folder, "model.darc")
    with open(model, "w") as f:
        f.write(PLANT[plant][1])
    out = subprocess.run([DARC, "check", test, model, *files, "--json", "-",
                          "--threads", "1"], capture_output=True, text=True)
    return json.loads(out.stdout)["decision"]["verdict"]


def cell(folder, plant, shape, kind, noise, runs):
    count = {}
    for run in range(runs):
        r = np.random.default_rng(run)
        a, b = (os.path.join(folder, name) for name in ("a.csv", "b.csv"))
        for what, bend, longer in (("right", 0, 1), ("missing", 0.05, 1),
                                   ("equal", 0, 1), ("longer", 0, 1.05)):
            record(b if what in ("equal", "longer") else a, plant, shape, kind,
                   noise, r, bend, longer)
            if what == "equal":
                record(a, plant, shape, kind, noise, r)
            pair = what in ("equal", "longer")
            said = ask(folder, plant, "equal" if pair else "structure",
                       [a, b] if pair else [a])
            count[what, said] = count.get((what, said), 0) + 1
    return count


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("consistent, inconsistent, undecided of %d" % runs)
    with tempfile.TemporaryDirectory() as folder:
        for plant in PLANT:
            for shape in ("square", "levels"):
                for kind in ("equal", "drawn", "held"):
                    for noise in (0, 0.002, 0.02):
                        c = cell(folder, plant, shape, kind, noise, runs)
                        said = ["%s %s" % (w, "/".join(
                            str(c.get((w, v), 0)) for v in
                            ("consistent", "inconsistent", "undecided")))
                            for w in ("right", "missing", "equal", "longer")]
                        print(plant, shape, kind, noise, *said, sep="\t",
                              flush=True)


if __name__ == "__main__":
    main()

"""Counts verdicts on servos whose command a controller computed.

    servos.py [RUNS]

A position controller with a filtered derivative, at 200 Hz, turns an inertia on
a damped spring; its set point is drawn every half second.  The recording holds
the command and the angle as the controller saw it, with white noise or rounded.
The command acts at once or a sample later; the structure is right, or a cube of
the spring is missing that makes 1.6 % of the largest term.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from level import save

DARC = os.environ.get("DARC", "build/release/darc")
MODEL = """model servo
parameters
    J d k
inputs
    u
outputs
    y
equations
    J*y'' + d*y' + k*y = u
"""
SAMPLES, STEP, FINE = 4000, 0.005, 10
J, D, K, CUBE = 0.06, 0.1, 0.5, 0.05


def push(x, u, cube):
    return np.array([x[1], (u - D * x[1] - K * x[0] - cube * x[0]**3) / J])


def advance(x, u, cube):
    h = STEP / FINE
    for _ in range(FINE):
        a = push(x, u, cube)
        b = push(x + h / 2 * a, u, cube)
        c = push(x + h / 2 * b, u, cube)
        d = push(x + h * c, u, cube)
        x = x + h / 6 * (a + 2 * b + 2 * c + d)
    return x


def record(seed, kind, size, late, cube):
    r = np.random.default_rng(seed)
    x, speed, last, before = np.zeros(2), 0.0, 0.0, 0.0
    sets = np.repeat(r.normal(0, 0.5, SAMPLES // 100 + 1), 100)
    u, y = np.zeros(SAMPLES), np.zeros(SAMPLES)
    keep = np.exp(-STEP / 0.01)
    for i in range(SAMPLES):
        y[i] = (np.round(x[0] / size) * size if kind == "rounding" else
                x[0] + size / np.sqrt(12) * r.normal())
        speed = keep * speed + (1 - keep) * (y[i] - last) / STEP
        last = y[i]
        u[i] = np.clip(3 * (sets[i] - y[i]) - 0.25 * speed, -10, 10)
        x = advance(x, before if late else u[i], cube)
        before = u[i]
    return np.arange(SAMPLES) * STEP, {"u": u, "y": y}


def main(runs="12"):
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.darc")
        data = os.path.join(folder, "data.csv")
        with open(model, "w") as f:
            f.write(MODEL)
        for late in (False, True):
            for cube in (0, CUBE):
                for kind in ("white", "rounding"):
                    for size in (0.0009, 0.003, 0.009):
                        count = collections.Counter()
                        for seed in range(int(runs)):
                            save(data, *record(seed, kind, size, late, cube))
                            out = subprocess.run(
                                [DARC, "check", "structure", model, data,
                                 "--json", "-"],
                                capture_output=True, text=True).stdout
                            count[json.loads(out)["decision"]["verdict"]] += 1
                        print("late" if late else "at once",
                              "cube missing" if cube else "right", kind, size,
                              "/".join(str(count[v]) for v in (
                                  "consistent", "inconsistent", "undecided")),
                              flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

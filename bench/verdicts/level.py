"""How often structures that are right are called inconsistent, by noise.

    level.py [RUNS [SAMPLES [A PERIOD [LEVEL]]]]

simulates every plant, spoils it with every kind of noise of LEVEL times the RMS
of each output, and asks the program that the variable DARC names (default:
build/release/darc) for `check structure` at alpha .01 without a tolerance.  A
cell reads consistent/inconsistent/undecided, a fourth number failures.
"""
import collections
import os
import subprocess
import sys
import tempfile

import numpy as np

import noises
import plants

DARC = os.environ.get("DARC", "build/release/darc")


def save(path, t, signals):
    table = np.column_stack([t] + list(signals.values()))
    np.savetxt(path, table, fmt="%.10g", delimiter=",",
               header="t," + ",".join(signals), comments="")


def ask(folder, plant, t, signals):
    model = os.path.join(folder, "model.darc")
    data = os.path.join(folder, "data.csv")
    with open(model, "w") as f:
        f.write(plant.model)
    save(data, t, signals)
    call = [DARC, "check", "structure", model, data, "--quiet"]
    return subprocess.run(call, capture_output=True).returncode


def cell(folder, plant, kind, runs, n, per_period, level):
    t, signals = plants.cached(plant, n, per_period)
    count = collections.Counter()
    for run in range(runs):
        r = np.random.default_rng(7000 + run)
        spoilt = noises.spoil(signals, kind, level, r)
        count[min(ask(folder, plant, t, spoilt), 3)] += 1
    text = "/".join(str(count[i]) for i in range(3))
    return text + (f"/{count[3]}" if count[3] else "")


def main():
    given = [float(a) for a in sys.argv[1:]] + [None] * 4
    runs, n, per = (int(given[i] or d) for i, d in enumerate((20, 1000, 20)))
    level = given[3] or 0.01
    print("| noise | " + " | ".join(p.name for p in plants.PLANTS) + " |")
    print("| --- " * (len(plants.PLANTS) + 1) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for kind in noises.NAMES:
            row = [cell(folder, p, kind, runs, n, per, level)
                   for p in plants.PLANTS]
            print(f"| {kind} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()

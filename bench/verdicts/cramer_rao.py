"""How far estimates spread over the Cramer-Rao bound, and how often their
intervals hold the truth.

    cramer_rao.py [RUNS [SAMPLES [A PERIOD [LEVEL [PLANT]]]]]

White noise of LEVEL times the RMS on every output; start values are unknown.
The bound comes from the sensitivities of the simulated outputs.  DARC names the
program (default: build/release/darc).
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import fitting
import noises
import plants
from bench import save

DARC = os.environ.get("DARC", "build/release/darc")


def unknowns(plant):
    """Parameters, then start values, as names of `changes`."""
    return (fitting.unknowns(plant)
            + [f"x0.{i}" for i in range(len(plant.x0))])


def value_of(plant, name):
    return plant.x0[int(name[3:])] if name[:3] == "x0." else plant.p[name]


def outputs(plant, n, per, changes):
    _, s = plants.cached(plant, n, per, changes)
    return {k: v for k, v in s.items() if k != "u"}


def covariance(plant, n, per, level):
    """The bound of all unknowns; a direction that no output sees is left out."""
    names = unknowns(plant)
    at = outputs(plant, n, per, ())
    sd = {k: level * np.std(v) for k, v in at.items()}
    rows = []
    for name in names:
        x = value_of(plant, name)
        h = 1e-5 * (abs(x) if x else 1.0)
        up = outputs(plant, n, per, {name: x + h})
        down = outputs(plant, n, per, {name: x - h})
        rows.append(np.concatenate([(up[k] - down[k]) / (2 * h * sd[k])
                                    for k in at]))
    j = np.array(rows)
    return np.linalg.pinv(j @ j.T, rcond=1e-13, hermitian=True)


def evaluate(function, p):
    return eval(function.replace("^", "**"), {}, p)


def bound(plant, function, cov):
    """The least sd of a function of the parameters."""
    names = unknowns(plant)
    g = np.zeros(len(names))
    for i, name in enumerate(names):
        if name[:3] == "x0.":
            continue
        h = 1e-5 * plant.p[name]
        up, down = dict(plant.p), dict(plant.p)
        up[name] += h
        down[name] -= h
        g[i] = (evaluate(function, up) - evaluate(function, down)) / (2 * h)
    return float(np.sqrt(g @ cov @ g))


def ask(folder, plant, t, signals):
    model = os.path.join(folder, "model.darc")
    data = os.path.join(folder, "data.csv")
    with open(model, "w") as f:
        f.write(plant.model)
    save(data, t, signals)
    call = [DARC, "check", "structure", model, data, "--json", "-"]
    return json.loads(subprocess.run(call, capture_output=True).stdout)


def measure(folder, plant, runs, n, per, level):
    t, signals = plants.cached(plant, n, per)
    found, verdicts = {}, {}
    for run in range(runs):
        r = np.random.default_rng(9000 + run)
        out = ask(folder, plant, t, noises.spoil(signals, "white", level, r))
        verdict = out["decision"]["verdict"]
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
        for e in out["estimates"]:
            found.setdefault(e["function"], []).append((e["value_a"],
                                                        e["sd_a"]))
    cov = covariance(plant, n, per, level)
    worst, inside = 0.0, [[], []]
    for function, pairs in found.items():
        value, sd = np.array(pairs).T
        off = (value - evaluate(function, plant.p)) / sd
        least = bound(plant, function, cov)
        ratio = np.sqrt(np.mean((off * sd)**2)) / least
        worst = max(worst, ratio)
        for i in range(2):
            inside[i].extend(abs(off) < i + 1)
        print(f"    {function}: {ratio:.3f} of {least:.3g}, said "
              f"{np.mean(sd) / least:.3f} of it")
    print(f"{plant.name}: spread at most {worst:.2f} of the bound, coverage "
          f"{np.mean(inside[0]):.3f}/{np.mean(inside[1]):.3f}, {verdicts}",
          flush=True)


def main():
    given = sys.argv[1:6] + [None] * 5
    runs, n, per = (int(given[i] or d) for i, d in enumerate((50, 1000, 20)))
    level = float(given[3] or 0.01)
    with tempfile.TemporaryDirectory() as folder:
        for plant in plants.PLANTS:
            if given[4] in (None, plant.name):
                measure(folder, plant, runs, n, per, level)


if __name__ == "__main__":
    main()

"""Counts verdicts, cell by cell, into a table that grows.

    cells.py run TSV VERSION [MINUTES [WHAT [LARGEST]]]
    cells.py show TSV

`run` adds ten recordings to the cell that has fewest, again and again, until
the minutes are over; it may be ended and started again at any time.  A cell is
what is asked (below), a plant, a kind of noise and a size.  Run k of a cell has
a seed of its own, whenever it is made.  VERSION names the program that the
variable DARC points to (default: build/release/darc); a cell of another version
begins anew.  WHAT (all, level, term10) limits the questions, LARGEST the
samples.  `show` prints the tables of the manual.

    level    the structure is right
    term10   a term is missing whose RMS is 10 % of that of the derivative that
             it stands beside
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

import noises
import plants
from level import save

DARC = os.environ.get("DARC", "build/release/darc")
SIZES = [(300, 10), (1000, 20), (3000, 5), (20000, 50)]
LEVEL = 0.01   # noise: share of the RMS of a signal
SHARE = 0.1    # missing term: share of the RMS of a derivative
BATCH = 10
SEED = 7000
KEY = ("what", "plant", "noise", "samples", "per_period")
COUNTS = ("runs", "consistent", "inconsistent", "undecided", "failed",
          "estimates", "within_1", "within_2", "low_missed", "high_missed")


def missing_size(plant, eps, n, per_period):
    """What eps adds to the derivatives, over their own size: the largest."""
    t, s = plants.simulate(plant, min(n, 200), per_period, {"eps": eps})
    states = plants.states(plant, min(n, 200), per_period, {"eps": eps})
    u = s.get("u", np.zeros(len(t)))
    most = 0.0
    full, bare = (np.array([plant.rhs(list(x), v, {**plant.p, "eps": e})
                            for x, v in zip(states.T, u)]) for e in (eps, 0))
    for i in range(full.shape[1]):
        own = np.std(full[:, i])
        if own > 0:
            most = max(most, np.std(full[:, i] - bare[:, i]) / own)
    return most


def eps_of(plant, n, per_period, memory={}):
    """The eps that makes the missing term as large as SHARE."""
    key = plant.name, per_period
    if key not in memory:
        eps = plant.unit
        for _ in range(3):
            eps *= SHARE / missing_size(plant, eps, n, per_period)
        memory[key] = float(f"{eps:.4g}")
    return memory[key]


def recording(what, plant, n, per_period):
    changes = {} if what == "level" else {"eps": eps_of(plant, n, per_period)}
    return plants.cached(plant, n, per_period, changes)


def ask(folder, plant, t, signals, *options):
    model = os.path.join(folder, "model.darc")
    data = os.path.join(folder, "data.csv")
    with open(model, "w") as f:
        f.write(plant.model)
    save(data, t, signals)
    call = [DARC, "check", "structure", model, data, "--json", "-", "--threads",
            "1", *options]
    out = subprocess.run(call, capture_output=True, text=True)
    return json.loads(out.stdout) if out.returncode < 3 else None


def count(cell, plant, report, truth):
    cell["runs"] += 1
    if report is None:
        cell["failed"] += 1
        return
    d = report["decision"]
    cell[d["verdict"]] += 1
    for e in report["estimates"] if truth is not None else ():
        if e["function"] in plant.functions and e["sd_a"]:
            off = abs(e["value_a"] - plant.functions[e["function"]](plant.p))
            cell["estimates"] += 1
            cell["within_1"] += off < e["sd_a"]
            cell["within_2"] += off < 2 * e["sd_a"]
    cell["low_missed"] += truth == 0 and (d["defect_low"] or 0) > 0
    cell["high_missed"] += truth is None and d["defect_high"] == 0


def add_batch(folder, cell):
    plant = next(p for p in plants.PLANTS if p.name == cell["plant"])
    t, signals = recording(cell["what"], plant, cell["samples"],
                           cell["per_period"])
    own = zlib.crc32(" ".join(str(cell[k]) for k in KEY).encode())
    for _ in range(BATCH):
        r = np.random.default_rng([SEED, own, cell["runs"]])
        spoilt = noises.spoil(signals, cell["noise"], LEVEL, r)
        count(cell, plant, ask(folder, plant, t, spoilt),
              0 if cell["what"] == "level" else None)


def load(path):
    cells = []
    if os.path.exists(path):
        with open(path) as f:
            rows = csv.DictReader((x for x in f if not x.startswith("#")),
                                  delimiter="\t")
            for row in rows:
                for k in COUNTS + ("samples", "per_period"):
                    row[k] = int(row[k])
                cells.append(row)
    return cells


def store(path, cells):
    with open(path + ".part", "w") as f:
        f.write(f"# noise {LEVEL:g} of the RMS, missing term {SHARE:g}, seed "
                f"{SEED}, alpha .01, no tolerance\n")
        w = csv.DictWriter(f, KEY + ("version",) + COUNTS, delimiter="\t",
                           lineterminator="\n")
        w.writeheader()
        w.writerows(cells)
    os.replace(path + ".part", path)


def all_cells(path, version, what, largest):
    old = {tuple(c[k] for k in KEY): c for c in load(path)}
    cells = []
    for n, per in SIZES:
        for w in ("level", "term10"):
            for kind in noises.NAMES:
                for p in plants.PLANTS:
                    key = (w, p.name, kind, n, per)
                    c = old.get(key)
                    if c is None or c["version"] != version:
                        c = dict(zip(KEY, key), version=version,
                                 **dict.fromkeys(COUNTS, 0))
                    cells.append(c)
    chosen = [c for c in cells if what in ("all", c["what"])
              and c["samples"] <= largest]
    return cells, chosen


def run(path, version, minutes="60", what="all", largest="20000"):
    end = time.time() + 60 * float(minutes)
    cells, chosen = all_cells(path, version, what, int(largest))
    with tempfile.TemporaryDirectory() as folder:
        while time.time() < end:
            add_batch(folder, min(chosen, key=lambda c: c["runs"]))
            store(path, [c for c in cells if c["runs"] > 0])


def show(path):
    cells = load(path)
    for what in ("level", "term10"):
        print(f"\n{what}\n\n| noise | runs | consistent | inconsistent | "
              "undecided | worst cell |\n" + "| --- " * 6 + "|")
        for kind in noises.NAMES:
            own = [c for c in cells if c["what"] == what and c["noise"] == kind
                   and c["runs"] > c["failed"]]
            if not own:
                continue
            total = {k: sum(c[k] for c in own) for k in COUNTS}
            verdict = "inconsistent" if what == "level" else "consistent"
            worst = max(own, key=lambda c: c[verdict] / c["runs"])
            text = (f"{worst['plant']}, {worst['samples']}: {worst[verdict]} "
                    f"of {worst['runs']}" if worst[verdict] else "")
            print(f"| {kind} | {total['runs']} | {total['consistent']} | "
                  f"{total['inconsistent']} | {total['undecided']} | {text} |")


if __name__ == "__main__":
    {"run": run, "show": show}[sys.argv[1]](*sys.argv[2:])

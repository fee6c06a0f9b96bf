"""Counts verdicts of darc, beside an oracle and an expert, cell by cell.

    bench.py run SELECTION OUT.tsv [--darc PROGRAM] [--runs N] [--jobs N]
                 [--only FIELD=VALUE[,VALUE...] ...] [--expert]
    bench.py show OUT.tsv
    bench.py compare BEFORE.tsv AFTER.tsv
    bench.py list

A cell is a question, a plant, a kind of noise and its level, samples, samples a
period, and the size of what is wrong:

    term    a term is missing, `size` of the derivative that it stands beside
    odd     the same; the term is nobody's candidate
    pair    of two recordings one parameter differs by `size`

Size 0 is right.  Run k of a cell has seeds of its own that depend on the cell
alone, so two programs see the same recordings.  `--expert` asks expert.py, too;
its answers do not depend on the program.  A cell that OUT.tsv holds with as many
runs is not asked again.  Verdicts are kept run by run as letters: consistent,
inconsistent, undecided, failed.
"""
import argparse
import csv
import itertools
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
import zlib

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("DARC_BENCH_CACHE", os.path.join(
    tempfile.gettempdir(), "darc-bench-cache"))

import numpy as np
from scipy import stats

import expert
import noises
import oracle
import plants
import rigs

ALPHA, FOUND = 0.01, 100
KEY = ("what", "plant", "noise", "level", "samples", "per", "size")
PLANTS = {p.name: p for p in plants.PLANTS + rigs.LOOPS + rigs.RIGS}
TEN = [p.name for p in plants.PLANTS]
LOOPS = [p.name for p in rigs.LOOPS]
RIGS = [p.name for p in rigs.RIGS]
SIZES = [(300, 10), (1000, 20), (3000, 50)]
ALL_SIZES = [(100, 10), (300, 5), (300, 10), (1000, 5), (1000, 20), (1000, 50),
             (3000, 5), (3000, 50), (20000, 50)]
HARD = ["white", "AR(.99)", "pink", "low pass .05", "w+AR(.9)", "w+pink",
        "line.07", "multiplicative"]
FEW = ["low pass", "motor", "predators", "pendulum", "tanks"]


def block(what, names, kinds, levels, sizes, wrong):
    return [dict(zip(KEY, (w, p, k, lv, n, per, z))) for p, k, lv, (n, per), w,
            z in itertools.product(names, kinds, levels, sizes, what, wrong)]


SELECTIONS = {   # name: cells, runs of each
    "quick": (lambda: block(["term"], FEW, HARD[:7], [.01], [(300, 10)],
                            [0, .1])
              + block(["term"], ["PI", "feed-through"], ["white"], [.01, .05],
                      [(1000, 20)], [0, .1])
              + block(["pair"], FEW[:3], ["white", "pink"], [.01], [(300, 10)],
                      [0, .05]), 2),
    "developer": (lambda: block(["term"], TEN, noises.ALL, [.01], [(600, 20)],
                                [0, .1])
                  + block(["term"], LOOPS, ["white"], [.01, .05, .1],
                          [(1000, 20)], [0, .1]), 2),
    "level": (lambda: block(["term"], TEN, noises.ALL, [.01], SIZES, [0])
              + block(["pair"], TEN, HARD, [.01], SIZES[:2], [0]), 4),
    "power": (lambda: block(["term"], TEN, HARD, [.01], SIZES,
                            [.02, .05, .1, .5])
              + block(["odd"], TEN, HARD, [.01], SIZES[1:2], [.05, .1, .5]), 2),
    "pairs": (lambda: block(["pair"], TEN, HARD, [.01], SIZES,
                            [0, .02, .05, .1]), 2),
    "loops": (lambda: block(["term"], LOOPS, ["white", "AR(.9)", "w+pink"],
                            [.005, .02, .05, .1], [(1000, 20), (3000, 50)],
                            [0, .1])
              + block(["pair"], LOOPS, ["white"], [.02, .05], [(1000, 20)],
                      [0, .05]), 4),
    "rigs": (lambda: block(["term"], RIGS, HARD, [.01, .05],
                           [(300, 10), (1000, 20)], [0, .1])
             + block(["pair"], RIGS, HARD[:3], [.01], [(1000, 20)], [0, .05]),
             4),
    "loud": (lambda: block(["term"], TEN, ["white", "AR(.9)", "pink", "w+pink",
                                           "multiplicative"], [.03, .1, .3],
                           [(1000, 20)], [0, .5]), 4),
    "all": (lambda: block(["term", "odd"], TEN, noises.ALL, [.01], ALL_SIZES,
                          [0, .02, .05, .1, .5])
            + block(["pair"], TEN, noises.ALL, [.01], ALL_SIZES,
                    [0, .02, .05, .1]), 4),
}


# ---- recordings ------------------------------------------------------------

def generator(cell, *more):
    text = " ".join(str(cell[k]) for k in KEY)
    return np.random.default_rng([zlib.crc32(text.encode()), *more])


def clean(cell, run, part=0):
    """Without noise; the input is one of four, B's another."""
    plant = PLANTS[cell["plant"]]
    n, per, size = cell["samples"], cell["per"], cell["size"]
    changes = {}
    if size and cell["what"] == "pair" and part == 1:
        changes = {plant.changed: plant.p[plant.changed] * (1 + size)}
    elif size and cell["what"] != "pair":
        name = "eps" if cell["what"] == "term" else "odd"
        changes = {name: plants.size_of(plant, name, size, n, per)}
    seed = 1 + run % 4 + 10 * part
    return plants.cached(plant, n, per, changes, seed), changes, seed


def recording(cell, run, part=0):
    plant = PLANTS[cell["plant"]]
    (t, s), changes, seed = clean(cell, run, part)
    r = generator(cell, run, part)
    if plant.control is None:
        return t, noises.spoil(s, cell["noise"], cell["level"], r)
    noise = {k: noises.course(cell["noise"], r, v, cell["level"] * np.std(v))
             for k, v in s.items() if k != "u"}
    t, s = plants.simulate(plant, cell["samples"], cell["per"], changes, seed,
                           noise)
    return t, {k: v + noise.get(k, 0) for k, v in s.items()}


def save(path, t, signals):
    table = np.column_stack([t] + list(signals.values()))
    np.savetxt(path, table, fmt="%.10g", delimiter=",",
               header="t," + ",".join(signals), comments="")


# ---- answers ---------------------------------------------------------------

def ask_darc(program, cell, recordings):
    """Return a letter and CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.darc")
        with open(model, "w") as f:
            f.write(PLANTS[cell["plant"]].model)
        files = [os.path.join(folder, f"{i}.csv") for i in "ab"]
        for path, r in zip(files, recordings):
            save(path, *r)
        test = "equal" if cell["what"] == "pair" else "structure"
        call = [program, "check", test, model, *files[:len(recordings)],
                "--json", "-", "--threads", "1"]
        p = subprocess.Popen(call, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        text = p.stdout.read()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    cpu = used.ru_utime + used.ru_stime
    try:
        return json.loads(text)["decision"]["verdict"][0], cpu
    except (ValueError, KeyError):
        return "f", cpu


def ask_expert(cell, recordings):
    plant = PLANTS[cell["plant"]]
    start = time.process_time()
    try:
        said = (expert.equal(plant, recordings, ALPHA, near=.95)[0]
                if cell["what"] == "pair" else
                expert.structure(plant, *recordings[0], ALPHA, near=.95)[0])
    except (np.linalg.LinAlgError, ValueError):
        said = "failed"
    return said[0], time.process_time() - start


def noncentrality(cell):
    if not cell["size"]:
        return 0.0
    plant, args = PLANTS[cell["plant"]], (cell["noise"], cell["level"])
    first = clean(cell, 0)[0]
    if cell["what"] == "pair":
        return oracle.pair(plant, [first, clean({**cell, "size": 0}, 0, 1)[0]],
                           *args, cell["size"])
    return oracle.structure(plant, *first, *args)


def answer(job):
    cell, program, runs, with_expert = job
    row = dict(cell, darc="", expert="", darc_cpu=0.0, expert_cpu=0.0)
    row["nc"] = f"{noncentrality(cell):.4g}"
    for run in range(runs):
        parts = range(2 if cell["what"] == "pair" else 1)
        recordings = [recording(cell, run, part) for part in parts]
        said, cpu = ask_darc(program, cell, recordings)
        row["darc"] += said
        row["darc_cpu"] += cpu
        if with_expert:
            said, cpu = ask_expert(cell, recordings)
            row["expert"] += said
            row["expert_cpu"] += cpu
    for who in ("darc", "expert"):
        row[who + "_cpu"] = f"{row[who + '_cpu'] / runs:.4f}"
    return row


# ---- tables ----------------------------------------------------------------

FIELDS = KEY + ("nc", "darc", "darc_cpu", "expert", "expert_cpu")


def identity(row):
    return tuple(str(row[k]) for k in KEY)


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    for row in rows:
        row["nc"] = float(row["nc"])
    return {identity(r): r for r in rows}


def wanted(row, only):
    return all(any(str(row[k]) == v or k == "what" and v == "right" and
                   not float(row["size"]) for v in values)
               for k, values in only.items())


def run(a):
    make, runs = SELECTIONS[a.selection]
    runs = a.runs or runs
    only = {k: v.split(",") for k, v in (x.split("=", 1) for x in a.only)}
    old = load(a.table)
    jobs = []
    for cell in make():
        row = old.get(identity(cell))
        if wanted(cell, only) and not (row and len(row["darc"]) >= runs):
            jobs.append((cell, a.darc, runs, a.expert))
    new = not os.path.exists(a.table)
    with open(a.table, "a") as f, multiprocessing.Pool(a.jobs) as pool:
        w = csv.DictWriter(f, FIELDS, delimiter="\t", lineterminator="\n")
        if new:
            w.writeheader()
        for done, row in enumerate(pool.imap_unordered(answer, jobs), 1):
            w.writerow(row)
            f.flush()
            if sys.stderr.isatty():
                print(f"\r{done} of {len(jobs)} cells", end="",
                      file=sys.stderr)
    show(load(a.table))


def limit(runs):
    """The most that happens by chance but once in 1000."""
    return int(stats.binom.ppf(.999, runs, ALPHA))


def counts(rows, who):
    text = "".join(r[who] for r in rows)
    n = {k: text.count(k) for k in "ciuf"}
    return text, "/".join(str(n[k]) for k in "ciu") + (
        f"/{n['f']}" if n["f"] else "")


def groups(rows, keys):
    order = {}
    for r in rows:
        order.setdefault(tuple(r[k] for k in keys), []).append(r)
    return order


def table(title, head, lines):
    if lines:
        print(f"\n{title}\n\n| " + " | ".join(head) + " |")
        print("| --- " * len(head) + "|")
        for line in lines:
            print("| " + " | ".join(str(x) for x in line) + " |")


def level_line(name, rows, who="darc"):
    text, said = counts(rows, who)
    if not text:
        return [said, ""]
    above = [f"{r['plant']} {r['samples']}: {r[who].count('i')} of "
             f"{len(r[who])}" for r in rows
             if r[who].count("i") > limit(len(r[who]))]
    mark = " **above**" if text.count("i") > limit(len(text)) else ""
    return [said + mark, "; ".join(above[:3]) + (
        f" and {len(above) - 3} more" if len(above) > 3 else "")]


def cpu(rows, who):
    own = [float(r[who + "_cpu"]) for r in rows if r[who]]
    return f"{np.mean(own):.3f}" if own else ""


def show(cells):
    rows = sorted(cells.values(), key=lambda r: noises.ALL.index(r["noise"]))
    right = [r for r in rows if not float(r["size"])]
    wrong = [r for r in rows if float(r["size"])]
    print("As consistent/inconsistent/undecided(/failed).  NC: noncentrality "
          "of an oracle.\n**above**: more than happens once in 1000 at "
          f"{ALPHA:g}.")
    for what in ("term", "pair"):
        own = [r for r in right if (r["what"] == "pair") == (what == "pair")]
        keys = ("noise", "level", "samples", "per")
        table("Right structures" if what == "term" else "Equal pairs",
              ["noise", "level", "samples", "a period", "darc",
               "cells above", "expert"],
              [[*k, *level_line(k, g), level_line(k, g, "expert")[0]]
               for k, g in groups(own, keys).items()])
        table("The same by plant", ["plant", "darc", "expert"],
              [[*k, level_line(k, g)[0], level_line(k, g, "expert")[0]]
               for k, g in groups(own, ("plant",)).items()])
    seen = [r for r in wrong if r["nc"] > FOUND]
    for name, keys in (("by noise", ("what", "noise", "level")),
                       ("by size", ("what", "size", "samples", "per")),
                       ("by plant", ("what", "plant"))):
        table(f"Wrong where NC > {FOUND}, {name}", [*keys, "darc", "expert"],
              [[*k, counts(g, "darc")[1], counts(g, "expert")[1]]
               for k, g in groups(seen, keys).items()])
    faint = [r for r in wrong if not r["nc"] > FOUND]
    table(f"Wrong where NC < {FOUND}", ["what", "darc", "expert"],
          [[*k, counts(g, "darc")[1], counts(g, "expert")[1]]
           for k, g in groups(faint, ("what",)).items()])
    table("CPU seconds a question", ["what", "samples", "darc", "expert"],
          [["pair" if k[0] else "structure", k[1], cpu(g, "darc"),
            cpu(g, "expert")]
           for k, g in sorted(groups([dict(r, pair=r["what"] == "pair",
                                           number=int(r["samples"]))
                                      for r in rows],
                                     ("pair", "number")).items())])


def compare(before, after):
    """Side by side where both have the cell; what changed, run by run."""
    both = [(before[k], after[k]) for k in before if k in after]
    sides = []
    for a, b in both:
        n = min(len(a["darc"]), len(b["darc"]))
        sides.append(dict(a, before=a["darc"][:n], after=b["darc"][:n],
                          expert=a["expert"] or b["expert"],
                          kind="pair" if a["what"] == "pair" else "structure",
                          truth="right" if not float(a["size"]) else
                          "wrong" if a["nc"] > FOUND else "faint"))
    for keys in (("truth", "kind"), ("truth", "kind", "noise", "level"),
                 ("truth", "kind", "samples", "per"),
                 ("truth", "kind", "plant")):
        table("By " + ", ".join(keys), [*keys, "before", "after", "expert"],
              [[*k, counts(g, "before")[1], counts(g, "after")[1],
                counts(g, "expert")[1]]
               for k, g in sorted(groups(sides, keys).items())])
    bad = {"right": "i", "wrong": "c"}
    lines = []
    for r in sides:
        for k, (x, y) in enumerate(zip(r["before"], r["after"])):
            if x != y and y in (bad.get(r["truth"]), "f"):
                lines.append([*(r[q] for q in KEY), k, x, y])
    table("Became wrong (`--only`, run)", [*KEY, "run", "before", "after"],
          lines[:60])
    if len(lines) > 60:
        print(f"and {len(lines) - 60} more")


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    sub = a.add_subparsers(dest="verb", required=True)
    r = sub.add_parser("run")
    r.add_argument("selection", choices=SELECTIONS)
    r.add_argument("table")
    r.add_argument("--darc", default=os.environ.get("DARC",
                                                    "build/release/darc"))
    r.add_argument("--runs", type=int)
    r.add_argument("--jobs", type=int, default=2)
    r.add_argument("--only", nargs="*", default=[])
    r.add_argument("--expert", action="store_true")
    sub.add_parser("show").add_argument("table")
    c = sub.add_parser("compare")
    c.add_argument("before")
    c.add_argument("after")
    sub.add_parser("list")
    a = a.parse_args()
    if a.verb == "run":
        run(a)
    elif a.verb == "show":
        show(load(a.table))
    elif a.verb == "compare":
        compare(load(a.before), load(a.after))
    else:
        for name, (make, runs) in SELECTIONS.items():
            print(f"{name}: {len(make())} cells, {runs} runs of each")


if __name__ == "__main__":
    main()

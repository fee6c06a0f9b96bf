"""Verdicts by the weak form beside those by trajectories, of questions to recordings.

    methods.py DARC MODELS QUESTIONS DIR... [--timeout 20] [--rows N]

QUESTIONS is a table: test, set, model, first file, second file or -, options or -,
right answers; recordings are DIR/SET/FILE, models MODELS/MODEL.darc.  A pair of
verdicts of which one is consistent and the other inconsistent is a contradiction,
and printed with its reasons; then a table of how many pairs there are of each.  With
--rows both are asked of so many rows, from a third of each recording on.
"""
import argparse
import collections
import json
import os
import subprocess
import tempfile


def ask(command):
    r = subprocess.run(command + ["--json", "-"], capture_output=True, text=True)
    try:
        d = json.loads(r.stdout)["decision"]
        return d["verdict"], d["reason"]
    except (ValueError, KeyError):
        return ("no end" if "time limit" in r.stderr else "refused"), r.stderr.strip().split("\n")[0]


def cut(path, rows, folder):
    """The same with `rows` rows of numbers from a third of them on; its path."""
    with open(path, encoding="utf-8", errors="replace") as f:
        lines = f.read().splitlines()
    first = 0
    while first < len(lines) and not lines[first].lstrip()[:1].strip("+-.0123456789") == "":
        first += 1
    begin = first + (len(lines) - first - rows) // 3 if len(lines) - first > rows else first
    to = os.path.join(folder, os.path.basename(path))
    with open(to, "w") as f:
        f.write("\n".join(lines[:first] + lines[begin:begin + rows]) + "\n")
    return to


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("darc")
    a.add_argument("models")
    a.add_argument("questions")
    a.add_argument("dirs", nargs="+")
    a.add_argument("--timeout", default="20")
    a.add_argument("--rows", type=int)
    a = a.parse_args()
    count, wrong = collections.Counter(), 0
    for line in open(a.questions):
        test, name, model, *files, options, right = (line.rstrip("\n").split("\t") + [""])[:7]
        home = next((d for d in a.dirs if os.path.isfile(os.path.join(d, name, files[0]))), None)
        if line.startswith("#") or test not in ("structure", "equal") or home is None:
            continue
        command = [a.darc, "check", test, os.path.join(a.models, model + ".darc")]
        paths = [os.path.join(home, name, f) for f in files if f != "-"]
        more = ["--threads", "1"] + (options.split() if options != "-" else [])
        with tempfile.TemporaryDirectory() as folder:
            if a.rows:
                paths = [cut(p, a.rows, folder) for p in paths]
            weak = ask(command + paths + more + ["--method", "weak"])
            by = ask(command + paths + more + ["--method", "trajectory", "--timeout", a.timeout])
        count[weak[0], by[0]] += 1
        against = {weak[0], by[0]} == {"consistent", "inconsistent"}
        wrong += by[0] in ("consistent", "inconsistent") and by[0] not in right.split(",")
        print("CONTRADICTION" if against else "-", test, model, *files, *weak, "|", *by, flush=True)
    print("weak form, trajectories: count")
    for (weak, by), n in sorted(count.items()):
        print(f"  {weak}, {by}: {n}")
    print(sum(count.values()), "questions,", wrong, "wrong verdicts by trajectories")


if __name__ == "__main__":
    main()

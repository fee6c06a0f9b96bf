"""Whether verdicts depend on where signals have their origin.

    origins.py DARC QUESTIONS MODELS DATA...

takes every question of a file (test, set, model, A, B, options, ...; tabs
between them; see the field questions) whose model has a free constant in each
equation that a signal enters underived.  That signal is moved by +-100 times
its RMS, in A alone and in A and B.  No verdict may change; those that do are
printed, and the exit code is 1.
"""
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

TIMES = (100.0, -100.0)


def sections(path):
    """The sections of a model as lists of lines."""
    found, name = {}, None
    for line in open(path):
        line = re.sub(r'#.*|".*?"|\[.*?\]', "", line).rstrip()
        if re.match(r"\w", line):
            name = line.split()[0]
        elif line.strip():
            found.setdefault(name, []).append(line.strip())
    return found


def words(lines):
    return [w for line in lines for w in re.sub("may be zero", "", line).split()]


def terms(equation):
    """Additive terms, signs dropped."""
    return [t.strip() for t in re.split(r"[-+=]", equation) if t.strip()]


def holds(term, name):
    """Whether a term holds a signal underived."""
    return re.search(r"\b%s\b(?!')" % re.escape(name), term) is not None


def free_signals(path):
    """Measured signals whose origin the constants of the model take up."""
    s = sections(path)
    constants = set(words(s.get("parameters", [])))
    signals = words(s.get("inputs", [])) + words(s.get("outputs", []))
    derived = s.get("derived", [])
    free = []
    for name in signals:
        ok = not any(holds(d, name) for d in derived) and "states" not in s
        for equation in s["equations"]:
            own = [t for t in terms(equation) if holds(t, name)]
            lone = any(t in constants for t in terms(equation))
            linear = all(len(re.findall(r"\b(%s)\b" % "|".join(signals), t)) == 1
                         and "^" not in t for t in own)
            ok = ok and (not own or (lone and linear))
        if ok:
            free.append(name)
    return free


def moved(path, column, times, folder):
    """A copy of a recording, a column moved; the path of it."""
    with open(path) as f:
        rows = list(csv.reader(f))
    at = rows[0].index(column)
    values = [float(r[at]) for r in rows[1:]]
    by = times * math.sqrt(sum(v * v for v in values) / len(values))
    for r, v in zip(rows[1:], values):
        r[at] = repr(v + by)
    out = os.path.join(folder, os.path.basename(path))
    with open(out, "w", newline="") as f:
        csv.writer(f).writerows(rows)
    return out


def ask(darc, test, model, files, options):
    verb = ["isolate"] if test == "isolate" else ["check", test]
    call = [darc] + verb + [model] + files + options + ["--json", "-",
                                                       "--threads", "1"]
    p = subprocess.run(call, capture_output=True, text=True)
    try:
        out = json.loads(p.stdout)
    except ValueError:
        return "failed: " + (p.stderr.strip().splitlines() or [""])[0]
    if test == "isolate":
        return json.dumps(out.get("diagnosis"))
    return out["decision"]["verdict"]


def check(darc, question, models, folders):
    """Print what changes; return how many verdicts were asked and changed."""
    test, group, model, a, b, options = question[:6]
    path = os.path.join(models, model + ".darc")
    home = next((os.path.join(d, group) for d in folders
                 if os.path.isfile(os.path.join(d, group, a))), None)
    if home is None:
        return 0, 0
    options = [] if options == "-" else options.split()
    names = dict(o.split("=") for o in options if re.match(r"\w+=\w+$", o))
    files = [os.path.join(home, f) for f in (a, b) if f != "-"]
    asked = changed = 0
    before = None
    for signal in free_signals(path):
        before = before or ask(darc, test, path, files, options)
        for times in TIMES:
            for count in range(1, len(files) + 1):
                with tempfile.TemporaryDirectory() as folder:
                    now = [moved(f, names.get(signal, signal), times, folder)
                           for f in files[:count]] + files[count:]
                    after = ask(darc, test, path, now, options)
                asked += 1
                if after != before:
                    changed += 1
                    print(test, model, a, b, signal, "%+g" % times,
                          "in", count, ":", before, "->", after, flush=True)
    return asked, changed


def main():
    darc, questions, models, *folders = sys.argv[1:]
    asked = changed = 0
    for line in open(questions):
        if line.startswith("#"):
            continue
        n, m = check(darc, line.rstrip("\n").split("\t"), models, folders)
        asked, changed = asked + n, changed + m
    print(f"{asked} verdicts with a moved origin, {changed} changed")
    sys.exit(1 if changed or not asked else 0)


if __name__ == "__main__":
    main()

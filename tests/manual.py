"""Hold README.md and src/manual against the program that DARC names.

    manual.py quoted FILE   commands after '$ ' in FILE give what stands below
    manual.py names         options, commands and topics that are quoted exist
    manual.py json          json.md has every field of every report
    manual.py tables        database.md has every column of the database
    manual.py keys          references.md has every key that is cited
"""
import glob
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

DARC = os.path.abspath(os.environ["DARC"])
TEXTS = ["README.md"] + sorted(glob.glob("src/manual/*.md"))
# Here the numbers count, too.
EXACT = ["README.md"] + ["src/manual/%s.md" % topic
                         for topic in ("tutorial", "tolerance", "campaigns")]
OTHERS = {"--cflags", "--libs", "--mpi"}  # options of other programs
CAR = "systems/quarter_car_chassis/"
MOTOR = "systems/dc_motor/"
PASS = "systems/low_pass/"
faults = []


def read(file):
    with open(file, encoding="ascii") as f:
        return f.read()


def blocks(text):
    """The fenced blocks of a text."""
    return re.findall(r"^```[^\n]*\n(.*?)^```$", text, re.M | re.S)


def run(command, folder="."):
    """What a shell says and its exit code; darc is the program tested."""
    path = os.path.dirname(DARC) + ":" + os.environ["PATH"]
    done = subprocess.run(["bash", "-c", command], cwd=folder, text=True,
                          env={**os.environ, "PATH": path},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout, done.returncode


def darc(arguments):
    return run(DARC + " " + arguments)[0]


# ---- quoted ---------------------------------------------------------------

NUMBER = r"(?<![\w^.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"


def even(line):
    return re.sub(r"\s+", " ", line).strip()


def pattern(lines):
    """'...' stands for any lines, or for the rest of a line; numbers are groups.
    With them the numbers that stand in the text."""
    out, numbers = "", []
    for line in map(even, lines):
        if line == "...":
            out += r"(?:.*\n)*?"
            continue
        rest = line.endswith("...")
        line = line[:-3] if rest else line
        out += ("(" + NUMBER + ")").join(map(re.escape, re.split(NUMBER, line)))
        out += r".*\n" if rest else r"\n"
        numbers += re.findall(NUMBER, line)
    return out, numbers


def last_digit(number):
    """The value of one unit of it."""
    digits, _, power = number.partition("e")
    return 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


def is_near(text, said):
    """Equal but for the last digit of the finer one, which rounding may turn."""
    unit = min(last_digit(text), last_digit(said))
    return abs(float(text) - float(said)) <= 1.01 * unit


def replay(folder, command, expected, exact):
    if shutil.which(command.split()[0]) is None and command[:4] != "darc":
        return
    said, code = run(command, folder)
    lines = "".join(even(s) + "\n" for s in said.splitlines())
    wanted, numbers = pattern(expected)
    match = re.fullmatch(wanted, lines)
    if code > 2 or match is None or (
            exact and not all(map(is_near, numbers, match.groups()))):
        faults.append("$ %s\nsaid (exit code %d)\n%s" % (command, code, said))


def quoted(file):
    if "\n$ " not in read(file):
        return
    with tempfile.TemporaryDirectory() as top:
        shutil.copytree("systems", top + "/systems")
        folder = top
        for block in blocks(read(file)):
            if re.match(r"model \w+.*^equations$", block, re.M | re.S):
                name = block.split()[1]
                with open("%s/%s.darc" % (folder, name), "w") as f:
                    f.write(block)
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, *expected = part.splitlines()
                if command.startswith("cd "):
                    folder = os.path.normpath(
                        os.path.join(folder, command[3:]))
                else:
                    replay(folder, command, expected, file in EXACT)


# ---- names ----------------------------------------------------------------

def listed(text):
    """The names in front of the lines of darc help."""
    return set(re.findall(r"^  ([a-z]+) ", text, re.M))


def names():
    known = set(re.findall(r"--[a-z-]+", darc("help options")))
    known |= OTHERS | {"--help", "--version"}
    every = listed(darc("help"))
    for file in TEXTS:
        text = read(file)
        prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        code = ";".join(blocks(text) + re.findall(r"`([^`]+)`", prose))
        for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)):
            if option not in known:
                faults.append("%s: no option %s" % (file, option))
        for word in re.findall(r"(?<![.\w])darc\s+(?:help\s+)?([a-z]+)\b", code):
            if word not in every | {"help", "man"}:
                faults.append("%s: no command or topic '%s'" % (file, word))
    topics = {os.path.basename(f)[:-3] for f in TEXTS[1:]}
    if not topics <= every:
        faults.append("not listed by darc help: %s" % (topics - every))
    for topic in topics:
        if not os.path.exists("src/commands/cmd_%s.c" % topic):
            continue
        faults.append("topic '%s' has the name of a command" % topic)
    for topic in topics:
        if "(src/manual/%s.md)" % topic not in read("README.md"):
            faults.append("README.md does not point to %s" % topic)


# ---- json, tables, keys ---------------------------------------------------

REPORTS = [
    "check structure %(M)smodel.darc %(M)sdata.csv",
    "check changed %(C)smodel.darc %(C)sdata.csv %(C)sheavier.csv --changed m",
    "isolate %(C)smodel.darc %(C)sdata.csv %(C)sheavier.csv",
    "values %(C)smodel.darc %(C)sdata.csv %(C)sother_road.csv",
    "drift %(C)smodel.darc %(C)sdata.csv %(C)sheavier.csv README.md",
    "check structure %(C)smodel.darc %(C)sdata.csv --over-time",
    "identify %(P)sfilter.darc --ask T*Tf",
    "data %(C)sdata.csv",
    "compare %(C)sdata.csv %(C)sheavier.csv --spectra --checklist",
    "compare %(C)sdata.csv --reference %(C)sheavier.csv %(C)scubic.csv "
    "%(C)sother_road.csv --features rise_time",
    "compare --table systems/servo/table.csv",
    "credibility systems/missile/flight.factors",
    "eliminate %(M)smodel.darc --format json",
    "eliminate %(M)smodel.darc --form support --format json",
    "eliminate %(M)smodel.darc --for structure --format json",
    "eliminate %(M)smodel.darc --for structure --form matrix --format json",
    "eliminate systems/qwwc/model.darc --form expanded --format json --timeout 0.5 "
    "2>/dev/null",
]
OWN = {"parameters", "isolable", "states", "asked"}  # their keys are a model's names


def fields(value):
    if isinstance(value, list):
        return {k for v in value for k in fields(v)}
    if not isinstance(value, dict):
        return set()
    found = set(value)
    for key, v in value.items():
        found |= fields(list(v.values()) if key in OWN else v)
    return found


def report_fields():
    text = read("src/manual/json.md")
    for line in REPORTS:
        line = line % {"C": CAR, "M": MOTOR, "P": PASS}
        where = "" if "--format json" in line else " --json -"
        for field in sorted(fields(json.loads(darc(line + where)))):
            if "`%s`" % field not in text:
                faults.append("json.md lacks %s of %s" % (field, line))


def tables():
    text = read("src/manual/database.md")
    with tempfile.TemporaryDirectory() as folder:
        file = folder + "/rig.sqlite"
        darc("drift %smodel.darc %sdata.csv --db %s" % (CAR, CAR, file))
        db = sqlite3.connect(file)
        for (table,) in db.execute("SELECT name FROM sqlite_master "
                                   "WHERE type = 'table'").fetchall():
            row = re.search(r"^\| `%s` \|.*$" % table, text, re.M)
            for column in db.execute("PRAGMA table_info(%s)" % table):
                if row is None or "`%s`" % column[1] not in row.group():
                    faults.append("database.md lacks %s of %s"
                                  % (column[1], table))
        db.close()


def keys():
    known = re.findall(r"^- \[([^\]]+)\]", read("src/manual/references.md"),
                       re.M)
    if len(known) != len(set(known)):
        faults.append("references.md: a key stands twice")
    sources = glob.glob("src/*/*.[ch]") + glob.glob("include/darc/*.h")
    for file in TEXTS + sources:
        with open(file) as f:
            for key in re.findall(r"\[([A-Z][A-Za-z]+\d\d+)\]", f.read()):
                if key not in known:
                    faults.append("%s cites [%s]" % (file, key))


checks = {"quoted": quoted, "names": names, "json": report_fields,
          "tables": tables, "keys": keys}
checks[sys.argv[1]](*sys.argv[2:])
for fault in faults:
    print(fault)
sys.exit(len(faults) > 0)

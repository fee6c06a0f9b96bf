"""Hold README.md and src/manual against the program that DARC names.

    manual.py quoted FILE   commands after '$ ' in FILE give what stands below
    manual.py names         options, commands and topics that are quoted exist
    manual.py json          reports are as json.md, so help schema, says
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
            if word not in every | {"help", "schema"}:
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
    "check structure %(M)smodel.darc %(M)sdata.csv --method pointwise",
    "check structure %(C)smodel.darc %(C)scubic.csv",
    "check equal %(C)smodel.darc %(C)sdata.csv %(C)sother_road.csv",
    "check changed %(C)smodel.darc %(C)sdata.csv %(C)sheavier.csv --changed m",
    "isolate %(C)smodel.darc %(C)sdata.csv %(C)sheavier.csv",
    "values %(C)smodel.darc %(C)sdata.csv %(C)sother_road.csv",
    "values %(M)smodel.darc %(M)sdata.csv --overlay",
    "drift %(C)smodel.darc %(C)sdata.csv %(C)sheavier.csv README.md",
    "check structure %(C)smodel.darc %(C)sdata.csv --over-time",
    "identify %(P)sfilter.darc --ask T*Tf",
    "identify %(S)stwo_compartments/model.darc --init x1=1",
    "identify %(S)spredator_prey/model.darc",
    "data %(C)sdata.csv",
    "plan %(M)smodel.darc --values %(M)sdata.csv --input u=multisine:1,0.1,5 "
    "--input u=step:1,1",
    "fulfil %(S)smotor_pi/model.darc %(S)smotor_pi/target.darc --free Kp,Ki",
    "fulfil %(S)sskyhook/model.darc %(S)sskyhook/target.darc --free c,d",
    "fulfil %(S)smotor_pi/inductance.darc %(S)smotor_pi/target.darc "
    "--param R=1,L=0.01,K=0.05,J=0.0005,w0=10,zeta=0.7 --tolerance 0.02 "
    "--band 0.1,2",
    "compare %(C)sdata.csv %(C)sheavier.csv --spectra --checklist",
    "compare %(C)sdata.csv --reference %(C)sheavier.csv %(C)scubic.csv "
    "%(C)sother_road.csv --features rise_time",
    "compare --table systems/servo/table.csv",
    "eliminate %(M)smodel.darc --format json",
    "eliminate %(M)smodel.darc --form support --format json",
    "eliminate %(M)smodel.darc --for structure --format json",
    "eliminate %(M)smodel.darc --for structure --form matrix --format json",
    "eliminate %(S)sclairaut/model.darc --all-components --format json",
    "eliminate %(S)sclairaut/model.darc --all-components --summary "
    "--format json",
    "eliminate %(S)spendulum/model.darc --format json",
    "eliminate systems/qwwc/model.darc --form expanded --format json --timeout 0.5 "
    "2>/dev/null",
    "credibility systems/missile/flight.factors",
]
TYPES = {"string": str, "boolean": bool, "null": type(None), "array": list,
         "object": dict, "integer": int, "number": (int, float)}


def is_type(value, names):
    names = names if isinstance(names, list) else [names]
    return any(isinstance(value, TYPES[n]) and
               (n == "boolean" or not isinstance(value, bool)) for n in names)


def errors(value, rule, defs, at="report"):
    """Where a value is not what a rule of the schema says."""
    while "$ref" in rule:
        rule = defs[rule["$ref"].split("/")[-1]]
    if "anyOf" in rule:
        all_errors = [list(errors(value, r, defs, at)) for r in rule["anyOf"]]
        if all(all_errors):
            yield from all_errors[0]
        return
    if "const" in rule and value != rule["const"]:
        yield "%s is not %s" % (at, rule["const"])
    if "type" in rule and not is_type(value, rule["type"]):
        yield "%s is no %s" % (at, rule["type"])
        return
    for i, item in enumerate(value if "items" in rule else []):
        yield from errors(item, rule["items"], defs, "%s[%d]" % (at, i))
    known, more = rule.get("properties", {}), rule.get("additionalProperties")
    for key in rule.get("required", []):
        if key not in value:
            yield "%s lacks %s" % (at, key)
    for key in value if isinstance(value, dict) else []:
        inner = known.get(key, more)
        if not inner:
            yield "%s has %s, which json.md does not" % (at, key)
        else:
            yield from errors(value[key], inner, defs, at + "." + key)


def report_fields():
    defs = json.loads(darc("help schema"))["$defs"]
    seen = set()
    for line in REPORTS:
        line = line % {"C": CAR, "M": MOTOR, "P": PASS, "S": "systems/"}
        where = "" if "--format json" in line else " --json -"
        report = json.loads(darc(line + where))
        seen.add(report["command"])
        rule = {"$ref": "#/$defs/report_" + report["command"]}
        for error in errors(report, rule, defs):
            faults.append("%s: %s" % (line, error))
    for name in defs:
        if name.startswith("report_") and name[7:] not in seen | {"monitor"}:
            faults.append("no report of %s is looked at" % name[7:])
    # What is wrong is found, or the above says nothing.
    report["nodes"][0]["name"] = None
    report["more"] = report.pop("verdict")
    if len(list(errors(report, {"$ref": "#/$defs/report_credibility"},
                       defs))) != 3:
        faults.append("a report with three faults passes")


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

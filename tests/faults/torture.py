"""Fails calls of darc one by one, and kills it: nothing half said, nothing lost.

usage: torture.py DARC SHIM SECONDS [SEED]

Every command of a list runs once as it should. Then it runs again and again,
with the n-th allocation, read, write, open, fsync or rename failing (tests/
faults/shim.c), for every n in an order that chance makes, until the time is
over. Each run must either say what the first one said, with its exit code, or
say nothing on standard output, a message on standard error, and exit with 4 or
5; files are whole, or as they were; a database serves the next run. An
elimination or a campaign that is ended prints how far it came, as part of a
check too.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

darc, shim = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
seconds = float(sys.argv[3])
chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
here = os.getcwd()
car = here + "/systems/quarter_car_chassis/"
low = here + "/systems/low_pass/model.darc"

# name, words; OUT: a file that the command writes, DB: its database
COMMANDS = {
    "eliminate": ["eliminate", car + "model.darc"],
    "identify": ["identify", car + "model.darc", "--json", "OUT"],
    "check": ["check", "structure", car + "model.darc", car + "data.csv",
              "--quiet"],
    "isolate": ["isolate", car + "model.darc", car + "data.csv",
                car + "heavier.csv", "--html", "OUT", "--quiet"],
    "drift": ["drift", car + "model.darc", car + "data.csv",
              car + "heavier.csv", "--db", "DB", "--quiet", "--threads", "1"],
    "simulate": ["simulate", low, "--param", "T=0.1,K=2", "--input",
                 "u=multisine:1,0.1,5", "--t-end", "2", "--rate", "100",
                 "--quiet", "-o", "OUT"],
    "compare": ["compare", car + "data.csv", car + "heavier.csv"],
}
CALLS = ["memory", "read", "write", "open", "fsync", "rename"]
OLD = b"old\n"
findings = []


class Run:
    """One run in a folder of its own."""

    def __init__(self, name, fault, folder):
        self.name, self.fault, self.folder = name, fault, folder
        self.out = os.path.join(folder, "out")
        self.db = os.path.join(folder, "db.sqlite")

    def words(self):
        place = {"OUT": self.out, "DB": self.db}
        return [darc] + [place.get(w, w) for w in COMMANDS[self.name]]

    def start(self):
        with open(self.out, "wb") as f:
            f.write(OLD)
        env = dict(os.environ, LD_PRELOAD=shim, TMPDIR=self.folder,
                   **self.fault) if self.fault else dict(os.environ)
        return subprocess.Popen(self.words(), env=env, cwd=self.folder,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def go(self):
        p = self.start()
        try:
            self.stdout, self.stderr = p.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            p.kill()
            self.stdout, self.stderr = p.communicate()
            self.stderr += b"HANGS"
        self.code = p.returncode
        with open(self.out, "rb") as f:
            self.file = f.read()
        return self

    def left(self):
        # a journal is what the next run, here too, sets the database right by
        known = {"out", "db.sqlite", "db.sqlite-journal", "count"}
        return [f for f in os.listdir(self.folder) if f not in known]


def clean(text, run):
    """Without what two runs differ by: where they ran, and how long."""
    return re.sub(rb", [\d.]+ s\n", b"\n",
                  text.replace(run.folder.encode(), b"FOLDER"))


def complain(run, what):
    findings.append((run.name, run.fault))
    print("FINDING", run.name, run.fault, what, "exit code", run.code)
    print("  stderr:", run.stderr[-400:].decode(errors="replace"))
    sys.stdout.flush()


def judge(run, good):
    same = clean(run.stdout, run) == clean(good.stdout, good)
    whole = clean(run.file, run) == clean(good.file, good) or \
        b"not a file that can be read again" in run.file
    partial = run.code == 5 and (run.name in ("eliminate", "identify") or
                                 b"darc: reached: " in run.stderr)
    if run.code == good.code:
        if not same:
            complain(run, "standard output differs")
        elif not whole:
            complain(run, "the file differs")
    elif run.code not in (4, 5):
        complain(run, "ends badly")
    elif not run.stderr.strip():
        complain(run, "says nothing")
    elif b"internal error" in run.stderr or b"file is damaged" in run.stderr:
        complain(run, "says what is not so")
    elif not whole and run.file != OLD:
        complain(run, "the file is neither old nor new")
    elif run.stdout and not same and not partial and \
            run.fault.get("FAULT_CALL") != "write" and \
            not (run.name == "drift" and b"not read" in run.stderr):
        complain(run, "half an answer")
    if run.left():
        complain(run, "leaves " + " ".join(run.left()))


def with_folder(work):
    folder = tempfile.mkdtemp(prefix="darc-torture-")
    try:
        return work(folder)
    finally:
        shutil.rmtree(folder)


def count(name):
    """The most calls of each kind that a process of the command makes."""
    def work(folder):
        file = os.path.join(folder, "count")
        Run(name, {"FAULT_COUNT": file}, folder).go()
        with open(file) as f:
            rows = [[int(n) for n in line.split()] for line in f]
        return dict(zip(CALLS, map(max, zip(*rows))))
    return with_folder(work)


def fault(name, good, env):
    def work(folder):
        run = Run(name, env, folder).go()
        judge(run, good)
        if "DB" in COMMANDS[name]:
            again = Run(name, None, folder).go()
            if again.code != good.code or \
                    clean(again.stdout, again) != clean(good.stdout, good):
                again.fault = env
                complain(again, "the database does not serve the next run")
    with_folder(work)


def kill(name, good, span):
    def work(folder):
        run = Run(name, None, folder)
        p = run.start()
        time.sleep(chance.uniform(0, span))
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(p.pid)],
                                  capture_output=True, text=True).stdout
        for pid in children.split() + [p.pid]:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        p.communicate()
        again = Run(name, None, folder).go()
        again.fault = {"killed": ""}
        judge(again, good)
    with_folder(work)


def main():
    begin = time.monotonic()
    good, todo, runs, spans = {}, [], {}, {}
    for name in COMMANDS:
        start = time.monotonic()
        good[name] = with_folder(lambda folder: Run(name, None, folder).go())
        spans[name] = time.monotonic() - start
        for call, most in count(name).items():
            todo += [(name, call, n) for n in range(1, most + 1)]
    total = len(todo)
    # each kind of call as often as any other, until all of its have been tried
    chance.shuffle(todo)
    kinds = {}
    for item in todo:
        kinds.setdefault(item[:2], []).append(item)
    while any(kinds.values()):
        for key, items in kinds.items():
            if time.monotonic() - begin > seconds:
                kinds = {}
                break
            if not items:
                continue
            name, call, n = items.pop()
            env = {"FAULT_CALL": call, "FAULT_AT": str(n)}
            if chance.random() < 0.3:
                env["FAULT_ON"] = "1"
            if call in ("read", "write") and chance.random() < 0.5:
                env["FAULT_SHORT"] = "1"
            fault(name, good[name], env)
            runs[key] = runs.get(key, 0) + 1
            if chance.random() < 0.1 and name in ("drift", "simulate"):
                kill(name, good[name], spans[name])
                runs["kill"] = runs.get("kill", 0) + 1
    print("torture: %d runs of %d places, %d kills, %d findings" %
          (sum(runs.values()), total, runs.get("kill", 0), len(findings)))
    return bool(findings)


sys.exit(main())

#!/usr/bin/env python3
"""Random plants put to eliminate, identify, simulate, check, isolate.

    python3 bench/verdicts/random_models.py DARC [FIRST [MODELS]]      (default 1 100)

Every recording is made by the model itself.  Wrong is: a program that dies or
speaks of a mistake of its own, a structure or two equal recordings found
inconsistent, a value six standard deviations off, a diagnosis without the
parameter that changed; one structure in a hundred is found inconsistent by
chance (alpha).  Such models are printed; at the end the counts.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile


def draw(r):
    """A model of one to three states, its parameters and their values."""
    states = [f"x{i}" for i in range(r.randint(1, 3))]
    value = {}

    def par(low, high):
        value[f"p{len(value)}"] = round(r.uniform(low, high), 3)
        return f"p{len(value) - 1}"

    def term(s):
        o = r.choice(states)
        return r.choice([
            lambda: f" - {par(.05, .2)}*{s}^2", lambda: f" - {par(.05, .3)}*{s}^3",
            lambda: f" + {par(.05, .2)}*{s}*{o}", lambda: f" + {par(.1, .4)}*sin({o})",
            lambda: f" - {par(.2, .8)}*{s}/({par(2, 4)} + {s}^2)"])()

    nonlinear, equations = r.random() < .5, []
    for i, s in enumerate(states):
        right = f"-{par(1, 3)}*{s}"
        for o in states:
            if o != s and r.random() < .5:
                right += f" {r.choice('+-')} {par(.1, .6)}*{o}"
        if nonlinear and r.random() < .6:
            right += term(s)
        if i == 0 or r.random() < .3:
            right += f" + {par(.5, 2)}*u"
        left = f"{s}'' + {par(1, 3)}*{s}'" if r.random() < .25 else f"{s}'"
        equations.append(f"{left} = {right}")
    outputs = [f"y{k}" for k in range(r.randint(1, 2))]
    for y in outputs:
        o = r.choice(states)
        equations.append(f"{y} = " + r.choice([
            lambda: o, lambda: f"{par(.5, 2)}*{o}", lambda: f"{o}'",
            lambda: f"{o} + {par(.2, 1)}*{r.choice(states)}",
            lambda: f"{o} + {par(.3, 1)}"])())
    text = "".join(f"    {e}\n" for e in equations)
    value = {p: v for p, v in value.items() if re.search(rf"\b{p}\b", text)}
    return (f"model random\nstates\n    {' '.join(states)}\nparameters\n    "
            f"{' '.join(value)}\ninputs\n    u\noutputs\n    {' '.join(outputs)}\n"
            f"equations\n{text}"), value


class Trial:
    def __init__(self, darc, folder, seed, counts):
        self.darc, self.folder, self.seed, self.counts = darc, folder, seed, counts
        self.text, self.value = draw(random.Random(seed))
        self.model = os.path.join(folder, "random.darc")
        with open(self.model, "w", encoding="utf-8") as f:
            f.write(self.text)

    def note(self, what, wrong=None):
        self.counts[("WRONG " if wrong else "") + what] += 1
        if wrong:
            values = ",".join(f"{p}={v}" for p, v in self.value.items())
            print(f"{self.seed}: {what}: {wrong}\n{self.text}# {values}", flush=True)

    def run(self, *arguments):
        p = subprocess.run([self.darc, *arguments, "--timeout", "60"],
                           capture_output=True, text=True, check=False)
        died = p.returncode < 0 or "by signal" in p.stderr or "mistake" in p.stderr
        self.note(f"{arguments[0]} exit {p.returncode}", died and p.stderr[-300:])
        return p

    def record(self, name, value, seed):
        file = os.path.join(self.folder, name)
        p = self.run("simulate", self.model, "--param",
                     ",".join(f"{k}={v}" for k, v in value.items()), "--input",
                     "u=multisine:1,0.02,1.2", "--t-end", "60", "--rate", "50",
                     "--seed", str(seed), "--noise", "0.002", "-o", file)
        return file if p.returncode == 0 else None

    def ask(self, *arguments):
        p = self.run(*arguments, "--json", "-")
        return json.loads(p.stdout) if p.returncode <= 2 else None

    def go(self):
        self.run("eliminate", self.model)
        self.run("identify", self.model)
        a = self.record("a.csv", self.value, 1)
        b = self.record("b.csv", self.value, 2)
        name = random.Random(-self.seed).choice(sorted(self.value))
        c = self.record("c.csv", self.value | {name: 1.3 * self.value[name]}, 3)
        if not (a and b and c):
            return
        for question, files in (("structure", [a]), ("equal", [a, b])):
            j = self.ask("check", question, self.model, *files)
            if j:
                verdict = j["decision"]["verdict"]
                self.note(f"{question} {verdict}",
                          verdict == "inconsistent" and j["decision"]["reason"])
            for x in (j or {}).get("values") or []:
                if x["name"] in self.value and x.get("sd") and not x.get("local"):
                    off = abs(x["value"] - self.value[x["name"]]) / x["sd"]
                    self.note("value", off > 6 and f"{x}")
        j = self.ask("isolate", self.model, a, c)
        if j and j.get("diagnosis"):
            equal = [q for x in j["candidates"] if x["changed"] in j["diagnosis"]
                     for q in x.get("equivalent", [])]
            found = j["diagnosis"] + [q if isinstance(q, list) else [q] for q in equal]
            self.note("isolate", not any(name in d for d in found) and f"{name} {found}")


def main():
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    models = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + models):
            Trial(sys.argv[1], folder, seed, counts).go()
    for what, n in sorted(counts.items()):
        print(f"{n:6d} {what}")


if __name__ == "__main__":
    main()

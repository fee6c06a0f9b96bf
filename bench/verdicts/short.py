"""Short recordings, judged by trajectories: level, power, coverage, cost.

    short.py DARC [--runs N] [--models oral,sir,...] [--n 8,20] [--many 1,3]
             [--noise .01,.1] [--kinds white,proportional] [--seed S] [--tsv FILE]
             [--ask structure,values,equal,changed] [--steps samples,clock] [--hold]

Models are simulated by SciPy at parameters drawn within a factor of two, each
recording from initial values of its own: six without inputs, and three whose input
is a staircase or a binary sequence, with steps at samples or on a clock of its own.
darc is asked for the structure of right recordings and of those in whose equations a
term is missing, for values, and whether parameters are equal, or equal but for the
first one, in recordings of which the last has a parameter that is 20 % larger; no
start is given.  Beside it an expert, an output-error fit by SciPy from starts
within 15 % of the truth.  NC is the noncentrality of what is wrong: what the
best right model misses it by, in squares of the noise; of right recordings that of
such a term of 10 % of the largest one, or of a change of 10 %.  A right one whose NC
is above 100 should be decided.  A search converged where the model with its values
misses the recordings by no more than the truth does, in the weights of the truth or
in even ones.  With --tsv each answer is a line of the file.
"""
import argparse
import itertools
import json
import os
import resource
import subprocess
import tempfile

import numpy as np
from scipy.optimize import least_squares


class Model:
    """Equations as text, as a function, and one term more of size e."""

    def __init__(self, name, text, rate, outputs, truth, start, span, known=(),
                 wrong=None, size=0.1, terms=None, driven=False):
        self.names, self.driven = text.split("parameters\n")[1].split("\n")[0].split(), driven
        self.name, self.text, self.rate, self.outputs = name, text, rate, outputs
        self.truth, self.start, self.span = np.array(truth), start, span
        self.known, self.wrong, self.size, self.terms = known, wrong, size, terms

    def share(self, p, x):
        """Of the term of size 1 in the largest one of its equation, by RMS along x."""
        d = np.array(self.rate(x, p))
        off = np.abs(np.array(self.wrong(x, p, 1, d)) - d).sum(0)
        return np.sqrt(np.mean(off**2) / np.mean(np.max(np.abs(self.terms(x, p)), 0)**2))

    def states(self, t, p, x0, e=0.0, u=None):
        """States (states, len(t), ...); p and x0 may have columns; the input u stands
        behind the parameters, one value a step."""
        def f(x):
            d = self.rate(x, q)
            return np.array(self.wrong(x, q, e, d) if e else d)
        x, out, q = np.array(x0, float) + 0 * p[0], [], p
        steps = steps_of(len(t))
        h = (t[1] - t[0]) / steps
        for k in range(len(t)):
            out.append(x)
            for i in range(steps if k + 1 < len(t) else 0):
                if u is not None:
                    q = np.concatenate([p, 0 * p[:1] + u[k * steps + i]])
                a = f(x)
                b = f(x + h / 2 * a)
                c = f(x + h / 2 * b)
                x = x + h / 6 * (a + 2 * b + 2 * c + f(x + h * c))
        return np.moveaxis(np.array(out), 0, 1)

    def solve(self, t, p, x0, e=0.0, u=None):
        return np.array(self.outputs(self.states(t, p, x0, e, u), p))


def steps_of(n):
    """Of integration, from sample to sample."""
    return max(4, 120 // n)


def staircase(rng, n, way):
    """Levels, one a step of integration: of a few samples each, of two or many."""
    steps = steps_of(n)
    width = steps * rng.integers(2, max(3, n // 5) + 1)
    first = 0
    if way == "clock":
        width = int(width * rng.uniform(.8, 1.2)) // steps * steps + rng.integers(1, steps)
        first = rng.integers(0, width)
    level = rng.uniform(.2, 1, n + 1) if rng.uniform() < .5 else rng.choice([.25, 1], n + 1)
    level[1] = 1.25 - level[0] if level[1] == level[0] else level[1]
    return level[(np.arange(n * steps) + first) // width]


def lists(names):
    return "    " + " ".join(names) + "\n"


def text(name, params, states, outputs, equations, inputs=()):
    return (f"model {name} \"bench\"\nparameters\n{lists(params)}states\n{lists(states)}outputs\n{lists(outputs)}"
            + ("inputs\n" + lists(inputs) if inputs else "") + "equations\n" + "".join(f"    {e}\n" for e in equations))


def oral(x, p):
    ka, ke, k12, k21 = p
    return [-ka * x[0], ka * x[0] - (ke + k12) * x[1] + k21 * x[2], k12 * x[1] - k21 * x[2]]


MODELS = [
    Model("oral", text("oral", ["ka", "ke", "k12", "k21"], ["g", "c", "q"], ["y"],
                       ["g' = -ka*g", "c' = ka*g - (ke + k12)*c + k21*q", "q' = k12*c - k21*q", "y = c"]),
          oral, lambda x, p: [x[1]], [1.2, 0.25, 0.4, 0.3], lambda r: [10 * r.uniform(.5, 2), 0, 0], 24,
          known=("c=0", "q=0"), wrong=lambda x, p, e, d: [d[0], d[1] - e * p[1] * x[1]**2 / 4, d[2]], size=.5,
          terms=lambda x, p: [p[0] * x[0], p[1] * x[1], p[2] * x[1], p[3] * x[2]]),
    Model("enzyme", text("enzyme", ["Vm", "Km"], ["s"], ["y"], ["s' = -Vm*s/(Km + s)", "y = s"]),
          lambda x, p: [-p[0] * x[0] / (p[1] + x[0])], lambda x, p: [x[0]], [1.0, 3.0],
          lambda r: [10 * r.uniform(.6, 1.6)], 18, wrong=lambda x, p, e, d: [d[0] * (1 + e * (x[0] / 10)**2)], size=.5,
          terms=lambda x, p: [p[0] * x[0] / (p[1] + x[0])]),
    Model("school", text("school", ["b", "g"], ["S", "I"], ["y"], ["S' = -b*S*I", "I' = b*S*I - g*I", "y = I"]),
          lambda x, p: [-p[0] * x[0] * x[1], p[0] * x[0] * x[1] - p[1] * x[1]], lambda x, p: [x[1]],
          [.0022, .45], lambda r: [763, 2 * r.uniform(.5, 2)], 15, known=("S=763",),
          wrong=lambda x, p, e, d: [d[0], d[1] - e * p[1] * x[1]**2 / 300], size=.5,
          terms=lambda x, p: [p[0] * x[0] * x[1], p[1] * x[1]]),
    Model("charge", text("charge", ["a", "b"], ["v"], ["y"], ["v' = a - b*v", "y = v"]),
          lambda x, p: [p[0] - p[1] * x[0]], lambda x, p: [x[0]], [2.0, .4], lambda r: [r.uniform(0, 2)], 10,
          wrong=lambda x, p, e, d: [d[0] - e * p[1] * x[0]**2 / 5], size=.5,
          terms=lambda x, p: [p[0] + 0 * x[0], p[1] * x[0]]),
    Model("hares", text("hares", ["a", "b", "c", "d"], ["h", "l"], ["H", "L"],
                        ["h' = a*h - b*h*l", "l' = c*h*l - d*l", "H = h", "L = l"]),
          lambda x, p: [p[0] * x[0] - p[1] * x[0] * x[1], p[2] * x[0] * x[1] - p[3] * x[1]],
          lambda x, p: [x[0], x[1]], [.55, .028, .024, .8], lambda r: [30 * r.uniform(.6, 1.6), 8 * r.uniform(.5, 2)],
          20, wrong=lambda x, p, e, d: [d[0] - e * p[0] * x[0]**2 / 100, d[1]], size=.1,
          terms=lambda x, p: [p[0] * x[0], p[1] * x[0] * x[1]]),
    Model("cup", text("cup", ["k", "E"], ["T"], ["y"], ["T' = -k*(T - E)", "y = T"]),
          lambda x, p: [-p[0] * (x[0] - p[1])], lambda x, p: [x[0]], [.05, 20.0], lambda r: [90 * r.uniform(.8, 1.1)], 60,
          wrong=lambda x, p, e, d: [d[0] * (1 + e * (x[0] - p[1]) / 70)], size=.5,
          terms=lambda x, p: [p[0] * x[0], p[0] * p[1] + 0 * x[0]]),
    Model("pole", text("pole", ["a", "b"], ["v"], ["y"], ["v' = a*u - b*v", "y = v"], "u"),
          lambda x, p: [p[2] * p[0] - p[1] * x[0]], lambda x, p: [x[0]], [2.0, .6], lambda r: [r.uniform(0, 2)], 20,
          wrong=lambda x, p, e, d: [d[0] - e * p[1] * x[0]**2 / 3], size=.5,
          terms=lambda x, p: [p[0] * p[2], p[1] * x[0]], driven=True),
    Model("spring", text("spring", ["k", "c", "g"], ["x", "v"], ["y"], ["x' = v", "v' = g*u - k*x - c*v", "y = x"], "u"),
          lambda x, p: [x[1], p[2] * p[3] - p[0] * x[0] - p[1] * x[1]], lambda x, p: [x[0]], [1.0, .5, 1.0],
          lambda r: [r.uniform(0, 1), 0], 30, wrong=lambda x, p, e, d: [d[0], d[1] - e * p[0] * x[0]**3], size=.5,
          terms=lambda x, p: [p[2] * p[3], p[0] * x[0], p[1] * x[1]], driven=True),
    Model("drain", text("drain", ["a", "b"], ["h"], ["y"], ["h' = a*u - b*h^2", "y = h"], "u"),
          lambda x, p: [p[2] * p[0] - p[1] * x[0]**2], lambda x, p: [x[0]], [1.0, .3], lambda r: [r.uniform(.5, 2)], 20,
          wrong=lambda x, p, e, d: [d[0] - e * p[1] * x[0]], size=.5,
          terms=lambda x, p: [p[0] * p[2], p[1] * x[0]**2], driven=True)]


def noisy(rng, y, noise, kind):
    rms = np.sqrt(np.mean(y**2, axis=1, keepdims=True))
    sd = noise * (rms + 0 * y if kind == "white" else np.abs(y) + .02 * rms)
    return y + sd * rng.standard_normal(y.shape), sd


class Case:
    """Recordings, with a term more of size e; `share`: as a share of the largest;
    `change`: a parameter and what it is larger by in the last one; may: which may."""

    def __init__(self, m, n, many, noise, kind, seed, way="", e=0.0, share=0.0, change=(0, 0.0), may=()):
        rng = np.random.default_rng([seed, n, many, int(1e4 * noise), len(kind), len(m.name)])
        self.m, self.p = m, m.truth * 2**rng.uniform(-.5, .5, len(m.truth))
        if m.name == "hares":
            self.p = m.truth * 2**rng.uniform(-.2, .2, len(m.truth))
        self.t = np.linspace(0, m.span, n)
        self.x0 = [np.array(m.start(rng), float) for _ in range(many)]
        self.u = [staircase(rng, n, way) if m.driven else None for _ in range(many)]
        self.last = self.p * (1 + change[1] * (np.arange(len(self.p)) == change[0]))
        self.may, self.way = list(may), way
        if share:
            x = np.concatenate([m.states(self.t, self.p[:, None], x[:, None], 0, u)[..., 0]
                                for x, u in zip(self.x0, self.u)], 1)
            p = self.p if not m.driven else [*self.p, np.concatenate([u[::steps_of(n)] for u in self.u])]
            e = share / m.share(p, x)
        self.clean = [m.solve(self.t, (self.last if r == many - 1 else self.p)[:, None], x[:, None], e, u)[..., 0]
                      for r, (x, u) in enumerate(zip(self.x0, self.u))]
        self.data = [noisy(rng, y, noise, kind) for y in self.clean]
        self.rng = rng

    def free(self):
        """Places of initial values that are not known."""
        names = self.m.text.split("states\n")[1].split("\n")[0].split()
        return [i for i, s in enumerate(names) if not any(k.startswith(s + "=") for k in self.m.known)]

    def left(self, data, z):
        """What columns of z leave, samples by columns."""
        free, P = self.free(), len(self.p)
        z, out, first = z.reshape(len(z), -1), [], P + len(self.may)
        for r, (y, sd) in enumerate(data):
            x0, p = np.repeat(self.x0[r][:, None], z.shape[1], 1), z[:P].copy()
            x0[free] = z[first + r * len(free):first + (r + 1) * len(free)]
            if r == len(data) - 1:
                p[self.may] = z[P:first]
            with np.errstate(all="ignore"):
                s = self.m.solve(self.t, p, x0, 0, self.u[r])
            out.append(((s - y[..., None]) / sd[..., None]).reshape(-1, z.shape[1]))
        out = np.concatenate(out)
        return np.where(np.isfinite(out), np.clip(out, -1e6, 1e6), 1e6)

    def fit(self, data, start, held=()):
        """From there; values at the places `held` stay."""
        own = np.setdiff1d(np.arange(len(start)), held)

        def left(z):
            all = np.repeat(start[:, None], z[0].size if len(z) else 1, 1)
            all[own] = z.reshape(len(z), -1)
            return self.left(data, all)

        def slopes(z):
            h = 1e-6 * np.abs(z) + 1e-9
            both = left(np.concatenate([z[:, None] + np.diag(h), z[:, None] - np.diag(h)], 1))
            return (both[:, :len(z)] - both[:, len(z):]) / (2 * h)
        z = start[own]
        return least_squares(lambda z: left(z)[:, 0], z, slopes, x_scale=np.abs(z) + 1e-12, max_nfev=60)

    def truth(self):
        return np.concatenate([self.p, self.last[self.may]] + [x[self.free()] for x in self.x0])

    def converged(self, values):
        """Whether parameters that are known make a match at least as good as the truth."""
        known = [i for i, k in enumerate(self.m.names) if k in values]
        even = [(y, 0 * sd + np.sqrt(np.mean(sd**2))) for y, sd in self.data]
        start = self.truth()
        start[known] = [values[self.m.names[i]] for i in known]
        for data in (self.data, even):
            cost = self.fit(data, start, known).cost if len(known) < len(start) else np.sum(self.left(data, start)**2) / 2
            if 2 * cost < 1.02 * np.sum(self.left(data, self.truth())**2):
                return True
        return False

    def expert(self):
        z = self.truth()
        return self.fit(self.data, z * (1 + .15 * self.rng.uniform(-1, 1, len(z))))

    def noncentrality(self):
        r = self.fit([(y, d[1]) for y, d in zip(self.clean, self.data)], self.truth())
        return 2 * r.cost

    def write(self, folder):
        m = os.path.join(folder, self.m.name + ".darc")
        with open(m, "w") as f:
            f.write(self.m.text)
        files = []
        names = self.m.text.split("outputs\n")[1].split("\n")[0].split()
        for r, (y, _) in enumerate(self.data):
            files.append(os.path.join(folder, f"r{r}.csv"))
            with open(files[-1], "w") as f:
                f.write("t," + ",".join(names) + (",u" if self.m.driven else "") + "\n")
                u = self.u[r][::steps_of(len(self.t))] if self.m.driven else None
                for k, t in enumerate(self.t):
                    f.write(",".join("%.9g" % v for v in [t, *y[:, k], *([u[k]] if self.m.driven else [])]) + "\n")
        return m, files


def ask(a, case, command, *options):
    with tempfile.TemporaryDirectory() as folder:
        m, files = case.write(folder)
        known = ["--init", ",".join(case.m.known)] if case.m.known else []
        held = ["--hold", "u"] if a.hold and case.m.driven else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        r = subprocess.run([a.darc, *command, m, *files, "--method", "trajectory", "--json", "-", "--timeout", "60",
                            *known, *held, *options], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        try:
            return json.loads(r.stdout), cpu
        except ValueError:
            return {"error": r.stderr.strip()}, cpu


def verdict(a, case, question):
    """Verdict, why it is undecided, CPU."""
    said, cpu = ask(a, case, ["check", question],
                    *(["--changed", case.m.names[case.may[0]]] if question == "changed" else []))
    if "error" in said:
        return "undecided", "refused: " + said["error"][-60:].replace("\n", " "), cpu
    d = said["decision"]
    high, seen, low = d["defect_high"], d["detectable"], d["defect_low"]
    why = ("" if d["verdict"] == "consistent" else
           "search" if "search" in d["reason"] else "growth" if "noise grows" in d["reason"] else
           "steps" if "steps of" in d["reason"] else "gate" if "structure fails" in d["reason"] else
           "instead" if "explains as much" in d["reason"] else
           "power" if seen is None or seen > .05 else "found" if d["p_value"] < .01 else "high")
    return d["verdict"], "%s (low %.3g, high %.3g, seen %.3g)" % (
        why, low or 0, np.inf if high is None else high, np.inf if seen is None else seen), cpu


def values(a, case):
    """How many intervals hold the truth, of how many; whether the search
    converged, and the expert; CPU."""
    said, cpu = ask(a, case, ["values"], "--alpha", ".05")
    if "error" in said:
        return 0, 0, "no", "", "refused: " + said["error"][-60:].replace("\n", " "), cpu
    inside = []
    for v in said["values"]:
        low, high = (-np.inf if v["low"] is None else v["low"]), (np.inf if v["high"] is None else v["high"])
        inside.append(low <= case.p[case.m.names.index(v["name"])] <= high)
    expert = ""
    if not a.no_expert:
        z = case.expert().x[:len(case.p)]
        expert = "yes" if case.converged(dict(zip(case.m.names, z))) else "no"
    own = case.converged({v["name"]: v["value"] for v in said["values"]})
    out = [v["name"] for v, good in zip(said["values"], inside) if not good]
    return sum(inside), len(inside), "yes" if own else "no", expert, "out: " + " ".join(out), cpu


COLUMNS = "ask model n many noise kind steps seed nc right why wrong_nc wrong wrong_why inside told darc expert cpu"


def row(a, question, m, n, many, noise, kind, way, seed):
    one = (m, n, many, noise, kind, seed, way)
    out = dict.fromkeys(COLUMNS.split(), "")
    out.update(ask=question, model=m.name, n=n, many=many, noise=noise, kind=kind, steps=way, seed=seed)
    if question == "values":
        got = values(a, Case(*one))
        return out | dict(zip(["inside", "told", "darc", "expert", "why", "cpu"], got))
    other, changed = (*one[:5], seed + 500, way), question == "changed"
    k = changed + seed % (len(m.truth) - changed)
    small, right, wrong = ((dict(share=.1), {}, dict(e=m.size)) if question == "structure" else
                           (dict(change=(k, .1)), {}, dict(change=(k, .2))))
    if changed:
        small, right, wrong = (dict(c, may=[0]) for c in (small, dict(change=(0, .2)), wrong))
    out["nc"], out["wrong_nc"] = Case(*one, **small).noncentrality(), Case(*other, **wrong).noncentrality()
    out["right"], out["why"], cpu = verdict(a, Case(*one, **right), question)
    out["wrong"], out["wrong_why"], more = verdict(a, Case(*other, **wrong), question)
    return out | {"cpu": max(cpu, more)}


def cells(rows, by):
    """A line for each value of a column: counts."""
    def three(some, key):
        return "/".join(str(sum(r[key] == v for r in some)) for v in ("consistent", "inconsistent", "undecided"))

    for question in dict.fromkeys(r["ask"] for r in rows):
        asked = [r for r in rows if r["ask"] == question]
        print(f"{question} by {by or 'nothing'}:", "converged: darc, expert | in 95 %" if question == "values" else
              "right, NC > 100 | right, others | wrong, NC > 100 | wrong, others (consistent/inconsistent/undecided)",
              "| CPU: mean, largest")
        for value in dict.fromkeys(r[by] if by else "all" for r in asked):
            some = [r for r in asked if not by or r[by] == value]
            if question == "values":
                told = sum(r["told"] for r in some)
                groups = ["%d %d of %d" % (sum(r["darc"] == "yes" for r in some),
                                           sum(r["expert"] == "yes" for r in some), len(some)),
                          "%d of %d (%.3f)" % (sum(r["inside"] for r in some), told,
                                               sum(r["inside"] for r in some) / max(told, 1))]
            else:
                groups = [three([r for r in some if (r[nc] > 100) == high], key)
                          for nc, key in (("nc", "right"), ("wrong_nc", "wrong")) for high in (True, False)]
            cpu = [r["cpu"] for r in some]
            print("  ", value, "|", " | ".join(groups), "| %.2f %.2f" % (np.mean(cpu), max(cpu)))


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("darc")
    a.add_argument("--runs", type=int, default=10)
    a.add_argument("--models", default="oral,enzyme,school,charge,hares,cup")
    a.add_argument("--n", default="8,12,20,40,60")
    a.add_argument("--many", default="1,3,10")
    a.add_argument("--noise", default=".01,.03,.1")
    a.add_argument("--kinds", default="white,proportional")
    a.add_argument("--ask", default="structure,values")
    a.add_argument("--steps", default="samples,clock", help="of the models with an input: pole, spring, drain")
    a.add_argument("--hold", action="store_true")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--no-expert", action="store_true")
    a.add_argument("--tsv")
    a = a.parse_args()
    rows, out = [], open(a.tsv, "w") if a.tsv else None
    if out:
        print(*COLUMNS.split(), sep="\t", file=out, flush=True)
    for m, n, many, noise, kind, way, run, question in itertools.product(
            [m for m in MODELS if m.name in a.models.split(",")], map(int, a.n.split(",")), map(int, a.many.split(",")),
            map(float, a.noise.split(",")), a.kinds.split(","), a.steps.split(","), range(a.runs), a.ask.split(",")):
        if (many < 2 and question in ("equal", "changed")) or (not m.driven and way != a.steps.split(",")[0]):
            continue
        rows.append(row(a, question, m, n, many, noise, kind, way if m.driven else "", 1000 * a.seed + run))
        if out:
            print(*rows[-1].values(), sep="\t", file=out, flush=True)
    for by in ("model", "n", "many", "noise", "kind", "steps", ""):
        cells(rows, by)


if __name__ == "__main__":
    main()

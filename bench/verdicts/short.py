"""Short recordings, judged by trajectories: level, power, coverage, cost.

    short.py DARC [--runs N] [--models oral,sir,...] [--n 8,20] [--many 1,3]
             [--noise .01,.1] [--kinds white,proportional] [--seed S] [--tsv FILE]

Six models are simulated by SciPy at parameters drawn within a factor of two, each
recording from initial values of its own.  darc is asked for the structure of right
recordings and of those in whose equations a term is missing, and for values; no
start is given.  Beside it an expert, an output-error fit by SciPy from starts
within 15 % of the truth.  NC is the noncentrality of the missing term: what the
best right model misses it by, in squares of the noise; of right recordings that of
such a term of 10 % of the largest one.  A right one whose NC is above 100 should be
decided.  With --tsv each answer is a line of the file.
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
                 wrong=None, size=0.1, terms=None):
        self.name, self.text, self.rate, self.outputs = name, text, rate, outputs
        self.truth, self.start, self.span = np.array(truth), start, span
        self.known, self.wrong, self.size, self.terms = known, wrong, size, terms

    def share(self, p, x):
        """Of the term of size 1 in the largest one of its equation, by RMS along x."""
        d = np.array(self.rate(x, p))
        off = np.abs(np.array(self.wrong(x, p, 1, d)) - d).sum(0)
        return np.sqrt(np.mean(off**2) / np.mean(np.max(np.abs(self.terms(x, p)), 0)**2))

    def states(self, t, p, x0, e=0.0):
        """States (states, len(t), ...); p and x0 may have columns."""
        def f(x):
            d = self.rate(x, p)
            return np.array(self.wrong(x, p, e, d) if e else d)
        x, out = np.array(x0, float) + 0 * p[0], []
        steps = max(4, 200 // len(t))
        h = (t[1] - t[0]) / steps
        for k in range(len(t)):
            out.append(x)
            for _ in range(steps if k + 1 < len(t) else 0):
                a = f(x)
                b = f(x + h / 2 * a)
                c = f(x + h / 2 * b)
                x = x + h / 6 * (a + 2 * b + 2 * c + f(x + h * c))
        return np.moveaxis(np.array(out), 0, 1)

    def solve(self, t, p, x0, e=0.0):
        return np.array(self.outputs(self.states(t, p, x0, e), p))


def lists(names):
    return "    " + " ".join(names) + "\n"


def text(name, params, states, outputs, equations):
    return (f"model {name} \"bench\"\nparameters\n{lists(params)}states\n{lists(states)}outputs\n{lists(outputs)}"
            "equations\n" + "".join(f"    {e}\n" for e in equations))


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
          terms=lambda x, p: [p[0] * x[0], p[0] * p[1] + 0 * x[0]])]


def noisy(rng, y, noise, kind):
    rms = np.sqrt(np.mean(y**2, axis=1, keepdims=True))
    sd = noise * (rms + 0 * y if kind == "white" else np.abs(y) + .02 * rms)
    return y + sd * rng.standard_normal(y.shape), sd


class Case:
    """Recordings, with a term more of size e; `share`: as a share of the largest."""

    def __init__(self, m, n, many, noise, kind, seed, e=0.0, share=0.0):
        rng = np.random.default_rng([seed, n, many, int(1e4 * noise), len(kind), len(m.name)])
        self.m, self.p = m, m.truth * 2**rng.uniform(-.5, .5, len(m.truth))
        if m.name == "hares":
            self.p = m.truth * 2**rng.uniform(-.2, .2, len(m.truth))
        self.t = np.linspace(0, m.span, n)
        self.x0 = [np.array(m.start(rng), float) for _ in range(many)]
        if share:
            x = np.concatenate([m.states(self.t, self.p[:, None], x[:, None])[..., 0] for x in self.x0], 1)
            e = share / m.share(self.p, x)
        self.clean = [m.solve(self.t, self.p[:, None], x[:, None], e)[..., 0] for x in self.x0]
        self.data = [noisy(rng, y, noise, kind) for y in self.clean]
        self.rng = rng

    def free(self):
        """Places of initial values that are not known."""
        names = self.m.text.split("states\n")[1].split("\n")[0].split()
        return [i for i, s in enumerate(names) if not any(k.startswith(s + "=") for k in self.m.known)]

    def fit(self, data, start):
        free, P = self.free(), len(self.p)

        def left(z):
            """What columns of z leave, samples by columns."""
            z, out = z.reshape(len(start), -1), []
            for r, (y, sd) in enumerate(data):
                x0 = np.repeat(self.x0[r][:, None], z.shape[1], 1)
                x0[free] = z[P + r * len(free):P + (r + 1) * len(free)]
                with np.errstate(all="ignore"):
                    s = self.m.solve(self.t, z[:P], x0)
                out.append(((s - y[..., None]) / sd[..., None]).reshape(-1, z.shape[1]))
            out = np.concatenate(out)
            return np.where(np.isfinite(out), np.clip(out, -1e6, 1e6), 1e6)

        def slopes(z):
            h = 1e-6 * np.abs(z) + 1e-9
            both = left(np.concatenate([z[:, None] + np.diag(h), z[:, None] - np.diag(h)], 1))
            return (both[:, :len(z)] - both[:, len(z):]) / (2 * h)
        return least_squares(lambda z: left(z)[:, 0], start, slopes, x_scale=np.abs(start) + 1e-12, max_nfev=60)

    def truth(self):
        return np.concatenate([self.p] + [x[self.free()] for x in self.x0])

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
                f.write("t," + ",".join(names) + "\n")
                for k, t in enumerate(self.t):
                    f.write(",".join("%.9g" % v for v in [t, *y[:, k]]) + "\n")
        return m, files


def ask(darc, case, command, *options):
    with tempfile.TemporaryDirectory() as folder:
        m, files = case.write(folder)
        known = ["--init", ",".join(case.m.known)] if case.m.known else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        r = subprocess.run([darc, *command, m, *files, "--method", "trajectory", "--json", "-", "--timeout", "60",
                            *known, *options], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        try:
            return json.loads(r.stdout), cpu
        except ValueError:
            return {"error": r.stderr.strip()}, cpu


def structure(darc, case):
    """Verdict, why it is undecided, CPU."""
    said, cpu = ask(darc, case, ["check", "structure"])
    if "error" in said:
        return "undecided", "refused: " + said["error"][-60:].replace("\n", " "), cpu
    d = said["decision"]
    high, seen = d["defect_high"], d["detectable"]
    why = ("" if d["verdict"] == "consistent" else
           "search" if "search" in d["reason"] else "growth" if "noise grows" in d["reason"] else
           "power" if seen is None or seen > .05 else "found" if d["p_value"] < .01 else "high")
    return d["verdict"], "%s (low %.3g, high %.3g, seen %.3g)" % (
        why, d["defect_low"], np.inf if high is None else high, np.inf if seen is None else seen), cpu


def values(a, case):
    """How many intervals hold the truth, of how many; whether darc's and the
    expert's match are the best one; CPU."""
    said, cpu = ask(a.darc, case, ["values"], "--alpha", ".05")
    if "error" in said:
        return 0, 0, "refused", "", cpu
    names = case.m.text.split("parameters\n")[1].split("\n")[0].split()
    inside = 0
    for v in said["values"]:
        low, high = (-np.inf if v["low"] is None else v["low"]), (np.inf if v["high"] is None else v["high"])
        inside += low <= case.p[names.index(v["name"])] <= high
    told = len(said["values"])
    if a.no_expert or told < len(names):
        return inside, told, "", "", cpu
    z = np.array([v["value"] for v in said["values"]])
    e = case.expert()
    own = case.fit(case.data, np.concatenate([z, case.truth()[told:]]))
    best = min(e.cost, own.cost) * 1.02 + 1e-9
    same = np.all(np.abs(own.x[:told] - z) < .2 * np.abs(z))
    return inside, told, "yes" if same and own.cost < best else "no", "yes" if e.cost < best else "no", cpu


COLUMNS = "model n many noise kind seed nc right why wrong_nc wrong wrong_why inside told darc expert cpu cpu_values"


def row(a, m, n, many, noise, kind, seed):
    case = Case(m, n, many, noise, kind, seed)
    nc = Case(m, n, many, noise, kind, seed, share=.1).noncentrality()
    right, why, cpu = structure(a.darc, case)
    inside, told, own, expert, cpu_values = values(a, case)
    wrong = Case(m, n, many, noise, kind, seed + 500, m.size)
    wrong_nc = wrong.noncentrality()
    verdict, wrong_why, other = structure(a.darc, wrong)
    return dict(zip(COLUMNS.split(), [m.name, n, many, noise, kind, seed, nc, right, why, wrong_nc, verdict, wrong_why,
                                      inside, told, own, expert, max(cpu, other), cpu_values]))


def cells(rows, by):
    """A line for each value of a column: counts."""
    def three(some, key):
        return "/".join(str(sum(r[key] == v for r in some)) for v in ("consistent", "inconsistent", "undecided"))

    print(f"{by}: right, NC > 100 | right, others | wrong, NC > 100 | wrong, others (consistent/inconsistent/undecided)"
          " | best match by darc, expert | in 95 % | CPU: mean, largest, of values")
    for value in dict.fromkeys(r[by] if by else "all" for r in rows):
        some = [r for r in rows if not by or r[by] == value]
        groups = [three([r for r in some if (r[nc] > 100) == high], key)
                  for nc, key in (("nc", "right"), ("wrong_nc", "wrong")) for high in (True, False)]
        fits = [r for r in some if r["darc"] in ("yes", "no")]
        told, cpu = sum(r["told"] for r in some), [r["cpu"] for r in some]
        print("  ", value, "|", " | ".join(groups), "|", sum(r["darc"] == "yes" for r in fits),
              sum(r["expert"] == "yes" for r in fits), "of", len(fits), "| %d of %d" %
              (sum(r["inside"] for r in some), told), "| %.2f %.2f %.2f" %
              (np.mean(cpu), max(cpu), max(r["cpu_values"] for r in some)))


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("darc")
    a.add_argument("--runs", type=int, default=10)
    a.add_argument("--models", default=",".join(m.name for m in MODELS))
    a.add_argument("--n", default="8,12,20,40,60")
    a.add_argument("--many", default="1,3,10")
    a.add_argument("--noise", default=".01,.03,.1")
    a.add_argument("--kinds", default="white,proportional")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--no-expert", action="store_true")
    a.add_argument("--tsv")
    a = a.parse_args()
    rows, out = [], open(a.tsv, "w") if a.tsv else None
    if out:
        print(*COLUMNS.split(), sep="\t", file=out, flush=True)
    for m, n, many, noise, kind, run in itertools.product(
            [m for m in MODELS if m.name in a.models.split(",")], map(int, a.n.split(",")), map(int, a.many.split(",")),
            map(float, a.noise.split(",")), a.kinds.split(","), range(a.runs)):
        rows.append(row(a, m, n, many, noise, kind, 1000 * a.seed + run))
        if out:
            print(*rows[-1].values(), sep="\t", file=out, flush=True)
    for by in ("model", "n", "many", "noise", "kind", ""):
        cells(rows, by)


if __name__ == "__main__":
    main()

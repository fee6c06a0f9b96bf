"""Short recordings, judged by trajectories: level, power, coverage, cost.

    short.py DARC [--runs N] [--models oral,sir,...] [--n 8,20] [--many 1,4]
             [--noise .01,.05] [--kinds white,proportional] [--seed S]

Six models are simulated by SciPy at parameters drawn within a factor of two, each
recording from initial values of its own.  darc is asked for the structure of right
recordings and of those in whose equations a term is missing, and for values; no
start is given.  Beside it an expert, an output-error fit by SciPy from starts
within 15 % of the truth.  NC is the noncentrality of the missing term: what the
best right model misses it by, in squares of the noise.
"""
import argparse
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
                 wrong=None, size=0.1, tail=()):
        self.name, self.text, self.rate, self.outputs = name, text, rate, outputs
        self.truth, self.start, self.span = np.array(truth), start, span
        self.known, self.wrong, self.size, self.tail = known, wrong, size, tail

    def solve(self, t, p, x0, e=0.0):
        """Outputs (outputs, len(t), ...); p and x0 may have columns."""
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
        return np.array(self.outputs(np.moveaxis(np.array(out), 0, 1), p))


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
          known=("c=0", "q=0"), wrong=lambda x, p, e, d: [d[0], d[1] - e * p[1] * x[1]**2 / 4, d[2]], size=.5),
    Model("enzyme", text("enzyme", ["Vm", "Km"], ["s"], ["y"], ["s' = -Vm*s/(Km + s)", "y = s"]),
          lambda x, p: [-p[0] * x[0] / (p[1] + x[0])], lambda x, p: [x[0]], [1.0, 3.0],
          lambda r: [10 * r.uniform(.6, 1.6)], 18, wrong=lambda x, p, e, d: [d[0] * (1 + e * (x[0] / 10)**2)], size=.5),
    Model("school", text("school", ["b", "g"], ["S", "I"], ["y"], ["S' = -b*S*I", "I' = b*S*I - g*I", "y = I"]),
          lambda x, p: [-p[0] * x[0] * x[1], p[0] * x[0] * x[1] - p[1] * x[1]], lambda x, p: [x[1]],
          [.0022, .45], lambda r: [763, 2 * r.uniform(.5, 2)], 15, known=("S=763",),
          wrong=lambda x, p, e, d: [d[0], d[1] - e * p[1] * x[1]**2 / 300], size=.5),
    Model("charge", text("charge", ["a", "b"], ["v"], ["y"], ["v' = a - b*v", "y = v"]),
          lambda x, p: [p[0] - p[1] * x[0]], lambda x, p: [x[0]], [2.0, .4], lambda r: [r.uniform(0, 2)], 10,
          wrong=lambda x, p, e, d: [d[0] - e * p[1] * x[0]**2 / 5], size=.5),
    Model("hares", text("hares", ["a", "b", "c", "d"], ["h", "l"], ["H", "L"],
                        ["h' = a*h - b*h*l", "l' = c*h*l - d*l", "H = h", "L = l"]),
          lambda x, p: [p[0] * x[0] - p[1] * x[0] * x[1], p[2] * x[0] * x[1] - p[3] * x[1]],
          lambda x, p: [x[0], x[1]], [.55, .028, .024, .8], lambda r: [30 * r.uniform(.6, 1.6), 8 * r.uniform(.5, 2)],
          20, wrong=lambda x, p, e, d: [d[0] - e * p[0] * x[0]**2 / 100, d[1]], size=.1),
    Model("cup", text("cup", ["k", "E"], ["T"], ["y"], ["T' = -k*(T - E)", "y = T"]),
          lambda x, p: [-p[0] * (x[0] - p[1])], lambda x, p: [x[0]], [.05, 20.0], lambda r: [90 * r.uniform(.8, 1.1)], 60,
          wrong=lambda x, p, e, d: [d[0] * (1 + e * (x[0] - p[1]) / 70)], size=.5)]


def noisy(rng, y, noise, kind):
    rms = np.sqrt(np.mean(y**2, axis=1, keepdims=True))
    sd = noise * (rms + 0 * y if kind == "white" else np.abs(y) + .02 * rms)
    return y + sd * rng.standard_normal(y.shape), sd


class Case:
    def __init__(self, m, n, many, noise, kind, seed, wrong):
        rng = np.random.default_rng([seed, n, many, int(1e4 * noise), len(kind), len(m.name)])
        self.m, self.p = m, m.truth * 2**rng.uniform(-.5, .5, len(m.truth))
        if m.name == "hares":
            self.p = m.truth * 2**rng.uniform(-.2, .2, len(m.truth))
        self.t = np.linspace(0, m.span, n)
        self.x0 = [np.array(m.start(rng), float) for _ in range(many)]
        self.clean = [m.solve(self.t, self.p[:, None], x[:, None], m.size if wrong else 0)[..., 0] for x in self.x0]
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
        r = subprocess.run([darc, *command, m, *files, "--method", "trajectory", "--json", "-", *known, *options],
                           capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        try:
            return json.loads(r.stdout), cpu
        except ValueError:
            return {"error": r.stderr.strip()}, cpu


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("darc")
    a.add_argument("--runs", type=int, default=10)
    a.add_argument("--models", default=",".join(m.name for m in MODELS))
    a.add_argument("--n", default="8,12,20,40,60")
    a.add_argument("--many", default="1,4")
    a.add_argument("--noise", default=".01,.05")
    a.add_argument("--kinds", default="white,proportional")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--no-expert", action="store_true")
    a.add_argument("--verbose", action="store_true")
    a = a.parse_args()
    print("model n many noise kind | right c/i/u | wrong NC>100 found/all, others c/i/u | converged darc expert of | in 95 % | cpu max")
    total = np.zeros(12, int)
    for m in [m for m in MODELS if m.name in a.models.split(",")]:
        for n in map(int, a.n.split(",")):
            for many in map(int, a.many.split(",")):
                for noise in map(float, a.noise.split(",")):
                    for kind in a.kinds.split(","):
                        total += cell(a, m, n, many, noise, kind)
    print("all: right c/i/u %d/%d/%d; NC > 100: %d of %d found, %d consistent; below c/i/u %d/%d/%d; "
          "intervals %d of %d; not converged %d" % tuple(total))


def cell(a, m, n, many, noise, kind):
    right, big, small = np.zeros(3, int), np.zeros(3, int), np.zeros(3, int)
    inside = asked = fits = darc_ok = expert_ok = refused = 0
    cpu = 0
    order = {"consistent": 0, "inconsistent": 1, "undecided": 2}
    for run in range(a.runs):
        seed = a.seed * 1000 + run
        case = Case(m, n, many, noise, kind, seed, False)
        said, used = ask(a.darc, case, ["check", "structure"])
        cpu = max(cpu, used)
        if "error" in said:
            right[2] += 1
            refused += 1
            if a.verbose:
                print("   ", m.name, seed, said["error"])
        else:
            verdict = said["decision"]["verdict"]
            right[order[verdict]] += 1
            if a.verbose and verdict == "inconsistent":
                print("   ", m.name, seed, said["decision"]["reason"])
        said, used = ask(a.darc, case, ["values"], "--alpha", ".05")
        cpu = max(cpu, used)
        names = m.text.split("parameters\n")[1].split("\n")[0].split()
        if "error" not in said:
            for v in said["values"]:
                k = names.index(v["name"])
                low, high = (v["low"], v["high"])
                low = -np.inf if low is None else low
                high = np.inf if high is None else high
                inside += low <= case.p[k] <= high
                asked += 1
            if not a.no_expert and len(said["values"]) == len(names):
                z = np.array([v["value"] for v in said["values"]])
                e = case.expert()
                try:
                    polished = case.fit(case.data, np.concatenate([z, case.truth()[len(z):]]))
                    best = min(e.cost, polished.cost)
                    expert_ok += e.cost < best * 1.02 + 1e-9
                    darc_ok += np.all(np.abs(polished.x[:len(z)] - z) < .2 * np.abs(z)) and polished.cost < best * 1.02 + 1e-9
                    fits += 1
                except ValueError:
                    pass
        wrong = Case(m, n, many, noise, kind, seed + 500, True)
        nc = wrong.noncentrality()
        said, used = ask(a.darc, wrong, ["check", "structure"])
        verdict = said["decision"]["verdict"] if "error" not in said else "undecided"
        (big if nc > 100 else small)[order[verdict]] += 1
        if a.verbose and (verdict == "consistent" or (nc > 100 and verdict != "inconsistent")):
            print("   ", m.name, seed + 500, "NC %.0f" % nc, said.get("error") or said["decision"]["reason"])
    print(f"{m.name} {n} {many} {noise} {kind} | {right[0]}/{right[1]}/{right[2]} ({refused} refused) | "
          f"{big[1]}/{big.sum()} ({big[0]} c), {small[0]}/{small[1]}/{small[2]} | {darc_ok} {expert_ok} of {fits} | "
          f"{inside}/{asked} | {cpu:.2f}", flush=True)
    return np.array([*right, big[1], big.sum(), big[0], *small, inside, asked, fits - darc_ok])


if __name__ == "__main__":
    main()

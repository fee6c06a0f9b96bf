"""What an expert makes of a recording who has no darc: output-error fits.

    expert.py PLANT RECORDING.csv [RECORDING-B.csv] [--plants FILE.py]
                                                    [--alpha P]

PLANT is a name of plants.py or rigs.py, or of a list PLANTS in FILE.py, which a
user writes for a system of his own: equations, names of outputs, parameters and
initial states to begin with.  Recordings have a header and even times in the
first column; the input is `u`.

The parameters and initial states are fitted to the outputs; what is left is made
white by an autoregression of each output (order by BIC, a hundredth of its power
white), and the fit is repeated.  Samples off by six standard deviations count as
what the fit says.  Of one recording each candidate, a power or product of states
and inputs in the equation of one state, is tested by a likelihood ratio with the
noise fitted again; of two, whether all parameters agree, by Wald's test.  It is
consistent when nothing is found and what is left is white or below 5 %.
"""
import argparse
import sys

import numpy as np
from scipy import linalg, stats

import plants
import rigs
from fitting import Fit, least_squares
from noises import Whitener

ORDERS, WHITE, MEANING, SPIKE = 20, 0.01, 0.05, 6.0


class Autoregression(Whitener):
    """Of the residual of one output, by Yule and Walker; order by BIC."""

    def __init__(self, r, order=None):
        n, self.differs = len(r), False
        self.scale, self.nuisance = np.ones(n), np.zeros((n, 0))
        top = min(ORDERS, n // 10) if order is None else order
        m = 1 << (2 * n - 1).bit_length()
        g = np.fft.irfft(np.abs(np.fft.rfft(r, m))**2, m)[:top + 1] / n
        g[0] *= 1 + WHITE
        self.ORDER = top
        self._filter(g, n)
        v = np.square(self.sd)
        if order is None:
            order = int(np.argmin(n * np.log(v) + np.log(n) *
                                  np.arange(len(v))))
        self.order = min(order, len(v) - 1)
        self.start = self.start[:self.order + 1]
        self.sd = self.sd[:self.order + 1]
        self.loglik = -n / 2 * np.log(v[self.order])


def fitted(plant, t, signals, x0=None, near=1.0):
    """The fit, its noise; None where it does not converge."""
    fit = Fit(plant, t, signals, x0, near)
    if fit.x is None:
        return None
    for k, y in fit.y.items():
        white = Whitener("white", len(t), y)
        fit.whiten[k] = white, max(np.std(y), 1e-300)
    for round_ in range(4):
        if fit.run() is None:
            return None
        for k, r in fit.residuals().items():
            sd = 1.4826 * np.median(np.abs(r - np.median(r)))
            spikes = np.abs(r) > SPIKE * sd
            if round_ == 0 and 0 < np.mean(spikes) < 0.05:
                fit.y[k] = np.where(spikes, fit.y[k] - r, fit.y[k])
                r = np.where(spikes, 0, r)
            fit.whiten[k] = Autoregression(r), 1.0
    return fit


def candidates(fit):
    """Courses g(x, u) by name that the equation of a state may lack."""
    s, names = fit.shot.s, [f"x{i + 1}" for i in range(fit.shot.s)]

    def power(i, m):
        return lambda x, u: x[i]**m
    terms = {}
    for i in range(s):
        a = names[i]
        terms[a] = power(i, 1)
        terms[f"{a}^2"], terms[f"{a}^3"] = power(i, 2), power(i, 3)
        terms[f"{a}|{a}|"] = lambda x, u, i=i: x[i] * np.abs(x[i])
        terms[f"sign({a})"] = lambda x, u, i=i, c=np.std(fit.x[i]): np.tanh(
            x[i] / (0.05 * c + 1e-300))
        for j in range(i + 1, s):
            terms[f"{a}*{names[j]}"] = lambda x, u, i=i, j=j: x[i] * x[j]
        if fit.shot.u is not None:
            terms[f"{a}*u"] = lambda x, u, i=i: x[i] * u
    if fit.shot.u is not None:
        terms["u"] = lambda x, u: u
        terms["u^2"] = lambda x, u: u * u
    if not any(w.order for w, _ in fit.whiten.values()):
        terms["1"] = lambda x, u: 1.0 + 0 * x[0]
    return terms


def effects(fit, terms):
    """On the outputs, of each term in each equation: names and columns, white.
    Each has the size that gives the equation a hundredth of its own."""
    shot = fit.shot
    x, p = list(fit.x[:, :-1]), shot.parameters(fit.theta)
    own = np.std(np.diff(fit.x, axis=1) / shot.dt, axis=1)
    u = None if shot.u is None else shot.u[:-1]
    bare, names, b = shot.flow(x, p), [], []
    for name, g in terms.items():
        size = np.sqrt(np.mean(np.square(g(x, u))))
        for i in range(shot.s):
            h = 0.01 * own[i] / max(size, 1e-300)

            def added(d, x, u, i=i, g=g, h=h):
                d = list(d)
                d[i] = d[i] + h * g(x, u)
                return d
            f = shot.flow(x, p, added) - bare
            names.append(f"{name} in x{i + 1}'")
            b.append(np.hstack([np.zeros((shot.s, 1)), f]).T)
    dx = shot.solve(shot.a, np.stack(b, axis=2))
    return names, dx


def tested(fit):
    """Return the term that explains most, its p-value among all."""
    names, dx = effects(fit, candidates(fit))
    free = fit.slopes()
    columns = fit.shot.output_slopes(fit.x, fit.theta, dx)
    j, c = fit.white(free), fit.white(columns)
    r = fit.white(fit.residuals())[:, 0]
    rest = c - j @ least_squares(j, c)
    alive = np.flatnonzero(np.sum(rest**2, axis=0) >
                           1e-4 * np.sum(c**2, axis=0))
    if len(alive) == 0:
        return "", 1.0
    t = rest[:, alive].T @ r / np.linalg.norm(rest[:, alive], axis=0)
    best = "", 1.0
    for q in alive[np.argsort(-np.abs(t))[:5]]:
        ratio = likelihood_ratio(fit, j, c[:, q], r, free, columns, q)
        dof = len(r) - j.shape[1] - 1 - sum(w.order for w, _ in
                                           fit.whiten.values())
        p = len(alive) * stats.f.sf(dof * np.expm1(max(ratio, 0) / len(r)), 1, dof)
        if p < best[1]:
            best = names[q], float(p)
    return best


def likelihood_ratio(fit, j, column, r, free, columns, q):
    """Twice its logarithm; the noise of either side fitted again."""
    total = 0.0
    for sign, full in ((1, np.column_stack([j, column])), (-1, j)):
        b = least_squares(full, r)
        for k, left in fit.residuals().items():
            left = left - free[k] @ b[:j.shape[1]]
            if sign > 0:
                left = left - columns[k][:, q] * b[-1]
            order = max(fit.whiten[k][0].order, 1)
            total += 2 * sign * Autoregression(left, order).loglik
    return total


def structure(plant, t, signals, alpha=0.01, x0=None, near=1.0):
    """Return verdict, a dict of what it rests on."""
    fit = fitted(plant, t, signals, x0, near)
    if fit is None:
        return "undecided", {"reason": "the fit does not converge"}
    term, p = tested(fit)
    share = max(np.std(r) / np.std(fit.y[k])
                for k, r in fit.residuals().items())
    orders = [w.order for w, _ in fit.whiten.values()]
    out = {"p": p, "term": term, "orders": orders, "left": share,
           "values": values(fit)}
    if p < alpha:
        return "inconsistent", out
    if max(orders) == 0 or share <= MEANING:
        return "consistent", out
    return "undecided", out


def values(fit):
    sd = np.sqrt(np.maximum(np.diag(fit.covariance()), 0))
    return {k: (float(v), float(s))
            for k, v, s in zip(fit.shot.names, fit.theta, sd)}


def equal(plant, recordings, alpha=0.01, starts=(None, None), near=1.0):
    fits = [fitted(plant, t, s, x0, near)
            for (t, s), x0 in zip(recordings, starts)]
    if None in fits:
        return "undecided", {"reason": "a fit does not converge"}
    P = len(fits[0].shot.names)
    d = fits[0].theta[:P] - fits[1].theta[:P]
    c = fits[0].covariance() + fits[1].covariance()
    size = np.sqrt(np.diag(c))
    e, v = linalg.eigh(c / np.outer(size, size))
    keep = e > 1e-10
    z = (v.T @ (d / size))[keep]
    dof = min(len(f.y) * f.shot.n for f in fits) - 2 * P
    wald = np.sum(z**2 / e[keep]) / keep.sum()
    p = float(stats.f.sf(wald, keep.sum(), dof))
    scale = np.maximum(np.abs(fits[0].theta[:P]), 1e-300)
    most = float(np.max((np.abs(d) + 2 * size) / scale))
    out = {"p": p, "most": most, "values": [values(f) for f in fits]}
    if p < alpha:
        return "inconsistent", out
    return ("consistent" if most <= MEANING else "undecided"), out


def read(path):
    with open(path) as f:
        names = f.readline().strip().split(",")
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, 0], dict(zip(names[1:], table[:, 1:].T))


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("plant")
    a.add_argument("recordings", nargs="+")
    a.add_argument("--plants")
    a.add_argument("--alpha", type=float, default=0.01)
    a = a.parse_args()
    known = plants.PLANTS + rigs.LOOPS + rigs.RIGS
    if a.plants:
        space = {}
        exec(open(a.plants).read(), space)
        known = space["PLANTS"]
    plant = next((p for p in known if p.name == a.plant), None)
    if plant is None:
        sys.exit(f"no plant '{a.plant}'; there are: " +
                 ", ".join(p.name for p in known))
    data = [read(path) for path in a.recordings]
    said, why = (structure(plant, *data[0], a.alpha) if len(data) == 1
                 else equal(plant, data[:2], a.alpha))
    print(said)
    for k, v in why.items():
        print(f"    {k}: {v}")


if __name__ == "__main__":
    main()

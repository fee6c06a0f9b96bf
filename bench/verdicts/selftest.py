"""Whether the bench itself is right: `selftest.py`, some 20 s, exit code 1.

Plants integrate as by a second integrator; noises have their spectra, level and
whiteners; the noncentrality of the oracle is what a likelihood ratio has in a
Monte Carlo; the expert keeps his level under white noise.
"""
import sys

import numpy as np
from scipy import stats

import expert
import noises
import oracle
import plants
import rigs
from fitting import Fit, unknowns


def integrated():
    """Trajectories by shooting against SciPy's and the rigs' integrators."""
    for p in plants.PLANTS + rigs.LOOPS + rigs.RIGS:
        t, s = plants.simulate(p, 200, 20)
        fit = Fit(p, t, s)
        for k, r in fit.residuals().items():
            yield f"{p.name}, {k}", np.max(np.abs(r)) / np.std(s[k]), 0, 1e-3


def spectra():
    """Whitened, a kind is white and of unit size; its level is as said."""
    r, n, runs = np.random.default_rng(3), 1000, 40
    x = 1 + np.sin(np.arange(n) / 7)
    floor = 0.01 * np.std(x) * np.sqrt(noises.Whitener.FLOOR)
    for kind in noises.ALL:
        if kind in ("rounding", "outliers", "hum") or kind[:2] == "r+":
            continue
        w = noises.Whitener(kind, n, x)
        hum = w(w.nuisance) if w.nuisance.shape[1] else w.nuisance
        var, flat = [], []
        for _ in range(runs):
            y = noises.spoil({"x": x}, kind, 0.01, r)["x"] - x
            y += floor * r.standard_normal(n)
            e = noises.off_nuisance(w(y / (0.01 * np.std(x))), hum)[:, 0]
            var.append(np.mean(e**2))
            flat.append(np.mean(e[1:] * e[:-1]) / np.mean(e**2))
        wide = kind in ("t3", "multiplicative")  # tails; no sd of 0
        yield f"{kind}: power", np.mean(var), 1, 0.25 if wide else 0.05
        yield f"{kind}: correlation", np.mean(flat), 0, 0.02


def noncentralities():
    """Mean of the likelihood ratio less its degree of freedom."""
    for name, kind in (("low pass", "pink"), ("stairs", "w+AR(.9)"),
                       ("motor", "AR(.9)")):
        p = next(q for q in plants.PLANTS + rigs.RIGS if q.name == name)
        eps = plants.size_of(p, "eps", 0.02, 300, 10)
        t, s = plants.simulate(p, 300, 10, {"eps": eps})
        nc = oracle.structure(p, t, s, kind, 0.01)
        r, found = np.random.default_rng(4), []
        for _ in range(60):
            spoilt = noises.spoil(s, kind, 0.01, r)
            fit = Fit(p, t, spoilt)
            for k, y in fit.y.items():
                fit.whiten[k] = (noises.Whitener(kind, 300, s[k]),
                                 0.01 * np.std(s[k]))
            cost = fit.run()
            dof = 300 * len(fit.y) - len(unknowns(p)) - len(p.x0)
            found.append(cost - dof)
        sd = np.sqrt((2 * dof + 4 * nc) / 60)
        yield f"NC, {name}, {kind}", np.mean(found), nc, 4 * sd


def expert_level():
    p = plants.PLANTS[0]
    t, s = plants.simulate(p, 300, 10)
    said = [expert.structure(p, t, noises.spoil(
        s, "white", 0.01, np.random.default_rng([9, k])), near=.95)[0]
        for k in range(60)]
    most = stats.binom.ppf(.999, 60, 0.01)
    yield "expert, white: inconsistent", said.count("inconsistent"), 0, most


def main():
    failed = 0
    for part in (integrated, spectra, noncentralities, expert_level):
        for name, value, expected, within in part():
            if not abs(value - expected) <= within:
                failed += 1
                print(f"{name}: {value:.4g}, expected {expected:.4g} "
                      f"+- {within:.2g}")
    print("as expected" if not failed else f"{failed} not as expected")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

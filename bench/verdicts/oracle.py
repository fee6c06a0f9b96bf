"""What one would find who knew the spectrum of the noise.

`structure`: how far the best fit of the model without the term stays from the
outputs with it, in the noise's own metric: the noncentrality of the test of one
who knows the term.  `pair`: that of the test of equal parameters, initial states
free.  Inputs that hold noise of their own are taken as exact: too much is said.
"""
import numpy as np
from scipy import linalg

import plants
from fitting import Fit
from noises import Whitener


def prepared(plant, t, s, kind, level, near=1.0):
    fit = Fit(plant, t, s, near=near)
    if fit.x is None:
        return None
    for k, y in fit.y.items():
        fit.whiten[k] = Whitener(kind, len(t), y), level * np.std(y)
    return fit


def structure(plant, t, signals, kind, level):
    """Of a recording without noise that holds a term too many."""
    fit = prepared(plant, t, signals, kind, level)
    if fit is None:
        return np.nan
    fit.run(60)
    return float(fit.cost)


def pair(plant, recordings, kind, level, change):
    """Of two recordings without noise, one parameter changed in the second."""
    total, names = 0.0, None
    for t, s in recordings:
        fit = prepared(plant, t, s, kind, level)
        if fit is None:
            return np.nan
        fit.j = fit.white(fit.slopes())
        total = total + fit.covariance()
        names = fit.shot.names
    d = np.zeros(len(names))
    d[names.index(plant.changed)] = change * plant.p[plant.changed]
    return float(d @ linalg.pinvh(total) @ d)

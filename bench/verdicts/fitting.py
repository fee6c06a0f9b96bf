"""Least squares of a plant's outputs, made white, by Gauss and Newton."""
import itertools

import numpy as np
from scipy import linalg

import noises
from shooting import Shooting

RANK = 1e-9   # singular values below: functions that no output shows


def unknowns(plant):
    return [k for k in plant.p if k not in ("eps", "odd")]


def least_squares(j, r, rank=RANK):
    """The shortest b that makes j b nearest to r, column by column scaled."""
    size = np.maximum(np.linalg.norm(j, axis=0), 1e-300)
    u, s, v = linalg.svd(j / size, full_matrices=False)
    keep = s > rank * s[0]
    b = v[keep].T / s[keep] @ (u[:, keep].T @ r)
    return (b.T / size).T


class Fit:
    """The fit of a recording; `whiten` holds a Whitener and an RMS by output.
    Where no step helps, the next of `ranks` leaves out what is known worst."""

    ranks = (RANK,)

    def __init__(self, plant, t, signals, x0=None, near=1.0, shooting=Shooting):
        self.plant = plant
        self.shot = shooting(plant, t, signals.get("u"), unknowns(plant),
                             plant.x0 if x0 is None else x0)
        self.y = {k: v for k, v in signals.items() if k != "u"}
        P = len(self.shot.names)
        self.theta = self.shot.theta.copy()
        self.theta[:P] *= near
        self.x = self.shot.trajectory(self.theta)
        self.whiten = {}

    def residuals(self):
        h = self.shot.outputs(self.x, self.theta)
        return {k: self.y[k] - h[k] for k in self.y}

    def white(self, courses):
        """Stack courses (or columns of them) by output, each made white."""
        rows = []
        for k in self.y:
            w, sd = self.whiten[k]
            c = w(np.asarray(courses[k]) / sd)
            rows.append(noises.off_nuisance(c, w(w.nuisance)
                        if w.nuisance.shape[1] else w.nuisance))
        return np.vstack(rows)

    def slopes(self):
        return self.shot.output_slopes(self.x, self.theta,
                                       self.shot.sensitivities())

    def run(self, rounds=25, close=1e-4):
        """Return the cost, or None where it does not converge; `cost` is
        what it reached."""
        r = self.white(self.residuals())[:, 0]
        cost = r @ r
        for _ in range(rounds):
            dx = self.shot.sensitivities()
            self.j = self.white(self.shot.output_slopes(self.x, self.theta,
                                                        dx))
            step = least_squares(self.j, r)
            gain = np.linalg.norm(self.j @ step)
            if gain < close * np.sqrt(len(r)) or gain**2 < 1e-9 * cost:
                self.cost = cost
                return cost
            for rank, share in itertools.product(self.ranks, (1, .5, .2, .05, .01)):
                before = self.theta, self.x
                step = least_squares(self.j, r, rank)
                self.theta = before[0] + share * step
                self.x = self.shot.trajectory(
                    self.theta, before[1] + share * (dx @ step).T)
                if self.x is not None:
                    new = self.white(self.residuals())[:, 0]
                    if new @ new < cost:
                        break
                self.theta, self.x = before
            else:
                self.shot.trajectory(self.theta, self.x)
                self.cost = cost
                return cost if gain**2 < 1e-3 * cost else None
            r, cost = new, new @ new
        self.cost = cost
        return None

    def covariance(self):
        """Of parameters, in the units of what is white."""
        P = len(self.shot.names)
        size = np.maximum(np.linalg.norm(self.j, axis=0), 1e-300)
        _, s, v = linalg.svd(self.j / size, full_matrices=False)
        s = np.maximum(s, RANK * s[0])
        c = (v.T / s**2) @ v / np.outer(size, size)
        return c[:P, :P]

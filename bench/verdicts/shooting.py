"""Trajectories of a plant and their sensitivities, all samples at once.

States at the samples are unknowns of x(k+1) = F(x(k), u, p), with F by Runge and
Kutta; Newton's method on all of them at once takes one banded solution a step.
Between samples an input holds or follows a spline of degree five.
"""
import numpy as np
from scipy import linalg
from scipy.interpolate import make_interp_spline

STEPS = 80   # of integration a period, at least


class Shooting:
    """Recording of a plant: t, the input at samples (or None), its parameters
    `names` and initial states as unknowns `theta`."""

    def __init__(self, plant, t, u, names, x0):
        self.plant, self.names, self.n = plant, names, len(t)
        self.dt = t[1] - t[0]
        self.u = u
        self.fine = max(2, int(np.ceil(STEPS * self.dt / plant.period)))
        self.nodes = self._nodes(t, u)
        self.s = len(plant.x0)
        self.theta = np.r_[[plant.p[k] for k in names], x0]
        self.size = np.maximum(np.abs(self.theta), 1e-3)
        self.x = None

    def _nodes(self, t, u):
        """Input at the nodes of Runge and Kutta: 2 fine + 1 an interval."""
        m = 2 * self.fine + 1
        if u is None:
            return None
        if self.plant.held is not None:
            late = np.r_[np.zeros(self.plant.held), u][:self.n - 1]
            return np.broadcast_to(late, (m, self.n - 1))
        spline = make_interp_spline(t, u, 5)
        at = t[:-1] + self.dt * np.arange(m)[:, None] / (m - 1)
        return spline(at)

    def parameters(self, theta):
        p = dict(self.plant.p)
        p.update(zip(self.names, theta))
        return p

    def flow(self, x, p, added=None):
        """F of states x (a list of arrays over intervals)."""
        h = self.dt / self.fine

        def f(x, u):
            d = self.plant.rhs(x, u, p)
            return d if added is None else added(d, x, u)

        def along(x, k, d):
            return [a + k * b for a, b in zip(x, d)]
        for j in range(self.fine):
            u = [None] * 3 if self.nodes is None else \
                self.nodes[2 * j:2 * j + 3]
            a = f(x, u[0])
            b = f(along(x, h / 2, a), u[1])
            c = f(along(x, h / 2, b), u[1])
            d = f(along(x, h, c), u[2])
            x = [y + h / 6 * (q + 2 * r + 2 * s + v)
                 for y, q, r, s, v in zip(x, a, b, c, d)]
        return np.array(x)

    def jacobians(self, x, theta):
        """F, dF/dx (s, s, n-1) and dF/dp (s, P, n-1), by differences."""
        s, P = self.s, len(self.names)
        step = np.r_[1e-6 * np.maximum(np.std(x, axis=1), 1e-9 +
                                       1e-3 * np.abs(x).max(axis=1)),
                     1e-6 * self.size[:P]]
        rows = 1 + s + P
        xs = [np.repeat(x[i:i + 1], rows, axis=0) for i in range(s)]
        for i in range(s):
            xs[i][1 + i] += step[i]
        p = self.parameters(theta)
        for j, k in enumerate(self.names):
            v = np.full((rows, 1), p[k])
            v[1 + s + j] += step[s + j]
            p[k] = v
        f = self.flow(xs, p)
        d = (f[:, 1:] - f[:, :1]) / step[:, None]
        return f[:, 0], d[:, :s], d[:, s:]

    def solve(self, a, b):
        """y(k+1) - A(k) y(k) = b(k), y(0) = b(-1): b of shape (n, s, m)."""
        s, n = self.s, self.n
        ab = np.zeros((2 * s, n * s))
        ab[0] = 1
        k = np.arange(n - 1)
        for i in range(s):
            for j in range(s):
                ab[s + i - j, k * s + j] = -a[i, j]
        y, _ = linalg.lapack.dtbtrs(ab, b.reshape(n * s, -1), uplo="L",
                                    diag="U")
        return y.reshape(n, s, -1)

    def start(self, theta):
        """A trajectory sample by sample."""
        p, nodes = self.parameters(theta), self.nodes
        x = np.zeros((self.s, self.n))
        x[:, 0] = theta[len(self.names):]
        for k in range(self.n - 1):
            self.nodes = None if nodes is None else nodes[:, k]
            x[:, k + 1] = self.flow(list(x[:, k]), p)
        self.nodes = nodes
        return x

    def trajectory(self, theta, near=None):
        """Newton's method from a trajectory that is near; None: it fails."""
        with np.errstate(all="ignore"):
            x = self._newton(theta, near)
            if x is None and near is not None:
                x = self._newton(theta, None)
        return x

    def _newton(self, theta, near):
        x = self.start(theta) if near is None else near.copy()
        x[:, 0] = theta[len(self.names):]
        scale = np.maximum(np.abs(x).max(axis=1), 1e-12)
        for _ in range(12):
            f, a, q = self.jacobians(x[:, :-1], theta)
            r = np.zeros((self.n, self.s, 1))
            r[1:, :, 0] = (f - x[:, 1:]).T
            if not (np.abs(r).max() < 1e9 * scale.max()
                    and np.abs(a).max() < 1e6):
                return None
            d = self.solve(a, r)[:, :, 0].T
            x = x + d
            off = np.max(np.abs(d) / scale[:, None])
            if not np.isfinite(off) or off > 1e6:
                return None
            if off < 1e-9:
                self.a, self.q = a, q
                return x
        return None

    def sensitivities(self):
        """Of all states to theta, at the last trajectory: (n, s, P + s)."""
        P = len(self.names)
        b = np.zeros((self.n, self.s, P + self.s))
        b[1:, :, :P] = self.q.transpose(2, 0, 1)
        b[0, :, P:] = np.eye(self.s)
        return self.solve(self.a, b)

    def outputs(self, x, theta):
        y = self.plant.out(x, self.u, self.parameters(theta))
        return {k: np.broadcast_to(v, self.n) for k, v in y.items()}

    def output_slopes(self, x, theta, dx):
        """Of outputs to theta, dx that of states (n, s, m): {name: (n, m)}.
        Outputs are linear in states."""
        at, P = self.outputs(x, theta), len(self.names)
        zero = np.zeros_like(x)
        base = self.outputs(zero, theta)
        slopes = {k: 0.0 for k in at}
        for i in range(self.s):
            one = zero.copy()
            one[i] = 1
            for k, v in self.outputs(one, theta).items():
                slopes[k] = slopes[k] + (v - base[k])[:, None] * dx[:, i]
        for j in range(P if dx.shape[2] == len(theta) else 0):
            up = theta.copy()
            up[j] += 1e-6 * self.size[j]
            for k, v in self.outputs(x, up).items():
                slopes[k][:, j] += (v - at[k]) / (1e-6 * self.size[j])
        return slopes

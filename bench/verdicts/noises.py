"""Kinds of noise, each of unit RMS where it has a level of its own.

    KIND        one of the thirteen of NAMES
    w+KIND      white, and half as much of KIND
    lineF       white, and a line whose amplitude is its RMS, at F of the rate
    growth      white, half of whose power is in proportion to the signal's
    outliers    white, and one sample in a hundred off by 20 standard deviations
    r+KIND      rounding, and half as much of KIND

`spoil` adds a kind to a recording; `Whitener` is what an oracle knows of it.
"""
import numpy as np
from scipy import linalg, signal


def white(r, n):
    return r.standard_normal(n)


def autoregressive(pole):
    def make(r, n):
        w = r.standard_normal(n + 4000)
        return signal.lfilter([np.sqrt(1 - pole**2)], [1, -pole], w)[4000:]
    return make


def low_pass(share):
    """Up to this share of Nyquist, Butterworth of order 4."""
    def make(r, n):
        b, a = signal.butter(4, share)
        x = signal.lfilter(b, a, r.standard_normal(n + 4000))[4000:]
        _, h = signal.freqz(b, a, 4096)
        return x / np.sqrt(np.mean(np.abs(h)**2))
    return make


def pink(r, n):
    m = 1 << (2 * n - 1).bit_length()
    f = np.fft.rfftfreq(m)
    a = np.where(f > 0, 1 / np.sqrt(np.maximum(f, 1 / m)), 0)
    x = np.fft.irfft(a * np.fft.rfft(r.standard_normal(m)), m)
    return (x / np.sqrt(np.mean(x**2)))[:n]


def random_walk(r, n):
    """Steps so large that over 1000 samples the RMS is about 1."""
    x = np.cumsum(r.standard_normal(n)) / np.sqrt(500)
    return x - x.mean()


def hum(r, n):
    """White, and a line and its third harmonic that no signal holds."""
    t = np.arange(n)
    f = 0.31 + 0.02 * r.random()
    line = np.sqrt(2) * np.sin(2 * np.pi * (f * t + r.random()))
    third = 0.3 * np.sin(2 * np.pi * (3 * f * t + r.random()))
    return (r.standard_normal(n) + line + third) / np.sqrt(2)


def heavy_tails(r, n):
    return r.standard_t(3, n) / np.sqrt(3)


ADDED = {"white": white, "AR(.5)": autoregressive(0.5),
         "AR(.9)": autoregressive(0.9), "AR(.99)": autoregressive(0.99),
         "low pass .05": low_pass(0.05), "low pass .3": low_pass(0.3),
         "pink": pink, "random walk": random_walk, "hum": hum,
         "t3": heavy_tails}
NAMES = list(ADDED) + ["white on inputs", "multiplicative", "rounding"]
COLOURS = ["AR(.5)", "AR(.9)", "AR(.99)", "low pass .05", "low pass .3",
           "pink", "random walk"]
MIXED = ["w+" + k for k in COLOURS]
LINES = ["line.03", "line.07", "line.13", "line.2", "line.3", "line.45"]
OTHERS = ["growth", "outliers", "r+AR(.9)", "r+pink"]
ALL = NAMES + MIXED + LINES + OTHERS


def course(kind, r, x, s):
    """Noise of standard deviation s on the signal x."""
    n = len(x)
    if kind.startswith("w+"):
        return s * white(r, n) + s / 2 * ADDED[kind[2:]](r, n)
    if kind.startswith("line"):
        turn = 2 * np.pi * (float(kind[4:]) * np.arange(n) + r.random())
        return s * (white(r, n) + np.sin(turn))
    if kind == "growth":
        return s * np.sqrt(0.5 + 0.5 * x**2 / np.mean(x**2)) * white(r, n)
    if kind == "outliers":
        off = (r.random(n) < 0.01) * r.choice([-20.0, 20.0], n)
        return s * (white(r, n) + off)
    if kind == "white on inputs":
        return s * white(r, n)
    return s * ADDED[kind](r, n)


def rounded(x, s):
    """With bits so that the error of rounding comes nearest to s."""
    span = np.ptp(x)
    bits = np.clip(np.round(np.log2(span / (s * np.sqrt(12)))), 8, 12)
    step = span / 2**bits
    return np.round(x / step) * step


def spoil(signals, kind, level, r, inputs=("u",)):
    """Return a copy of the recording with noise of `level` times the RMS of
    each output about its mean."""
    out = {}
    for name, x in signals.items():
        s = level * np.std(x)
        if name in inputs and kind != "white on inputs":
            out[name] = x
        elif kind == "multiplicative":
            out[name] = x * (1 + level * white(r, len(x)))
        elif kind == "rounding":
            out[name] = rounded(x, s)
        elif kind.startswith("r+"):
            out[name] = rounded(x + s / 2 * ADDED[kind[2:]](r, len(x)), s)
        else:
            out[name] = x + course(kind, r, x, s)
    return out


def density(kind, m):
    """Power spectrum of unit mean on the m // 2 + 1 frequencies of rfft."""
    f = np.fft.rfftfreq(m)
    z = np.exp(-2j * np.pi * f)
    if kind.startswith("AR("):
        a = float(kind[3:-1])
        return (1 - a * a) / np.abs(1 - a * z)**2
    if kind.startswith("low pass"):
        b, a = signal.butter(4, float(kind[9:]))
        p = np.abs(signal.freqz(b, a, 2 * np.pi * f)[1])**2
        return p / np.mean(p)
    if kind == "pink":
        p = np.where(f > 0, 1 / np.maximum(f, 1 / m), 0)
        return p / np.mean(np.r_[p, p[1:-1]])
    return np.ones(len(f))


class Whitener:
    """Makes white what n samples of a kind are, in units of its RMS.

    A stationary kind is an autoregression of up to 400 terms, exact at the
    start.  Walks are differenced: their level is unknown.  Lines are left to
    `nuisance`, columns of free size.  The spectrum does not fall below a
    millionth of the power of the noise: below that nothing is measured.
    """
    ORDER, FLOOR = 400, 1e-6

    def __init__(self, kind, n, x):
        self.differs = kind.endswith("random walk")
        self.scale = np.ones(n)
        self.nuisance = np.zeros((n, 0))
        share = {"w+": 0.25, "r+": 0.25}.get(kind[:2], 1.0)
        base = 1.0 if kind[:2] in ("w+", "r+") else 0.0
        colour = kind[2:] if base else kind
        lines = ([0.32, 0.04] if kind == "hum" else
                 [float(kind[4:])] if kind.startswith("line") else [])
        if lines:
            turn = 2 * np.pi * np.outer(np.arange(n), lines)
            self.nuisance = np.hstack([np.cos(turn), np.sin(turn)])
        if kind == "hum":
            base, share = 0.5, 0.0
        elif colour not in COLOURS:
            base, share = 1.0, 0.0
        if kind == "growth":
            self.scale = np.sqrt(0.5 + 0.5 * x**2 / np.mean(x**2))
        elif kind == "multiplicative":
            rms = np.sqrt(np.mean(x**2))
            self.scale = np.hypot(x, 0.1 * rms) / np.std(x)
        self._filter(self._covariance(colour, n, base, share), n)

    def _covariance(self, colour, n, base, share):
        m = 1 << (2 * max(n, self.ORDER) - 1).bit_length()
        if self.differs:
            g = np.zeros(self.ORDER + 1)
            g[0], g[1] = 2 * base + share / 500, -base
            g[0] += 2 * self.FLOOR
            g[1] -= self.FLOOR
            return g
        p = base + share * density(colour, m) + self.FLOOR
        return np.fft.irfft(p, m)[:self.ORDER + 1]

    def _filter(self, g, n):
        """Durbin and Levinson: predictors of each order, their errors."""
        top = min(self.ORDER, n - 2)
        a, v = np.zeros(0), g[0]
        self.start, self.sd = [a], [np.sqrt(v)]
        for p in range(1, top + 1):
            k = (g[p] - a @ g[p - 1:0:-1]) / v if p > 1 else g[1] / v
            a = np.r_[a - k * a[::-1], k]
            v *= 1 - k * k
            self.start.append(a)
            self.sd.append(np.sqrt(v))
            if abs(k) < 1e-9 and p > 8:
                break

    def __call__(self, y):
        """Whiten columns, each a course of n samples, in units of the RMS."""
        y = y.reshape(len(y), -1) / self.scale[:, None]
        if self.differs:
            y = np.diff(y, axis=0)
        a, p = self.start[-1], len(self.start) - 1
        w = signal.lfilter(np.r_[1, -a], [1], y, axis=0) / self.sd[-1]
        for i in range(min(p, len(y))):
            w[i] = (y[i] - self.start[i] @ y[:i][::-1]) / self.sd[i]
        return w


def off_nuisance(w, columns):
    """Both whitened: w less what the columns explain."""
    if columns.shape[1] == 0:
        return w
    q = linalg.qr(columns, mode="economic")[0]
    return w - q @ (q.T @ w)

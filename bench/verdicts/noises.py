"""Thirteen kinds of noise, each of unit RMS where it has a level of its own."""
import numpy as np
from scipy import signal


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


def spoil(signals, kind, level, r):
    """Return a copy of the recording with noise of `level` times the RMS of
    each output about its mean."""
    out = {}
    for name, x in signals.items():
        s = level * np.std(x)
        if name == "u" and kind != "white on inputs":
            out[name] = x
        elif kind in ("white on inputs", "white"):
            out[name] = x + s * white(r, len(x))
        elif kind == "multiplicative":
            out[name] = x * (1 + level * white(r, len(x)))
        elif kind == "rounding":
            # bits so that the rounding error comes nearest to the level
            span = np.ptp(x)
            bits = np.clip(np.round(np.log2(span / (s * np.sqrt(12)))), 8, 12)
            step = span / 2**bits
            out[name] = np.round(x / step) * step
        else:
            out[name] = x + s * ADDED[kind](r, len(x))
    return out

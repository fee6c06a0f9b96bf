"""Plants whose input holds between samples: closed loops, steps, none at all.

`loops`: a controller computes the input from outputs with their noise, and the
recording holds what it computed.  The set point jumps twice in twenty periods.
"""
import numpy as np

from plants import Plant, _first, _hill


def set_points(n, seed, per):
    r = np.random.default_rng(seed)
    hold = 10 * per
    return np.repeat(r.choice([-1.0, -0.5, 0.5, 1.0], n // hold + 1), hold)


def pi(dt, seed, per):
    """Of proportion .8 and the integral over a period, about 1."""
    w, z = set_points(100000, seed, per), [0.0]

    def step(k, seen):
        e = 1 + w[k] - seen["y"]
        z[0] += 0.8 * dt * e
        return 0.8 * e + z[0]
    return step


def pid(dt, seed, per):
    """With a derivative of y that is filtered over a tenth of a period."""
    w = set_points(100000, seed, per)
    s = {"y": 0.0, "v": 0.0, "z": 0.0}
    keep = np.exp(-dt / 0.08)

    def step(k, seen):
        y = seen["y"]
        s["v"] = keep * s["v"] + (1 - keep) * (y - s["y"]) / dt
        s["y"] = y
        s["z"] += dt * (w[k] - y)
        return 3 * (w[k] - y) + s["z"] - 0.25 * s["v"]
    return step


def state_feedback(dt, seed, per):
    w = set_points(100000, seed, per)
    return lambda k, seen: 3.5 * w[k] - 3 * seen["y"] - 0.25 * seen["v"]


def stairs(r, n, per):
    """Drawn levels, each held for half a period to three."""
    times = np.cumsum(r.integers(max(2, per // 2), 3 * per, n // 2 + 1))
    return r.uniform(-1, 1, n)[np.searchsorted(times, np.arange(n), "right")]


def switching(r, n, per):
    """At random, at every fifth sample: fills the spectrum."""
    return np.repeat(r.choice([-1.0, 1.0], n // 5 + 1), 5)[:n]


def _lag(x, u, p):
    return [(p["K"] * u + p["y0"] - x[0] - p["eps"] * x[0]**3
             - p["odd"] * _hill(x[0])) / p["T"]]


def _servo(x, u, p):
    return [x[1], (u - p["d"] * x[1] - p["k"] * x[0] - p["eps"] * x[0]**3
                   - p["odd"] * _hill(2 * x[0])) / p["J"]]


def _cell(x, u, p):
    return [(u - x[0] / p["R1"] - p["eps"] * x[0]**3
             - p["odd"] * _hill(80 * x[0])) / p["C1"]]


def _chain(x, u, p):
    flow = p["k1"] * x[0]
    lost = p["eps"] * x[0]**2 + p["odd"] * _hill(4 * x[0])
    return [-flow - lost, flow - p["k2"] * x[1]]


LAG = """model lag
parameters
    T [s]
    K
    y0 may be zero
inputs
    u
outputs
    y
equations
    T*y' + y = K*u + y0
"""
SERVO = """model servo
parameters
    J d k
inputs
    u
outputs
    y
equations
    J*y'' + d*y' + k*y = u
"""
SERVO_V = """model servo
parameters
    J d k
inputs
    u
outputs
    y v
equations
    y' = v
    J*v' + d*v + k*y = u
"""
CELL = """model cell
states
    x
parameters
    R0 R1 C1
    E may be zero
inputs
    u
outputs
    y
equations
    y = E - R0*u - x
    C1*x' = u - x/R1
"""
RINGING = """model ringing
parameters
    d w2
outputs
    y
equations
    y'' + d*y' + w2*y = 0
"""
CHAIN = """model chain
states
    x1 x2
parameters
    k1 k2
outputs
    y1 y2
equations
    x1' = -k1*x1
    x2' = k1*x1 - k2*x2
    y1 = x1
    y2 = x2
"""
_lag_p = dict(T=1.0, K=1.5, y0=0.1)
_servo_p = dict(J=0.06, d=0.1, k=0.5)


def _ringing(x, u, p):
    return [x[1], -p["d"] * x[1] - p["w2"] * x[0] - p["eps"] * x[0]**3
            - p["odd"] * _hill(x[0])]


LOOPS = [
    Plant("PI", LAG, _lag_p, [0.0], _lag, _first("y"), 1.0, changed="T",
          unit=0.1, held=0, control=pi),
    Plant("PI late", LAG, _lag_p, [0.0], _lag, _first("y"), 1.0, changed="T",
          unit=0.1, held=1, control=pi),
    Plant("PID", SERVO, _servo_p, [0.0, 0.0], _servo, _first("y"), 0.8,
          changed="J", unit=0.05, held=0, control=pid),
    Plant("PID late", SERVO, _servo_p, [0.0, 0.0], _servo, _first("y"), 0.8,
          changed="J", unit=0.05, held=1, control=pid),
    Plant("state feedback", SERVO_V, _servo_p, [0.0, 0.0], _servo,
          _first("y", "v"), 0.8, changed="J", unit=0.05, held=0,
          control=state_feedback),
]
RIGS = [
    Plant("feed-through", CELL, dict(R0=0.02, R1=0.015, C1=67.0, E=3.4), [0.0],
          _cell, lambda x, u, p: {"y": p["E"] - p["R0"] * u - x[0]}, 1.0,
          changed="R1", unit=1e5, held=0, drive=stairs),
    Plant("stairs", SERVO, dict(J=0.025, d=0.2, k=1.0), [0.0, 0.0], _servo,
          _first("y"), 1.0, changed="J", unit=0.05, held=0, drive=stairs),
    Plant("switching", LAG, dict(T=0.5, K=1.5, y0=0.1), [0.0], _lag,
          _first("y"), 1.0, changed="T", unit=0.1, held=0, drive=switching),
    Plant("ringing", RINGING, dict(d=0.25, w2=39.5), [1.0, 0.0], _ringing,
          _first("y"), 1.0, changed="w2", unit=0.5, span=15.0),
    Plant("kinetics", CHAIN, dict(k1=1.0, k2=0.4), [1.0, 0.0], _chain,
          _first("y1", "y2"), 1.0, changed="k2", unit=0.1, span=8.0),
]

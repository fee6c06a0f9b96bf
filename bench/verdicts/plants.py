"""Plants that recordings are simulated of, by SciPy alone.

A plant is a set of ordinary differential equations with its parameters, an
input that is known exactly, and two terms that darc's model of it lacks: `eps`,
most often a power, and `odd`, which is no candidate of anybody.  `rhs` and
`out` take numbers or arrays.  Inputs of PLANTS go on between samples; those of
rigs.py hold.
"""
import hashlib
import math
import os
from dataclasses import dataclass, field
from typing import Callable

import numpy as np
from scipy.integrate import solve_ivp


@dataclass
class Plant:
    name: str
    model: str                      # in darc's language
    p: dict                         # parameters
    x0: list                        # initial states
    rhs: Callable                   # rhs(x, u, p) -> derivatives
    out: Callable                   # out(x, u, p) -> {name: array}
    period: float                   # s: what "samples a period" counts
    u: tuple = None                 # mean, amplitude of the input; None: none
    unit: float = 1.0               # eps that matters, to begin with
    changed: str = None             # parameter that pairs change
    functions: dict = field(default_factory=dict)  # name -> f(p): the truth
    highest: float = 2.0            # of the input, in 1/period
    span: float = None              # s: of the recording, whatever its size
    held: int = None                # input holds; 1: acts a sample late
    control: Callable = None        # control(dt) -> step(k, outputs) -> input
    drive: Callable = None          # drive(r, n, per) -> held input

    def __post_init__(self):
        self.p = {**self.p, "eps": 0.0, "odd": 0.0}


def multisine(period, mean, amplitude, highest, seed=1):
    """Twelve sines up to highest/period, never in step with the sampling."""
    r = np.random.default_rng(seed)
    f = np.linspace(0.08, highest, 12) / period * (1 + 0.02 * r.random(12))
    phase = 2 * np.pi * r.random(12)
    a = amplitude * np.sqrt(2 / 12)
    w = 2 * np.pi * f
    waves = list(zip(w.tolist(), phase.tolist()))

    def at(t):
        return mean + a * sum(math.cos(v * t + q) for v, q in waves)

    def along(t):
        return mean + a * np.cos(np.multiply.outer(t, w) + phase).sum(-1)
    return at, along


def starts(plant, n, per_period, changes=()):
    """Return the step of time, parameters and initial states."""
    p, x0 = dict(plant.p), list(plant.x0)
    for k, v in dict(changes).items():
        if k.startswith("x0."):
            x0[int(k[3:])] = v
        else:
            p[k] = v
    return plant.span / n if plant.span else plant.period / per_period, p, x0


def advance(plant, x, u, p, dt, fine=12):
    """States a sample later, by Runge and Kutta; the input holds."""
    h = dt / fine
    f = lambda x: np.array(plant.rhs(x, u, p))
    x = np.array(x, float)
    for _ in range(fine):
        a = f(x)
        b = f(x + h / 2 * a)
        c = f(x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + f(x + h * c))
    return x


def stepped(plant, n, per_period, changes=(), seed=1, noise=None):
    """As _solve, where inputs hold; `noise` adds to what a controller sees."""
    dt, p, x = starts(plant, n, per_period, changes)
    u = (plant.drive(np.random.default_rng(seed), n, per_period)
         if plant.drive else np.zeros(n))
    step = plant.control(dt, seed, per_period) if plant.control else None
    states = np.zeros((len(x), n))
    for k in range(n):
        states[:, k] = x
        if step:
            seen = plant.out(x, 0.0, p)
            u[k] = step(k, {q: v + (noise[q][k] if noise else 0.0)
                            for q, v in seen.items()})
        now = k - plant.held
        x = advance(plant, x, u[now] if now >= 0 else 0.0, p, dt)
    return np.arange(n) * dt, states, p, u


def _solve(plant, n, per_period, changes=(), seed=1, noise=None):
    """Return t, the states by column, parameters, and the input."""
    if plant.held is not None:
        return stepped(plant, n, per_period, changes, seed, noise)
    dt, p, x0 = starts(plant, n, per_period, changes)
    t = np.arange(n) * dt
    u = along = None
    if plant.u is not None:
        u, along = multisine(plant.period, *plant.u, plant.highest, seed)
    f = lambda s, x: plant.rhs(x.tolist(), u(s) if u else None, p)
    s = solve_ivp(f, (0, t[-1]), x0, method="DOP853", t_eval=t, rtol=1e-9,
                  atol=1e-11)
    if s.status != 0:
        raise RuntimeError(f"{plant.name}: {s.message}")
    return t, s.y, p, along(t) if along else None


def simulate(plant, n, per_period, changes=(), seed=1, noise=None):
    """Return t and {signal: n values}: exact to eight digits."""
    t, x, p, u = _solve(plant, n, per_period, changes, seed, noise)
    signals = dict(plant.out(x, u, p))
    return t, signals if u is None else {"u": u, **signals}


def states(plant, n, per_period, changes=(), seed=1):
    """Return the states that simulate computes signals from, by column."""
    return _solve(plant, n, per_period, changes, seed)[1]


_cache = os.environ.get("DARC_BENCH_CACHE")


def cached(plant, n, per_period, changes=(), seed=1):
    """As simulate, kept in the folder that DARC_BENCH_CACHE names."""
    if not _cache:
        return simulate(plant, n, per_period, changes, seed)
    key = repr((plant.name, plant.p, plant.x0, plant.u, plant.period,
                plant.highest, n, per_period, sorted(dict(changes).items()),
                seed))
    path = os.path.join(_cache, hashlib.sha1(key.encode()).hexdigest() + ".npz")
    if not os.path.exists(path):
        t, s = simulate(plant, n, per_period, changes, seed)
        os.makedirs(_cache, exist_ok=True)
        part = path[:-4] + f".{os.getpid()}.npz"
        np.savez(part, t=t, **s)
        os.replace(part, path)
    with np.load(path) as z:
        return z["t"], {k: z[k] for k in z.files if k != "t"}


def missing_size(plant, name, size, n, per_period):
    """What a term adds to the derivatives, over their own size: the largest."""
    n = min(n, 200)
    _, x, p, u = _solve(plant, n, per_period, {name: size})
    full = plant.rhs(list(x), u, p)
    bare = plant.rhs(list(x), u, {**p, name: 0.0})
    return max(np.std(a - b) / np.std(a) for a, b in zip(full, bare)
               if np.std(a) > 0)


def size_of(plant, name, share, n, per_period, memory={}):
    """The factor that makes a missing term as large as `share`."""
    key = plant.name, name, share, per_period
    if share and key not in memory:
        size = share * (plant.unit if name == "eps" else 1.0)
        for _ in range(4):
            size *= share / missing_size(plant, name, size, n, per_period)
        memory[key] = float(f"{size:.4g}")
    return memory[key] if share else 0.0


def _hill(x):
    """What saturates and falls again."""
    return x / (1 + x * x)


def _low_pass(x, u, p):
    return [(p["K"] * u - x[0] - p["eps"] * x[0]**3
             - p["odd"] * _hill(x[0])) / p["T"]]


def _motor(x, u, p):
    i, w = x
    return [(u - p["R"] * i - p["K"] * w) / p["L"],
            (p["K"] * i - p["b"] * w - p["eps"] * w**3
             - p["odd"] * _hill(w / 4)) / p["J"]]


def _van_der_pol(x, u, p):
    return [x[1], p["mu"] * (1 - x[0]**2) * x[1] - p["w2"] * x[0]
            - p["eps"] * x[0]**3 - p["odd"] * _hill(x[0]) + u]


def _predators(x, u, p):
    return [p["a"] * x[0] - p["b"] * x[0] * x[1] - p["eps"] * x[0]**2
            - p["odd"] * _hill(x[0]),
            -p["c"] * x[1] + p["d"] * x[0] * x[1]]


def _two_masses(x, u, p):
    z1, v1, z2, v2 = x
    k = p["k2"] * (z2 - z1) + p["d2"] * (v2 - v1)
    return [v1, (u - p["k1"] * z1 - p["d1"] * v1 + k
                 - p["eps"] * z1**3 - p["odd"] * _hill(8 * z1)) / p["m1"],
            v2, -k / p["m2"]]


def _pendulum(x, u, p):
    return [x[1], u - p["c"] * x[1] - p["w2"] * np.sin(x[0])
            - p["eps"] * x[1] * abs(x[1]) - p["odd"] * _hill(x[1] / 4)]


def _tanks(x, u, p):
    q = [np.sqrt(np.maximum(h, 1e-9)) for h in x]
    return [(u - p["k1"] * q[0] - p["eps"] * x[0]
             - p["odd"] * _hill(x[0])) / p["A1"],
            (p["k1"] * q[0] - p["k2"] * q[1]) / p["A2"]]


def _sir(x, u, p):
    s, i = x
    flow = p["b"] * s * i
    return [-flow + p["eps"] * (1 - s) - p["odd"] * _hill(5 * i),
            flow - p["g"] * i]


def _bicycle(x, u, p):
    b, r = x
    front = p["cf"] * (u - b - p["lf"] * r)
    rear = p["cr"] * (p["lr"] * r - b)
    return [front + rear - r - p["eps"] * b**3 - p["odd"] * _hill(10 * b),
            p["i"] * (p["lf"] * front - p["lr"] * rear)]


def _transformer(x, u, p):
    i, j = x
    a = u - p["R1"] * i
    b = -p["R2"] * j - p["eps"] * j**3 - p["odd"] * _hill(3 * j)
    det = p["L1"] * p["L2"] - p["M"]**2
    return [(p["L2"] * a - p["M"] * b) / det, (p["L1"] * b - p["M"] * a) / det]


def _first(*names):
    return lambda x, u, p: dict(zip(names, x))


PLANTS = [
    Plant("low pass", """model low_pass
parameters
    T [s]
    K
inputs
    u
outputs
    y
equations
    T*y' + y = K*u
""", dict(T=0.3, K=2.0), [0.0], _low_pass, _first("y"), 1.0,
          (0.2, 1.0), 0.02, "T",
          {"T/K": lambda p: p["T"] / p["K"], "1/K": lambda p: 1 / p["K"],
           "T": lambda p: p["T"], "K": lambda p: p["K"]}),
    Plant("motor", """model motor
states
    i w
parameters
    L R K J
    b may be zero
inputs
    u
outputs
    im wm
equations
    L*i' = u - R*i - K*w
    J*w' = K*i - b*w
    im = i
    wm = w
""", dict(L=0.05, R=1.0, K=0.5, J=0.04, b=0.03), [0.0, 0.0], _motor,
          _first("im", "wm"), 1.0, (1.0, 3.0), 0.002, "J",
          {"L": lambda p: p["L"], "R": lambda p: p["R"],
           "K": lambda p: p["K"], "J/K": lambda p: p["J"] / p["K"],
           "b/K": lambda p: p["b"] / p["K"]}),
    Plant("van der Pol", """model van_der_pol
parameters
    mu w2
inputs
    u
outputs
    y
equations
    y'' - mu*(1 - y^2)*y' + w2*y = u
""", dict(mu=1.0, w2=39.5), [1.0, 0.0], _van_der_pol, _first("y"),
          1.0, (0.0, 8.0), 0.5, "w2",
          {"mu": lambda p: p["mu"], "w2": lambda p: p["w2"]}),
    Plant("predators", """model predators
states
    x1 x2
parameters
    a b c d
outputs
    y1 y2
equations
    x1' = a*x1 - b*x1*x2
    x2' = -c*x2 + d*x1*x2
    y1 = x1
    y2 = x2
""", dict(a=1.0, b=0.5, c=0.8, d=0.4), [3.0, 1.5], _predators,
          _first("y1", "y2"), 7.0, None, 0.01, "b",
          {"a": lambda p: p["a"], "b": lambda p: p["b"],
           "c": lambda p: p["c"], "d": lambda p: p["d"]}),
    Plant("two masses", """model two_masses
states
    x1 x2
parameters
    m1 k1 d1 m2 k2 d2
inputs
    u
outputs
    y
equations
    m1*x1'' = u - k1*x1 - d1*x1' + k2*(x2 - x1) + d2*(x2' - x1')
    m2*x2'' = -k2*(x2 - x1) - d2*(x2' - x1')
    y = x1
""", dict(m1=1.0, k1=60.0, d1=1.0, m2=1.5, k2=40.0, d2=0.8),
          [0.0, 0.0, 0.0, 0.0], _two_masses,
          lambda x, u, p: {"y": x[0]}, 1.4, (0.0, 10.0), 60.0, "k2"),
    Plant("pendulum", """model pendulum
parameters
    c w2
inputs
    u
outputs
    y
derived
    s = sin(y)
equations
    y'' + c*y' + w2*s = u
""", dict(c=0.5, w2=39.5), [0.5, 0.0], _pendulum, _first("y"), 1.0,
          (0.0, 12.0), 0.05, "c",
          {"c": lambda p: p["c"], "w2": lambda p: p["w2"]}),
    Plant("tanks", """model tanks
parameters
    A1 A2 k1 k2
inputs
    u
outputs
    h1 h2
derived
    q1 = sqrt(h1)
    q2 = sqrt(h2)
equations
    A1*h1' = u - k1*q1
    A2*h2' = k1*q1 - k2*q2
""", dict(A1=0.5, A2=0.4, k1=1.0, k2=0.9), [1.0, 1.2], _tanks,
          _first("h1", "h2"), 2.0, (1.0, 0.25), 0.02, "k1",
          {"A1": lambda p: p["A1"], "k1": lambda p: p["k1"],
           "k2/k1": lambda p: p["k2"] / p["k1"],
           "A2/k1": lambda p: p["A2"] / p["k1"]}),
    Plant("epidemic", """model epidemic
parameters
    b g
outputs
    S I
equations
    S' = -b*S*I
    I' = b*S*I - g*I
""", dict(b=0.6, g=0.2), [0.99, 0.01], _sir, _first("S", "I"), 40.0,
          None, 0.001, "g",
          {"b": lambda p: p["b"], "g": lambda p: p["g"]}, span=60.0),
    Plant("bicycle", """model bicycle
states
    b r
parameters
    cf cr lf lr i
inputs
    u
outputs
    yb yr
equations
    b' = cf*(u - b - lf*r) + cr*(lr*r - b) - r
    r' = i*lf*cf*(u - b - lf*r) - i*lr*cr*(lr*r - b)
    yb = b
    yr = r
""", dict(cf=3.0, cr=4.0, lf=0.06, lr=0.07, i=150.0), [0.0, 0.0],
          _bicycle, _first("yb", "yr"), 1.0, (0.0, 0.1), changed="cf"),
    Plant("transformer", """model transformer
states
    i j
parameters
    L1 L2 M R1 R2
inputs
    u
outputs
    i1 i2
equations
    L1*i' + M*j' + R1*i = u
    M*i' + L2*j' + R2*j = 0
    i1 = i
    i2 = j
""", dict(L1=0.2, L2=0.15, M=0.1, R1=1.0, R2=0.7), [0.0, 0.0],
          _transformer, _first("i1", "i2"), 1.0, (0.0, 1.0), changed="R2"),
]

"""Random tests of a lab, judged: which kinds of recording go wrong?

    scenarios.py DARC SEED COUNT [--wrong | --pairs SHARE] [--plants tank,cell]
                 [--inputs steps,prbs]
                 [--noise white,w+pink] [--own-clock SHARE] [--values] [--oracle] [--keep FOLDER]

Nineteen plants with parameters drawn at random, each with eleven kinds of input, noise
of five kinds and three levels, 400 to 1500 samples at 15 to 50 a period.  Inputs that
jump do so at samples, or, with the probability SHARE (.4), by a clock of their own.
With --wrong the plant has a term that its model lacks.  With --pairs two recordings,
each with an input of its own, are asked whether they are equal: a parameter, drawn at
random, differs by SHARE (0: none; .1: it is 10 % larger or smaller).  Prints how many are
consistent/inconsistent/undecided, in all and by plant, input and noise, then each that
is not as it should be.  With --values also how far values are off, in their standard
deviations: mean (0) and standard deviation (1) by plant.  With --keep recordings that are judged wrongly are kept.
With --oracle also NC, what could have been found: how far the best fit without the term,
or with the same parameters in both recordings, stays from what is true, in squares of
noise of known spectrum; and the time that verdicts took.
"""
import argparse
import collections
import json
import os
import resource
import shutil
import subprocess
import tempfile

import numpy as np
from scipy import linalg

import fitting
import noises
import shooting


class Plant:
    """A model of darc's language, and the same as a function with a term more.

    rate(x, u, p, e) and out(x, u, p, e) give derivatives and outputs; the term that
    the model lacks has the size e.  Inputs are offset + scale times a course of about
    one; period is the time in s that "samples a period" counts.
    """

    def __init__(self, text, period, start, rate, out, ranges, scale=1.0, offset=0.0,
                 fine=10):
        names = text[:4]
        blocks = ["model plant"]
        for word, line in zip(("states", "parameters", "inputs", "outputs"), names):
            blocks += [word, "    " + line] if line else []
        self.text = "\n".join(blocks + ["equations"] + ["    " + e for e in text[4]])
        self.input = names[2].split()[0]
        self.inputs = names[2].split()
        self.period, self.start, self.rate, self.out = period, start, rate, out
        self.ranges, self.scale, self.offset, self.fine = ranges, scale, offset, fine


def spring(x, u, p, e):
    m, d, k = p["m"], p["d"], p["k"]
    return [x[1], (u - d * x[1] - k * x[0] - 2 * e * k * x[0] ** 3) / m]


def motor(x, u, p, e):
    i, w = x
    return [(u - p["R"] * i - p["k"] * w) / p["L"],
            (p["k"] * i - p["b"] * w - 0.3 * e * w * abs(w)) / p["J"]]


def outflow(a, h):
    return a * np.sqrt(np.maximum(h, 1e-9))


def tank(x, u, p, e):
    return [(u - outflow(p["a"], x[0]) - 0.3 * e * x[0]) / p["A"]]


def tanks(x, u, p, e):
    between = outflow(p["a1"], x[0])
    return [(u - between) / p["A1"],
            (between - outflow(p["a2"], x[1]) - 0.3 * e * x[1]) / p["A2"]]


def oven(x, u, p, e):
    into, above = p["g1"] * (x[0] - x[1]), x[1] - 20
    return [(10 * u - into) / p["C1"],
            (into - p["g2"] * above - 0.02 * e * above * abs(above)) / p["C2"]]


def cell(x, u, p, e):
    return [u / p["C"] - x[0] / (p["R"] * p["C"]) - 0.3 * e * x[0] * abs(x[0])]


def pendulum(x, u, p, e):
    return [x[1], -p["d"] * x[1] - p["a"] * np.sin(x[0])
            - 0.3 * e * p["a"] * np.sin(2 * x[0]) + p["b"] * u]


def duffing(x, u, p, e):
    return [x[1], (u - p["d"] * x[1] - p["k"] * x[0] - p["c"] * x[0] ** 3
                   - 0.3 * e * x[1] * abs(x[1])) / p["m"]]


def series_motor(x, u, p, e):
    i, w = x
    return [(u - p["R"] * i - p["k"] * i * w) / p["L"],
            (p["k"] * i * i - p["b"] * w - 0.3 * e * w * abs(w)) / p["J"]]


def rope(s):
    return 1 + .25 * np.sin(.8 * s)


def crane(x, u, p, e):
    th, om, s = x
    l, speed = rope(s), .2 * np.cos(.8 * s)
    return [om, (-2 * speed * om - p["g"] * th - p["d"] * om + p["b"] * u
                 - 2 * e * p["g"] * th ** 3) / l, 1.]


def drive(x, u, p, e):
    q1, q2, w1, w2 = x
    twist = p["k"] * (q1 - q2) + p["d"] * (w1 - w2)
    return [w1, w2, (u - twist - p["b"] * w1) / p["J1"],
            (twist - 0.3 * e * w2 * abs(w2)) / p["J2"]]


def friction(x, u, p, e):
    v = x[0]
    return [(u - p["d"] * v - p["c"] * np.tanh(v / 1e-3) - 0.5 * e * v * abs(v)) / p["m"]]


def two_masses(x, u, p, e):
    y, v, z, w = x
    between = p["k2"] * (y - z) + p["c2"] * (v - w)
    return [v, (u - p["k1"] * y - p["c1"] * v - between - 2 * e * y ** 3) / p["m1"],
            w, between / p["m2"]]


def car(x, u, p, e):
    """Slip and rate of turning; steered by u, in twentieths of rad."""
    slip, turn = x
    front = .05 * u - slip - .06 * turn
    front = p["f"] * (front - 60 * e * front**3)
    rear = p["g"] * (.07 * turn - slip)
    return [(front + rear) / (20 * p["m"]) - turn, (1.2 * front - 1.4 * rear) / p["J"]]


def speaker(x, u, p, e):
    i, s, v = x
    return [(u - p["R"] * i - p["B"] * v) / p["L"], v,
            (p["B"] * i - p["d"] * v - p["k"] * s - 2 * e * p["k"] * s**3) / p["m"]]


def machine(x, u, p, e):
    i, q, w = x
    return [(.2 * u - p["R"] * i + w * p["Q"] * q) / p["D"],
            (u - p["R"] * q - w * p["D"] * i - w * p["f"]) / p["Q"],
            (p["f"] * q - p["b"] * w - .3 * e * w * abs(w)) / p["J"]]


def reactor(x, u, p, e):
    c, T = x
    used = p["k"] * np.exp(-p["E"] / T) * c * (1 + e * (c - .5))
    return [p["q"] * (1 - c) - used,
            p["q"] * (.5 - T) + p["H"] * used - p["g"] * (T - .4 - .2 * u)]


SPRING = dict(m=(.02, .03), d=(.02, .1), k=(.8, 1.2))
MOTOR = dict(L=(.05, .1), R=(.8, 1.2), k=(.8, 1.2), J=(.2, .3), b=(.05, .2))
TURNS = ["L*i' = u - R*i - k*w", "J*w' = k*i - b*w"]
PLANTS = {
    "spring": Plant(("", "m d k", "F", "x", ["m*x'' + d*x' + k*x = F"]), 1, [0, 0],
                    spring, lambda x, u, p, e: dict(x=x[0]), SPRING),
    "acceleration": Plant(("x v", "m d k", "F", "a",
                           ["x' = v", "m*v' = F - d*v - k*x", "a = v'"]), 1, [0, 0],
                          spring, lambda x, u, p, e: dict(a=spring(x, u, p, e)[1]),
                          SPRING),
    "motor": Plant(("i", "L R k J b", "u", "w", TURNS), 1, [0, 0], motor,
                   lambda x, u, p, e: dict(w=x[1]), MOTOR),
    "motor, current": Plant(("", "L R k J b", "u", "i w", TURNS), 1, [0, 0], motor,
                            lambda x, u, p, e: dict(i=x[0], w=x[1]), MOTOR),
    "tank": Plant(("", "A a", "q", "h", ["A*h' = q - a*sqrt(h)"]), 5, [1], tank,
                  lambda x, u, p, e: dict(h=x[0]), dict(A=(.8, 1.2), a=(.8, 1.2)),
                  .5, 1.2),
    "tanks": Plant(("h1", "A1 A2 a1 a2", "q", "h2",
                    ["A1*h1' = q - a1*sqrt(h1)",
                     "A2*h2' = a1*sqrt(h1) - a2*sqrt(h2)"]), 8, [1, 1], tanks,
                   lambda x, u, p, e: dict(h2=x[1]),
                   {k: (.8, 1.2) for k in ("A1", "A2", "a1", "a2")}, .5, 1.2),
    "oven": Plant(("Tw", "C1 C2 g1 g2", "P Ta", "T",
                   ["C1*Tw' = P - g1*(Tw - T)",
                    "C2*T' = g1*(Tw - T) - g2*(T - Ta)"]), 10, [20, 20], oven,
                  lambda x, u, p, e: dict(T=x[1], P=10 * u, Ta=20 + 0 * u),
                  dict(C1=(.5, 1), C2=(2, 3), g1=(1, 2), g2=(.5, 1)), .5, 1),
    "cell": Plant(("u1", "R0 R1 C1 E", "i", "v",
                   ["u1' = i/C1 - u1/(R1*C1)", "v = E - R0*i - u1"]), 5, [0], cell,
                  lambda x, u, p, e: dict(v=p["E"] - p["R0"] * u - x[0]),
                  dict(C=(1, 2), R=(.8, 1.2), R0=(.3, .8), E=(3, 4))),
    "pendulum": Plant(("", "a d b", "M", "th", ["th'' + d*th' + a*sin(th) = b*M"]),
                      1, [0, 0], pendulum, lambda x, u, p, e: dict(th=x[0]),
                      dict(a=(30, 45), d=(.5, 2), b=(8, 14))),
    "duffing": Plant(("", "m d k c", "F", "x", ["m*x'' + d*x' + k*x + c*x^3 = F"]),
                     1, [0, 0], duffing, lambda x, u, p, e: dict(x=x[0]),
                     dict(m=(.02, .03), d=(.03, .1), k=(.8, 1.2), c=(.3, .8))),
    "series motor": Plant(("w", "L R k J b", "u", "i",
                           ["L*i' = u - R*i - k*i*w", "J*w' = k*i^2 - b*w"]), 1,
                          [1, 1], series_motor, lambda x, u, p, e: dict(i=x[0]),
                          dict(L=(.05, .1), R=(.8, 1.2), k=(.6, .9), J=(.2, .3),
                               b=(.1, .3)), .5, 2),
    "crane": Plant(("", "g d b", "u l", "th",
                    ["l*th'' + 2*l'*th' + d*th' + g*th = b*u"]), 1, [0, 0, 0], crane,
                   lambda x, u, p, e: dict(th=x[0], l=rope(x[2])),
                   dict(g=(30, 45), d=(.5, 2), b=(8, 14))),
    "drive": Plant(("", "J1 J2 k d b", "M", "q1 q2",
                    ["J1*q1'' = M - k*(q1 - q2) - d*(q1' - q2') - b*q1'",
                     "J2*q2'' = k*(q1 - q2) + d*(q1' - q2')"]), 1, [0] * 4, drive,
                   lambda x, u, p, e: dict(q1=x[0], q2=x[1]),
                   dict(J1=(.8, 1.2), J2=(.3, 1), k=(20, 800), d=(.5, 3), b=(.5, 2)),
                   3, fine=20),
    "friction": Plant(("", "m d c", "F", "v", ["m*v' + d*v + c*sign(v) = F"]), 2, [0],
                      friction, lambda x, u, p, e: dict(v=x[0]),
                      dict(m=(.2, .3), d=(.3, .6), c=(.1, .2)), fine=100),
    "car": Plant(("b", "m J f g", "dl", "r ay",
                  ["m*(20*b' + 20*r) = f*(dl - b - 0.06*r) + g*(0.07*r - b)",
                   "J*r' = 1.2*f*(dl - b - 0.06*r) - 1.4*g*(0.07*r - b)",
                   "ay = 20*b' + 20*r"]), 1.5, [0, 0], car,
                 lambda x, u, p, e: dict(dl=.05 * u, r=x[1],
                                         ay=20 * (car(x, u, p, e)[0] + x[1])),
                 dict(m=(1.2, 1.6), J=(1.5, 2.5), f=(60, 90), g=(80, 120))),
    "speaker": Plant(("", "R L B m d k", "u", "i s",
                      ["L*i' = u - R*i - B*s'", "m*s'' = B*i - d*s' - k*s"]), 1, [0] * 3,
                     speaker, lambda x, u, p, e: dict(i=x[0], s=x[1]),
                     dict(R=(.8, 1.2), L=(.01, .03), B=(.2, .4), m=(.02, .03),
                          d=(.05, .1), k=(.8, 1.2))),
    "machine": Plant(("", "R D Q f J b", "ud uq", "i q w",
                      ["D*i' = ud - R*i + w*Q*q", "Q*q' = uq - R*q - w*D*i - w*f",
                       "J*w' = f*q - b*w"]), 1, [0] * 3, machine,
                     lambda x, u, p, e: dict(ud=.2 * u, uq=u, i=x[0], q=x[1], w=x[2]),
                     dict(R=(.5, .8), D=(.05, .08), Q=(.08, .12), f=(.4, .6),
                          J=(.1, .2), b=(.1, .2)), 2, 1),
    "reactor": Plant(("", "k E q H g", "Tc", "c T",
                      ["c' = q*(1-c) - k*exp(-E/T)*c",
                       "T' = q*(0.5-T) + H*k*exp(-E/T)*c - g*(T-Tc)"]), 2, [.7, .6],
                     reactor, lambda x, u, p, e: dict(c=x[0], T=x[1], Tc=.4 + .2 * u),
                     dict(k=(20, 40), E=(1.5, 2.5), q=(.8, 1.2), H=(.3, .6),
                          g=(.8, 1.2))),
    "two masses": Plant(("x2 v2", "m1 m2 c1 c2 k1 k2", "F", "x1",
                         ["m1*x1'' = F - k1*x1 - c1*x1' - k2*(x1 - x2) - c2*(x1' - v2)",
                          "x2' = v2", "m2*v2' = k2*(x1 - x2) + c2*(x1' - v2)"]),
                        1, [0] * 4, two_masses, lambda x, u, p, e: dict(x1=x[0]),
                        dict(m1=(.02, .03), m2=(.005, .01), c1=(.02, .05),
                             c2=(.01, .03), k1=(.8, 1.2), k2=(.5, .9))),
}


def sines(f, r, size):
    phase = r.uniform(0, 2 * np.pi, len(f))
    return lambda s: size * np.sum(np.sin(2 * np.pi * f * s + phase))


def hammer(T, end, r):
    at = np.sort(r.uniform(0, end, max(2, int(end / T / 8))))
    width = .12 * T

    def force(s):
        way = (s - at) / width
        return 4 * np.sum(np.where((way > 0) & (way < 1), np.sin(np.pi * way) ** 2, 0))
    return force


def going_on(kind, T, end, r):
    """An input that has no jumps; None: of another kind."""
    if kind == "multisine":
        return sines(np.array([.23, .41, .77, 1.3, 1.9]) / T, r, .5)
    if kind == "noise":
        return sines(np.linspace(.1, 2.2, 40) / T, r, .25)
    if kind == "two sines":
        return sines(r.uniform([.3, .8], [.5, 1.3]) / T, r, .6)
    if kind == "chirp":
        return lambda s: np.sin(2 * np.pi * (.1 * s + 1.2 * s * s / end) / T)
    if kind == "hammer":
        return hammer(T, end, r)
    if kind == "ramps":
        at, v = end * np.array([0, .2, .35, .5, .7, .85, 1.01]), r.uniform(-1, 1, 7)
        return lambda s: np.interp(s, at, v)
    return None


def jumping(kind, T, end, r):
    """Times and values of an input that jumps."""
    if kind == "one step":
        return np.array([r.uniform(.02, .1) * end]), np.array([0, 1.])
    if kind == "steps":
        return np.cumsum(r.uniform(.5, 4, 400)) * T, r.uniform(-1, 1, 401)
    if kind == "stairs":
        up = np.linspace(0, 1, 10)
        return np.arange(1, 20) * end / 19, np.append(up, up[-2::-1])
    if kind == "square":
        return np.arange(1, 400) * r.uniform(.8, 3) * T, np.resize([-1., 1.], 400)
    return np.arange(1, 3000) * .3 * T, r.choice([-1., 1.], 3000)


INPUTS = ("multisine", "steps", "stairs", "chirp", "prbs", "hammer", "one step", "ramps",
          "two sines", "square", "noise")


def course(kind, T, dt, end, r, own_clock):
    """The input at any time, and what it is called."""
    on = going_on(kind, T, end, r)
    if on is not None:
        return on, kind
    at, values = jumping(kind, T, end, r)
    values = np.resize(values, len(at) + 1)
    if r.random() < own_clock:
        kind += ", own clock"
    else:
        at = np.ceil(at / dt - 1e-9) * dt
    return lambda s: values[np.searchsorted(at, s + 1e-9, side="right")], kind


def simulate(plant, u, p, e, t):
    """Signals at the times t, by Runge and Kutta."""
    dt = t[1] - t[0]
    h = dt / plant.fine
    x, rows = np.array(plant.start, float), []
    rate = lambda x, s: np.array(plant.rate(x, plant.offset + plant.scale * u(s), p, e))
    for start in t:
        now = plant.offset + plant.scale * u(start)
        out = plant.out(x, now, p, e)
        rows.append(out if plant.inputs[0] in out else {plant.input: now, **out})
        for k in range(plant.fine):
            s = start + k * h
            a = rate(x, s)
            b = rate(x + h / 2 * a, s + h / 2)
            c = rate(x + h / 2 * b, s + h / 2)
            x = x + h / 6 * (a + 2 * b + 2 * c
                             + rate(x + h * c, s + h * (1 - 1e-4)))
    return {k: np.array([row[k] for row in rows]) for k in rows[0]}


def measure(signals, inputs, kind, level, r):
    """The signals with noise; that of "adc" is half of what is rounded away."""
    out = {}
    for name, v in signals.items():
        sd = level * np.std(v)
        if sd == 0 or (name in inputs and kind != "white, input too"):
            out[name] = v
            continue
        drawn = "white" if kind in ("adc", "white, input too") else kind
        out[name] = v + noises.course(drawn, r, v, sd)
        if kind == "adc":
            out[name] = np.round(out[name] / (2 * sd)) * 2 * sd
    return out


NOISES = ("white", "w+AR(.9)", "adc", "w+pink", "white, input too")


def draw(number, a):
    """A scenario: its plant's name, parameters, input, noise, level, times, signals
    of one recording or two, and what is true of each: its input and parameters."""
    r = np.random.default_rng([a.seed, number])
    name = a.plants[number % len(a.plants)]
    plant = PLANTS[name]
    n, per = int(r.choice([400, 800, 1500])), int(r.choice([15, 25, 50]))
    t = np.arange(n) * plant.period / per
    u, kind = course(str(r.choice(a.inputs)), plant.period, t[1], t[-1], r, a.own_clock)
    truth = p = {k: r.uniform(*v) for k, v in plant.ranges.items()}
    noise, level = str(r.choice(a.noise)), float(r.choice([.002, .01, .03]))
    clean = simulate(plant, u, p, .5 if a.wrong else 0., t)
    signals, true = [measure(clean, plant.inputs, noise, level, r)], [(u, p)]
    if a.pairs is not None:
        changed = str(r.choice(list(p)))
        p = dict(truth)
        p[changed] *= 1 + a.pairs * float(r.choice([-1, 1]))
        u, other = course(str(r.choice(a.inputs)), plant.period, t[1], t[-1], r,
                          a.own_clock)
        clean = simulate(plant, u, p, 0., t)
        signals.append(measure(clean, plant.inputs, noise, level, r))
        true.append((u, p))
        kind += " | " + other + (" " + changed if a.pairs else "")
    return name, truth, kind, noise, level, t, signals, true


class Beside:
    """Recordings of a plant as one plant with the same parameters p in all; while `real`
    it is as it was recorded: with the term too many, or a parameter changed."""

    def __init__(self, plant, true, e):
        self.plant, self.true, self.e, self.real = plant, true, e, True
        self.period, self.p, self.x0 = plant.period, true[0][1], plant.start * len(true)

    def each(self, f, x, u, p):
        s, e = len(self.plant.start), self.e if self.real else 0.
        return [f(x[k * s:(k + 1) * s], u[..., k], q if self.real else p, e)
                for k, (_, q) in enumerate(self.true)]

    def rhs(self, x, u, p):
        return [d + 0 * x[0] for ds in self.each(self.plant.rate, x, u, p) for d in ds]

    def out(self, x, u, p):
        all = self.each(self.plant.out, x, u, p)
        return {(k, v): y[v] for k, y in enumerate(all) for v in y if v not in self.plant.inputs}


class Driven(shooting.Shooting):
    """Trajectories under inputs as they truly went, between samples, too."""

    def _nodes(self, t, u):
        plant, self.fine = self.plant.plant, self.plant.plant.fine
        at = t[:-1] + self.dt * np.linspace(0, 1 - 1e-6, 2 * self.fine + 1)[:, None]
        course = lambda s: plant.offset + plant.scale * np.stack(
            [np.vectorize(u, otypes=[float])(s) for u, _ in self.plant.true], -1)
        self.u = course(t)
        return course(at)

    def trajectory(self, theta, near=None):
        return self._newton(theta, near)

    def sensitivities(self):
        """The crane's third state is the time: its start is known."""
        dx = super().sensitivities()
        if self.plant.plant.rate is crane:
            dx[:, :, len(self.names) + 2::3] = 0
        return dx

    def forced(self, x, theta, k):
        """Outputs of the recording k as its input is larger by 1 in one interval: a
        matrix of samples of all outputs by intervals."""
        def moved(h):
            self.nodes[..., k] += h
            self.u[:, k] += h
            return self.flow(list(x[:, :-1]), self.parameters(theta)), self.outputs(x, theta)
        b, at = np.zeros((self.n, self.s, self.n)), np.arange(self.n - 1)
        h = 1e-4 * np.std(self.u[:, k])
        (f, y), (f0, y0) = moved(h), moved(-h)
        b[at + 1, :, at] = (f - f0).T / h
        slopes = self.output_slopes(x, theta, self.solve(self.a, b))
        return {v: slopes[v] + np.diag(y[v] - y0[v]) / h for v in slopes}


class Best(fitting.Fit):
    ranks = (fitting.RANK, 1e-5, 1e-3, .03)


class Noisy(Best):
    """A fit whose inputs hold white noise of the sd `su`, by recording, too."""

    def prepare(self, level):
        self.root = []
        for k in range(len(self.plant.true)):
            g = self.shot.forced(self.x, self.theta, k)
            own = [v for v in self.y if v[0] == k]
            G = np.vstack([g[v] for v in own]) * level * np.std(self.shot.u[:, k])
            sd = np.repeat([level * np.std(self.y[v]) for v in own], self.shot.n)
            self.root.append((own, linalg.cholesky(np.diag(sd**2) + G @ G.T, lower=True)))

    def white(self, courses):
        return np.vstack([linalg.solve_triangular(
            root, np.vstack([courses[v].reshape(self.shot.n, -1) for v in own]), lower=True)
            for own, root in self.root])


def noncentrality(plant, true, e, noise, level, t):
    """NC, the smallest of fits that begin at the truth and, where they stick, beside it."""
    whole, cost = Beside(plant, true, e), np.inf
    fit = (Noisy if noise.endswith("too") else Best)(whole, t, {}, shooting=Driven)
    if fit.x is None:
        return np.nan
    fit.y = fit.shot.outputs(fit.x, fit.theta)
    for v, y in fit.y.items():  # rounding to two sd adds a third of their square
        sd = level * np.std(y) * (np.sqrt(4 / 3) if noise == "adc" else 1)
        fit.whiten[v] = noises.Whitener("white" if noise == "adc" else noise, len(t), y), sd
    if noise.endswith("too"):
        fit.prepare(level)
    whole.real, x, theta = False, fit.x, fit.theta
    for near in (1., .95, 1.05, 1.2):
        fit.theta = theta * np.where(np.arange(len(theta)) < len(whole.p), near, 1)
        fit.x = fit.shot.trajectory(fit.theta, x)
        done = fit.x is not None and fit.run(40) is not None
        cost = min(cost, np.inf if fit.x is None else fit.cost)
        if done:
            break
    return cost if cost < np.inf else np.nan


def off(told, truth):
    """How far values are from what they are of the true parameters, in their
    standard deviations; those that a name of the plant's own tells."""
    z = []
    for value in told:
        try:
            want = eval(value["name"].replace("^", "**"), {}, truth)
        except NameError:
            continue
        if value.get("sd"):
            z.append((value["value"] - want) / value["sd"])
    return z


def ask(darc, model, recordings):
    """The verdict, why, the values of a structure."""
    test = "structure" if len(recordings) == 1 else "equal"
    out = subprocess.run([darc, "check", test, model, *recordings, "--json", "-",
                          "--threads", "1"], capture_output=True, text=True)
    if out.returncode >= 3:
        return "failed", out.stderr, []
    report = json.loads(out.stdout)
    decision = report["decision"]
    values = report.get("values") or [] if test == "structure" else []
    return decision["verdict"], decision["reason"] or "", values


def run(a, folder):
    counts, far = collections.defaultdict(collections.Counter), {}
    astray, want = [], "inconsistent" if a.wrong or a.pairs else "consistent"
    for number in range(a.count):
        name, truth, kind, noise, level, t, signals, true = draw(number, a)
        model = folder + "/plant.darc"
        recordings = [f"{folder}/{k}.csv" for k in "ab"[:len(signals)]]
        with open(model, "w") as f:
            f.write(PLANTS[name].text + "\n")
        for recording, s in zip(recordings, signals):
            np.savetxt(recording, np.column_stack([t, *s.values()]), delimiter=",",
                       header=",".join(["t", *s]), comments="", fmt="%.7g")
        verdict, why, values = ask(a.darc, model, recordings)
        if verdict == "consistent":
            far.setdefault(name, []).extend(off(values, truth))
        nc, keys = [], ["all", name, *kind.split(" | ")[:1], noise, f"{level:g}"]
        if a.oracle and want == "inconsistent":
            x = noncentrality(PLANTS[name], true, .5 if a.wrong else 0., noise, level, t)
            nc = [f"NC {x:.0f}"]
            keys.append("NC > 100" if x > 100 else "NC 20..100" if x > 20 else
                        "NC < 20" if x <= 20 else "NC unknown")
        for key in keys:
            counts[key][verdict] += 1
        if verdict != want:
            astray.append((verdict, number, name, kind, noise, level, len(t), *nc, why[:110]))
        if a.keep and verdict not in (want, "undecided"):
            place = f"{a.keep}/{a.seed}_{number}"
            shutil.copy(model, place + ".darc")
            for recording in recordings:
                shutil.copy(recording, f"{place}_{os.path.basename(recording)}")
    return counts, sorted(astray), far


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda s: s.split(",")
    p.add_argument("darc")
    p.add_argument("seed", type=int)
    p.add_argument("count", type=int)
    p.add_argument("--wrong", action="store_true")
    p.add_argument("--pairs", type=float)
    p.add_argument("--plants", type=names, default=list(PLANTS))
    p.add_argument("--inputs", type=names, default=list(INPUTS))
    p.add_argument("--noise", type=names, default=list(NOISES))
    p.add_argument("--own-clock", type=float, default=.4)
    p.add_argument("--values", action="store_true")
    p.add_argument("--keep")
    p.add_argument("--oracle", action="store_true")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        counts, astray, far = run(a, folder)
    for key, c in counts.items():
        told = "/".join(str(c[v]) for v in ("consistent", "inconsistent", "undecided"))
        print(f"{key:24} {told}" + (f", {c['failed']} failed" if c["failed"] else ""))
    cpu = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) / a.count
    print(f"CPU of darc              {cpu:.2f} s each")
    for name, z in far.items() if a.values else ():
        if z:
            print(f"{name:24} z {np.mean(z):+.2f}, sd {np.std(z):.2f}, "
                  f"{np.mean(np.abs(z) > 3.3):.1%} of {len(z)} beyond 99.9 %")
    for row in astray:
        print(*row, sep="  ")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Random models put to darc identify, its statuses held against ranks.

    python3 bench/identify/ranks.py DARC [FIRST [MODELS [SECONDS]]]    (default 1 500 4)
    python3 bench/identify/ranks.py --real DARC [FIRST [MODELS [SECONDS]]]
    python3 bench/identify/ranks.py --exotic DARC [FIRST [MODELS [SECONDS]]]
    python3 bench/identify/ranks.py DARC MODEL.darc...

Kinds, in turns: states with functions and roots of numbers; the same from
special starts (--init); chains of two to four masses or pendulums, with the
forces between them as states, or as constraints with multipliers; reactions
from given starts; implicit algebraic states.  With --exotic also roots that have
two branches, cascades whose rates may change places, and unknown inputs.

The ranks share nothing with darc: power series of the outputs and their exact
derivatives by parameters and starts, modulo a prime in which small numbers have
roots, of as many recordings as there are parameters and one.  Functions begin
at random values, which nothing binds; those of numbers at one each.  With --real
functions have their values, in real numbers of 1000 bits, and models hold
functions of sums and multiples: what binds these, exp(x + z) = exp(x) exp(z), is
seen so alone.  A
parameter that the model holds only squared, or in a sum and a product with
another, is never global.

Wrong is: "no" of what the rank tells, anything else of what it does not,
"global" of what has a twin, a program that dies.  Wrong models are printed with
their command; at the end the counts."""
import collections
import fractions
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

P = None  # the prime
EXOTIC = False
ROOT = {}  # of a number, the one that is taken
MORE = 6  # coefficients of series beyond one a column


BITS, ZERO_BITS = 1000, 400  # of real numbers; less than this is 0


class Real:
    """A real number, rounded to BITS behind the point."""
    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v

    @staticmethod
    def of(x):
        return x if isinstance(x, Real) else Real(x << BITS)

    def __add__(self, o): return Real(self.v + Real.of(o).v)
    def __sub__(self, o): return Real(self.v - Real.of(o).v)
    def __rsub__(self, o): return Real(Real.of(o).v - self.v)
    def __neg__(self): return Real(-self.v)
    def __mod__(self, p): return self
    def __bool__(self): return abs(self.v) >> (BITS - ZERO_BITS) != 0
    def __eq__(self, o): return not self - o
    def __gt__(self, o): return (self - o).v > 0
    __radd__ = __add__

    def __mul__(self, o):
        return Real(self.v * o if isinstance(o, int) else self.v * o.v >> BITS)
    __rmul__ = __mul__

    def __truediv__(self, o):
        o = Real.of(o)
        if not o:
            raise Retry
        return Real((self.v << BITS) // o.v)


class Reals:
    """The modulus of real numbers: none."""

    def __rmod__(self, x):
        return x


def inverse(x):
    return Real(1 << BITS) / x if isinstance(P, Reals) else pow(x, -1, P)


def series(x, step, first=1):
    """Terms t_0 = first, t_(k+1) = step(t_k, k), until they are 0."""
    s, term, k = Real(0), Real.of(first), 0
    while term.v not in (0, -1):
        s, term, k = s + term, step(term, k), k + 1
    return s


def real_exp(x):
    if abs(x.v) >> (BITS + 6):
        raise Retry
    y = series(x, lambda t, k: Real((t * x).v // (256 * (k + 1))))
    for _ in range(8):
        y = y * y
    return y


def real_log(x):
    if not x > 0:
        raise Retry
    y = Real.of(0)
    for _ in range(400):
        z = x / real_exp(y)
        step = (z - 1) * 2 / (z + 1)  # of third order
        y = y + step
        if abs(step.v) >> 20 == 0:
            return y
    raise Retry


def real_tan(x):
    if abs(x.v) >> (BITS + 5):
        raise Retry
    sin = series(x, lambda t, k: Real((t * x * x).v //
                                      -((2 * k + 2) * (2 * k + 3))), x)
    cos = series(x, lambda t, k: Real((t * x * x).v //
                                      -((2 * k + 1) * (2 * k + 2))))
    return sin / cos


def real_atan(x):
    y = x
    for _ in range(8):
        y = y / (real_root(y * y + 1) + 1)
    s, power, k = Real(0), y, 0
    while abs(power.v) > 1:
        s = s + Real(power.v // (2 * k + 1) * (-1) ** k)
        power, k = power * y * y, k + 1
    return s * 256


def real_root(x):
    if not x > 0:
        raise Retry
    return Real(math.isqrt(x.v << BITS))


def real_value(name, x):
    if name == "^":
        return real_exp(real_log(x[0]) * x[1])
    if name == "tanh":
        e = real_exp(x * 2)
        return (e - 1) / (e + 1)
    return {"exp": real_exp, "log": real_log, "atan": real_atan,
            "half": lambda a: real_tan(a / 2)}[name](x)


class Retry(Exception):
    """No root, or a zero in a denominator, at this point."""


def prime():
    """A prime of which -1 is no square, 2, 3, 5, 7 and 11 are, and that has
    third, fifth and seventh roots of everything."""
    def is_prime(n):
        return all(pow(b, n - 1, n) == 1 for b in (2, 3, 5, 7, 11, 13, 17))
    n = (1 << 61) - 1
    while not (n % 4 == 3 and all((n - 1) % q for q in (3, 5, 7)) and is_prime(n)
               and all(pow(q, (n - 1) // 2, n) == 1 for q in (2, 3, 5, 7, 11))):
        n -= 2
    return n


# ---- numbers with their derivatives: (value, {column: derivative}) -----------

def d_add(a, b, s=1):
    g = dict(a[1])
    for v, x in b[1].items():
        g[v] = (g.get(v, 0) + s * x) % P
    return ((a[0] + s * b[0]) % P, g)


def d_mul(a, b):
    g = {v: x * b[0] % P for v, x in a[1].items()}
    for v, x in b[1].items():
        g[v] = (g.get(v, 0) + a[0] * x) % P
    return (a[0] * b[0] % P, g)


def d_scale(a, c):
    return (a[0] * c % P, {v: x * c % P for v, x in a[1].items()})


def d_inverse(a):
    if a[0] == 0:
        raise Retry
    r = inverse(a[0])
    return (r, {v: -x * r % P * r % P for v, x in a[1].items()})


ZERO, ONE = (0, {}), (1, {})


# ---- expressions: printed for darc, run for the ranks -------------------------

class E:
    """An expression.  op: num, par, state, input, + - * / ^ or a function."""
    PREC = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}

    def __init__(self, op, *args):
        self.op, self.args, self.c, self.extra = op, args, [], None

    def __add__(self, o): return E("+", self, wrap(o))
    def __radd__(self, o): return E("+", wrap(o), self)
    def __sub__(self, o): return E("-", self, wrap(o))
    def __rsub__(self, o): return E("-", wrap(o), self)
    def __mul__(self, o): return E("*", self, wrap(o))
    def __rmul__(self, o): return E("*", wrap(o), self)
    def __truediv__(self, o): return E("/", self, wrap(o))
    def __rtruediv__(self, o): return E("/", wrap(o), self)
    def __pow__(self, o): return E("^", self, wrap(o))
    def __neg__(self): return E("*", wrap(-1), self)

    def text(self, prec=0):
        op, a = self.op, self.args
        if op == "num":
            s = str(a[0]) if a[1] == 1 else f"{a[0]}/{a[1]}"
            return s if a[0] >= 0 and a[1] == 1 else f"({s})"
        if op in ("par", "state", "input", "signal", "named"):
            return a[0]
        if op == "rate":
            return a[0].text() + "'"
        if op not in self.PREC:
            return f"{op}({a[0].text()})"
        own = self.PREC[op]
        right = a[1].text(own + 1) if op != "^" else a[1].text(9)
        left = a[0].text(own + (op == "^"))
        s = f"{left}^{right}" if op == "^" else f"{left} {op} {right}"
        return f"({s})" if own < prec else s

    # coefficient k of the series; all before it are there
    def step(self, k):
        op, a, c = self.op, self.args, self.c
        if op in ("state", "signal") or len(c) > k:
            return
        if op == "num":
            x = (a[0] * inverse(a[1]) % P, {}) if k == 0 else ZERO
        elif op == "par":
            x = self.extra if k == 0 else ZERO
        elif op == "input":
            x = (random_number(), {("x", f"{a[0]}.{k}"): 1}
                 if self.extra == "unknown" else {})
        elif op == "named":
            x = a[1].c[k]
        elif op == "rate":
            x = a[0].extra[k] if a[0].extra else None
            c.append(x)
            return
        elif op in ("+", "-"):
            x = d_add(a[0].c[k], a[1].c[k], 1 if op == "+" else -1)
        elif op == "*":
            x = convolve(a[0].c, a[1].c, k)
        elif op == "/":
            if k == 0:
                self.extra = d_inverse(a[1].c[0])
            x = d_add(a[0].c[k], convolve(a[1].c, c, k, 1), -1)
            x = d_mul(x, self.extra)
        else:
            x = self.function(k)
        c.append(x)

    def function(self, k):
        a, c, op = self.args[0].c, self.c, self.op
        if k == 0:
            return self.begin()
        if op == "exp":
            return d_scale(moved(a, c, k), inverse(k))
        if op == "log":  # a c' = a'
            s = d_scale(a[k], k)
            for i in range(1, k):
                s = d_add(s, d_scale(d_mul(a[i], c[k - i]), k - i), -1)
            return d_scale(d_mul(s, self.extra), inverse(k))
        if op in ("sin", "cos"):
            other = self.extra
            s, t = d_scale(moved(a, other, k), inverse(k)), moved(a, c, k)
            sign = 1 if op == "sin" else -1
            other.append(d_scale(t, -sign * inverse(k)))
            return d_scale(s, sign)
        if op in ("tanh", "atan"):  # c' = (1 -+ w^2) a', w = c or a
            if op == "tanh":
                w = self.extra
                w.append(d_scale(convolve(c, c, k - 1), -1)) if k > 1 else None
                if k == 1:
                    w[0] = d_add(ONE, d_mul(c[0], c[0]), -1)
                return d_scale(moved(a, w, k), inverse(k))
            w, r = self.extra
            w.append(convolve(a, a, k - 1) if k > 1
                     else d_add(ONE, d_mul(a[0], a[0])))
            if k == 1:
                r.append(d_inverse(w[0]))
            s = d_scale(a[k], k)
            for i in range(1, k):
                s = d_add(s, d_scale(d_mul(w[i], c[k - i]), k - i), -1)
            return d_scale(d_mul(s, r[0]), inverse(k))
        if op in ("sqrt", "abs"):
            s = a[k]
            if op == "abs":
                return d_scale(s, self.extra)
            for i in range(1, k):
                s = d_add(s, d_mul(c[i], c[k - i]), -1)
            return d_mul(s, self.extra)
        assert op == "^"
        b = self.args[1]
        if b.op == "num" and b.args[1] == 1:
            raise AssertionError("whole powers are products")
        g = b.c[0]  # a c' = g a' c
        s = ZERO
        for i in range(1, k + 1):
            s = d_add(s, d_scale(d_mul(d_mul(a[i], c[k - i]), g), i))
            if i < k:
                s = d_add(s, d_scale(d_mul(a[i], c[k - i]), k - i), -1)
        return d_scale(d_mul(s, self.extra), inverse(k))

    def begin(self):
        a, op = self.args[0].c[0], self.op
        if op == "exp":
            e = value_of("exp", a[0], 1 if a[0] == 0 else None)
            return (e, {v: x * e % P for v, x in a[1].items()})
        if op == "log":
            self.extra = d_inverse(a)
            r = value_of("log", a[0], 0 if a[0] == 1 else None)
            return (r, {v: x * self.extra[0] % P for v, x in a[1].items()})
        if op in ("sin", "cos"):
            # a point of the circle, as its half angle's tangent is
            t = value_of("half", a[0], 0 if a[0] == 0 else None)
            r = inverse(1 + t * t)
            s, c = 2 * t * r % P, (1 - t * t) * r % P
            sin = (s, {v: x * c % P for v, x in a[1].items()})
            cos = (c, {v: -x * s % P for v, x in a[1].items()})
            self.extra = [cos if op == "sin" else sin]
            return sin if op == "sin" else cos
        if op in ("tanh", "atan"):
            r = value_of(op, a[0], 0 if a[0] == 0 else None)
            by = (1 - r * r) if op == "tanh" else d_inverse(
                d_add(ONE, d_mul(a, a)))[0]
            self.extra = [None] if op == "tanh" else ([], [])
            return (r, {v: x * by % P for v, x in a[1].items()})
        if op == "abs":
            self.extra = 1 if (a[0] > 0 if isinstance(P, Reals)
                               else a[0] < P // 2) else -1
            return d_scale(a, self.extra)
        if op == "sqrt":
            r = root(a[0])
            self.extra = d_inverse((2 * r, {}))
            h = self.extra[0]
            out = (r, {v: x * h % P for v, x in a[1].items()})
            self.extra = d_inverse(d_scale(out, 2))
            return out
        g = self.args[1].c[0]
        b = self.args[1]
        self.extra = d_inverse(a)
        if isinstance(P, Reals):
            log = real_log(Real.of(a[0]))
            r = real_exp(log * g[0])
        elif b.op == "num":
            r = pow(a[0], b.args[0] * pow(b.args[1], -1, P - 1) % (P - 1), P) \
                if b.args[1] % 2 else pow(root(a[0]), b.args[0], P)
            log = 0
        else:
            r, log = value_of("^", (a[0], g[0]), None), value_of("log", a[0],
                                                                 None)
        return power_start(a, g, r, log, self.extra[0])


def power_start(a, g, r, log, inverse):
    """r = a^g, with what it changes by."""
    out = {}
    for v, x in a[1].items():
        out[v] = x * g[0] % P * inverse % P * r % P
    for v, x in g[1].items():
        out[v] = (out.get(v, 0) + x * log % P * r) % P
    return (r, out)


def wrap(o):
    return o if isinstance(o, E) else E("num", o, 1)


def num(a, b=1):
    return E("num", a, b)


def fn(name, a):
    return E(name, wrap(a))


def square(a):
    return a * a


def random_number():
    if isinstance(P, Reals):
        return Real((1 << BITS) // 4 + (POINT.getrandbits(BITS) * 3 >> 1))
    return POINT.randrange(1, P)


def value_of(name, at, given):
    if isinstance(P, Reals):
        return real_value(name, tuple(map(Real.of, at)) if name == "^"
                          else Real.of(at))
    if given is not None:
        return given
    return ROOT.setdefault((name, at), POINT.randrange(2, P))


def root(a):
    if isinstance(P, Reals):
        return real_root(Real.of(a))
    for k in range(1, 13):
        if a == k * k:
            return k
    r = pow(a, (P + 1) // 4, P)
    if r * r % P != a:
        raise Retry
    return r


def convolve(a, b, k, start=0):
    s, g = 0, {}
    for i in range(start, k + 1):
        (x, gx), (y, gy) = a[i], b[k - i]
        s += x * y
        for v, d in gx.items():
            g[v] = g.get(v, 0) + d * y
        for v, d in gy.items():
            g[v] = g.get(v, 0) + x * d
    return (s % P, {v: d % P for v, d in g.items()})


def moved(a, b, k):
    """Coefficient k - 1 of a' b."""
    s = ZERO
    for i in range(1, k + 1):
        s = d_add(s, d_scale(d_mul(a[i], b[k - i]), i))
    return s


# ---- models -------------------------------------------------------------------

class Model:
    """Text for darc, and how to run it.

    state: names in the text; start: name -> None (anywhere), "known", or an
    expression of parameters.  run: state expressions with their rates; solve:
    unknown accelerations by a linear system.  twin: parameters never global."""

    def __init__(self, kind):
        self.kind, self.params, self.inputs = kind, [], []
        self.state, self.rate, self.free = [], {}, []
        self.start, self.shown, self.lines, self.outputs = {}, {}, [], {}
        self.twin, self.init, self.systems, self.begin = set(), [], [], {}

    def par(self, name=None):
        e = E("par", name or f"p{len(self.params)}")
        self.params.append(e)
        return e

    def new_state(self, name, shown=True):
        e = E("state", name)
        self.state.append(e)
        if shown:
            self.shown[name] = e
        return e

    def input(self, name="u"):
        e = E("input", name)
        self.inputs.append(e)
        return e

    def text(self, extra=()):
        names = list(self.shown) + list(extra)
        used = "\n".join(self.lines)
        out = ["model random", "parameters",
               "    " + " ".join(p.args[0] for p in self.params),
               "states", "    " + " ".join(names)]
        if self.inputs:
            out += ["inputs"] + [f"    {i.args[0]} {i.extra or ''}"
                                 for i in self.inputs]
        out += ["outputs", "    " + " ".join(self.outputs), "equations", used]
        return "\n".join(out) + "\n"


def nodes_of(roots):
    """All nodes below, those that others need first; states' rates apart."""
    out, seen = [], set()

    def visit(e):
        if id(e) in seen:
            return
        seen.add(id(e))
        for a in e.args:
            if isinstance(a, E):
                visit(a)
        out.append(e)
    for r in roots:
        visit(r)
    return out


def solve_dual(m, b):
    """Solve m x = b, of numbers with derivatives."""
    n = len(m)
    m = [row[:] + [b[i]] for i, row in enumerate(m)]
    for c in range(n):
        p = next((r for r in range(c, n) if m[r][c][0]), None)
        if p is None:
            raise Retry
        m[c], m[p] = m[p], m[c]
        inv = d_inverse(m[c][c])
        m[c] = [d_mul(x, inv) for x in m[c]]
        for r in range(n):
            if r != c and (m[r][c][0] or m[r][c][1]):
                f = m[r][c]
                m[r] = [d_add(x, d_mul(f, y), -1) for x, y in zip(m[r], m[c])]
    return [row[n] for row in m]


def run(model, length, experiment, values):
    """Series of one recording; return rows of outputs and gradients of what is
    asked, columns being ("p", name) and ("x", name)."""
    system = [e for s in model.systems for row in s[0] for e in row] + \
             [e for s in model.systems for e in s[1]]
    roots = list(model.outputs.values()) + list(model.rate.values()) + \
        list(model.shown.values()) + system
    begins = nodes_of([b for b in model.begin.values() if isinstance(b, E)])
    every = nodes_of(roots)
    for e in every + begins:
        e.c = []
        if e.op not in ("num", "par", "state", "signal", "input"):
            e.extra = None
    for p in model.params:
        p.c, p.extra = [], (values[p.args[0]], {("p", p.args[0]): 1})
    seeds = {}
    for s in model.state:
        b = model.begin.get(s.args[0])
        if isinstance(b, E):
            for e in nodes_of([b]):
                if e.op == "seed":
                    if e.args[0] not in seeds:
                        seeds[e.args[0]] = random_number()
                    e.c = [(seeds[e.args[0]], {("x", e.args[0]): 1})]
                else:
                    e.step(0)
            s.c = [b.c[0]]
        elif b == "known":
            s.c = [(random_number(), {})]
        else:
            s.c = [(random_number(), {("x", s.args[0]): 1})]
    for e in begins:
        if e.op not in ("state", "par"):
            e.c = []
            e.extra = None
    for p in model.params:
        p.c = []
    unknown = {id(u): s for s in model.systems for u in s[2]}
    pending = [e for e in every if e.op != "state" and id(e) not in unknown]
    # what systems need comes before, what needs their unknowns behind
    needs = set()
    for s in model.systems:
        for e in nodes_of([x for row in s[0] for x in row] + s[1]):
            needs.add(id(e))
    first = [e for e in pending if id(e) in needs]
    last = [e for e in pending if id(e) not in needs]
    for k in range(length):
        for e in first:
            e.step(k)
        for m, b, x in model.systems:
            right = []
            for i, row in enumerate(m):
                r = b[i].c[k]
                for j, e in enumerate(row):
                    for h in range(1, k + 1):
                        r = d_add(r, d_mul(e.c[h], x[j].c[k - h]), -1)
                right.append(r)
            for u, c in zip(x, solve_dual([[e.c[0] for e in row] for row in m],
                                          right)):
                u.c.append(c)
        for e in last:
            e.step(k)
        for s in model.state:
            s.c.append(d_scale(model.rate[s.args[0]].c[k], inverse(k + 1)))
    rows = [y.c[k][1] for y in model.outputs.values() for k in range(length)]
    return rows, {n: e.c[0][1] for n, e in model.shown.items()}


class Space:
    """A space of rows, columns in an order given."""

    def __init__(self, columns):
        self.columns, self.rows = columns, []

    def reduce(self, row):
        row = [row.get(c, 0) for c in self.columns] if isinstance(row, dict) \
            else list(row)
        for pivot, r in self.rows:
            if row[pivot]:
                f = row[pivot]
                row = [(x - f * y) % P for x, y in zip(row, r)]
        return row

    def add(self, row):
        row = self.reduce(row)
        pivot = next((i for i, x in enumerate(row) if x), None)
        if pivot is not None:
            inv = inverse(row[pivot])
            self.rows.append((pivot, [x * inv % P for x in row]))
        return pivot is not None

    def holds(self, row):
        return not any(self.reduce(row))


def ranks(model, seed):
    """Return {name: does a recording tell it}."""
    global POINT
    ps = [("p", p.args[0]) for p in model.params]
    for attempt in range(400):
        POINT = random.Random(seed * 1000 + attempt)
        ROOT.clear()
        values = {p.args[0]: random_number() for p in model.params}
        try:
            return ranks_at(model, ps, values)
        except Retry:
            continue
    return None


def retried(model, length, e, values):
    for _ in range(200):
        try:
            return run(model, length, e, values)
        except Retry:
            if not any(b is None for b in (model.begin.get(s.args[0])
                                           for s in model.state)):
                raise
    raise Retry


def ranks_at(model, ps, values):
    seen, first = Space(ps), None
    length = len(ps) + len(model.state) + MORE
    fresh = 0
    for e in range(len(ps) + 1):
        rows, asked = retried(model, length, e, values)
        xs = sorted({c for r in rows + list(asked.values()) for c in r
                     if c[0] == "x"})
        own = Space(xs + ps)
        for r in rows:
            own.add(r)
        before = len(seen.rows)
        for pivot, r in own.rows:
            if pivot >= len(xs):
                seen.add(r[len(xs):])
        if first is None:
            first = (own, xs, asked)
        fresh = 0 if len(seen.rows) > before else fresh + 1
        if fresh == 2 or len(seen.rows) == len(ps):
            break
    own, xs, asked = first
    for _, r in seen.rows:
        own.add([0] * len(xs) + r)
    out = {p[1]: seen.holds({p: 1}) for p in ps}
    for n, g in asked.items():
        out[n] = own.holds(g)
    return out


# ---- kinds of models ----------------------------------------------------------

def symmetric(m, r):
    """Parameters, some squared, some the sum and the product of two."""
    out = []
    for _ in range(r.randint(2, 5)):
        way = r.randrange(8)
        if way == 0:
            p = m.par()
            m.twin.add(p.args[0])
            out.append(p * p)
        elif way == 1:
            p, q = m.par(), m.par()
            m.twin |= {p.args[0], q.args[0]}
            out += [p + q, p * q]
        elif way == 2:
            out.append(fn("sqrt", num(r.choice([2, 3, 5, 6, 8, 10]))) * m.par())
        elif way == 3:
            out.append(num(r.choice([2, 3, 5])) ** num(1, 3) + m.par())
        else:
            out.append(m.par())
    return out


def some_function(r, x, p):
    a = r.choice([lambda: x, lambda: p * x, lambda: x + p, lambda: x / p])()
    way = r.randrange(11)
    if way < 7:
        return fn(["exp", "log", "sqrt", "sin", "cos", "atan", "tanh"][way], a)
    if way == 7:
        return a ** num(r.choice([1, 2, 4]), r.choice([3, 5, 7]))
    if way == 8:
        return fn("sqrt", num(r.choice([2, 3, 6])) * x)
    if way == 9:
        return x ** p
    return x ** num(3, 2)


def ordinary(r, starts):
    m = Model("starts" if starts else "functions")
    pool = symmetric(m, r)
    xs = [m.new_state(f"x{i}") for i in range(r.randint(1, 3))]
    u = m.input() if r.random() < .5 else None
    par, state = lambda: r.choice(pool), lambda: r.choice(xs)
    with_function = r.random() < .6
    at = r.choice(xs)
    for x in xs:
        e = u if u is not None and x is xs[0] else num(r.randint(0, 2))
        for _ in range(r.randint(1, 2)):
            t = par() * state()
            if r.random() < .35:
                t = t * state()
            elif u is not None and r.random() < .25:
                t = t * u
            e = e + t if r.random() < .5 else e - t
        if r.random() < .12:
            z = state()
            e = e + par() * z / (par() + z)
        if with_function and x is at:
            e = e - par() * some_function(r, state(), par())
        m.rate[x.args[0]] = e
        m.lines.append(f"    {x.args[0]}' = {e.text()}")
    for j in range(r.randint(1, 2)):
        y = state()
        way = r.randrange(7)
        if way == 0:
            y = par() * y
        elif way == 1:
            y = y + state()
        elif way == 2 and with_function:
            y = some_function(r, y, par())
        m.outputs[f"y{j}"] = y
        m.lines.append(f"    y{j} = {y.text()}")
    if starts:
        give_starts(m, r, xs)
    return m


def combination(r, atoms):
    """A sum of atoms with small numbers."""
    picked = r.sample(atoms, r.randint(1, min(2, len(atoms))))
    e = None
    for a in picked:
        t = r.choice([lambda: a, lambda: a, lambda: num(2) * a,
                      lambda: a / num(2), lambda: num(3) * a])()
        e = t if e is None else e - t if r.random() < .4 else e + t
    return e


def bound(r, m, par, atoms):
    """Terms of functions that a law may bind, with a parameter each."""
    a, b = combination(r, atoms), combination(r, atoms)
    way, p = r.randrange(7), [par() for _ in range(3)]
    if way < 2:
        return [p[0] * fn("exp", a + b), p[1] * (fn("exp", a) * fn("exp", b)),
                p[2] * fn("exp", r.choice([a, b, a - b]))]
    if way < 4:
        s, c = (lambda x: fn("sin", x)), (lambda x: fn("cos", x))
        return [p[0] * s(a + b), p[1] * (s(a) * c(b)),
                p[2] * r.choice([c(a) * s(b), s(a - b), s(b)])]
    if way == 4:
        x = r.choice([a for a in atoms if a.op != "num"])
        t = fn("tanh", x)
        return [p[0] * t, p[1] * fn("tanh", num(2) * x),
                p[2] * r.choice([fn("exp", x), t / (num(1) + t * t)])]
    xs = [a for a in atoms if a.op != "num"]
    x, z = r.choice(xs), r.choice(xs)
    if way == 5:
        return [p[0] * fn("log", x * z), p[1] * fn("log", x),
                p[2] * fn("log", r.choice([z, z / x, num(2) * x]))]
    g = m.par()
    return [p[0] * x ** (g + num(1)), p[1] * (x * x ** g), p[2] * x ** g]


def sums(r):
    """States with functions of sums and multiples of states, parameters and
    numbers."""
    m = Model("sums")
    xs = [m.new_state(f"x{i}") for i in range(r.randint(1, 3))]
    u = m.input() if r.random() < .4 else None
    pool = [m.par() for _ in range(r.randint(2, 4))]
    atoms = list(xs)
    if r.random() < .3:
        atoms.append(r.choice([m.par("k"), num(1)]))
    if r.random() < .2:
        atoms.append(m.par("c") * xs[0])
    if r.random() < .25:
        w = E("named", "w", r.choice(xs) + r.choice([1, 2]) * r.choice(xs))
        m.shown["w"] = w
        m.lines.append(f"    w = {w.args[1].text()}")
        atoms.append(w)
    terms = bound(r, m, lambda: r.choice(pool), atoms)
    at = r.choice(xs)
    for i, x in enumerate(xs):
        e = u if u is not None and i == 0 else num(r.randint(0, 2))
        e = e - r.choice(pool + [num(1)]) * r.choice(xs)
        for t in terms:
            if x is at or r.random() < .1:
                e = e + t if r.random() < .7 else e - t
        m.rate[x.args[0]] = e
        m.lines.append(f"    {x.args[0]}' = {e.text()}")
    for j in range(r.randint(1, 2)):
        x, z = r.choice(xs), r.choice(xs)
        y = r.choice([lambda: x, lambda: x, lambda: x * x * x,
                      lambda: x + z])()
        m.outputs[f"y{j}"] = y
        m.lines.append(f"    y{j} = {y.text()}")
    return m


def give_starts(m, r, xs):
    number = r.choice([num(0), num(1), num(4), num(2), num(1, 4), num(9)])
    for x in xs:
        way = r.randrange(6)
        n = x.args[0]
        if way == 0:
            m.begin[n] = "known"
            m.init.append(n)
        elif way in (1, 2):
            m.begin[n] = number
            m.init.append(f"{n}={number.text().strip('()')}")
        elif way == 3 and m.params:
            p, q = r.choice(m.params), r.choice(m.params)
            e = r.choice([lambda: p / q, lambda: p, lambda: p + q,
                          lambda: num(2) * p])()
            m.begin[n] = e
            m.init.append(f"{n}={e.text().replace(' ', '')}")
            m.twin.clear()


def chain(r):
    """Masses with springs and dampers in a row, forces as states in some."""
    m = Model("chain")
    n = r.randint(2, 4)
    xs = [m.new_state(f"x{i}") for i in range(n)]
    vs = [m.new_state(f"v{i}", shown=False) for i in range(n)]
    u = m.input() if r.random() < .6 else num(0)
    ms, rate, names = [], {}, []
    mass = [m.par(f"m{i}") if r.random() < .7 else num(1) for i in range(n)]
    forces = []
    for i in range(n + 1):
        if i in (0, n) and r.random() < .5:
            forces.append(num(0))
            continue
        d = (xs[i] if i < n else num(0)) - (xs[i - 1] if i else num(0))
        w = (vs[i] if i < n else num(0)) - (vs[i - 1] if i else num(0))
        k = m.par(f"k{i}")
        f = k * d
        way = r.randrange(6)
        if way == 0:
            f = k * d + m.par(f"c{i}") * (d * d * d)
        elif way == 1:
            f = k * d / (num(1) + d * d)
        elif way == 2:
            f = k * d * fn("sqrt", num(2))
        elif way == 3:
            f = k * fn("sin", d)
        if r.random() < .6:
            f = f + m.par(f"d{i}") * w
        forces.append(f)
    named = r.random() < .4
    for i in range(n):
        right = forces[i + 1] - forces[i] + (u if i == 0 else num(0))
        m.rate[xs[i].args[0]] = vs[i]
        m.rate[vs[i].args[0]] = right / mass[i]
    back = {f"v{i}": f"x{i}'" for i in range(n)}

    def said(e):
        s = e.text()
        for a, b in back.items():
            s = s.replace(a, b)
        return s
    if named:
        for i, f in enumerate(forces):
            if f.op != "num":
                m.shown[f"F{i}"] = f
                m.lines.append(f"    F{i} = {said(f)}")
    for i in range(n):
        f = [f"F{j}" if named and forces[j].op != "num" else f"({said(forces[j])})"
             for j in (i + 1, i)]
        m.lines.append(f"    {mass[i].text()}*x{i}'' = {f[0]} - {f[1]}"
                       + (" + u" if i == 0 and u.op == "input" else ""))
    for j, i in enumerate(r.sample(range(n), r.randint(1, 2))):
        way = r.randrange(4)
        y = vs[i] if way == 0 else xs[i]
        if way == 1:
            y = m.par(f"g{j}") * y
        m.outputs[f"y{j}"] = y
        m.lines.append(f"    y{j} = {said(y)}")
    return m


def pendulum(r):
    """One to three links in the plane as points on circles, with multipliers."""
    m = Model("pendulum")
    n = r.randint(1, 2)
    g = m.par("g") if r.random() < .3 else num(r.choice([9, 10]))
    mass = [m.par(f"m{i}") for i in range(n)]
    length = [m.par(f"l{i}") if r.random() < .6 else num(r.choice([1, 2]))
              for i in range(n)]
    damp = [m.par(f"d{i}") if r.random() < .5 else None for i in range(n)]
    force = m.input() if r.random() < .5 else None
    px, py, vx, vy, ax, ay, lam = [], [], [], [], [], [], []
    for i in range(n):
        px.append(m.new_state(f"x{i}"))
        py.append(m.new_state(f"y{i}"))
        vx.append(m.new_state(f"vx{i}", shown=False))
        vy.append(m.new_state(f"vy{i}", shown=False))
        ax.append(E("signal", f"ax{i}"))
        ay.append(E("signal", f"ay{i}"))
        lam.append(E("signal", f"lam{i}"))
        m.shown[f"lam{i}"] = lam[i]
    for i in range(n):
        for p, v, a in ((px, vx, ax), (py, vy, ay)):
            m.rate[p[i].args[0]] = v[i]
            m.rate[v[i].args[0]] = a[i]
    unknown = ax + ay + lam
    matrix, right = [], []

    def rel(p, i):
        return p[i] - p[i - 1] if i else p[i]
    for d, (p, v, a) in enumerate(((px, vx, ax), (py, vy, ay))):
        for i in range(n):
            row = {id(a[i]): mass[i], id(lam[i]): rel(p, i)}
            if i + 1 < n:
                row[id(lam[i + 1])] = num(-1) * rel(p, i + 1)
            b = num(0) if d == 0 else num(-1) * mass[i] * g
            if damp[i] is not None:
                b = b - damp[i] * v[i]
            if d == 0 and i == n - 1 and force is not None:
                b = b + force
            matrix.append([row.get(id(w), num(0)) for w in unknown])
            right.append(b)
    for i in range(n):  # (x - x_)^2 + (y - y_)^2 = l^2, twice differentiated
        row = {id(ax[i]): rel(px, i), id(ay[i]): rel(py, i)}
        if i:
            row[id(ax[i - 1])] = num(-1) * rel(px, i)
            row[id(ay[i - 1])] = num(-1) * rel(py, i)
        matrix.append([row.get(id(w), num(0)) for w in unknown])
        right.append(num(-1) * (square(rel(vx, i)) + square(rel(vy, i))))
    m.systems.append((matrix, right, unknown))
    x = y = vxs = vys = num(0)
    for i in range(n):
        t, w = E("seed", f"t{i}"), E("seed", f"w{i}")
        q = num(1) + t * t
        c, s = length[i] * (num(1) - t * t) / q, length[i] * (num(2) * t) / q
        x, y = x + c, y + s
        vxs, vys = vxs - w * s, vys + w * c
        for name, e in ((f"x{i}", x), (f"y{i}", y), (f"vx{i}", vxs),
                        (f"vy{i}", vys)):
            m.begin[name] = e
    for p, v, letter in ((px, vx, "x"), (py, vy, "y")):
        for i in range(n):
            s = f"    {mass[i].text()}*{letter}{i}'' = -lam{i}*({rel(p, i).text()})"
            if i + 1 < n:
                s += f" + lam{i + 1}*({rel(p, i + 1).text()})"
            if letter == "y":
                s += f" - {mass[i].text()}*{g.text()}"
            if damp[i] is not None:
                s += f" - {damp[i].text()}*{letter}{i}'"
            if letter == "x" and i == n - 1 and force is not None:
                s += " + u"
            m.lines.append(s)
    for i in range(n):
        a, b = rel(px, i).text(1), rel(py, i).text(1)
        m.lines.append(f"    ({a})^2 + ({b})^2 = {length[i].text()}^2")
        if length[i].op == "par":
            m.twin.add(length[i].args[0])
    seen = r.sample(range(2 * n), r.randint(1, 2 * n - (n > 1)))
    for j, k in enumerate(seen):
        i, letter = k // 2, "xy"[k % 2]
        moving = r.random() < .25
        e = (vx if letter == "x" else vy)[i] if moving else \
            (px if letter == "x" else py)[i]
        m.outputs[f"z{j}"] = e
        m.lines.append(f"    z{j} = {letter}{i}" + ("'" if moving else ""))
    return m


def reactions(r):
    """Mass action and Michaelis-Menten between species, from given starts."""
    m = Model("reactions")
    xs = [m.new_state(f"x{i}") for i in range(r.randint(2, 4))]
    e = {x.args[0]: num(0) for x in xs}
    for _ in range(r.randint(2, 5)):
        a, b = r.choice(xs), r.choice(xs)
        k, way = m.par(), r.randrange(5)
        v = k * a
        if way == 1:
            v = k * a * r.choice(xs)
        elif way == 2:
            v = k * a / (m.par() + a)
        elif way == 3:
            h = m.par()
            v = k * a * a / (h * h + a * a)
            m.twin.add(h.args[0])
        e[a.args[0]] = e[a.args[0]] - v
        if b is not a:
            e[b.args[0]] = e[b.args[0]] + v
    if r.random() < .4:
        e["x0"] = e["x0"] + m.input()
    for x in xs:
        m.rate[x.args[0]] = e[x.args[0]]
        m.lines.append(f"    {x.args[0]}' = {e[x.args[0]].text()}")
    for j, x in enumerate(r.sample(xs, r.randint(1, 2))):
        y = x / m.par() if r.random() < .3 else x
        m.outputs[f"y{j}"] = y
        m.lines.append(f"    y{j} = {y.text()}")
    give_starts(m, r, xs)
    return m


def implicit(r):
    """Algebraic states that equations give, without a solved form."""
    m = Model("implicit")
    p, q = m.par("a"), m.par("b")
    z = m.new_state("z")
    way = r.randrange(4)
    x = [lambda: z + p * (z * z * z), lambda: p * z + z * z,
         lambda: z * z, lambda: z + p * fn("exp", z)][way]()
    slope = [lambda: num(1) + num(3) * p * (z * z), lambda: p + num(2) * z,
             lambda: num(2) * z, lambda: num(1) + p * fn("exp", z)][way]()
    w = m.new_state("w")
    u = m.input() if r.random() < .6 else num(1)
    k, l = m.par(), m.par()
    rate = u - k * r.choice([z, z * w, z * z])
    if r.random() < .5:
        rate = rate - q * w
    else:
        rate = rate - q * z
    m.rate["z"] = rate / slope
    m.rate["w"] = l * z - m.par() * w
    m.shown["x"] = x
    m.lines += [f"    x' = {rate.text()}", f"    x = {x.text()}",
                f"    w' = {m.rate['w'].text()}"]
    for j, e in enumerate(r.sample([("x", x), ("w", w), ("z", z)],
                                   r.randint(1, 2))):
        m.outputs[f"y{j}"] = e[1]
        m.lines.append(f"    y{j} = {e[0]}")
    return m


def branches(r):
    """A state that an equation gives up to its sign, of which the roots may be
    one for all signals, h^2 = p*u^2, or two functions of them."""
    m = Model("branches")
    p, u = m.par("p"), m.input()
    w = m.new_state("w", False)
    q = m.par("q") if r.random() < .4 else num(r.choice([1, 2, 3]))
    x = r.choice([u, u, w])
    square_of = r.choice([
        lambda: p * (x * x), lambda: p * (x * x), lambda: p * q * (x * x),
        lambda: p * ((x + q) * (x + q)), lambda: p * x, lambda: p * x + q,
        lambda: p * (x * x) + q, lambda: q * (x * x), lambda: p * p * x,
        lambda: p * p - x * x])()
    h = fn("sqrt", square_of)
    at = E("named", "h", h)
    m.shown["h"] = at
    left = ["h^2", "h^2", "2*h^2", "h^2*(1 + u^2)"]
    way = r.randrange(len(left))
    if way == 2:
        at.args = ("h", fn("sqrt", square_of / num(2)))
    elif way == 3:
        at.args = ("h", fn("sqrt", square_of / (num(1) + u * u)))
    m.lines.append(f"    {left[way]} = {square_of.text()}")
    a = m.par("a") if r.random() < .4 else num(1)
    rate = a * at + r.choice([num(0), num(0), q * u, num(-1) * m.par("b") * w])
    m.rate["w"] = rate
    m.outputs["w"] = w
    m.lines.append(f"    w' = {rate.text()}")
    if r.random() < .75:
        c, d = m.par("c"), m.par("d")
        e = m.par("e") if r.random() < .5 else r.choice([num(0), num(1)])
        g, f = r.choice([at, rate]), r.choice([at, rate, w])
        z = r.choice([u, u, w])
        top, bottom = d * f + e * u, g + c * z
        if r.random() < .25:
            top, bottom = (d + g) * (d + e), c + u
        v = m.new_state("v", False)
        m.rate["v"] = top / bottom
        m.outputs["v"] = v
        m.lines.append(f"    v'*({bottom.text()}) = {top.text()}")
    return m


def unknown(r):
    """Compartments, one of which something unknown flows into."""
    m = cascade(r, r.random() < .5)
    m.kind = "unknown"
    d = E("input", "d")
    d.extra = "unknown"
    m.inputs.append(d)
    x = r.choice(list(m.rate))
    g = m.par("g") if r.random() < .4 else num(1)
    m.rate[x] = m.rate[x] + g * d
    for i, line in enumerate(m.lines):
        if line.startswith(f"    {x}'"):
            m.lines[i] = line + f" + {(g * d).text()}"
    m.twin.clear()
    return m


def cascade(r, more=False):
    """Two to four compartments in a row; seen is the last one, times a factor or
    not: its rates may change places, but for the last one without a factor."""
    m = Model("cascade")
    n = r.randint(2, 4)
    xs = [m.new_state(f"x{i}") for i in range(n)]
    ks = [m.par(f"k{i}") for i in range(n)]
    way = r.randrange(4)
    flow = [k * x for k, x in zip(ks, xs)]
    if way == 1:
        j = r.randrange(n)
        flow[j] = ks[j] * xs[j] / (m.par("K") + xs[j])
    elif way == 2:
        j = r.randrange(n)
        flow[j] = ks[j] * ks[j] * xs[j]
        m.twin.add(ks[j].args[0])
    elif way == 3:
        flow[-1] = flow[-1] + m.par("b") * (xs[-1] * xs[-1])
    u = m.input() if r.random() < .7 else num(0)
    for i, x in enumerate(xs):
        e = (flow[i - 1] if i else u) - flow[i]
        m.rate[x.args[0]] = e
        m.lines.append(f"    {x.args[0]}' = {e.text()}")
    y = m.par("s") * xs[-1] if r.random() < .5 else xs[-1]
    m.outputs["y"] = y
    m.lines.append(f"    y = {y.text()}")
    if way == 0 and (y is not xs[-1] or n > 2):
        m.twin |= {k.args[0] for k in ks[:n - (y is xs[-1])]}
    if more:
        z = r.choice(xs[:-1])
        m.outputs["z"] = z
        m.lines.append(f"    z = {z.text()}")
        m.twin = set() if way != 2 else m.twin
    elif r.random() < .4:
        give_starts(m, r, xs)
        m.twin = m.twin if way == 2 and not m.init else set()
    return m


def draw(seed):
    r = random.Random(seed)
    if isinstance(P, Reals):
        return sums(r)
    kind = seed % 8
    if EXOTIC:
        return [branches, branches, pendulum, unknown, cascade, branches,
                implicit, chain][kind](r)
    if kind in (0, 1):
        return ordinary(r, False)
    if kind in (2, 3):
        return ordinary(r, True)
    return [chain, pendulum, reactions, implicit][kind - 4](r)


# ---- models in files ------------------------------------------------------------

class Reader:
    """Equations of a file, linear in highest derivatives and algebraic states
    all together, as a Model; what is not of that form raises ValueError."""

    SECTIONS = ("states", "parameters", "inputs", "outputs", "constants",
                "equations", "assume", "derived", "ranking", "model")

    def __init__(self, text):
        self.kind, self.value, self.lines, section = {}, {}, [], None
        for line in text.splitlines():
            line = re.sub(r'"[^"]*"', "", line.split("#")[0]).strip()
            word = line.split(" ")[0]
            if word in self.SECTIONS:
                section, line = word, line[len(word):].strip()
            if not line or section == "model":
                continue
            if section == "equations":
                self.lines.append(line)
            elif section == "constants":
                for name, v in re.findall(r"(\w+)\s*=\s*([^\s\[]+)", line):
                    self.kind[name], self.value[name] = "constants", v
            elif section in self.SECTIONS[:4]:
                if re.search(r"\bunknown\b|\bdose\b", line):
                    raise ValueError("unknown inputs or doses")
                line = re.sub(r"\[[^]]*\]|may be zero|held|> 0|=\s*\S+", "",
                              line)
                for name in line.split():
                    self.kind[name] = section
            elif section == "derived":
                raise ValueError("derived signals")
        self.order, self.known = {}, {}

    def tokens(self, text):
        return re.findall(r"\d+\.?\d*(?:e-?\d+)?|\.\d+|\w+'*|[-+*/^()]", text)

    def parse(self, text):
        self.t, self.i = self.tokens(text), 0
        e = self.sum()
        if self.i < len(self.t):
            raise ValueError(text)
        return e

    def peek(self):
        return self.t[self.i] if self.i < len(self.t) else None

    def take(self):
        self.i += 1
        return self.t[self.i - 1]

    def sum(self):
        sign = self.take() if self.peek() in ("-", "+") else "+"
        e = self.product()
        e = num(-1) * e if sign == "-" else e
        while self.peek() in ("+", "-"):
            e = e + self.product() if self.take() == "+" else e - self.product()
        return e

    def product(self):
        e = self.power()
        while self.peek() in ("*", "/"):
            e = e * self.power() if self.take() == "*" else e / self.power()
        return e

    def power(self):
        e = self.atom()
        if self.peek() != "^":
            return e
        self.take()
        minus = self.peek() == "-" and self.take()
        n = self.atom()
        q = constant(n)
        if q is None or q[1] != 1:
            e = e ** (n if q is None else num(*q))
        else:
            f = e
            for _ in range(q[0] - 1):
                f = f * e
            e = num(1) if q[0] == 0 else f
        return num(1) / e if minus else e

    def atom(self):
        s = self.take()
        if s == "-":
            return num(-1) * self.atom()
        if s == "(":
            e = self.sum()
            self.take()
            return e
        if s[0].isdigit() or s[0] == ".":
            return number(s)
        if self.peek() == "(" and s not in self.kind:
            self.take()
            e = self.sum()
            self.take()
            return fn(s, e)
        name = s.rstrip("'")
        if self.kind.get(name) == "constants":
            return number(self.value[name])
        if name not in self.kind:
            raise ValueError(name)
        n = len(s) - len(name)
        self.order[name] = max(self.order.get(name, 0), n)
        return self.known.setdefault(s, E("name", s))

    def model(self):
        m = Model("file")
        sides = [[self.parse(x) for x in line.split("=")] for line in self.lines]
        node, unknown = {}, []
        for name, kind in self.kind.items():
            top = self.order.get(name, 0)
            if kind == "parameters":
                node[name] = m.par(name)
            elif kind == "inputs":
                node[name] = m.input(name)
                if top:
                    raise ValueError("derivatives of inputs")
            elif kind != "constants":
                below = [m.new_state(name + "'" * k, False) for k in range(top)]
                for k, e in enumerate(below):
                    node[e.args[0]] = e
                e = node[name + "'" * top] = E("signal", name + "'" * top)
                unknown.append(e)
                for k in range(top):
                    m.rate[below[k].args[0]] = (below + [e])[k + 1]
                if kind == "states":
                    m.shown[name] = (below + [e])[0]
                else:
                    m.outputs[name] = (below + [e])[0]
        if len(sides) != len(unknown):
            raise ValueError("as many equations as unknowns")
        matrix, right = [], []
        for a, b in sides:
            e = a - b
            at = {id(u): num(0) for u in unknown}
            zero = put(e, node, at, {})
            right.append(num(-1) * zero)
            row = []
            for u in unknown:
                one = dict(at)
                one[id(u)] = num(1)
                row.append(put(e, node, one, {}) - zero
                           if holds(e, node, u) else num(0))
            matrix.append(row)
        m.systems.append((matrix, right, unknown))
        return m


def constant(e):
    if e.op == "num":
        return e.args
    if e.op == "/" and e.args[0].op == "num" and e.args[1].op == "num":
        return e.args[0].args[0], e.args[1].args[0]
    return None


def number(s):
    q = fractions.Fraction(s)
    return num(q.numerator, q.denominator)


def put(e, node, at, done):
    """The expression with unknowns at these numbers."""
    if id(e) in done:
        return done[id(e)]
    if e.op == "name":
        n = node[e.args[0]]
        out = at.get(id(n), n)
    else:
        out = E(e.op, *[put(a, node, at, done) if isinstance(a, E) else a
                        for a in e.args])
    done[id(e)] = out
    return out


def holds(e, node, u):
    if e.op == "name":
        return node[e.args[0]] is u
    return any(holds(a, node, u) for a in e.args if isinstance(a, E))


def compare_files(darc, files, seconds):
    """Say of each file whether darc and the ranks agree."""
    bad = 0
    for path in files:
        with open(path) as f:
            text = f.read()
        try:
            model = Reader(text).model()
            model.text = lambda text=text: text
        except (ValueError, IndexError, KeyError) as e:
            print(f"{path}: no ranks: {e}")
            continue
        code, answer, said = ask(darc, model, seconds)
        truth = ranks(model, 1) if answer else None
        if truth is None:
            print(f"{path}: exit {code}, {said.strip()[:200] or 'no point'}")
            continue
        wrong, open_ = judge(model, answer, truth)
        bad += len(wrong) > 0
        n = sum(len(answer.get(t, {})) for t in ("parameters", "states"))
        print(f"{path}: exit {code}, {n} statuses, {open_} undecided"
              + "".join(f"\n    WRONG: {w}" for w in wrong), flush=True)
    return bad


# ---- darc ---------------------------------------------------------------------

def ask(darc, model, seconds):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "random.darc")
        with open(path, "w") as f:
            f.write(model.text())
        args = [darc, "identify", path, "--json", "-", "--quiet", "--threads",
                "1", "--timeout", str(seconds)]
        if model.init:
            args += ["--init", ",".join(model.init)]
        done = subprocess.run(args, capture_output=True, text=True)
    start = done.stdout.find("{")
    try:
        answer = json.loads(done.stdout[start:]) if start >= 0 else None
    except ValueError:
        answer = None
    return done.returncode, answer, done.stderr


def judge(model, answer, truth):
    """What is wrong in the answer, a text each, and how many are undecided."""
    wrong, open_ = [], 0
    given = {i.split("=")[0] for i in model.init}
    for table in ("parameters", "states"):
        for name, said in answer.get(table, {}).items():
            if name not in truth or name in given:
                continue
            word = said if isinstance(said, str) else said.get("status", "")
            if word == "undecided":
                open_ += 1
            elif (word != "no") != truth[name]:
                wrong.append(f"{name} is {word}, the rank says "
                             f"{'yes' if truth[name] else 'no'}")
            elif word == "global" and name in model.twin:
                wrong.append(f"{name} is global, yet has a twin")
    return wrong, open_


def main():
    global P
    global EXOTIC
    P = Reals() if "--real" in sys.argv else prime()
    EXOTIC = "--exotic" in sys.argv
    sys.argv = [a for a in sys.argv if a not in ("--real", "--exotic")]
    darc = sys.argv[1]
    if len(sys.argv) > 2 and sys.argv[2].endswith(".darc"):
        return compare_files(darc, sys.argv[2:], 10) > 0
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 500
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 4
    kinds, bad = collections.defaultdict(collections.Counter), 0
    for seed in range(first, first + count):
        model = draw(seed)
        tally = kinds[model.kind]
        code, answer, said = ask(darc, model, seconds)
        tally["models"] += 1
        tally[f"exit {code}"] += 1
        statuses = [s for t in ("parameters", "states")
                    for s in (answer or {}).get(t, {}).values()]
        tally["statuses"] += len(statuses)
        faults, open_ = [], 0
        if code not in (0, 3, 4, 5, 6) or "bug" in said:
            faults.append(f"exit {code}: {said.strip()[:300]}")
        elif code == 3:
            tally["refused"] += 1
            if "-v" in sys.argv:
                print(seed, model.init, said.strip())
        if statuses:
            truth = ranks(model, seed)
            if truth is None:
                tally["no point"] += 1
            else:
                more, open_ = judge(model, answer, truth)
                faults += more
        tally["undecided"] += open_
        if faults:
            bad += 1
            tally["wrong"] += 1
            print(f"--- {seed} ({model.kind}) --init {','.join(model.init)}")
            print(model.text() + "\n".join(faults), flush=True)
    for kind, tally in sorted(kinds.items()):
        print(f"{kind:10}", ", ".join(f"{n} {w}" for w, n in tally.items()))
    print(f"{count} models, {bad} wrong")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

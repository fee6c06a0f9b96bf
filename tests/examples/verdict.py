"""Ask libdarc whether two recordings agree on the parameters, from Python.

The model and the recordings come from memory; the answer is the JSON that
`darc check --json` writes.
"""
import ctypes as c
import json
import math
import random

lib = c.CDLL("libdarc.so.1")
TESTS = ("structure", "equal", "changed")  # darc_test


class Samples(c.Structure):  # darc_samples
    _fields_ = [("name", c.c_char_p), ("samples", c.c_size_t),
                ("time", c.c_void_p), ("t0", c.c_double), ("rate", c.c_double),
                ("signals", c.c_int), ("signal", c.POINTER(c.c_char_p)),
                ("unit", c.POINTER(c.c_char_p)),
                ("value", c.POINTER(c.POINTER(c.c_double)))]


class Error(c.Structure):  # darc_err
    _fields_ = [("status", c.c_int), ("message", c.c_char * 2048)]


def call(name, *args):
    """Call a function whose last argument is a darc_err."""
    err = Error()
    lib.darc_err_init(c.byref(err))
    if getattr(lib, name)(*args, c.byref(err)) != 0:
        raise ValueError(err.message.decode())


def make(name, *args):
    """Return the object that a function sets its first argument to."""
    out = c.c_void_p()
    call(name, c.byref(out), *args)
    return out


def recording(name, rate, signals):
    """Make a recording of {name: list of floats}."""
    n = len(next(iter(signals.values())))
    names = (c.c_char_p * len(signals))(*(s.encode() for s in signals))
    columns = (c.POINTER(c.c_double) * len(signals))(
        *(c.cast((c.c_double * n)(*x), c.POINTER(c.c_double))
          for x in signals.values()))
    return make("darc_recording_new",
                c.byref(Samples(name.encode(), n, None, 0, rate, len(signals),
                                names, None, columns)))


class Model:
    """A model, and the questions to it."""

    def __init__(self, text):
        text = text.encode()
        self.model = make("darc_model_parse", text, c.c_size_t(len(text)),
                          b"model")

    def __del__(self):
        lib.darc_model_free(self.model)

    def check(self, test, *recordings, **options):
        """Return the report as a dictionary."""
        asked = make("darc_options_new", b"check")
        for name, value in options.items():
            call("darc_options_set", asked, name.replace("_", "-").encode(),
                 str(value).encode())
        session = make("darc_session_open", self.model, asked, None)
        lib.darc_options_free(asked)
        for r in recordings:
            call("darc_session_add", session, r)
        call("darc_session_check", session, TESTS.index(test))
        lib.darc_session_text.restype = c.c_char_p
        report = json.loads(lib.darc_session_text(session, b"json"))
        lib.darc_session_free(session)
        return report


def drive(mass, seed):
    """A chassis of that mass, 20 kN/m, 1.5 kN s/m, shaken at the wheel."""
    random.seed(seed)
    tones = [(random.uniform(0.3, 1), f, random.uniform(0, 6))
             for f in (3, 5, 8, 13, 21, 34)]
    t = [i / 500 for i in range(5000)]
    z = [sum(p * math.sin(w * x + q) for p, w, q in tones) for x in t]
    v = [sum(p * w * math.cos(w * x + q) for p, w, q in tones) for x in t]
    a = [(20000 * x + 1500 * y) / mass + random.gauss(0, 0.3)
         for x, y in zip(z, v)]
    return {"a": a, "z": [x + random.gauss(0, 0.003) for x in z]}


MODEL = """model car
parameters
    m c d
outputs
    a z
equations
    m*a = c*z + d*z'
"""

model = Model(MODEL)
empty = recording("empty", 500, drive(300, 1))
for mass in (300, 330):
    loaded = recording("loaded", 500, drive(mass, 2))
    found = model.check("equal", empty, loaded, alpha=0.01)
    print(mass, "kg:", found["decision"]["verdict"])
    lib.darc_recording_free(loaded)
lib.darc_recording_free(empty)

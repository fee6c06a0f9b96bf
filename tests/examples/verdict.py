"""Ask darc whether two recordings agree on the parameters, from Python."""
import numpy as np

import darc

MODEL = """model car
parameters
    m c d
outputs
    a z
equations
    m*a = c*z + d*z'
"""


def drive(mass, seed):
    """A chassis of that mass, 20 kN/m, 1.5 kN s/m, shaken at the wheel."""
    random = np.random.default_rng(seed)
    t = np.arange(5000) / 500
    w = np.array([3, 5, 8, 13, 21, 34])
    size, phase = random.uniform(0.3, 1, 6), random.uniform(0, 6, 6)
    z = (size * np.sin(np.outer(t, w) + phase)).sum(axis=1)
    v = (size * w * np.cos(np.outer(t, w) + phase)).sum(axis=1)
    a = (20000 * z + 1500 * v) / mass
    return {"time": t, "a": a + random.normal(0, 0.3, t.size),
            "z": z + random.normal(0, 0.003, t.size)}


model = darc.Model(text=MODEL)
for mass in (300, 330):
    found = model.check("equal", drive(300, 1), drive(mass, 2), alpha=0.01)
    print(mass, "kg:", found.verdict)

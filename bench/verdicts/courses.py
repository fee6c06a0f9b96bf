"""What the program makes of campaigns whose course is known.

    courses.py [CAMPAIGNS [NOISE]]

A mass on a spring and a damper, m*y'' + d*y' + k*y = u, answers exactly:
eight recordings a campaign, 2000 samples at 100 Hz, noise of NOISE (.01) times
the RMS of y, a new multisine each.  The spring stays, steps once by 2 %, twice
(by 2 % and by -1 %), or creeps by .5 % from one recording to the next; where it
steps is drawn.  `darc drift` is asked (variable DARC, default
build/release/darc).  "kind": only the functions of k are named, with steps at
these recordings or a trend.  "in interval": the sizes are within 2.58 standard
deviations.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

DARC = os.environ.get("DARC", "build/release/darc")
MODEL = """model oscillator
parameters
    m d k
inputs
    u
outputs
    y
equations
    m*y'' + d*y' + k*y = u
"""
M, D, K = 1.0, 2.0, 40.0
RATE, SAMPLES = 100, 2000
FOLLOWED = "k"


def record(path, k, noise, r):
    """The steady response, exact."""
    t = np.arange(SAMPLES) / RATE
    w = 2 * np.pi * np.linspace(0.1, 3, 20)
    phase = np.outer(t, w) + r.uniform(0, 2 * np.pi, 20)
    g = 1 / (k - M * w**2 + 1j * D * w)
    u = np.sin(phase).sum(1)
    y = (np.abs(g) * np.sin(phase + np.angle(g))).sum(1)
    y += noise * y.std() * r.standard_normal(SAMPLES)
    np.savetxt(path, np.column_stack([t, u, y]), fmt="%.10g", delimiter=",",
               header="t,u,y", comments="")


def courses(r):
    """Factors of k for eight recordings, steps {recording: size}, trend."""
    one = int(r.integers(1, 8))
    two = sorted(r.choice(np.arange(1, 8), 2, replace=False).tolist())
    i = np.arange(8)
    return {
        "none": (np.ones(8), {}, 0),
        "one step": (1 + 0.02 * (i >= one), {one: 0.02}, 0),
        "two steps": ((1 + 0.02 * (i >= two[0])) * (1 - 0.01 * (i >= two[1])),
                      {two[0]: 0.02, two[1]: -0.01}, 0),
        "trend": (1.005 ** i, {}, 0.005),
    }


def ask(folder, factors, noise, r):
    files = []
    for i, factor in enumerate(factors):
        files.append(os.path.join(folder, f"r{i}.csv"))
        record(files[-1], K * factor, noise, r)
    model = os.path.join(folder, "model.darc")
    with open(model, "w") as f:
        f.write(MODEL)
    p = subprocess.run([DARC, "drift", model, *files, "--json", "-",
                        "--threads", "1"], capture_output=True, text=True)
    return json.loads(p.stdout)


def judge(out, steps, trend):
    """Whether the kind is right, and of each size whether it is."""
    found = {}
    for p in out["change_points"]:
        if p["function"] == FOLLOWED:
            found[int(p["file"][-5])] = (p["relative"], p["sd"])
    lines = [t for t in out["trends"] if t["function"] == FOLLOWED]
    kind = set(found) == set(steps) and (len(lines) == 1) == (trend != 0)
    others = [x for x in out["change_points"] + out["trends"]
              if x["function"] != FOLLOWED]
    sizes = [abs(found[i][0] - steps[i]) < 2.58 * found[i][1]
             for i in steps if i in found]
    sizes += [abs(t["per_recording"] - trend) < 2.58 * t["sd"]
              for t in lines if trend]
    return kind and not others, sizes


def main():
    given = sys.argv[1:] + [None] * 2
    campaigns, noise = int(given[0] or 100), float(given[1] or 0.01)
    r = np.random.default_rng(11)
    count = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(campaigns):
            for name, (factors, steps, trend) in courses(r).items():
                out = ask(folder, factors, noise, r)
                kind, sizes = judge(out, steps, trend)
                c = count.setdefault(name, [0, 0, 0, 0, 0, 0])
                rows = any(x["verdict"] == "inconsistent"
                           for x in out["recordings"])
                c[0] += bool(out["change_points"] or out["trends"])
                c[1] += rows
                c[2] += out["verdict"] == "inconsistent"
                c[3] += kind
                c[4] += sum(sizes)
                c[5] += len(sizes)
                if not kind:
                    print(name, steps, trend, out["change_points"],
                          out["trends"], file=sys.stderr)
    print("| course | campaigns | found | a recording differs | inconsistent "
          "| kind | in interval |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, c in count.items():
        print(f"| {name} | {campaigns} | {c[0]} | {c[1]} | {c[2]} | {c[3]} | "
              f"{c[4]} of {c[5]} |")


if __name__ == "__main__":
    main()

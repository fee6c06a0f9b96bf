"""Campaigns of short recordings, followed by trajectories: level and power.

    short_drift.py DARC [--runs N] [--models oral,cup,...] [--n 16] [--many 8]
                   [--noise .01] [--steps 0,.1] [--way samples|clock] [--hold]
                   [--seed S]

The models of short.py; from the middle recording on the first parameter is larger
by the step.  Counted: campaigns in which something is said to move or to differ,
verdicts of recordings (consistent/inconsistent/undecided) before and behind the
step, steps that are found at their recording and how many of their intervals of 95 %
hold the truth, CPU of one campaign.
"""
import argparse

import numpy as np

import short


def campaign(m, n, many, noise, step, seed, way):
    case = short.Case(m, n, many, noise, "white", seed, way if m.driven else "")
    case.data = []
    for r, x0 in enumerate(case.x0):
        p = case.p.copy()
        p[0] *= 1 + step * (r >= many // 2)
        y = m.solve(case.t, p[:, None], x0[:, None], 0, case.u[r])[..., 0]
        case.data.append(short.noisy(case.rng, y, noise, "white"))
    return case


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("darc")
    a.add_argument("--runs", type=int, default=10)
    a.add_argument("--models", default=",".join(m.name for m in short.MODELS))
    a.add_argument("--n", type=int, default=16)
    a.add_argument("--many", type=int, default=8)
    a.add_argument("--noise", type=float, default=.01)
    a.add_argument("--steps", default="0,.1")
    a.add_argument("--way", default="clock", help="of steps of inputs: samples, clock")
    a.add_argument("--hold", action="store_true")
    a.add_argument("--seed", type=int, default=1)
    a = a.parse_args()
    print("model step: moves or differs | before | behind | steps found, in 95 % | refused | CPU")
    for m in [m for m in short.MODELS if m.name in a.models.split(",")]:
        for step in map(float, a.steps.split(",")):
            said, found, inside, refused, cpu = 0, 0, 0, 0, []
            half, count = a.many // 2, np.zeros((2, 3), int)
            name = m.text.split("parameters\n")[1].split()[0]
            for run in range(a.runs):
                case = campaign(m, a.n, a.many, a.noise, step, 1000 * a.seed + run, a.way)
                d, spent = short.ask(a, case, ["drift"])
                cpu.append(spent)
                if "error" in d:
                    refused += 1
                    print(d["error"])
                    continue
                verdicts = [r["verdict"] for r in d["recordings"]]
                said += bool(d["change_points"] or d["trends"] or "inconsistent" in verdicts)
                for r, v in enumerate(verdicts[1:], 1):
                    count[int(r >= half), ["consistent", "inconsistent", "undecided"].index(v)] += 1
                here = [c for c in d["change_points"] if c["function"] == name and c["file"].endswith(f"r{half}.csv")]
                found += bool(here)
                inside += any(abs(c["relative"] - step) < 1.96 * c["sd"] for c in here)
            print(f"  {m.name} {step:g}: {said} of {a.runs} |", " | ".join("%d/%d/%d" % tuple(c) for c in count),
                  f"| {found}, {inside} | {refused} | {np.mean(cpu):.2f}", flush=True)


if __name__ == "__main__":
    main()

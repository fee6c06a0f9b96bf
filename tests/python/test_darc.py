"""The Python package as a user meets it: python3 tests/python/test_darc.py.

The package and the library are those that `import darc` finds; the program
`darc` on the path writes what the answers are held against.
"""
import copy
import dataclasses
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import darc

try:
    import pandas
except ImportError:
    pandas = None
    print("skipped: DataFrames need pandas")

try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    matplotlib = None
    print("skipped: plots need matplotlib")

CAR = """model car
parameters
    m c d
inputs
    z [mm]
outputs
    a [m/s^2]
equations
    m*a = c*z + d*z'
"""


def drive(mass, seed):
    """A chassis on 20 N/mm and 1.5 N s/mm, shaken at the wheel by mm."""
    random = np.random.default_rng(seed)
    t = np.arange(5000) / 500
    w = random.uniform(3, 40, 8)
    p = random.uniform(0, 6, 8)
    z = np.sin(np.outer(t, w) + p).sum(1)
    v = (w * np.cos(np.outer(t, w) + p)).sum(1)
    a = (20 * z + 1.5 * v) / mass
    return t, z, a + random.normal(0, 0.01 * a.std(), t.size)


def columns(mass=300, seed=1):
    t, z, a = drive(mass, seed)
    return {"time": t, "z": z, "a": a}


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        path = os.path.join(self.folder.name, name)
        if text is not None:
            with open(path, "w") as out:
                out.write(text)
        return path


class Checks(Files):
    def test_verdicts(self):
        car = darc.Model(text=CAR)
        right = car.check("structure", columns())
        self.assertEqual(right.verdict, "consistent")
        self.assertLess(right.defect, 0.01)
        self.assertEqual(repr(right), "<darc.Check: consistent>")
        self.assertIn("CONSISTENT", str(right))
        same = car.check("equal", columns(), columns(seed=2))
        self.assertEqual(same.verdict, "consistent")
        other = car.check("equal", columns(), columns(330, 2))
        self.assertEqual(other.verdict, "inconsistent")
        self.assertGreater(other.defect, other.detectable)
        with self.assertRaisesRegex(darc.UsageError, "which parameters"):
            car.check("changed", columns(), columns(330, 2))
        free = car.check("changed", columns(), columns(330, 2), changed="m")
        self.assertEqual(free.verdict, "consistent")

    def test_isolate(self):
        found = darc.Model(text=CAR).isolate(columns(), columns(330, 2))
        self.assertEqual(found.diagnosis, [["m"]])
        self.assertEqual(found.candidates[0].changed, ["m"])
        self.assertEqual(found.decision.verdict, "inconsistent")
        self.assertEqual(found.verdict, "consistent")

    def test_estimates(self):
        found = darc.Model(text=CAR).check("structure", columns())
        by = {e.function: e for e in found.estimates}
        for name, true in (("c/m", 20 / 300), ("d/m", 1.5 / 300)):
            self.assertLess(abs(by[name].value_a - true), 4 * by[name].sd_a)

    def test_values(self):
        t, z, a = drive(300, 1)
        gain = darc.Model(text=CAR.replace("m*a = ", "a = ").replace(
            "m c d", "c [1/s^2]\n    d").replace("[mm]", "[m]"))
        found = gain.values(columns(), columns(seed=2))
        self.assertEqual([v.name for v in found.values], ["c", "d"])
        c = found.values["c"]
        self.assertEqual(c.unit, "1/s^2")
        self.assertTrue(c.low < 20 / 300 < c.high)
        one = gain.check("structure", columns()).values["c"]
        self.assertGreater(one.sd, c.sd)

    def test_recordings_of_a_long_table(self):
        file = self.path("runs.csv", "run,time,z,a\n" + "".join(
            f"r{k},{t:.6g},{z:.9g},{a:.9g}\n"
            for k, mass in enumerate((300, 300, 330))
            for t, z, a in zip(*drive(mass, k + 1))))
        car = darc.Model(text=CAR)
        parts = darc.each(file, "run")
        self.assertEqual([len(p) for p in parts], [5000] * 3)
        self.assertEqual(car.check("equal", *parts[:2]).verdict, "consistent")
        self.assertEqual(car.check("equal", *parts[1:]).verdict,
                         "inconsistent")
        right = car.check("structure", file, each="run")
        self.assertEqual(right.verdict, "consistent")
        self.assertEqual(str(right).count("[run=r"), 4)
        found = car.drift([file], each="run", alpha=1e-4)
        self.assertEqual([r["file"][-8:] for r in found.recordings],
                         ["[run=r0]", "[run=r1]", "[run=r2]"])
        self.assertEqual([r["verdict"] for r in found.recordings],
                         ["consistent", "consistent", "inconsistent"])
        compared = darc.compare(file, each="run")
        self.assertEqual(str(compared).count("RMS error"), 4)
        with self.assertRaisesRegex(darc.DataError, "no column 'subject'"):
            darc.each(file, "subject")

    def test_overlay(self):
        model = darc.Model(text="model m\nparameters\n T K\ninputs\n u\n"
                           "outputs\n y\nequations\n T*y' + y = K*u\n")
        made = model.simulate(param={"T": 0.1, "K": 2}, rate=200, t_end=20,
                              input={"u": "multisine:1,0.1,5"}, noise=0.01)
        for found in (model.values(made, overlay=True),
                      model.check("structure", made, overlay=True)):
            self.assertEqual([o.name for o in found.outputs], ["y"])
            self.assertAlmostEqual(found.outputs[0].fit_percent, 99, delta=.1)
            self.assertIn("The model over the recording", found.page())
        self.assertEqual(model.values(made).outputs, [])

    def test_same_as_program(self):
        model = self.path("car.darc", CAR)
        darc.Recording(columns()).save(self.path("a.csv"))
        said = subprocess.run(
            ["darc", "check", "structure", model, self.path("a.csv"),
             "--tolerance", "0.01", "--json", "-"], capture_output=True)
        wanted = json.loads(said.stdout)
        found = darc.Model(model).check("structure", self.path("a.csv"),
                                        tolerance=0.01).to_dict()
        wanted.pop("arguments"), found.pop("arguments")
        self.assertEqual(found, wanted)

    def test_types_are_those_of_the_schema(self):
        said = subprocess.run(["darc", "help", "schema"], capture_output=True)
        tables = json.loads(said.stdout)["$defs"]
        for kind, name in ((darc.Decision, "decision"), (darc.Value, "value"),
                           (darc.Estimate, "estimate"),
                           (darc.Change, "change"), (darc.Output, "output"),
                           (darc.Stretch, "stretch"), (darc.Equation, "io"),
                           (darc.Candidate, "candidate")):
            own = {f.name.rstrip("_") for f in dataclasses.fields(kind)}
            self.assertEqual(own, set(tables[name]["properties"]), name)

    def test_over_time(self):
        t, z, a = drive(300, 1)
        later = np.concatenate([t, t + t[-1] + t[1]])
        broken = {"time": later, "z": np.concatenate([z, z]),
                  "a": np.concatenate([a, a * 300 / 330])}
        found = darc.Model(text=CAR).check("structure", broken, over_time=True)
        self.assertEqual(len(found.stretches), 2)
        self.assertAlmostEqual(found.stretches[0].to, 10, delta=0.5)
        self.assertEqual(len(found.stretches[1].change), 2)

    def test_page_and_notebook(self):
        found = darc.Model(text=CAR).check("structure", columns(), series=True)
        self.assertTrue(found.page().startswith("<!DOCTYPE html>"))
        drawn = found.drawings()
        self.assertIn("residual-Residual", drawn)
        self.assertTrue(all(d.startswith("<?xml") and d.endswith("</svg>\n")
                            for d in drawn.values()))
        cell = found._repr_html_()
        self.assertIn("CONSISTENT", cell)
        self.assertIn("<td>c/m</td>", cell)
        self.assertNotIn("<script", cell)

    def test_threads_share_a_model(self):
        car, found = darc.Model(text=CAR), {}

        def ask(seed):
            found[seed] = car.check("equal", columns(),
                                    columns(300 + 30 * (seed % 2), seed))

        threads = [threading.Thread(target=ask, args=(s,)) for s in range(2, 6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([found[s].verdict for s in range(2, 6)],
                         ["consistent", "inconsistent"] * 2)


class Recordings(Files):
    def test_units_convert(self):
        t, z, a = drive(300, 1)
        car = darc.Model(text=CAR)
        given = {e.function: e.value_a for e in car.check(
            "structure", {"time": t, "z": z, "a": a}).estimates}
        for data in ({"t [ms]": 1e3 * t, "z [m]": z / 1e3, "a": a},
                     darc.Recording({"s": z / 1e3, "a": a}, rate=500,
                                    units={"z": "m"}, map={"z": "s"})):
            for e in car.check("structure", data).estimates:
                self.assertAlmostEqual(e.value_a, given[e.function], delta=1e-9)

    def test_what_comes_back(self):
        r = darc.Recording(columns(), units={"z": "mm"})
        self.assertEqual(len(r), 5000)
        self.assertEqual(r.units, {"z": "mm", "a": ""})
        np.testing.assert_allclose(r.time, columns()["time"], atol=1e-12)
        np.testing.assert_array_equal(r["a"], columns()["a"])
        r.save(self.path("a.csv"))
        again = darc.read(self.path("a.csv"))
        np.testing.assert_array_equal(again["a"], r["a"])
        self.assertIn("noise sd", str(again))

    def test_simulate(self):
        made = darc.Model(text=CAR).simulate(
            param={"m": 300, "c": 20, "d": 1.5}, noise=0.01, t_end=10, rate=500,
            input={"z": "multisine:1,0.5,6"})
        self.assertEqual(len(made), 5000)
        self.assertEqual(
            darc.Model(text=CAR).check("structure", made).verdict,
            "consistent")

    @unittest.skipIf(pandas is None, "no pandas")
    def test_frames(self):
        car = darc.Model(text=CAR)
        t, z, a = drive(300, 1)
        plain = pandas.DataFrame({"z": z, "a": a},
                                 index=pandas.Index(t, name="time"))
        dated = plain.set_axis(pandas.to_datetime(1.7e9 + t, unit="s"))
        column = pandas.DataFrame({"Zeit [s]": t, "z [mm]": z, "a": a})
        for frame in (plain, dated, column):
            self.assertEqual(car.check("structure", frame).verdict,
                             "consistent")
        back = darc.Recording(plain, units={"z": "mm"}).to_frame()
        self.assertEqual(back.attrs["units"]["z"], "mm")
        np.testing.assert_array_equal(back["a"], a)
        with self.assertRaisesRegex(darc.UsageError, "rate="):
            car.check("structure", pandas.DataFrame({"z": z, "a": a}))


class Others(Files):
    def test_symbolic(self):
        car = darc.Model(text=CAR)
        found = car.identify()
        self.assertEqual(sorted(found.functions), ["c/m", "d/m"])
        self.assertEqual(found.parameters, {"m": "no", "c": "no", "d": "no"})
        io = car.eliminate()
        self.assertEqual(io.io[0].output, "a")
        self.assertIn("z'", io.io[0].equation)
        self.assertIn("\\dot", io.format("latex"))
        self.assertEqual((car.name, car.parameters, car.inputs, car.outputs),
                         ("car", ["m", "c", "d"], ["z"], ["a"]))
        support = darc.Model(text="""model two "compartments"
states
    p
    q
parameters
    a
    b
inputs
    u
outputs
    y
equations
    p' = u - a*p + b*q
    q' = a*p - b*q
    y = p
""").eliminate(form="support")
        self.assertEqual(support.io[0].terms, None)
        self.assertEqual(len(support.io[0].support), support.io[0].monomials)
        self.assertIn("monomials", support.summary())

    def test_drift(self):
        rows = [columns(300 if k < 3 else 330, k + 1) for k in range(5)]
        found = darc.Model(text=CAR).drift(rows)
        self.assertEqual(found.verdict, "inconsistent")
        self.assertEqual(len(found.recordings), 5)
        self.assertTrue(all(abs(p["relative"] + 1 / 11) < 4 * p["sd"]
                            for p in found.change_points))
        self.assertEqual(len(found.change_points), 2)

    def test_told(self):
        warmth = [20, 24, 31, 22, 18, 33, 21, 25]
        rows = [columns(300 * 1.004 ** (t - 20) * (1.1 if k > 3 else 1), k + 1)
                for k, t in enumerate(warmth)]
        car = darc.Model(text=CAR)
        found = car.drift(rows, told={"degrees": warmth, "load": [1] * 8},
                          covariate=["degrees", "load"])
        at = {p["function"]: p for p in found.change_points}
        self.assertEqual({p["file"] for p in at.values()}, {"recording 5"})
        self.assertEqual(len(at), 2)
        slope = {(s["function"], s["covariate"]): s for s in found.covariates}
        for name, p in at.items():
            self.assertLess(abs(p["relative"] + 1 / 11), 4 * p["sd"])
            s = slope[name, "degrees"]
            self.assertLess(abs(s["slope"] + 0.004), 4 * s["sd"] + 1e-5)
            self.assertIsNone(slope[name, "load"]["slope"])
        self.assertEqual(found.undecided_changes, [])
        self.assertTrue(any("what goes with load" in n for n in found.notes))
        told = {"car": list("AABBAABB"), "degrees": [*warmth[:7], None]}
        found = car.drift(rows, told=told, group="car", covariate="degrees")
        self.assertEqual([r["group"] for r in found.recordings], told["car"])
        self.assertEqual(found.recordings[7]["verdict"], "undecided")
        with self.assertRaisesRegex(darc.UsageError, "tells of 2 rec"):
            car.drift(rows, told={"degrees": [1, 2]}, covariate="degrees")
        with self.assertRaisesRegex(darc.UsageError, "no list has a column"):
            car.drift(rows, covariate="degrees")

    def test_plan(self):
        car = darc.Model(text=CAR)
        inputs = ["sine:1,2", "multisine:1,0.5,8"]
        data = columns()
        found = car.plan(data, {"z": inputs}, t_end=20)
        self.assertEqual(found.best, "z=" + inputs[1])
        self.assertEqual([t["input"] for t in found.tests],
                         ["z=" + i for i in inputs])
        self.assertTrue(all(0 < x < 0.02 for x in found.detectable.values()))
        self.assertEqual(len(found.detectable), 2)
        file = self.path("a.csv")
        darc.Recording(data).save(file)
        again = car.plan(file, {"z": inputs}, t_end=20)
        self.assertEqual(again.tests, found.tests)
        self.assertIn(found.best, str(found))
        self.assertIn("least change", found._repr_html_())
        with self.assertRaisesRegex(darc.Error, "without a signal: z"):
            car.plan(data, {})

    def test_fulfil(self):
        law = darc.Model(text=CAR.replace("m c d", "m c T")
                         .replace("d*z'", "T*c*z'"))
        found = law.fulfil(darc.Model(text=CAR))
        self.assertEqual(found.verdict, "fulfilled")
        self.assertIn("fulfilled: ", found.summary())
        self.assertEqual(set(found.parameters), {"m", "T"})
        at = found.witness
        self.assertAlmostEqual(at["c"] / at["m"],
                               at["c_target"] / at["m_target"])
        self.assertTrue(found.page().startswith("<!DOCTYPE html>"))
        self.assertIn("<b>fulfilled</b>", found._repr_html_())
        again = pickle.loads(pickle.dumps(found))
        self.assertEqual(again.witness, found.witness)

    def test_assess(self):
        file = self.path("flight.factors", "outputs\n a b\ninputs\n p q\n"
                         "evidence\n p = grade 0.9\n q = grade 0.2\nlinks\n"
                         " a <- derive p\n b <- derive q\n")
        found = darc.assess(file)
        self.assertEqual(found.verdict, "not acceptable")
        self.assertEqual([f["name"] for f in found.factors],
                         ["a", "b", "p", "q"])
        self.assertEqual(found.origins, ["q"])
        self.assertIn("origin of the defect: q", found.summary())
        self.assertTrue(found.page().startswith("<!DOCTYPE html>"))

    def test_compare(self):
        found = darc.compare(columns(), columns(330), columns="a")
        self.assertTrue(0 < found.consistency < 1)
        self.assertIn("theil", found.outputs["a"])
        with self.assertRaisesRegex(darc.UsageError, "one simulation"):
            darc.compare(columns())


class Errors(Files):
    def test_places(self):
        with self.assertRaises(darc.ModelError) as caught:
            darc.Model(self.path("bad.darc", CAR.replace("c*z", "c*q")))
        e = caught.exception
        self.assertEqual((e.line, e.column), (9, 13))
        self.assertTrue(e.file.endswith("bad.darc"))
        with self.assertRaises(darc.ModelError) as caught:
            darc.Model(self.path("none.darc"))
        self.assertEqual(caught.exception.file, self.path("none.darc"))
        car = darc.Model(text=CAR)
        with self.assertRaises(darc.DataError) as caught:
            car.check("structure", self.path("a.csv", "time,z,a\n0,1,x\n"))
        self.assertEqual(caught.exception.line, 2)
        with self.assertRaisesRegex(darc.DataError, "others have 5000"):
            car.check("structure", {**columns(), "a": [1.0, 2.0]})
        with self.assertRaisesRegex(darc.DataError, "numbers"):
            car.check("structure", {**columns(), "a": ["x"] * 5000})

    def test_usage(self):
        car = darc.Model(text=CAR)
        with self.assertRaisesRegex(darc.UsageError, "did you mean"):
            car.check("structure", columns(), tolerence=1)
        with self.assertRaises(darc.UsageError):
            car.check("equal", columns())
        with self.assertRaises(ValueError):
            car.check("same", columns())

    def test_limits(self):
        with self.assertRaises(darc.LimitError):
            darc.Model(text=CAR).check("structure", columns(), timeout=1e-9)

    def test_interrupt(self):
        chain = ["model chain", "parameters",
                 *(f"  k{i} c{i}" for i in range(8)), "states",
                 *(f"  x{i} v{i}" for i in range(8)), "outputs", "  y",
                 "equations", "  y = x7"]
        for i in range(8):
            left = f"x{i-1}" if i else "0"
            chain += [f"  x{i}' = v{i}",
                      f"  v{i}' = k{i}*({left} - x{i})^3 - c{i}*v{i}*x{i}"]
        model = darc.Model(text="\n".join(chain) + "\n")
        before = signal.getsignal(signal.SIGINT)
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            model.eliminate(engine="general", timeout=60)
        self.assertEqual(signal.getsignal(signal.SIGINT), before)


class AtHome(unittest.TestCase):
    """Results and recordings as Python's people expect them."""

    def setUp(self):
        self.car = darc.Model(text=CAR)

    def test_copies_keep_what_was_said(self):
        found = self.car.check("equal", columns(), columns(330, 2))
        for again in (pickle.loads(pickle.dumps(found)), copy.copy(found),
                      copy.deepcopy(found)):
            self.assertEqual(again.to_dict(), found.to_dict())
            self.assertEqual(str(again), str(found))
            self.assertEqual(again.page(), found.page())
        model = pickle.loads(pickle.dumps(self.car))
        self.assertEqual(model.parameters, ["m", "c", "d"])
        told = pickle.loads(pickle.dumps(model.identify()))
        self.assertEqual(told.functions, model.identify().functions)
        for data in (columns(), {k: v for k, v in columns().items()
                                 if k != "time"}):
            rate = None if "time" in data else 500
            old = darc.Recording(data, rate=rate, units={"z": "mm"})
            new = pickle.loads(pickle.dumps(old))
            self.assertEqual(new.units, old.units)
            np.testing.assert_array_equal(new.time, old.time)
            np.testing.assert_array_equal(new["a"], old["a"])

    def test_mappings(self):
        recording = darc.Recording(columns())
        self.assertEqual(list(recording), ["z", "a"])
        self.assertIn("a", recording)
        self.assertNotIn("b", recording)
        self.assertEqual(set(dict(recording)), {"z", "a"})
        values = self.car.values(columns()).values
        self.assertIn("c/m", values)
        self.assertEqual(dict(values)["c/m"], values[0])
        self.assertEqual([n for n, _ in values.items()], values.keys())

    def test_summaries(self):
        found = self.car.check("equal", columns(), columns(330, 2))
        self.assertRegex(found.summary(), r"^INCONSISTENT: .*\nc/m = ")
        self.assertIn("c/m", self.car.values(columns()).summary())
        self.assertIn("c/m", self.car.identify().summary())
        changed = self.car.isolate(columns(), columns(330, 2)).summary()
        self.assertRegex(changed, r"^\{m\}: .*c/m -9.* %.*\nc/m = .* -> ")
        self.assertNotIn("--", str(found) + changed)

    def test_recordings_of_one_name(self):
        day = [darc.Recording(columns(m, s), name="day")
               for m, s in ((300, 1), (300, 2), (330, 3))]
        found = self.car.drift(day)
        self.assertEqual([r["file"] for r in found.recordings],
                         ["day 1", "day 2", "day 3"])
        self.assertIn("from day 3 on", found.summary())
        self.assertIn("from day 3 on", found._repr_html_())

    def test_columns_of_words_are_left_out(self):
        noted = {**columns(), "note": ["dry"] * 5000}
        with self.assertWarnsRegex(UserWarning, "'note'.* is left out"):
            self.assertEqual(list(darc.Recording(noted)), ["z", "a"])
        with self.assertRaisesRegex(darc.DataError, "consist of numbers"):
            darc.Recording(noted, map={"w": "note"})

    def test_notebook_tables_have_intervals(self):
        shown = self.car.check("structure", columns())._repr_html_()
        self.assertIn("<th>low</th><th>high</th>", shown)
        self.assertIn("intervals of 99 %", shown)

    @unittest.skipIf(pandas is None, "needs pandas")
    def test_frames(self):
        found = self.car.check("equal", columns(), columns(330, 2))
        frame = found.to_frame()
        self.assertEqual(list(frame.index), ["c/m", "d/m"])
        self.assertLess(frame.high_b["c/m"], frame.low["c/m"])
        tried = self.car.isolate(columns(), columns(330, 2)).to_frame()
        self.assertEqual(tried.verdict["m"], "consistent")
        known = self.car.identify().to_frame()
        self.assertEqual(known.identifiable["m"], "no")
        self.assertEqual(self.car.eliminate().to_frame().terms[0], 3)

    @unittest.skipIf(matplotlib is None, "needs matplotlib")
    def test_plots(self):
        a, b = columns(), columns(330, 2)
        for found in (self.car.check("equal", a, b), self.car.values(a),
                      self.car.isolate(a, b), self.car.drift([a, a, b])):
            axes = found.plot()
            self.assertGreater(len(axes.get_children()), 5)
            self.assertIs(found.plot(axes), axes)
        self.assertEqual(len(darc.Recording(a).plot()), 2)
        for found in (self.car.identify(), self.car.eliminate(),
                      self.car.plan(a, {"z": "sine:1,2"}, t_end=20),
                      self.car.fulfil(self.car),
                      darc.compare(a, b, columns="a")):
            axes = found.plot()
            self.assertEqual(len(axes.patches), len(found.to_frame()))
            self.assertIs(found.plot(axes), axes)
        with self.assertRaisesRegex(darc.UsageError, "nothing to plot"):
            darc.Fulfilment({"parameters": {}, "witness": {}}, str).plot()
        matplotlib.pyplot.close("all")

    def test_messages_in_words_of_python(self):
        with self.assertRaisesRegex(darc.UsageError,
                                    "'tolerence='.*'tolerance='"):
            self.car.check("structure", columns(), tolerence=0.1)
        with self.assertRaisesRegex(darc.UsageError, "2 recordings, and 1 is"):
            self.car.check("equal", columns())
        with self.assertRaisesRegex(darc.ModelError, r'check\("equal", '):
            self.car.values(columns(), columns(330, 2))
        with self.assertRaisesRegex(TypeError, "a dict of arrays.*int"):
            self.car.check("structure", 5)

    def test_progress(self):
        seen = []
        self.car.drift([columns(seed=k) for k in range(3)],
                       progress=lambda *at: seen.append(at))
        self.assertTrue(all(len(at) == 3 for at in seen) and seen)

        def stop(*_):
            raise ZeroDivisionError
        with self.assertRaises(ZeroDivisionError):
            self.car.drift([columns(seed=k) for k in range(3)], progress=stop)


@unittest.skipIf(pandas is None, "needs pandas")
class Times(unittest.TestCase):
    """What other libraries call a time."""

    def setUp(self):
        frame = pandas.DataFrame(columns())
        self.t = frame.time.to_numpy()
        self.frame = frame.drop(columns="time")

    def same(self, data):
        np.testing.assert_allclose(darc.Recording(data).time, self.t,
                                   atol=1e-8)

    def test_zones_and_periods(self):
        ns = pandas.to_datetime(self.t * 1e9, utc=True)
        self.frame.index = ns.tz_convert("Europe/Berlin")
        self.same(self.frame)
        self.same(self.frame.rename_axis("time").reset_index())
        self.frame.index = pandas.period_range("2026-01-01", periods=5000,
                                               freq="2ms")
        self.same(self.frame)

    def test_units_in_names(self):
        self.same(self.frame.assign(t_ms=self.t * 1e3))
        self.same(self.frame.assign(**{"Time [us]": self.t * 1e6}))

    def test_dataframe_protocol(self):
        class Foreign:  # as polars: no pandas inside
            def __init__(self, frame):
                self._frame = frame

            def __dataframe__(self, *words, **more):
                return self._frame.__dataframe__(*words, **more)
        self.same(Foreign(self.frame.assign(time=self.t)))

    def test_xarray(self):
        try:
            import xarray
        except ImportError:
            self.skipTest("needs xarray")
        self.same(xarray.Dataset({k: ("time", self.frame[k].to_numpy())
                                  for k in "za"}, coords={"time": self.t}))
        told = xarray.Dataset(
            {"z": ("time", self.frame.z.to_numpy(), {"units": "mm"})},
            coords={"time": ("time", self.t * 1e3, {"units": "ms"})})
        self.same(told)
        self.assertEqual(darc.Recording(told).units, {"z": "mm"})


if __name__ == "__main__":
    sys.stdout.flush()
    unittest.main()

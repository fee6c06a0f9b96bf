"""What darc answers: typed, as text, as JSON, as a table in a notebook."""

import html
from dataclasses import asdict, fields
from typing import (Any, Callable, Dict, Iterator, List, Optional, Sequence,
                    Type, TypeVar)

from ._described import (Candidate, Change, Decision, Equation, Estimate,
                         Output, Stretch, Value)
from ._library import UsageError, pythonic

T = TypeVar("T")


def _build(kind: Type[T], data: Dict[str, Any]) -> T:
    known = {f.name for f in fields(kind)}
    return kind(**{k: v for k, v in data.items() if k in known})


def _cell(value: Any) -> str:
    return html.escape(f"{value:.6g}" if isinstance(value, float)
                       else "" if value is None else str(value))


def _table(head: List[str], rows: List[List[Any]]) -> str:
    if not rows:
        return ""
    top = "".join(f"<th>{html.escape(h)}</th>" for h in head)
    body = "".join("<tr>" + "".join(f"<td>{_cell(x)}</td>" for x in row)
                   + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


_COLOUR = {"consistent": "#1a7f37", "inconsistent": "#b42318"}


def _headline(verdict: str, reason: str) -> str:
    colour = _COLOUR.get(verdict, "#8a6100")
    return (f"<p><b style='color:{colour}'>{html.escape(verdict.upper())}</b> "
            f"{html.escape(reason)}</p>")


def _with_level(table: str, alpha: Optional[float]) -> str:
    """Return a table of values, and below it of what level its intervals are."""
    level = 100 * (1 - (alpha or 0.01))
    return table + (f"<p>intervals of {level:.4g} %</p>" if table else "")


def _frame(rows: List[Dict[str, Any]], index: Optional[str] = None) -> Any:
    """Return a pandas DataFrame of rows, with that column as its index."""
    import pandas  # type: ignore[import]
    frame = pandas.DataFrame(rows)
    return frame if index is None or frame.empty else frame.set_index(index)


def _axes(ax: Any, **size: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt  # type: ignore[import]
    return plt.subplots(layout="constrained", **size)[1]


def _bars(ax: Any, names: List[str], sizes: List[Optional[float]], label: str,
          **more: Any) -> Any:
    """Draw a bar a name, from above; what is not known has none."""
    if not names:
        raise UsageError("the answer has no rows: nothing to plot")
    ax = _axes(ax, figsize=(6, 1 + 0.4 * len(names)))
    ax.barh(range(len(names)), [size or 0 for size in sizes], **more)
    ax.set_yticks(range(len(names)))
    ax.set_yticklabels(names)
    ax.invert_yaxis()
    ax.set_xlabel(label)
    return ax


class Values(Sequence[Value]):
    """Values in order, or by name: values[0], values["R"]; keys() are the
    names, so that dict(values) has a Value for each."""

    def __init__(self, data: List[Dict[str, Any]]):
        self._all = [_build(Value, v) for v in data]

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            for value in self._all:
                if value.name == key:
                    return value
            raise KeyError(key)
        return self._all[key]

    def __contains__(self, key: Any) -> bool:
        return key in self.keys() if isinstance(key, str) else key in self._all

    def keys(self) -> List[str]:
        """Return the names."""
        return [value.name for value in self._all]

    def items(self) -> Iterator[Any]:
        """Pairs of a name and its Value."""
        return zip(self.keys(), self._all)

    def summary(self) -> str:
        """Return "m = 300.2 kg, c = ..." of what is known."""
        return ", ".join(
            f"{v.name} = {v.value:.5g}"
            + (f" -> {v.value_b:.5g}" if v.value_b is not None else "")
            + f" {v.unit}".rstrip()
            for v in self._all if v.value is not None)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row a value; value_b and so on
        only where there are two recordings."""
        two = any(v.value_b is not None for v in self._all)
        return _frame([{k: x for k, x in asdict(v).items()
                        if two or not k.endswith("_b")}
                       for v in self._all], "name")

    def plot(self, ax: Any = None) -> Any:
        """Draw each value with its interval, as a share of the value; of two
        recordings, what the second has as a share of the first.  Return the
        axes."""
        shown = [v for v in self._all if v.value and v.low is not None
                 and v.high is not None]
        if not shown:
            raise UsageError("no value is known with an interval: nothing to "
                             "plot")
        ax = _axes(ax, figsize=(6, 1 + 0.4 * len(shown)))
        for side in ("", "_b"):
            rows = [(i, v) for i, v in enumerate(shown)
                    if getattr(v, "value" + side) is not None]
            middle = [getattr(v, "value" + side) / v.value * 100 - 100
                      for _, v in rows]
            ends = [[abs(getattr(v, end + side) - getattr(v, "value" + side))
                     / abs(v.value or 1) * 100 for _, v in rows]
                    for end in ("low", "high")]
            if rows:
                ax.errorbar(middle, [i + (0.15 if side else 0)
                                     for i, _ in rows], xerr=ends, fmt="o",
                            capsize=3, label="B" if side else "A")
        ax.set_yticks(range(len(shown)))
        ax.set_yticklabels([f"{v.name} = {v.value:.5g} {v.unit}".rstrip()
                            for v in shown])
        ax.invert_yaxis()
        ax.axvline(0, color="0.7", linewidth=0.8, zorder=0)
        ax.set_xlabel("off the value of A, %")
        if any(v.value_b is not None for v in shown):
            ax.legend()
        return ax

    def _html(self) -> str:
        two = any(v.value_b is not None for v in self._all)
        head = ["", "A", "low", "high", "B", "low", "high", "unit"] if two \
            else ["", "value", "low", "high", "unit"]
        return _table(head, [
            [v.name, v.value, v.low, v.high]
            + ([v.value_b, v.low_b, v.high_b] if two else []) + [v.unit]
            for v in self._all])

    def __repr__(self) -> str:
        return repr(self._all)


class _Kept:
    """What a result said, without the library's object."""

    def __init__(self, said: Dict[str, str]):
        self._said = said

    def __call__(self, language: str) -> str:
        if language not in self._said:
            raise UsageError(f"a copy of a result has no '{language}'; it has "
                             + ", ".join(sorted(self._said)))
        return self._said[language]


class Result:
    """An answer: to_dict() is the JSON of the program, str() its text.

    A pickle or a copy keeps the text and, where there is one, the page."""

    _pages = True

    def __init__(self, data: Dict[str, Any], said: Callable[[str], str]):
        self._data = data
        self._text = said("text")
        self._said = said

    def __reduce__(self) -> Any:
        said = {"text": self._text}
        if self._pages:
            said["html"] = self._said("html")
        return type(self), (self._data, _Kept(said))

    def __copy__(self) -> "Result":
        return self

    def __deepcopy__(self, _: Any) -> "Result":
        return self  # nothing in it changes

    def to_dict(self) -> Dict[str, Any]:
        """Return all of it, as --json writes it."""
        return self._data

    def __str__(self) -> str:
        return pythonic(self._text.rstrip("\n"))

    def __repr__(self) -> str:
        verdict = getattr(self, "verdict", None)
        kind = type(self).__name__
        return f"<darc.{kind}: {verdict}>" if verdict else f"<darc.{kind}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    @property
    def notes(self) -> List[str]:
        """Things one should know."""
        return [pythonic(n) for n in self._data.get("notes", [])]

    def summary(self) -> str:
        """Return the answer in a line or two."""
        return str(self).split("\n", 1)[0]

    def to_frame(self) -> Any:
        """Return the answer's table as a pandas DataFrame."""
        raise UsageError(f"{type(self).__name__}: there is no table; "
                         "to_dict() has all of it")

    def plot(self, ax: Any = None) -> Any:
        """Draw the answer by matplotlib into ax (None: new axes); return
        the axes."""
        raise UsageError(f"{type(self).__name__}: there is nothing to plot; "
                         "page() has what there is")

    def page(self) -> str:
        """Return the report as one HTML page."""
        if not self._pages:
            raise NotImplementedError(f"{type(self).__name__} has no page")
        return self._said("html")

    def drawings(self) -> Dict[str, str]:
        """Return the plots of the page, each as SVG, by name."""
        return {part.split(' id="', 1)[1].split('"', 1)[0]: "<?xml" + part
                for part in self._said("svg").split("<?xml")[1:]}

    def _notes_html(self) -> str:
        return "".join(f"<li>{html.escape(n)}</li>" for n in self.notes)


def _told(doc: str, key: str, kind: Callable[[Any], Any], *absent: Any) -> Any:
    """Return a property of a result: what its JSON has under the key, as that
    kind; absent: what stands for a key that may be left out."""
    return property(
        lambda self: kind(self._data.get(key, *absent) if absent
                          else self._data[key]), doc=doc)


def _decided(name: str) -> Any:
    """Return a property of an answer: that member of its decision."""
    return property(lambda self: getattr(self.decision, name))


def _same(value: Any) -> Any:
    return value


def _each(kind: Type[T]) -> Callable[[Any], Any]:
    return lambda rows: [_build(kind, row) for row in rows]


class Overlaid(Result):
    """An answer that overlay=True lets simulate the model."""

    outputs: List[Output] = _told(
        "With overlay=True: how well simulated outputs fit; page() draws "
        "them over the recording.", "outputs", _each(Output), [])


class Judged(Result):
    """An answer with a decision, whose members it has itself, too."""

    _decision = "decision"  # its key

    @property
    def decision(self) -> Decision:
        return _build(Decision, self._data[self._decision])

    @property
    def verdict(self) -> str:
        """"consistent", "inconsistent" or "undecided"."""
        return str(self._data.get("verdict", self.decision.verdict))

    @property
    def reason(self) -> str:
        return pythonic(self.decision.reason)

    defect: Optional[float] = _decided("defect")
    detectable: Optional[float] = _decided("detectable")
    p_value: Optional[float] = _decided("p_value")
    estimates: List[Estimate] = _told(
        "Functions of the parameters that the recordings tell.",
        "estimates", _each(Estimate), [])
    values: Values = _told(
        "Parameters that the recordings tell; intervals are of 1 - alpha.",
        "values", Values, [])

    def summary(self) -> str:
        """Return verdict and reason, and the values."""
        return (f"{self.verdict.upper()}: {self.reason}\n"
                + self.values.summary()).rstrip("\n")

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row a value."""
        return self.values.to_frame()

    def plot(self, ax: Any = None) -> Any:
        """Draw the values with their intervals, by matplotlib."""
        ax = self.values.plot(ax)
        ax.set_title(self.verdict)
        return ax

    def _repr_html_(self) -> str:
        return (_headline(self.verdict, self.reason)
                + _with_level(self.values._html(), self.decision.alpha)
                + f"<ul>{self._notes_html()}</ul>")


class Check(Judged, Overlaid):
    """The answer to a check."""

    stretches: List[Stretch] = _told(
        "With over_time=True: on what stretches one set of parameters holds.",
        "stretches", lambda rows: [
            _build(Stretch, {**s, "from_": s["from"],
                             "change": _each(Change)(s["change"])})
            for s in rows], [])


class Isolation(Judged):
    """Which parameters changed between two recordings.

    verdict: consistent: one diagnosis, or no change; undecided: several;
    inconsistent: no set explains the recordings.  decision: on equal
    parameters; its reason says what was found."""

    _decision = "equal"

    diagnosis: List[List[str]] = _told(
        "The sets of parameters whose change explains the difference.",
        "diagnosis", lambda sets: [list(s) for s in sets])
    candidates: List[Candidate] = _told(
        "All sets that were tried, those that explain it first.",
        "candidates", _each(Candidate))

    def summary(self) -> str:
        """Return what changed and by how much, and the values."""
        return (str(self).split("\n", 1)[0].replace("diagnosis   ", "")
                + "\n" + self.values.summary()).rstrip("\n")

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row a set that was tried."""
        return _frame([{"changed": ", ".join(s.changed), "verdict": s.verdict,
                        "p_value": s.p_value, "defect": s.defect}
                       for s in self.candidates], "changed")

    def plot(self, ax: Any = None) -> Any:
        """Draw how well a change of each set explains the difference: the
        p-value; sets that are rejected lie left of the line."""
        sets = [s for s in self.candidates if s.p_value is not None]
        ax = _bars(ax, [", ".join(s.changed) or "none" for s in sets],
                   [max(s.p_value or 0, 1e-6) for s in sets], "p",
                   color=[_COLOUR.get(s.verdict, "#8a6100") for s in sets])
        ax.set_xscale("log")
        ax.set_xlim(1e-6, 1)
        for i, s in enumerate(sets):
            if (s.p_value or 0) < 1e-6:
                ax.text(1.2e-6, i, "p < 1e-6", va="center")
        ax.axvline(self.decision.alpha or 0.01, color="0.4", linewidth=0.8)
        return ax


class Estimation(Overlaid):
    """Values of parameters, and of functions of them."""

    values: Values = _told("", "values", Values)

    def summary(self) -> str:
        return self.values.summary()

    def to_frame(self) -> Any:
        return self.values.to_frame()

    def plot(self, ax: Any = None) -> Any:
        return self.values.plot(ax)

    def _repr_html_(self) -> str:
        return _with_level(self.values._html(), self._data.get("alpha"))


class Identification(Result):
    """What measurements can tell of the parameters."""

    _pages = False

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: identifiable, by name."""
        return _frame([{"name": k, "identifiable": v}
                       for k, v in {**self.parameters, **self.states,
                                    **self.asked}.items()], "name")

    def summary(self) -> str:
        return (super().summary() + "\nidentifiable: "
                + ", ".join(self.functions))

    def plot(self, ax: Any = None) -> Any:
        """Draw what is known of each parameter, state and function asked
        for: no, local, global; what is undecided has no bar."""
        told = {**self.parameters, **self.states, **self.asked}
        sizes = {"no": 0.05, "local": 1, "global": 2}
        ax = _bars(ax, list(told), [sizes.get(v) for v in told.values()],
                   "identifiable")
        ax.set_xticks([0, 1, 2])
        ax.set_xticklabels(["no", "local", "global"])
        return ax

    functions: List[str] = _told(
        "Functions that are identifiable, and generate all that are.",
        "identifiable", list)
    parameters: Dict[str, str] = _told(
        'By name: "global", "local", "no" or "undecided".', "parameters", dict)
    states: Dict[str, str] = _told(
        "The same of states, at the start of a recording.", "states", dict, {})
    asked: Dict[str, str] = _told(
        "The same of the functions that ask= named.", "asked", dict, {})
    equations: List[str] = _told(
        "The io-equations; each is 0.", "io_equations", list)

    def _repr_html_(self) -> str:
        return (_table(["parameter", "identifiable"],
                       [[k, v] for k, v in self.parameters.items()])
                + f"<p>known: {html.escape(', '.join(self.functions))}</p>")


class Elimination(Result):
    """Equations without what was eliminated."""

    _pages = False

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row an io-equation."""
        return _frame(self._data.get("io", []))

    def summary(self) -> str:
        return ", ".join(
            f"{e.output}: order {e.order}, "
            + (f"{e.monomials} monomials" if e.terms is None
               else f"{e.terms} terms")
            for e in self.io) or super().summary()

    def plot(self, ax: Any = None) -> Any:
        """Draw how many terms each io-equation has."""
        return _bars(ax, [e.output for e in self.io],
                     [e.terms for e in self.io], "terms")

    io: List[Equation] = _told("The io-equations.", "io", _each(Equation), [])
    inequations: List[str] = _told(
        "What must not vanish, or the equations say nothing.",
        "inequations", list, [])
    member: Optional[Dict[str, Any]] = _told(
        'With member="...": expression, vanishes, factor, normal_form.',
        "member", _same, None)

    def format(self, language: str) -> str:
        """Return it as "text", "latex", "json", "c" or "python"."""
        return self._said(language)


class Campaign(Result):
    """Recordings over time against a baseline."""

    verdict: str = _told("The worst of the recordings'.", "verdict", str)
    recordings: List[Dict[str, Any]] = _told(
        "A dict a recording: file, verdict, moved, change.",
        "recordings", list)
    change_points: List[Dict[str, Any]] = _told(
        "Steps: function, first recording after, relative size, sd.",
        "change_points", list, [])
    trends: List[Dict[str, Any]] = _told(
        "Lines: function, change per recording, sd.", "trends", list, [])
    covariates: List[Dict[str, Any]] = _told(
        "What goes with covariates: function, covariate, slope (a share a "
        "unit; None: not told), sd.", "covariates", list, [])
    undecided_changes: List[Dict[str, Any]] = _told(
        "Changes that may be the covariates' doing: function, file, "
        "relative, sd.", "undecided_changes", list, [])

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: the value of every function, by file."""
        import pandas
        return pandas.DataFrame(
            [{c["function"]: c["value"] for c in r.get("change", [])}
             for r in self.recordings],
            index=[r["file"] for r in self.recordings])

    def plot(self, ax: Any = None) -> Any:
        """Draw each function along the recordings, as a change in percent
        with two standard deviations; what moved is filled."""
        names = list(dict.fromkeys(c["function"] for r in self.recordings
                                   for c in r.get("change", [])))
        if not names:
            raise UsageError("no function was followed: nothing to plot")
        ax = _axes(ax, figsize=(8, 4))
        for name in names:
            at = [(i, c) for i, r in enumerate(self.recordings)
                  for c in r.get("change", []) if c["function"] == name
                  and c["relative"] is not None]
            ax.errorbar([i for i, _ in at],
                        [100 * c["relative"] for _, c in at],
                        yerr=[200 * (c["sd"] or 0) for _, c in at], fmt=".-",
                        capsize=2, label=name)
        ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
        ax.set_xlabel("recording")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.set_ylabel("change, %")
        ax.legend()
        return ax

    def _repr_html_(self) -> str:
        answer = self.summary().partition(": ")[2]
        return (_headline(self.verdict, answer)
                + _table(["recording", "verdict", "moved"],
                         [[r["file"], r.get("verdict"),
                           ", ".join(r.get("moved", []))]
                          for r in self.recordings])
                + f"<ul>{self._notes_html()}</ul>")


class Plan(Result):
    """Which changes planned tests would find."""

    _pages = False

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: the least change found, by function."""
        return _frame([{"function": k, "detectable": v}
                       for k, v in self.detectable.items()], "function")

    def summary(self) -> str:
        found = ", ".join(f"{k} from {100 * v:.2g} % on" for k, v
                          in self.detectable.items() if v is not None)
        return f"best: {self.best}" + (f"; it finds {found}" if found else "")

    def plot(self, ax: Any = None) -> Any:
        """Draw the least change that the best test finds, by function."""
        return _bars(ax, list(self.detectable),
                     [x and 100 * x for x in self.detectable.values()],
                     "least change found, %")

    best: Optional[str] = _told(
        "The input of the best test.", "best", _same, None)

    @property
    def detectable(self) -> Dict[str, Optional[float]]:
        """By function: the least change, a fraction, that the best test
        finds; None: none."""
        return {d["function"]: d["relative"]
                for d in self._data.get("detectable") or []}

    tests: List[Dict[str, Any]] = _told(
        "A dict a test: input, failure, detectable, apart, worst.",
        "tests", list)

    def _repr_html_(self) -> str:
        return (f"<p>best <b>{html.escape(str(self.best))}</b></p>"
                + _table(["function", "least change that it finds"],
                         [[name, least and f"{100 * least:.2g} %"]
                          for name, least in self.detectable.items()])
                + f"<ul>{self._notes_html()}</ul>")


class Agreement(Result):
    """Classical agreement of reference and simulation."""

    _pages = False

    consistency: float = _told("All combined, 0 .. 1.", "consistency", float)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row an output."""
        return _frame([{k: v for k, v in o.items() if k != "features"}
                       for o in self.outputs.values()], "name")

    def summary(self) -> str:
        return f"consistency {self.consistency:.3g}"

    def plot(self, ax: Any = None) -> Any:
        """Draw the consistency of each output."""
        ax = _bars(ax, list(self.outputs),
                   [o.get("data_consistency") for o in self.outputs.values()],
                   "consistency")
        ax.set_xlim(0, 1)
        return ax

    @property
    def outputs(self) -> Dict[str, Dict[str, Any]]:
        """By output: theil, theil_reference, proximity, shape, features."""
        return {o["name"]: o for o in self._data.get("outputs", [])}

    def _repr_html_(self) -> str:
        rows = [[name, o.get("theil"), o.get("proximity"), o.get("shape"),
                 o.get("data_consistency")]
                for name, o in self.outputs.items()]
        return (f"<p>consistency <b>{self.consistency:.3g}</b></p>"
                + _table(["output", "Theil", "proximity", "shape",
                          "consistency"], rows))


class Fulfilment(Result):
    """Whether parameters exist with which a model behaves as a target."""

    verdict: str = _told(
        '"fulfilled", "impossible" or "undecided".', "verdict", str)

    @property
    def reason(self) -> str:
        return pythonic(str(self._data["reason"]))

    parameters: Dict[str, str] = _told(
        "Formulas, by name.", "parameters", dict)

    @property
    def witness(self) -> Dict[str, float]:
        """Numbers with which both behave alike; over a band, the nearest."""
        return dict(self._data.get("nearest") or self._data["witness"])

    defect: Optional[float] = _told(
        "Over a band: by which share of the target the nearest misses it.",
        "defect", _same, None)

    def summary(self) -> str:
        return f"{self.verdict}: {self.reason}"

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: formula and number, by parameter."""
        names = dict.fromkeys([*self.parameters, *self.witness])
        return _frame([{"name": k, "formula": self.parameters.get(k),
                        "value": self.witness.get(k)} for k in names], "name")

    def plot(self, ax: Any = None) -> Any:
        """Draw the numbers of the parameters."""
        return _bars(ax, list(self.witness), list(self.witness.values()),
                     "value")

    def _repr_html_(self) -> str:
        return (f"<p><b>{html.escape(self.verdict)}</b> "
                f"{html.escape(self.reason)}</p>"
                + _table(["parameter", "formula", "value"],
                         [[k, self.parameters.get(k), self.witness.get(k)]
                          for k in dict.fromkeys([*self.parameters,
                                                  *self.witness])]))


class Credibility(Result):
    """Whether a simulation is credible, factor by factor."""

    verdict: str = _told(
        '"acceptable", "not acceptable" or "undecided".', "verdict", str)
    factors: List[Dict[str, Any]] = _told(
        "A dict a factor: name, role, similarity, credibility, acceptable.",
        "nodes", list)
    origins: List[str] = _told(
        "Factors in which defects begin.", "origins", list)

    def summary(self) -> str:
        return self.verdict + (f"; origin of the defect: "
                               f"{', '.join(self.origins)}"
                               if self.origins else "")

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row a factor."""
        return _frame(self.factors, "name")

    def plot(self, ax: Any = None) -> Any:
        """Draw the credibility of each factor, and what is asked of it."""
        ax = _bars(ax, [f["name"] for f in self.factors],
                   [f["credibility"] for f in self.factors], "credibility")
        ax.axvline(self._data["credibility_threshold"], color="0.4",
                   linewidth=0.8)
        return ax

    def _repr_html_(self) -> str:
        return (f"<p><b>{html.escape(self.verdict)}</b></p>"
                + _table(["factor", "similarity", "credibility"],
                         [[f["name"], f["similarity"], f["credibility"]]
                          for f in self.factors]))

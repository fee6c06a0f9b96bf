"""What darc answers: typed, as text, as JSON, as a table in a notebook."""

import html
from dataclasses import dataclass, fields
from typing import (Any, Callable, Dict, List, Optional, Sequence, Type,
                    TypeVar)

T = TypeVar("T")


def _build(kind: Type[T], data: Dict[str, Any]) -> T:
    known = {f.name for f in fields(kind)}
    return kind(**{k: v for k, v in data.items() if k in known})


@dataclass(frozen=True)
class Decision:
    """A decision with its evidence; fractions are fractions (0.02 = 2 %), None
    is not known.  detectable: the least defect that would have been found."""

    verdict: str
    reason: str = ""
    p_value: Optional[float] = None
    alpha: Optional[float] = None
    defect: Optional[float] = None
    defect_low: Optional[float] = None
    defect_high: Optional[float] = None
    tolerance: Optional[float] = None
    detectable: Optional[float] = None
    statistic: Optional[float] = None
    dof: Optional[float] = None
    method: str = ""
    noise_colour: Optional[str] = None


@dataclass(frozen=True)
class Estimate:
    """A function of the parameters, as estimated in one or two recordings."""

    function: str
    value_a: Optional[float]
    sd_a: Optional[float]
    value_b: Optional[float] = None
    sd_b: Optional[float] = None


@dataclass(frozen=True)
class Value:
    """A parameter with its interval, in its unit."""

    name: str
    value: Optional[float]
    sd: Optional[float] = None
    unit: str = ""
    low: Optional[float] = None
    high: Optional[float] = None


@dataclass(frozen=True)
class Change:
    """A function of the parameters against what it was before."""

    function: str
    relative: Optional[float]
    sd: Optional[float]
    value: Optional[float]
    value_sd: Optional[float]
    p_value: Optional[float]
    moved: bool


@dataclass(frozen=True)
class Stretch:
    """Seconds of a recording on which one set of parameters holds."""

    from_: float
    to: float
    verdict: str
    moved: List[str]
    change: List[Change]


@dataclass(frozen=True)
class Output:
    """An output as simulated with the values found: its fit in percent."""

    file: str
    name: str
    fit_percent: Optional[float]


@dataclass(frozen=True)
class Candidate:
    """A set of parameters that may have changed."""

    changed: List[str]
    verdict: str
    p_value: Optional[float]
    defect: Optional[float]
    explains_any_change: bool
    equivalent: List[List[str]]


@dataclass(frozen=True)
class Equation:
    """An io-equation: its polynomial is 0."""

    output: str
    leader: str
    order: int
    terms: int
    degree: int
    engine: str
    cpu_s: float
    equation: str = ""


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


class Values(Sequence[Value]):
    """Values in order, or by name: values[0], values["R"]."""

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

    def __repr__(self) -> str:
        return repr(self._all)


class Result:
    """An answer: to_dict() is the JSON of the program, str() its text."""

    def __init__(self, data: Dict[str, Any], said: Callable[[str], str]):
        self._data = data
        self._text = said("text")
        self._said = said

    def to_dict(self) -> Dict[str, Any]:
        """Return all of it, as --json writes it."""
        return self._data

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        verdict = getattr(self, "verdict", None)
        kind = type(self).__name__
        return f"<darc.{kind}: {verdict}>" if verdict else f"<darc.{kind}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    @property
    def notes(self) -> List[str]:
        """Things one should know."""
        return list(self._data.get("notes", []))

    def page(self) -> str:
        """Return the report as one HTML page."""
        return self._said("html")

    def _notes_html(self) -> str:
        return "".join(f"<li>{html.escape(n)}</li>" for n in self.notes)


class Overlaid(Result):
    """An answer that overlay=True lets simulate the model."""

    @property
    def outputs(self) -> List[Output]:
        """With overlay=True: how well simulated outputs fit; page() draws
        them over the recording."""
        return [_build(Output, o) for o in self._data.get("outputs", [])]


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
        return self.decision.reason

    @property
    def defect(self) -> Optional[float]:
        return self.decision.defect

    @property
    def detectable(self) -> Optional[float]:
        return self.decision.detectable

    @property
    def p_value(self) -> Optional[float]:
        return self.decision.p_value

    @property
    def estimates(self) -> List[Estimate]:
        """Functions of the parameters that the recordings tell."""
        return [_build(Estimate, e) for e in self._data.get("estimates", [])]

    @property
    def values(self) -> Values:
        """Parameters that the recordings tell."""
        return Values(self._data.get("values", []))

    def _repr_html_(self) -> str:
        rows = [[e.function, e.value_a, e.sd_a, e.value_b, e.sd_b]
                for e in self.estimates]
        two = any(e.value_b is not None for e in self.estimates)
        head = ["function", "A", "\u00b1", "B", "\u00b1"]
        if not two:
            head, rows = ["function", "value", "\u00b1"], [r[:3] for r in rows]
        return (_headline(self.verdict, self.reason) + _table(head, rows)
                + f"<ul>{self._notes_html()}</ul>")


class Check(Judged, Overlaid):
    """The answer to a check."""

    @property
    def stretches(self) -> List[Stretch]:
        """With over_time=True: on what stretches one set of parameters holds.
        """
        return [Stretch(s["from"], s["to"], s["verdict"], s["moved"],
                        [_build(Change, c) for c in s["change"]])
                for s in self._data.get("stretches", [])]


class Isolation(Judged):
    """Which parameters changed between two recordings.

    verdict: consistent: one diagnosis, or no change; undecided: several;
    inconsistent: no set explains the recordings.  decision: on equal
    parameters; its reason says what was found."""

    _decision = "equal"

    @property
    def diagnosis(self) -> List[List[str]]:
        """The sets of parameters whose change explains the difference."""
        return [list(s) for s in self._data["diagnosis"]]

    @property
    def candidates(self) -> List[Candidate]:
        """All sets that were tried, those that explain it first."""
        return [_build(Candidate, s) for s in self._data["candidates"]]


class Estimation(Overlaid):
    """Values of parameters, and of functions of them."""

    @property
    def values(self) -> Values:
        return Values(self._data["values"])

    def _repr_html_(self) -> str:
        return _table(["", "value", "\u00b1", "unit"],
                      [[v.name, v.value, v.sd, v.unit] for v in self.values])


class Identification(Result):
    """What measurements can tell of the parameters."""

    @property
    def functions(self) -> List[str]:
        """Functions that are identifiable, and generate all that are."""
        return list(self._data["identifiable"])

    @property
    def parameters(self) -> Dict[str, str]:
        """By name: "global", "local", "no" or "undecided"."""
        return dict(self._data["parameters"])

    @property
    def states(self) -> Dict[str, str]:
        """The same of states, at the start of a recording."""
        return dict(self._data.get("states", {}))

    @property
    def asked(self) -> Dict[str, str]:
        """The same of the functions that ask= named."""
        return dict(self._data.get("asked", {}))

    @property
    def equations(self) -> List[str]:
        """The io-equations; each is 0."""
        return list(self._data["io_equations"])

    def page(self) -> str:
        raise NotImplementedError("identifiability has no page")

    def _repr_html_(self) -> str:
        return (_table(["parameter", "identifiable"],
                       [[k, v] for k, v in self.parameters.items()])
                + f"<p>known: {html.escape(', '.join(self.functions))}</p>")


class Elimination(Result):
    """Equations without what was eliminated."""

    @property
    def io(self) -> List[Equation]:
        """The io-equations."""
        return [_build(Equation, e) for e in self._data.get("io", [])]

    @property
    def inequations(self) -> List[str]:
        """What must not vanish, or the equations say nothing."""
        return list(self._data.get("inequations", []))

    def format(self, language: str) -> str:
        """Return it as "text", "latex", "json", "c" or "python"."""
        return self._said(language)

    def page(self) -> str:
        raise NotImplementedError("equations have no page")


class Campaign(Result):
    """Recordings over time against a baseline."""

    @property
    def verdict(self) -> str:
        """The worst of the recordings'."""
        return str(self._data["verdict"])

    @property
    def recordings(self) -> List[Dict[str, Any]]:
        """A dict a recording: file, verdict, moved, change."""
        return list(self._data["recordings"])

    @property
    def change_points(self) -> List[Dict[str, Any]]:
        """Steps: function, first recording after, relative size, sd."""
        return list(self._data.get("change_points", []))

    @property
    def trends(self) -> List[Dict[str, Any]]:
        """Lines: function, change per recording, sd."""
        return list(self._data.get("trends", []))

    @property
    def covariates(self) -> List[Dict[str, Any]]:
        """What goes with covariates: function, covariate, slope (a share a
        unit; None: not told), sd."""
        return list(self._data.get("covariates", []))

    @property
    def undecided_changes(self) -> List[Dict[str, Any]]:
        """Changes that may be the covariates' doing: function, file,
        relative, sd."""
        return list(self._data.get("undecided_changes", []))

    def to_frame(self) -> Any:
        """Return a pandas DataFrame: the value of every function, by file."""
        import pandas  # type: ignore[import]
        return pandas.DataFrame(
            [{c["function"]: c["value"] for c in r.get("change", [])}
             for r in self.recordings],
            index=[r["file"] for r in self.recordings])

    def _repr_html_(self) -> str:
        return (_headline(self.verdict, "")
                + _table(["recording", "verdict", "moved"],
                         [[r["file"], r.get("verdict"),
                           ", ".join(r.get("moved", []))]
                          for r in self.recordings])
                + f"<ul>{self._notes_html()}</ul>")


class Plan(Result):
    """Which changes planned tests would find."""

    @property
    def best(self) -> Optional[str]:
        """The input of the best test."""
        return self._data.get("best")

    @property
    def detectable(self) -> Dict[str, Optional[float]]:
        """By function: the least change, a fraction, that the best test
        finds; None: none."""
        return {d["function"]: d["relative"]
                for d in self._data.get("detectable") or []}

    @property
    def tests(self) -> List[Dict[str, Any]]:
        """A dict a test: input, failure, detectable, apart, worst."""
        return list(self._data["tests"])

    def page(self) -> str:
        raise NotImplementedError("darc plan writes no page")

    def _repr_html_(self) -> str:
        return (f"<p>best <b>{html.escape(str(self.best))}</b></p>"
                + _table(["function", "least change"],
                         [[name, least] for name, least in self.detectable.items()])
                + f"<ul>{self._notes_html()}</ul>")


class Agreement(Result):
    """Classical agreement of reference and simulation."""

    @property
    def consistency(self) -> float:
        """All combined, 0 .. 1."""
        return float(self._data["consistency"])

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

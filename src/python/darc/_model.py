"""Models, and the questions to them."""

import ctypes as c
import json
import os
import tempfile
import weakref
from typing import (Any, Callable, Dict, Iterable, List, Mapping, Optional,
                    Sequence, Union)

from . import _library
from ._library import DataError, Options, UsageError, budget_of, lib
from ._recording import (Data, Recording, each, read, recording_of,
                         told_apart)
from ._results import (Agreement, Campaign, Check, Credibility, Elimination,
                       Estimation, Fulfilment, Identification, Isolation,
                       Plan, T)

_TESTS = ("structure", "equal", "changed")  # darc_test


class _Asked:
    """A result of the library, and what must stay while it is used."""

    def __init__(self, handle: c.c_void_p, kind: str, *kept: Any):
        self._handle = handle
        self._text = f"darc_{kind}_text"
        self._kept = kept
        weakref.finalize(self, getattr(lib, f"darc_{kind}_free"), handle)

    def __call__(self, language: str) -> str:
        return _library.text(self._text, self._handle, language)


def _add(session: c.c_void_p, one: Union[bytes, Recording]) -> None:
    """Give a recording to a session."""
    if isinstance(one, bytes):
        _library.call("darc_session_read", session, one)
        return
    try:
        _library.call("darc_session_add", session, one._handle)
    except DataError as error:
        words = [w for w in one._words if f"'{w}'" in error.message]
        if words:
            raise DataError(f"{error.message}: the column of that name does "
                            "not consist of numbers") from None
        raise


class Model:
    """The equations of a system: a file, or the text of one.

    darc.Model("car.darc"), darc.Model(text="model car ...").

    Options of all questions have the names of the command line, with _ in
    place of - (and from_ for --from): tolerance=0.01, noise={"z": 0.003},
    map={"z": "travel"}, noise_from="rest.csv".  timeout [s], memory [MB] and
    threads bound what a question may take; past them it is a LimitError.
    progress=True shows a bar (of tqdm, where it is there); a function is called
    as progress(stage, done, total).
    """

    def __init__(self, file: Union[str, "os.PathLike[str]", None] = None, *,
                 text: Union[str, None] = None):
        if (file is None) == (text is None):
            raise UsageError("a model is a file or text=")
        if file is not None:
            self._handle = _library.make("darc_model_read",
                                         _library.encode(file))
        else:
            bytes_ = str(text).encode()
            self._handle = _library.make("darc_model_parse", bytes_,
                                         c.c_size_t(len(bytes_)), b"text")
        weakref.finalize(self, lib.darc_model_free, self._handle)
        self._from = (os.path.abspath(os.fspath(file)) if file is not None
                      else None, text)

    def __reduce__(self) -> Any:
        return _again, self._from

    def _name(self, what: str, *index: int) -> str:
        function = getattr(lib, f"darc_model_{what}")
        function.restype = c.c_char_p
        return str(function(self._handle, *index), "utf-8")

    @property
    def name(self) -> str:
        return self._name("name")

    def _names(self, kind: str) -> List[str]:
        return [self._name("unknown", u)
                for u in range(lib.darc_model_unknowns(self._handle))
                if self._name("kind", u) == kind]

    @property
    def parameters(self) -> List[str]:
        return self._names("parameter")

    @property
    def inputs(self) -> List[str]:
        return self._names("input")

    @property
    def outputs(self) -> List[str]:
        return self._names("output")

    @property
    def states(self) -> List[str]:
        return self._names("state")

    def __repr__(self) -> str:
        return f"<darc.Model {self.name}>"

    # ---- questions to recordings ----

    def _session(self, data: Iterable[Data], options: Dict[str, Any],
                 ask: Callable[[c.c_void_p], None],
                 kind: Callable[..., T], series: bool = False) -> T:
        budget = budget_of(options)

        def work() -> T:
            with Options("check", options) as handle:
                session = _library.make("darc_session_open", self._handle,
                                        handle, budget.pointer)
            said = _Asked(session, "session", self, budget)
            lib.darc_session_keep_series(session, c.c_bool(series))
            for i, one in enumerate(data):
                one = recording_of(one, i)
                _add(session, one)
            ask(session)
            return kind(json.loads(said("json")), said)

        return budget.run(work)

    def check(self, test: str, *data: Data, series: bool = False,
              **options: Any) -> Check:
        """Hold the equations against recordings.

        test: "structure" (can the equations produce the recording? of
            several, each of them?),
            "equal" (two: with the same parameters?), "changed" (two: with
            none changed but those of changed="m,c"?).
        data: file names, dicts of arrays, DataFrames, Recordings; with
            each="subject" a file is a recording of each value of the column.
        series: keep the residual along time for page().
        Raises DataError, ModelError, LimitError, UsageError.
        """
        if test not in _TESTS:
            raise UsageError(f"no test '{test}'; known are "
                             + ", ".join(_TESTS))
        return self._session(
            data, options,
            lambda session: _library.call("darc_session_check", session,
                                          _TESTS.index(test)),
            Check, series)

    def values(self, *data: Data, **options: Any) -> Estimation:
        """Find the values of the parameters that all recordings together
        tell, with intervals at level 1 - alpha."""
        return self._session(
            data, options,
            lambda session: _library.call("darc_session_values", session),
            Estimation)

    def isolate(self, a: Data, b: Data, **options: Any) -> Isolation:
        """Find out which parameters changed between two recordings."""
        return self._session(
            (a, b), options,
            lambda session: _library.call("darc_session_isolate", session),
            Isolation)

    def drift(self, data: Iterable[Data] = (), *,
              told: Optional[Mapping[str, Sequence[Any]]] = None,
              **options: Any) -> Campaign:
        """Find out which parameter moved when, over recordings in order of
        time.  Options as of `darc drift`: baseline, db, tolerance, list.

        told: columns that tell of each recording, for group="vehicle" or
        covariate="degrees": {"vehicle": ["A", "B"], "degrees": [20, None]}.
        """
        budget = budget_of(options)
        data = list(data)
        columns = {k: list(column) for k, column in (told or {}).items()}
        for name, column in columns.items():
            if len(column) != len(data):
                raise UsageError(f"told: {name!r} tells of {len(column)} "
                                 f"recordings; there are {len(data)}")

        def work() -> Campaign:
            with Options("drift", options) as handle:
                campaign = _library.make("darc_campaign_open", self._handle,
                                         handle, budget.pointer)
            kept = told_apart([recording_of(one, i, letters=False)
                               for i, one in enumerate(data)])
            said = _Asked(campaign, "campaign", self, budget, kept)
            for i, one in enumerate(kept):
                if isinstance(one, Recording):
                    lib.darc_campaign_add(campaign, one._handle)
                else:
                    lib.darc_campaign_read(campaign, one)
                for name, column in columns.items():
                    lib.darc_campaign_tell(campaign, name.encode(),
                                           _library.cell(column[i]))
            _library.call("darc_campaign_run", campaign)
            return Campaign(json.loads(said("json")), said)

        return budget.run(work)

    # ---- questions to the equations ----

    def _find(self, command: str, result: str, kind: Callable[..., T],
              options: Dict[str, Any], *others: "Model") -> T:
        budget = budget_of(options)

        def work() -> T:
            with Options(command, options) as handle:
                found = _library.make(f"darc_{command}", self._handle,
                                      *(m._handle for m in others), handle,
                                      budget.pointer)
            said = _Asked(found, result, self, others, budget)
            return kind(json.loads(said("json")), said)

        return budget.run(work)

    def identify(self, **options: Any) -> Identification:
        """Tell which functions of the parameters measurements can tell;
        ask=["k1*k2", "x1"]: these too."""
        return self._find("identify", "identified", Identification, options)

    def eliminate(self, **options: Any) -> Elimination:
        """Eliminate states: the io-equations, or what keep= and for_= ask
        for."""
        return self._find("eliminate", "elimination", Elimination, options)

    def fulfil(self, target: "Model", **options: Any) -> Fulfilment:
        """Find parameters with which this model behaves as the target, or
        proof that none do.  Options as of `darc fulfil`: free=["Kp", "Ki"],
        param={"J": 2}; band=(0.1, 2) [Hz], tolerance."""
        return self._find("fulfil", "fulfilled", Fulfilment, options, target)

    def plan(self, values: Data, input: Dict[str, Any],
             **options: Any) -> Plan:
        """Tell which changes a planned test would find, at the values and with
        the noise of a recording.  input={"u": "step:1,1"}; several of an input,
        {"u": ["step:1,1", "sine:1,2"]}, are as many tests.  Options as of
        `darc plan`: t_end [s], alpha."""
        kept = recording_of(values, 0)
        with tempfile.TemporaryDirectory() as folder:
            if isinstance(kept, Recording):
                file = os.path.join(folder, "values.csv")
                kept.save(file)
                kept = file.encode()
            return self._find("plan", "planned", Plan,
                              {"values": os.fsdecode(kept), "input": input,
                               **options})

    def simulate(self, *, param: Dict[str, float], input: Dict[str, str],
                 **options: Any) -> Recording:
        """Make a recording: param={"m": 300}, input={"z": "sine:1,2"},
        init={"x": 1}, t_end=10 [s], rate=1000 [Hz], noise=0.01."""
        budget = budget_of(options)

        def work() -> Recording:
            with Options("simulate", {"param": param, "input": input,
                                      **options}) as handle:
                return Recording._of(_library.make(
                    "darc_recording_simulate", self._handle, handle,
                    budget.pointer))

        return budget.run(work)


def _again(file: Optional[str], text: Optional[str]) -> Model:
    """Return the model that was pickled: of a file, as it is now."""
    return Model(file, text=text)


def compare(reference: Data, *simulations: Data, **options: Any) -> Agreement:
    """Compare simulations with a reference by classical measures.

    Options as of `darc compare`: columns, features, target, spectra; each: a
    file is a recording of each value of that column.
    """
    made: List[Recording] = []
    column = options.pop("each", None)
    reading = {k: options[k] for k in ("map", "scale", "time", "rate", "from_",
                                       "to") if k in options}
    for i, one in enumerate((reference, *simulations)):
        one = recording_of(one, i)
        if isinstance(one, Recording):
            made.append(one)
        elif column is not None:
            made += each(os.fsdecode(one), column, **reading)
        else:
            made.append(read(os.fsdecode(one), **reading))
    handles = (c.c_void_p * len(made))(*(r._handle.value for r in made))
    with Options("compare", options) as handle:
        found = _library.make("darc_compare", handles, 1, len(made), handle)
    said = _Asked(found, "agreement", made)
    return Agreement(json.loads(said("json")), said)


def assess(file: Union[str, "os.PathLike[str]"], **options: Any) -> Credibility:
    """Assess the credibility of a simulation by a file of factors, as
    `darc credibility`."""
    with Options("credibility", options) as handle:
        found = _library.make("darc_assess", _library.encode(file), handle)
    said = _Asked(found, "credibility")
    return Credibility(json.loads(said("json")), said)

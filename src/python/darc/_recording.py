"""Recordings: signals over time, from files, arrays and tables."""

import ctypes as c
import html
import os
import re
import warnings
import weakref
from typing import Any, Dict, Iterator, List, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _library
from ._library import DataError, Options, Samples, UsageError, lib

Array = npt.NDArray[np.float64]

_TIMES = ("time", "t", "zeit", "timestamp")
_SECONDS = {"": 1.0, "s": 1.0, "sec": 1.0, "ms": 1e-3, "us": 1e-6,
            "\u00b5s": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}


def _split(label: Any) -> List[str]:
    """Return name and unit of a label such as "F [N]"."""
    found = re.fullmatch(r"\s*(.*?)\s*\[([^\]]*)\]\s*", str(label))
    return [found.group(1), found.group(2)] if found else [str(label), ""]


def _time_of(label: Any) -> Optional[str]:
    """Return the unit of a label that names a time ("t [ms]", "time_us"), ""
    where it has none; None: it names no time."""
    name, unit = _split(label)
    if name.lower() in _TIMES:
        return unit
    stem, _, last = name.lower().rpartition("_")
    return last if not unit and stem in _TIMES and last in _SECONDS else None


def _seconds(values: Any, unit: str) -> Array:
    if str(getattr(values, "dtype", "")).startswith("period"):
        values = getattr(values, "dt", values).to_timestamp()
    for dated in (values, getattr(values, "dt", None)):
        if getattr(dated, "tz", None) is not None:
            values = dated.tz_convert(None)  # UTC: no hour comes twice
    array = np.asarray(values)
    if array.dtype.kind == "M":
        array = array - array[0]
    if array.dtype.kind == "m":
        return np.asarray(array / np.timedelta64(1, "s"), float)
    if unit not in _SECONDS:
        raise DataError(f"time has the unit '{unit}'; known are "
                        + ", ".join(u for u in _SECONDS if u))
    return np.asarray(array, float) * _SECONDS[unit]


def _index_time(data: Any) -> Any:
    """Return the index of a DataFrame where it is a time, else None."""
    index = getattr(data, "index", None)
    if index is None or not hasattr(data, "columns"):
        return None
    dated = str(index.dtype).startswith(("datetime", "timedelta", "period"))
    return index if dated or _time_of(index.name) is not None else None


def _columns(data: Any) -> Any:
    """Return what has names and columns: a mapping or a DataFrame as it is,
    an xarray.Dataset and what speaks the dataframe protocol (polars) as one
    of pandas.  Fails: TypeError for all else."""
    if hasattr(data, "to_dataframe"):
        frame = data.to_dataframe()
        units = {name: one.attrs["units"]
                 for name, one in getattr(data, "variables", {}).items()
                 if one.attrs.get("units")}
        if frame.index.name in units:
            frame.index.name += f" [{units.pop(frame.index.name)}]"
        frame.attrs["units"] = units
        return frame
    if hasattr(data, "iloc") or isinstance(data, Mapping):
        return data
    if hasattr(data, "__dataframe__"):
        from pandas.api.interchange import from_dataframe  # type: ignore
        return from_dataframe(data)
    raise TypeError(
        f"a recording is a file name, a dict of arrays, a DataFrame or a "
        f"darc.Recording; {type(data).__name__} is none of these")


class Recording:
    """Signals over time.

    data: a dict of arrays of one length, a DataFrame of pandas or polars, or
        an xarray.Dataset.  A name may carry its unit: "F [N]".  NaN is a gap.
    time: an array [s], or the name of a column; where it is not given, the
        column or index named time, t or t_ms, or an index of dates.
    rate: samples per second, where there is no time at all.
    units: {"F": "N"}; a DataFrame may have them in attrs["units"], too.
    map: {"F": "Kraft"}, the model's names for columns.
    Columns of words are left out, with a warning.
    name: for messages and reports.
    """

    def __init__(self, data: Any, *, time: Any = None,
                 rate: Optional[float] = None,
                 units: Optional[Mapping[str, str]] = None,
                 map: Optional[Mapping[str, str]] = None,
                 name: str = "recording"):
        data = _columns(data)
        columns = {label: data[label] for label in data}
        times = self._find_time(data, columns, time, rate)
        names = {column: own for own, column in (map or {}).items()}
        given = {**getattr(data, "attrs", {}).get("units", {}),
                 **(units or {})}
        self._words: List[str] = []  # columns that are left out
        known: Dict[str, Array] = {}
        unit: Dict[str, str] = {}
        for label, values in columns.items():
            plain, inside = _split(label)
            own = names.get(plain, names.get(str(label), plain))
            try:
                known[own] = self._column(own, values)
            except DataError as error:
                if own in (map or {}):
                    raise
                warnings.warn(f"{name}: {error}, and is left out",
                              stacklevel=2)
                self._words.append(own)
                continue
            unit[own] = given.get(own, given.get(plain, inside))
        for own, column in (map or {}).items():
            if own not in known:
                raise DataError(f"{name}: no column '{column}'; columns: "
                                + ", ".join(str(x) for x in columns))
        self._hold(self._make(name, known, unit, times, rate))

    @classmethod
    def _of(cls, handle: c.c_void_p) -> "Recording":
        made = cls.__new__(cls)
        made._words = []
        made._hold(handle)
        return made

    def _hold(self, handle: c.c_void_p) -> None:
        self._handle = handle
        weakref.finalize(self, lib.darc_recording_free, handle)

    @staticmethod
    def _find_time(data: Any, columns: Dict[Any, Any], time: Any,
                   rate: Optional[float]) -> Optional[Array]:
        """Take the time out of columns."""
        label = None
        if isinstance(time, str):
            label = next((x for x in columns if time in (x, _split(x)[0])),
                         None)
            if label is None:
                raise DataError(f"no column '{time}' for the time; columns: "
                                + ", ".join(str(x) for x in columns))
        elif time is not None:
            return _seconds(time, "")
        elif rate is None:
            label = next((x for x in columns if _time_of(x) is not None), None)
        if label is not None:
            unit = _time_of(label)
            return _seconds(columns.pop(label),
                            _split(label)[1] if unit is None else unit)
        if rate is None:
            index = _index_time(data)
            if index is None:
                raise UsageError("the recording has no time: give time= (an "
                                 "array in s or a column's name) or rate= (Hz)")
            return _seconds(index, _time_of(index.name) or "")
        return None

    @staticmethod
    def _column(name: str, values: Any) -> Array:
        try:
            column = np.ascontiguousarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise DataError(f"signal '{name}' does not consist of numbers") \
                from None
        if column.ndim != 1:
            raise DataError(f"signal '{name}' has {column.ndim} dimensions; "
                            "one is expected")
        return column

    @staticmethod
    def _make(name: str, signals: Dict[str, Array], unit: Dict[str, str],
              time: Optional[Array], rate: Optional[float],
              t0: float = 0.0) -> c.c_void_p:
        n = len(time) if time is not None else \
            len(next(iter(signals.values()), ()))
        for key, column in signals.items():
            if len(column) != n:
                raise DataError(f"signal '{key}' has {len(column)} samples, "
                                f"others have {n}")
        double = c.POINTER(c.c_double)
        count = len(signals)
        if time is not None:
            time = np.ascontiguousarray(time, dtype=np.float64)
        given = Samples(
            name.encode(), n,
            time.ctypes.data_as(double) if time is not None else None,
            t0, rate or 0.0, count,
            (c.c_char_p * count)(*(key.encode() for key in signals)),
            (c.c_char_p * count)(*(unit[key].encode() for key in signals)),
            (double * count)(*(column.ctypes.data_as(double)
                               for column in signals.values())))
        return _library.make("darc_recording_new", c.byref(given))

    def _called(self, name: str) -> "Recording":
        """Return a copy under another name."""
        return _again(name, *self.__reduce__()[1][1:])

    @property
    def _samples(self) -> Samples:
        lib.darc_recording_samples.restype = c.POINTER(Samples)
        found: Samples = lib.darc_recording_samples(self._handle).contents
        return found

    def __len__(self) -> int:
        return int(self._samples.samples)

    @property
    def time(self) -> Array:
        """Times of the samples, s."""
        s = self._samples
        if not s.time:
            uniform: Array = s.t0 + np.arange(s.samples) / s.rate
            return uniform
        return np.ctypeslib.as_array(s.time, (s.samples,)).copy()

    @property
    def units(self) -> Dict[str, str]:
        """Units of the signals, "" where there is none."""
        s = self._samples
        return {s.signal[k].decode(): s.unit[k].decode() if s.unit else ""
                for k in range(s.signals)}

    @property
    def signals(self) -> Dict[str, Array]:
        """Copies of the signals; NaN is a gap."""
        s = self._samples
        return {s.signal[k].decode():
                np.ctypeslib.as_array(s.value[k], (s.samples,)).copy()
                for k in range(s.signals)}

    def __getitem__(self, name: str) -> Array:
        return self.signals[name]

    def keys(self) -> List[str]:
        """Return the names of the signals; len() counts samples."""
        return list(self.units)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in self.units

    def __reduce__(self) -> Any:
        s = self._samples
        return _again, (s.name.decode(), self.signals, self.units,
                        self.time if s.time else None, s.t0, s.rate)

    def plot(self, ax: Any = None) -> Any:
        """Draw the signals over time by matplotlib, one below the other (all
        into ax, where it is given); return the axes."""
        import matplotlib.pyplot as plt  # type: ignore[import]
        units = self.units
        axes = [ax] * len(units) if ax is not None else list(plt.subplots(
            len(units), sharex=True, squeeze=False, layout="constrained",
            figsize=(8, 1 + 1.5 * len(units)))[1][:, 0])
        for at, (name, values) in zip(axes, self.signals.items()):
            at.plot(self.time, values, linewidth=0.8, label=name)
            at.set_ylabel(f"{name} [{units[name]}]" if units[name] else name)
        axes[-1].set_xlabel("time [s]")
        return ax if ax is not None else axes

    def to_frame(self) -> Any:
        """Return a pandas DataFrame over time, units in attrs["units"]."""
        import pandas  # type: ignore[import]
        frame = pandas.DataFrame(self.signals,
                                 index=pandas.Index(self.time, name="time"))
        frame.attrs["units"] = self.units
        return frame

    def save(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Write it as CSV; every number reads back as it was."""
        _library.call("darc_recording_save", self._handle,
                      _library.encode(file))

    def __str__(self) -> str:
        """Range, noise, band and gaps of each signal, as `darc data`."""
        return _library.text("darc_recording_text", self._handle, "text")

    def __repr__(self) -> str:
        return f"<darc.Recording of {len(self)} samples: " \
            f"{', '.join(self.units)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _again(name: str, signals: Dict[str, Array], units: Dict[str, str],
           time: Optional[Array], t0: float, rate: float) -> Recording:
    """Return the recording that was pickled."""
    return Recording._of(Recording._make(name, signals, units, time, rate, t0))


def read(file: Union[str, "os.PathLike[str]"], **options: Any) -> Recording:
    """Read a recording from a file: CSV, MAT, HDF5, NPY, MDF.

    Options are those of `darc data`: map, scale, time, rate, from_, to.
    """
    with Options("data", options) as handle:
        return Recording._of(_library.make(
            "darc_recording_read", _library.encode(file), handle))


def each(file: Union[str, "os.PathLike[str]"], column: str,
         **options: Any) -> List[Recording]:
    """Read the recordings of a long table: one of each value of the column,
    as they come in the file.  Options as of read."""
    parts = _library.make("darc_parts_new", _library.encode(file),
                          column.encode())
    try:
        lib.darc_parts_name.restype = c.c_char_p
        names = [lib.darc_parts_name(parts, i)
                 for i in range(lib.darc_parts_count(parts))]
    finally:
        lib.darc_parts_free(parts)
    return [read(os.fsdecode(name), **options) for name in names]


Data = Union[str, "os.PathLike[str]", Mapping[str, Any], Recording, Any]


def recording_of(data: Data, number: int,
                 letters: bool = True) -> Union[bytes, Recording]:
    """Return the name of a file, or a recording; the first two without a name
    are A and B, as reports call them, or 1 and 2."""
    if isinstance(data, Recording):
        return data
    if isinstance(data, (str, os.PathLike)):
        return _library.encode(data)
    return Recording(data, name=f"recording {'AB'[number]}"
                     if letters and number < 2 else f"recording {number + 1}")


def told_apart(data: List[Union[bytes, Recording]]
               ) -> List[Union[bytes, Recording]]:
    """Return recordings of which no two have one name: where several have it,
    their places in the list stand behind it."""
    names = [r._samples.name if isinstance(r, Recording) else None
             for r in data]
    return [r._called(f"{names[i].decode()} {i + 1}")
            if isinstance(r, Recording) and names.count(names[i]) > 1 else r
            for i, r in enumerate(data)]

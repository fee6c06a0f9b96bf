"""libdarc through ctypes: where it is, how it is called, its errors."""

import ctypes as c
import keyword
import os
import pathlib
import re
import signal
import sys
import threading
from typing import Any, Callable, Dict, Iterator, Optional, TypeVar

T = TypeVar("T")

SONAME = "libdarc.so.1"


def pythonic(text: str) -> str:
    """Return a text with options as Python has them: --noise-from FILE and
    --noise-from=FILE become noise_from=FILE."""
    def option(found: "re.Match[str]") -> str:
        name = found.group(1).replace("-", "_")
        return (name + "_" if keyword.iskeyword(name) else name) + "=" + (
            found.group(2) or "")
    text = text.replace("; see --help of the command", "")
    text = text.replace("--verbose", "verbose=True")
    text = re.sub(r"darc check (structure|equal|changed)", r'check("\1", ...)',
                  text)
    return re.sub(r"--([a-z][a-z-]*[a-z])(?:=| (?=[A-Z]))?([A-Z0-9][\w.,=:]*)?",
                  option, text)


class Error(Exception):
    """What darc refuses, with its place where there is one.

    Attributes: message (all of it), file, line, column (None where unknown).
    """

    def __init__(self, message: str):
        message = pythonic(message)
        super().__init__(message)
        self.message = message
        self.file: Optional[str] = None
        self.line: Optional[int] = None
        self.column: Optional[int] = None
        place = re.match(r"(.*?):(\d+):(\d+): error: ", message)
        if place:
            self.file = place.group(1)
            self.line = int(place.group(2))
            self.column = int(place.group(3))


class ModelError(Error):
    """A model that cannot be read, or that leaves nothing to ask."""


class DataError(Error):
    """A recording that cannot be read, or that no method applies to."""


class LimitError(Error):
    """Time or memory ran out."""


class UsageError(Error, ValueError):
    """An option that does not exist or has no such value."""


# By darc_status, in the order of darc/status.h.
_ERRORS = (Error, ModelError, ModelError, DataError, DataError, ModelError,
           LimitError, Error, UsageError)
_IO = 4


class _Err(c.Structure):  # darc_err
    _fields_ = [("status", c.c_int), ("message", c.c_char * 2048)]


class Samples(c.Structure):  # darc_samples
    _fields_ = [("name", c.c_char_p), ("samples", c.c_size_t),
                ("time", c.POINTER(c.c_double)), ("t0", c.c_double),
                ("rate", c.c_double), ("signals", c.c_int),
                ("signal", c.POINTER(c.c_char_p)),
                ("unit", c.POINTER(c.c_char_p)),
                ("value", c.POINTER(c.POINTER(c.c_double)))]


class Progress(c.Structure):  # darc_progress
    _fields_ = [("stage", c.c_char_p), ("done", c.c_long),
                ("total", c.c_long), ("terms", c.c_long)]


_Interrupted = c.CFUNCTYPE(c.c_int, c.c_void_p)
_Progressed = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Progress))


class _Budget(c.Structure):  # darc_budget
    _fields_ = [("deadline", c.c_double), ("memory", c.c_size_t),
                ("threads", c.c_int), ("work", c.c_double), ("here", c.c_bool),
                ("interrupted", _Interrupted), ("progress", _Progressed),
                ("partial", c.c_void_p), ("user", c.c_void_p),
                ("reached", c.c_void_p), ("reader", c.c_void_p),
                ("left", c.c_void_p)]


def _places() -> Iterator[str]:
    """Where the library may be: as told, in the package, in its prefix."""
    if "DARC_LIBRARY" in os.environ:
        yield os.environ["DARC_LIBRARY"]
        return
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here, *list(here.parents)[:4]):
        if (folder / SONAME).exists():
            yield str(folder / SONAME)
    yield SONAME


def _load() -> c.CDLL:
    why = None
    units = pathlib.Path(__file__).resolve().parent / "udunits/udunits2.xml"
    if units.exists():  # a wheel that carries all it needs
        os.environ.setdefault("UDUNITS2_XML_PATH", str(units))
    for place in _places():
        try:
            lib = c.CDLL(place)
        except OSError as error:
            why = error
            continue
        lib.darc_now.restype = c.c_double
        return lib
    raise ImportError(
        f"{why}; install darc (make install, or the package libdarc1), or set "
        f"DARC_LIBRARY to the path of {SONAME}")


lib = _load()


def call(name: str, *args: Any) -> None:
    """Call a function whose last argument is a darc_err."""
    err = _Err()
    lib.darc_err_init(c.byref(err))
    status = getattr(lib, name)(*args, c.byref(err))
    if status == 0:
        return
    kind = _ERRORS[status] if status < len(_ERRORS) else Error
    if status == _IO and name.startswith("darc_model"):
        kind = ModelError
    error = kind(err.message.decode("utf-8", "replace"))
    for arg in args:  # a file that could not be opened
        if isinstance(arg, bytes) and error.file is None and \
                error.message.startswith(os.fsdecode(arg) + ":"):
            error.file = os.fsdecode(arg)
    raise error


def make(name: str, *args: Any) -> c.c_void_p:
    """Return the object that a function sets its first argument to."""
    out = c.c_void_p()
    call(name, c.byref(out), *args)
    return out


def text(name: str, handle: c.c_void_p, language: str) -> str:
    """Return what a darc_..._text function says in that language."""
    function = getattr(lib, name)
    function.restype = c.c_char_p
    said: Optional[bytes] = function(handle, language.encode())
    if said is None:
        raise UsageError(f"'{language}' is no format of this result, or "
                         "memory is short")
    return said.decode("utf-8", "replace")


def encode(path: Any) -> bytes:
    return os.fsencode(os.fspath(path))


# ---- options -----------------------------------------------------------------


def _say(value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return ",".join(f"{k}={_say(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_say(v) for v in value)
    if isinstance(value, float):
        return repr(value)
    return str(os.fspath(value) if isinstance(value, os.PathLike) else value)


def cell(value: Any) -> Optional[bytes]:
    """Return a value as a list has it; None, NaN: nothing is told."""
    if value is None or value != value:
        return None
    return str(value).encode()


class Options:
    """Options of a command, as on its command line with _ in place of -."""

    def __init__(self, command: str, options: Dict[str, Any]):
        self.handle = make("darc_options_new", command.encode())
        try:
            for name, value in options.items():
                self._set(name.rstrip("_").replace("_", "-"), value)
        except BaseException:
            self.free()
            raise

    def _set(self, name: str, value: Any) -> None:
        if value is None or value is False:
            return
        values = [value]
        if name == "input" and isinstance(value, dict):
            values = [{k: one} for k, v in value.items()
                      for one in (v if isinstance(v, (list, tuple)) else [v])]
        for one in values:
            call("darc_options_set", self.handle, name.encode(),
                 _say(one).encode())

    def free(self) -> None:
        lib.darc_options_free(self.handle)

    def __enter__(self) -> c.c_void_p:
        return self.handle

    def __exit__(self, *_: Any) -> None:
        self.free()


# ---- budgets -----------------------------------------------------------------


def _bar() -> Callable[[str, int, int], None]:
    """Return a bar of tqdm, or a line on standard error without it."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:
        return lambda stage, done, total: print(
            f"\r{stage} {done}" + (f" of {total}" if total else ""),
            end="", file=sys.stderr, flush=True)
    bar = tqdm(total=0, leave=False)

    def show(stage: str, done: int, total: int) -> None:
        bar.set_description(stage, refresh=False)
        bar.total, bar.n = total or None, done
        bar.refresh()
    return show


class Budget:
    """Limits of a call in seconds and megabytes; Ctrl-C ends it, too.

    progress: called as progress(stage, done, total) from time to time, total
        being 0 where it is not known; True: a bar by tqdm, where it is there.
    """

    def __init__(self, timeout: Optional[float] = None,
                 memory: Optional[float] = None,
                 threads: Optional[int] = None,
                 progress: Any = None):
        self._stopped = False
        self._before: Any = None
        self._look = _Interrupted(lambda _: int(self._stopped))
        self.struct = _Budget()
        lib.darc_budget_init(c.byref(self.struct))
        if timeout is not None:
            self.struct.deadline = lib.darc_now() + timeout
        if memory is not None:
            self.struct.memory = int(memory * 2**20)
        if threads is not None:
            self.struct.threads = threads
        self.struct.interrupted = self._look
        if progress:
            self._tell = _bar() if progress is True else progress
            self._raised: Optional[BaseException] = None
            self._seen = _Progressed(self._show)
            self.struct.progress = self._seen

    @property
    def pointer(self) -> Any:
        return c.byref(self.struct)

    def _stop(self, *_: Any) -> None:
        self._stopped = True

    def _show(self, _: Any, at: Any) -> None:
        """Pass progress on; what the callback raises ends the call."""
        p = at.contents
        try:
            self._tell((p.stage or b"").decode("utf-8", "replace"), p.done,
                       p.total)
        except BaseException as error:
            self._raised, self._stopped = error, True

    def run(self, work: Callable[[], T]) -> T:
        """Return what work returns; Ctrl-C ends it by KeyboardInterrupt."""
        if threading.current_thread() is not threading.main_thread():
            return work()
        before = signal.signal(signal.SIGINT, self._stop)
        try:
            return work()
        except LimitError:
            if not self._stopped:
                raise
            raise getattr(self, "_raised", None) or KeyboardInterrupt from None
        finally:
            signal.signal(signal.SIGINT, before)


def budget_of(options: Dict[str, Any]) -> Budget:
    """Take timeout, memory, threads and progress out of options."""
    return Budget(options.pop("timeout", None), options.pop("memory", None),
                  options.get("threads"), options.pop("progress", None))

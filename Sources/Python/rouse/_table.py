"""Tables as columns in memory, which other libraries take without a copy."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_int64, c_size_t, c_void_p
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Optional, Sequence

from . import _command

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class _Schema(Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))), ("dictionary", POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_Schema))), ("private_data", c_void_p),
]


class _Stream(Structure):
    pass


_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, POINTER(_Stream), POINTER(_Schema))), ("get_next", c_void_p),
    ("get_last_error", c_void_p), ("release", ctypes.CFUNCTYPE(None, POINTER(_Stream))), ("private_data", c_void_p),
]


class _Options(Structure):
    """`rouse_table_options_t` of rouse_columns.h."""

    _fields_ = [
        ("size", c_size_t), ("table", c_char_p), ("traces", POINTER(c_char_p)), ("trace_count", c_size_t),
        ("policy", c_char_p), ("without", c_char_p), ("devices", POINTER(c_char_p)), ("device_count", c_size_t),
        ("types", POINTER(c_char_p)), ("type_count", c_size_t), ("from_", c_char_p), ("to", c_char_p),
        ("threads", c_int32), ("keep_going", c_int32),
    ]


@lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(_command.path("librouse.so.0", "ROUSE_LIBRARY"))
    library.rouse_table_open.argtypes = [POINTER(_Options), POINTER(c_void_p)]
    library.rouse_table_of_json.argtypes = [c_char_p, POINTER(c_void_p)]
    library.rouse_table_stream.argtypes = [c_void_p, c_void_p]
    library.rouse_table_close.argtypes = [c_void_p]
    library.rouse_table_close.restype = None
    library.rouse_last_error.restype = c_char_p
    return library


def _check(status: int) -> None:
    if status != 0:
        raise _command.Error(_library().rouse_last_error().decode(errors="replace"))


# `rouse_table_capsule` makes a capsule by these; it holds the lock of the interpreter, unlike the others.
_MAKE = ctypes.cast(ctypes.pythonapi.PyCapsule_New, c_void_p)
_POINTER_OF = ctypes.cast(ctypes.pythonapi.PyCapsule_GetPointer, c_void_p)


@lru_cache(maxsize=None)
def _capsule_function() -> Any:
    function = ctypes.PyDLL(_library()._name).rouse_table_capsule
    function.argtypes, function.restype = [c_void_p, c_void_p, c_void_p], ctypes.py_object
    return function


def _texts(values: Sequence[str]) -> Any:
    return (c_char_p * len(values))(*map(_text, values)) if values else None


def _text(value: Optional[str]) -> Optional[bytes]:
    return None if value is None else _command.text(value)


class Table:
    """Columns in memory, that pandas, polars, DuckDB, pyarrow and others take by the Arrow PyCapsule interface.

        polars.DataFrame(table)
        pandas.DataFrame.from_arrow(table)
        wakes = table
        duckdb.sql("SELECT app, count(*) FROM wakes GROUP BY app")     # finds the variable `wakes`

    A table may be taken as often as needed; what took it keeps its memory.
    """

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a table of rouse cannot be copied or pickled; take it again as often as needed")

    def __init__(self, handle: int, library: ctypes.CDLL) -> None:
        self._handle, self._close = handle, library.rouse_table_close

    @classmethod
    def open(
        cls, table: str, traces: Sequence[str], *, policy: Optional[str] = None, without: Optional[str] = None,
        devices: Sequence[str] = (), types: Sequence[str] = (), start: Optional[str] = None, end: Optional[str] = None,
        threads: int = 1, keep_going: bool = False,
    ) -> Table:
        """Opens a table of librouse: "wakes", "items", "waits" or "samples"."""
        for name, values in (("traces", traces), ("devices", devices), ("types", types)):
            if isinstance(values, str):
                raise _command.Error(f"{name} is the text {values!r}: give a list of texts")
        options = _Options(
            ctypes.sizeof(_Options), _text(table), _texts([_command.absolute(trace) for trace in traces]), len(traces),
            None if policy is None else _text(_command.policy_path(policy)), _text(without),
            _texts(devices), len(devices), _texts(types), len(types), _text(start), _text(end), threads, int(keep_going))
        handle = c_void_p()
        _check(_library().rouse_table_open(byref(options), byref(handle)))
        return cls(handle.value or 0, _library())

    @classmethod
    def of_json(cls, json: str) -> Table:
        """A table of a JSON array of objects, whose members are its columns."""
        handle = c_void_p()
        _check(_library().rouse_table_of_json(json.encode(), byref(handle)))
        return cls(handle.value or 0, _library())

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", 0), 0
        if handle:
            self._close(handle)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule with an `ArrowArrayStream` of all rows. Another schema than the table's is not made."""
        return _capsule_function()(self._handle, _MAKE, _POINTER_OF)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        stream, schema = _Stream(), _Schema()
        _check(_library().rouse_table_stream(self._handle, byref(stream)))
        stream.get_schema(byref(stream), byref(schema))
        stream.release(byref(stream))
        names = [schema.children[place].contents.name.decode() for place in range(schema.n_children)]
        schema.release(byref(schema))
        return names

    def __repr__(self) -> str:
        return f"<rouse.Table: {', '.join(self.columns)}>"

    def to_arrow(self) -> pyarrow.Table:
        """The table of pyarrow, which must be installed."""
        with _command.needing("pyarrow"):
            import pyarrow
        try:
            return pyarrow.table(self)
        except OSError as error:
            raise _command.Error(str(error)) from None

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of pandas; pyarrow must be installed too."""
        with _command.needing("pandas"):
            return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """A data frame of polars, which must be installed."""
        with _command.needing("polars"):
            import polars
        try:
            return polars.DataFrame(self)
        except polars.exceptions.ComputeError as error:
            raise _command.Error(str(error).removeprefix("got external error: ")) from None

"""Replays, and what they tell."""
from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from functools import cached_property
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Union

from . import _command
from ._table import Table

PathLike = Union[str, "os.PathLike[str]"]
# A preset (`ios`, `watchos`), the path of a policy, or the policy itself.
Policy = Union[str, "os.PathLike[str]", Mapping[str, Any]]
# 2026-01-01T08:00:00Z, a datetime, or nanoseconds since 1970.
Time = Union[str, int, datetime]


def _list(values: Union[PathLike, Iterable[PathLike]]) -> list[str]:
    if isinstance(values, (str, os.PathLike)):
        return [os.fspath(values)]
    return [os.fspath(value) for value in values]


def _time(value: Optional[Time]) -> Optional[str]:
    if not isinstance(value, datetime):
        return None if value is None else str(value)
    if value.tzinfo is None:
        raise _command.Error(f"the time {value} has no time zone: give it one, such as datetime.timezone.utc")
    since = value - datetime(1970, 1, 1, tzinfo=timezone.utc)
    # A timestamp of pandas has nanoseconds, too.
    return str(since // timedelta(microseconds=1) * 1000 + getattr(value, "nanosecond", 0))


def replay(
    traces: Union[PathLike, Iterable[PathLike]], policy: Policy = "ios", *, without: Union[str, Iterable[str]] = (),
    devices: Union[str, Iterable[str]] = (), types: Union[str, Iterable[str]] = (), start: Optional[Time] = None,
    end: Optional[Time] = None, threads: Optional[int] = None, keep_going: bool = False,
) -> Replay:
    """A replay of one or more traces under a policy.

        rouse.replay("day.wtrace", "watchos").wakes().to_polars()

    `policy` is a preset (`ios`, `watchos`), the path of a policy, or a dictionary with its keys. `without` names reasons
    that never hold, `devices` and `types` what alone is replayed, `start` and `end` from when and until before when
    (what came before `start`, enables and locks too, is unknown to the replay);
    times are texts in ISO 8601, nanoseconds since 1970, or a datetime with a time zone. `threads` are all processors by
    default. With `keep_going` damaged blocks are left out, with a warning. Nothing is replayed before something is
    asked for.
    """
    if threads is not None and not 1 <= threads <= 1024:
        raise _command.Error(f"threads is {threads}, not from 1 to 1024")
    return Replay(_list(traces), policy, _list(without), _list(devices), _list(types), _time(start), _time(end),
                  threads or min(os.cpu_count() or 1, 1024), keep_going)


def samples(
    traces: Union[PathLike, Iterable[PathLike]], *, devices: Union[str, Iterable[str]] = (),
    types: Union[str, Iterable[str]] = (), start: Optional[Time] = None, end: Optional[Time] = None,
) -> Table:
    """The saves and deletes of traces as a table, a row for each.

    They are read as the table is, in memory that does not grow with them: with `saves = rouse.samples(trace)`,
    `duckdb.sql("SELECT type, count(*) FROM saves GROUP BY type")` sums up a trace of any size.
    """
    return Table.open("samples", _list(traces), devices=_list(devices), types=_list(types), start=_time(start), end=_time(end))


def import_health(export: PathLike, trace: PathLike) -> Path:
    """Makes a trace of an export of Apple's Health app: its export.zip, or the export.xml in it."""
    _command.run("import", "apple-health", _command.absolute(export), "-o", _command.absolute(trace))
    return Path(trace)


class Replay:
    """A replay of traces; `rouse.replay` makes one. What is asked for twice is replayed once, but for tables."""

    def __init__(
        self, traces: list[str], policy: Policy, without: list[str], devices: list[str], types: list[str],
        start: Optional[str], end: Optional[str], threads: int, keep_going: bool,
    ) -> None:
        if not traces:
            raise _command.Error("no traces are given")
        self.traces = [_command.absolute(trace) for trace in traces]
        self._policy = _kept(policy)
        self._without = ",".join(without) or None
        self._devices, self._types, self._start, self._end = devices, types, start, end
        self._threads, self._keep_going = threads, keep_going

    def _run(
        self, command: str, *options: Any, accept: Sequence[int] = (0,), notes: Optional[list[str]] = None,
    ) -> str:
        """Runs a command on the traces under the policy."""
        with _policy_file(self._policy) as policy:
            return _command.run(command, *self.traces, "--policy", policy, "--threads", self._threads, *options,
                                accept=accept, notes=notes)

    @property
    def _selection(self) -> list[str]:
        """The options of the command's replay."""
        pairs = [("--without", self._without), ("--from", self._start), ("--to", self._end),
                 *(("--device", name) for name in self._devices), *(("--type", name) for name in self._types)]
        options = [text for option, value in pairs if value is not None for text in (option, value)]
        return [*options, *(["--keep-going"] if self._keep_going else [])]

    @cached_property
    def result(self) -> dict[str, Any]:
        """What `rouse replay --json --no-latency --bounds` tells; the page JSONOutput has the keys."""
        notes: list[str] = []
        with tempfile.TemporaryDirectory() as folder:
            bounds = os.path.join(folder, "bounds.json")
            text = self._run("replay", *self._selection, "--json", "--no-latency", "--bounds", bounds,
                             accept=(0, 1) if self._keep_going else (0,), notes=notes)
        for note in notes:
            # A name of the selection that no input has. Damage is told below, and other messages are in the result.
            if note.startswith(("no input has", "no save or delete has")):
                warnings.warn(note, stacklevel=_depth())
        result: dict[str, Any] = json.loads(text)
        for damage in result.get("loss", {}).get("damages", []):
            place = f": byte {damage['offset']}" if "offset" in damage else ""
            warnings.warn(f"skipped: {damage['file']}{place}: {damage['message']}", stacklevel=_depth())
        return result

    @property
    def summary(self) -> dict[str, Any]:
        """The counts and the digest of the wakes."""
        summary: dict[str, Any] = self.result["summary"]
        return summary

    @property
    def digest(self) -> str:
        """The digest of the wakes: 16 hexadecimal digits."""
        digest: str = self.summary["digest"]
        return digest

    def _table(self, name: str) -> Table:
        if self._keep_going:
            _ = self.result  # Warns of damage.
        with _policy_file(self._policy) as policy:
            return Table.open(
                name, self.traces, policy=policy, without=self._without, devices=self._devices, types=self._types,
                start=self._start, end=self._end, threads=self._threads, keep_going=self._keep_going)

    def wakes(self) -> Table:
        """A row for each wake: device, wake, t, app, types, saves, oldest, push, refresh, outcome, end."""
        return self._table("wakes")

    def items(self) -> Table:
        """A row for each type, push or refresh that a wake carries: device, wake, t, app, item, name, saves, since.

        `saves` is null for a push and a refresh, which have none (pandas: NaN, and floats).
        """
        return self._table("items")

    def waits(self) -> Table:
        """Why wakes came no sooner: a row for each stretch of waiting with the same reasons.

        device, wake, app, item, name, since, from, to, ns, reasons, ending.
        """
        return self._table("waits")

    def samples(self) -> Table:
        """A row for each save and delete that is replayed: device, t, kind, type, source, start, end, value."""
        if self._keep_going:
            _ = self.result
        return Table.open("samples", self.traces, devices=self._devices, types=self._types, start=self._start, end=self._end,
                          keep_going=self._keep_going)

    def apps(self) -> Table:
        """A row for each app, all devices together."""
        return Table.of_json(json.dumps([[_APP], *self.result["apps"]]))

    def bounds(self) -> Table:
        """How far the wakes are from the best: a row for each app, times in nanoseconds.

        app, wakes, fewestWakes, behind, leastBehind, and fewestWakesWithin60 and so on, by seconds.
        """
        within = {f"fewestWakesWithin{seconds}": 0 for seconds in (60, 300, 900, 3_600, 14_400, 86_400)}
        return Table.of_json(json.dumps([[{"app": "", "wakes": 0, "fewestWakes": 0, "behind": 0, "leastBehind": 0, **within}]] + [
            {"app": app, **{key: found[key] for key in ("wakes", "fewestWakes", "behind", "leastBehind")},
             **{f"fewestWakesWithin{seconds}": wakes for seconds, wakes in found["fewestWakesWithin"].items()}}
            for app, found in self.result["bounds"].items()]))

    def why(
        self, app: str, *, longest: Optional[int] = None, at: Optional[Time] = None, wake: Optional[int] = None,
        type: Optional[str] = None,
    ) -> Why:
        """Why wakes of an app came no sooner: its longest waits, or those at a time or of a wake, as stories."""
        self._refuse("why", self._without, self._start, self._end, *self._types, self._keep_going)
        chosen = {"--longest": longest, "--at": _time(at), "--wake": wake, "--type": type}
        options: list[Any] = ["--app", app]
        for option, value in [*chosen.items(), *(("--device", name) for name in self._devices)]:
            options += [] if value is None else [option, value]
        return Why(self._run("explain", *options), json.loads(self._run("explain", *options, "--json")))

    def sweep(self, parameters: Mapping[str, Any]) -> Table:
        """Replays under many policies at once: a row for each combination of the values of the keys.

            replay.sweep({"budget.limit": range(1, 9), "carry": ["launch", "due"]})

        A key may have one value in place of several. The columns are those of `rouse sweep --csv`.
        """
        self._refuse("sweep", self._without, self._start, self._end, *self._types, *self._devices, self._keep_going)
        options: list[str] = []
        for key, values in parameters.items():
            values = _plain(values) if hasattr(values, "tolist") else values
            several = isinstance(values, Iterable) and not isinstance(values, (str, Mapping))
            texts = [value if isinstance(value, str) else _json(value) for value in (values if several else [values])]
            for text in texts:
                if "," in text:
                    raise _command.Error(f"{key}: the value {text} has a comma, which divides the values of a sweep: write "
                                         "policies of your own and replay each")
            options += ["-L", key, ",".join(texts)]
        found = json.loads(self._run("sweep", *options, "--json"))
        return Table.of_json(json.dumps([_swept(row, found["parameters"]) for row in found["rows"]]))

    def report(self, page: PathLike) -> Path:
        """Writes the replay as an HTML page, which needs no network."""
        self._refuse("report", self._without, self._start, self._end, *self._types, self._keep_going)
        devices = [text for name in self._devices for text in ("--device", name)]
        self._run("report", *devices, "-o", _command.absolute(page))
        return Path(page)

    def _refuse(self, method: str, *options: Any) -> None:
        if any(options):
            raise _command.Error(f"{method}() is of whole traces: make a replay without without, start, end, types, devices "
                                 "and keep_going" if method == "sweep" else
                                 f"{method}() is of whole traces: make a replay without without, start, end, types and keep_going")

    def __repr__(self) -> str:
        more = f" and {len(self.traces) - 1} more" if len(self.traces) > 1 else ""
        policy = self._policy if isinstance(self._policy, str) else "a policy of its own"
        return f"<rouse.Replay of {self.traces[0]}{more} under {policy}>"


class Why:
    """Stories of waits. As a text they are those of `rouse explain`; `data` is its JSON."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text, self.data = text, data

    def __repr__(self) -> str:
        return self.text


# Tables have their columns without rows, too: the first element of an array is an example of one.
_APP = {"aborted": 0, "app": "", "completed": 0, "expired": 0, "open": 0, "pendingAtEnd": 0, "pushesHeldAtEnd": 0, "saves": 0,
        "stoppedOnDevices": 0, "wakes": 0}


def _kept(policy: Policy) -> Union[str, dict[str, Any]]:
    """A preset, an absolute path, or a copy of a dictionary: can be pickled, and later changes make no difference."""
    if not isinstance(policy, Mapping):
        return _command.policy_path(policy)
    copy: dict[str, Any] = json.loads(_json(policy))
    return copy


@contextmanager
def _policy_file(policy: Union[str, dict[str, Any]]) -> Iterator[str]:
    """The argument that names a policy; that of a dictionary is a file, which lasts as long as the context."""
    if isinstance(policy, str):
        yield policy
        return
    with tempfile.NamedTemporaryFile("w", prefix="policy-", suffix=".json", encoding="utf-8") as file:
        file.write(_json(policy))
        file.flush()
        yield file.name


def _json(value: Any) -> str:
    """A value as JSON; it may have numbers and arrays of numpy in it."""
    return json.dumps(value, default=_plain)


def _plain(value: Any) -> Any:
    """A number, array or column of another library as Python has it."""
    if not hasattr(value, "tolist"):
        raise _command.Error(f"{value!r} is no value of a policy: give a number, a text, a list or a dictionary")
    return value.tolist()


def _depth() -> int:
    """The `stacklevel` of a warning that is for the code which called the package, from whichever method."""
    depth, frame = 1, sys._getframe(1)
    own = (os.path.join(os.path.dirname(__file__), ""), cached_property.__get__.__code__.co_filename)
    while frame.f_back and frame.f_code.co_filename.startswith(own):
        depth, frame = depth + 1, frame.f_back
    return depth


def _swept(row: Mapping[str, Any], parameters: Sequence[str]) -> dict[str, Any]:
    """A row of a sweep without objects within it; its values as numbers where they are."""
    flat: dict[str, Any] = {"row": row["row"]}
    for key, value in zip(parameters, row["values"]):
        try:
            flat[key] = json.loads(value)
        except json.JSONDecodeError:
            flat[key] = value
    keys = ["wakes", "wakesPerDeviceDay", "expired", "stopped"]
    flat.update({key: row.get(key) for key in keys})
    for name, key in (("waited", "waited"), ("unlocked", "waitedUnlocked")):
        flat.update({name + part.capitalize(): row[key].get(part) for part in ("p50", "p95", "p99", "max")})
    keys = ["behind", "leastBehind", "shareOfBound", "neverDelivered", "digest", "onFront", "dominatedBy"]
    flat.update({key: row.get(key) for key in keys})
    same = row.get("same", {})
    flat.update(sameAs=same.get("as"), because="; ".join(same["because"]) if same else None)
    return flat

"""The tasks of a fleet's replay: what to replay together, how, and how results are added.

They know of no engine, so any can run them: `fleets` is for Dask, `examples/spark.py` for Spark.
"""
from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from . import _command
from ._replay import Policy, _list, _policy_file

# A task takes about so many bytes of traces.
TASK_BYTES = 64 << 20
# The policies that the command knows by name.
PRESETS = ("ios", "watchos")
# A task fetches so many traces at once.
FETCHES = 16


class Piece(NamedTuple):
    """A trace, or the parts of it that `ranges` name by offset and end."""

    url: str
    bytes: int
    ranges: tuple[tuple[int, int], ...] = ()


class Batch(NamedTuple):
    """What one task replays."""

    pieces: tuple[Piece, ...]

    @property
    def urls(self) -> list[str]:
        return [piece.url for piece in self.pieces]

    @property
    def bytes(self) -> int:
        return sum(piece.bytes for piece in self.pieces)


class Policies(NamedTuple):
    """The arguments that name policies, and the content of those that are files, by name."""

    arguments: tuple[str, ...]
    files: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, policies: Union[Policy, Sequence[Policy]]) -> Policies:
        several = [policies] if isinstance(policies, (str, os.PathLike, Mapping)) else list(policies)
        arguments: list[str] = []
        files: dict[str, str] = {}
        for number, policy in enumerate(several, 1):
            # One that cannot be read, or is not valid, is told here and not by each task.
            argument, _file = _policy_file(policy)
            _command.run("policy", "show", argument)
            name, text = f"policy-{number}.json", None
            if isinstance(policy, Mapping):
                text = json.dumps(policy)
            elif policy in PRESETS:
                name = str(policy)
            else:
                name, text = os.path.basename(policy), Path(policy).read_text(encoding="utf-8")
            if text is not None and files.setdefault(name, text) != text:
                raise _command.Error(f"two policies are named {name}: rename one of the files")
            # A file that has the name of a preset.
            arguments.append(f"./{name}" if text is not None and name in PRESETS else name)
        return cls(tuple(arguments), tuple(files.items()))


def plan(
    urls: Union[str, Iterable[str]], *, task_bytes: int = TASK_BYTES, device_of: Optional[Callable[[str], str]] = None,
    storage_options: Optional[Mapping[str, Any]] = None, missing: Optional[dict[str, str]] = None,
) -> list[Batch]:
    """Divides traces into batches of about as many bytes, with everything of a device in one of them.

    A URL may be a folder or have wildcards. `device_of` tells the device, or the group of devices, of a file by its URL;
    without it each file has devices of its own, and one that is larger than a batch is divided by its index (`rouse index`),
    if that is beside it. A device that is in two results after all is refused as they are merged. A trace that is not there
    is an error, or is named in `missing` if that is given.
    """
    options = storage_options or {}
    groups: dict[str, list[Piece]] = defaultdict(list)
    for url, size in dict(_sizes(_list(urls), options, missing)).items():
        groups[device_of(url) if device_of else url].append(Piece(url, size))
    if not groups and not missing:
        raise _command.Error("there are no traces: no URL is given")
    batches: list[list[Piece]] = []
    room = 0
    for group in groups.values():
        is_large = len(group) == 1 and group[0].bytes > task_bytes
        for unit in _indexed(group[0], options) if is_large else [group]:
            size = sum(piece.bytes for piece in unit)
            if not batches or size > room:
                batches.append([])
                room = task_bytes
            batches[-1] += unit
            room -= size
    return [Batch(tuple(_joined(batch))) for batch in batches]


def _indexed(piece: Piece, options: Mapping[str, Any]) -> list[list[Piece]]:
    """The parts of a trace between which its index shows no common device, or the whole trace if there is no index.

    A part is all blocks from the first to the last of a group, so that no stream of blocks has a gap in it.
    """
    name = piece.url + ".index"
    fs, path = _place(name, options)
    try:
        lines = fs.cat_file(path).splitlines()
    except FileNotFoundError:
        return [[piece]]
    # The place of the last block of each group.
    last: dict[int, int] = {}
    place = 0
    try:
        head, *blocks = map(json.loads, lines)
        if head["bytes"] != piece.bytes or _modified(piece.url, options) not in (None, head["modified"]):
            raise _command.Error(f"{name}: is of another state of the trace; 'rouse index' writes it")
        for number, block in enumerate(blocks):
            if block["offset"] != place or block["length"] <= 0:
                break
            place += block["length"]
            last[block["group"]] = number
        whole = place == piece.bytes and len(blocks) == head["blocks"]
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise _command.Error(f"{name}: is damaged, or does not tell of every byte of the trace; 'rouse index' writes it")
    parts: list[list[Piece]] = []
    start, until = 0, 0
    for number, block in enumerate(blocks):
        until = max(until, last[block["group"]])
        if number == until:
            end = block["offset"] + block["length"]
            parts.append([Piece(piece.url, end - start, ((start, end),))])
            start = end
    return parts


def _modified(url: str, options: Mapping[str, Any]) -> Optional[int]:
    """When a file of this machine was changed, in nanoseconds; None of other URLs, whose stores tell other times."""
    fs, path = _place(url, options)
    return os.stat(path).st_mtime_ns if getattr(fs, "local_file", False) else None


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, those of one trace as one, with ranges that touch as one."""
    ranges: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for piece in pieces:
        ranges[piece.url] += piece.ranges
    joined = []
    for url, found in ranges.items():
        merged: list[tuple[int, int]] = []
        for start, end in sorted(found):
            if merged and merged[-1][1] == start:
                merged[-1] = (merged[-1][0], end)
            else:
                merged.append((start, end))
        joined.append(Piece(url, sum(piece.bytes for piece in pieces if piece.url == url), tuple(merged)))
    return joined


def _sizes(
    urls: Sequence[str], options: Mapping[str, Any], missing: Optional[dict[str, str]],
) -> Iterator[tuple[str, int]]:
    for url in urls:
        fs, path = _place(url, options)
        try:
            # A name with such marks may be the name of a file.
            is_pattern = any(mark in path for mark in "*?[") and not fs.exists(path)
            found = fs.glob(path, detail=True) if is_pattern else {path: fs.info(path)}
        except FileNotFoundError as error:
            if missing is None:
                raise
            missing[url] = str(error)
            continue
        if len(found) == 1 and next(iter(found.values()))["type"] == "directory":
            found = {name: info for name, info in fs.find(path, detail=True).items() if name.endswith(".wtrace")}
        if not found:
            raise _command.Error(f"{url}: there are no traces")
        for name, info in sorted(found.items()):
            # Under one name, however the path leads to it.
            name = os.path.realpath(name) if getattr(fs, "local_file", False) else name
            if "\n" in name:
                raise _command.Error(f"{name!r}: a list of traces cannot hold a name with a line break: rename it")
            yield fs.unstrip_protocol(name), int(info["size"] or 0)


def _place(url: str, options: Mapping[str, Any]) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    import fsspec
    # A file of this machine, even if its name has `::`, by which fsspec joins URLs.
    scheme, separator, path = url.partition("://")
    if scheme == "file" or not separator and os.path.lexists(url):
        return fsspec.filesystem("file"), os.path.abspath(path if separator else url)
    found: tuple[Any, str] = fsspec.core.url_to_fs(url, **options)
    return found


def replay_batch(
    batch: Batch, policies: Policies, *, keep_going: bool = False, arguments: Sequence[str] = (),
    storage_options: Optional[Mapping[str, Any]] = None,
) -> str:
    """Replays the traces of a batch; the results, a line of JSON for each policy, are the same each time."""
    with tempfile.TemporaryDirectory(prefix="rouse-") as folder:
        paths = _fetch(batch, folder, storage_options or {})
        Path(folder, ".traces").write_text("".join(path + "\n" for path in paths), encoding="utf-8")
        for name, text in policies.files:
            if os.path.lexists(os.path.join(folder, name)):
                raise _command.Error(f"the policy {name} has the name of a bucket or host of traces: rename the file")
            Path(folder, name).write_text(text, encoding="utf-8")
        chosen = [text for name in policies.arguments for text in ("--policy", name)]
        try:
            results = _run(folder, "replay", "@.traces", *chosen, "--results", "-", "--no-latency", *arguments,
                           *(["--keep-going"] if keep_going else []), accept=(0, 1) if keep_going else (0,))
        except _command.Error as error:
            raise _command.Error(_with_url(str(error), paths, batch.pieces)) from None
        for piece, path in zip(batch.pieces, paths):
            if len(piece.ranges) == 1:
                results = _placed(results, path, piece)
        return results


def merge_results(results: Sequence[str]) -> str:
    """Adds results of different devices, by policy."""
    with tempfile.TemporaryDirectory(prefix="rouse-") as folder:
        for number, result in enumerate(results):
            Path(folder, f"{number}.json").write_text(result, encoding="utf-8")
        names = [f"{number}.json" for number in range(len(results))]
        return _run(folder, "merge", "--json", "--by-policy", *names)


def _run(folder: str, *arguments: str, accept: Sequence[int] = (0,)) -> str:
    done = subprocess.run([_command.command(), *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in accept or not done.stdout:
        raise _command.Error(_command.message(done))
    return done.stdout.decode()


def _fetch(batch: Batch, folder: str, options: Mapping[str, Any]) -> list[str]:
    """The paths of traces: their own if they are files here, or those of copies, `bucket/key`, which results name."""
    # fsspec keeps a file system, with its connections, for each thread that asks: this one asks for all.
    places = [_place(piece.url, options) for piece in batch.pieces]
    # Several at once, since a store answers after milliseconds.
    with ThreadPoolExecutor(FETCHES) as pool:
        return list(pool.map(lambda piece, place: _fetch_one(piece, place[0], place[1], folder), batch.pieces, places))


def _fetch_one(piece: Piece, fs: Any, path: str, folder: str) -> str:
    if getattr(fs, "local_file", False) and not piece.ranges:
        return os.path.abspath(path)
    name = "/".join(part for part in piece.url.split("://", 1)[-1].split("/") if part not in ("", ".", ".."))
    copy = Path(folder, name)
    copy.parent.mkdir(parents=True, exist_ok=True)
    if piece.ranges:
        with copy.open("wb") as file:
            file.writelines(fs.cat_file(path, start=start, end=end) for start, end in piece.ranges)
    else:
        fs.get_file(path, str(copy))
    read = copy.stat().st_size
    if read != piece.bytes:
        raise _command.Error(
            f"{piece.url}: {read} bytes were read of {piece.bytes}: the connection was cut, or the file has changed")
    return name


def _placed(results: str, path: str, piece: Piece) -> str:
    """Results in which damage of a part of a trace has the place that it has in the trace."""
    name = json.dumps(path, ensure_ascii=False)
    whole = json.dumps(piece.url.removeprefix("file://"), ensure_ascii=False) if piece.url.startswith("file://") else name
    return re.sub(
        r'\{"file":' + re.escape(name) + r',"message":("(?:[^"\\]|\\.)*"),"offset":(\d+)\}',
        lambda found: f'{{"file":{whole},"message":{found[1]},"offset":{int(found[2]) + piece.ranges[0][0]}}}', results)


def _with_url(message: str, paths: Sequence[str], pieces: Sequence[Piece]) -> str:
    """A message of the command, which begins with the path of a trace and a place in it, with its URL and the place there."""
    for piece, path in zip(pieces, paths):
        if message.startswith(f"{path}:"):
            rest = message[len(path):]
            if len(piece.ranges) == 1:
                rest = re.sub(r"^: byte (\d+)", lambda found: f": byte {int(found[1]) + piece.ranges[0][0]}", rest)
            return piece.url + rest
    return message

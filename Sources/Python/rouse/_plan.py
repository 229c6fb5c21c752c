"""What a fleet's traces are divided into: batches of whole traces, or of parts of them, by URLs of fsspec."""
from __future__ import annotations

import json
import os
from collections import defaultdict
from contextlib import contextmanager
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from . import _command
from ._replay import _list

# A task takes about so many bytes of traces.
TASK_BYTES = 64 << 20
# What URLs need.
PACKAGES = "rouse with [fleet], or with [s3] or [http] for such URLs"
# A trace whose size its store does not tell is taken for one of so many bytes.
ASSUMED_BYTES = 4 << 20


class Piece(NamedTuple):
    """A trace, or the parts of it that `ranges` name by offset and end; `bytes` is None if the store does not tell."""

    url: str
    bytes: Optional[int]
    ranges: tuple[tuple[int, int], ...] = ()


class Batch(NamedTuple):
    """What one task replays."""

    pieces: tuple[Piece, ...]

    @property
    def urls(self) -> list[str]:
        return [piece.url for piece in self.pieces]

    @property
    def bytes(self) -> int:
        return _bytes(self.pieces)


def _bytes(pieces: Iterable[Piece]) -> int:
    return sum(ASSUMED_BYTES if piece.bytes is None else piece.bytes for piece in pieces)


def plan(
    urls: Union[str, Iterable[str]], *, task_bytes: int = TASK_BYTES, device_of: Optional[Callable[[str], str]] = None,
    storage_options: Optional[Mapping[str, Any]] = None, missing: Optional[dict[str, str]] = None,
) -> list[Batch]:
    """Divides traces into batches of about as many bytes, with everything of a device in one of them.

    A URL may be a folder or have wildcards. `device_of` tells the device, or the group of devices, of a file by its URL;
    without it each file has devices of its own, and one that is larger than a batch is divided by its index (`rouse index`),
    if that is beside it. A device that is in two results after all is refused as they are merged. A trace that is not there
    or cannot be asked for, or a folder or pattern without traces, is an error. If `missing` is given, it is named there with
    the reason, and a trace whose index is stale or damaged is not divided.
    """
    options = storage_options or {}
    groups: dict[str, list[Piece]] = defaultdict(list)
    sizes: dict[str, Optional[int]] = {}
    for url in _list(urls):
        # fsspec takes it for the current directory.
        if url in ("", "file://"):
            raise _command.Error("a URL is empty: name traces, or . for those of the current directory")
        try:
            sizes.update(dict(_sizes(url, options)))
        except _command.Error as error:
            if missing is None or isinstance(error, _command.NotInstalled):
                raise
            missing[url] = str(error)
    for url, size in sizes.items():
        groups[device_of(url) if device_of else url].append(Piece(url, size))
    if not groups and not missing:
        raise _command.Error("there are no traces: no URL is given")
    batches: list[list[Piece]] = []
    room = 0
    for group in groups.values():
        units = [group]
        if len(group) == 1 and (group[0].bytes or 0) > task_bytes:
            try:
                units = _indexed(group[0], options)
            except _command.Error:
                if missing is None:
                    raise
        for unit in units:
            size = _bytes(unit)
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
    fs, path = place_of(name, options)
    try:
        with told(name):
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
        # Between parts nobody would see that blocks are missing.
        if head["missing"]:
            return [[piece]]
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
    fs, path = place_of(url, options)
    return os.stat(path).st_mtime_ns if getattr(fs, "local_file", False) else None


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, those of one trace as one, with ranges that touch as one."""
    joined = [piece for piece in pieces if not piece.ranges]
    ranges: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for piece in pieces:
        if piece.ranges:
            ranges[piece.url] += piece.ranges
    for url, found in ranges.items():
        merged: list[tuple[int, int]] = []
        for start, end in sorted(found):
            if merged and merged[-1][1] == start:
                merged[-1] = (merged[-1][0], end)
            else:
                merged.append((start, end))
        joined.append(Piece(url, sum(end - start for start, end in merged), tuple(merged)))
    return joined


def _sizes(url: str, options: Mapping[str, Any]) -> Iterator[tuple[str, Optional[int]]]:
    """The traces of a URL, which may be a folder or have wildcards, and their sizes."""
    with told(url):
        fs, path = place_of(url, options)
        # A name with such marks may be the name of a file.
        is_pattern = any(mark in path for mark in "*?[") and not fs.exists(path)
        found = fs.glob(path, detail=True) if is_pattern else {path: fs.info(path)}
        if len(found) == 1 and next(iter(found.values()))["type"] == "directory":
            found = {name: info for name, info in fs.find(path, detail=True).items() if name.endswith(".wtrace")}
    if not found:
        raise _command.Error(f"{url}: there are no traces")
    for name, info in sorted(found.items()):
        # Under one name, however the path leads to it.
        name = os.path.realpath(name) if getattr(fs, "local_file", False) else name
        if "\n" in name:
            raise _command.Error(f"{name!r}: a list of traces cannot hold a name with a line break: rename it")
        _command.text(name)
        yield fs.unstrip_protocol(name), info["size"]


@contextmanager
def told(url: str) -> Iterator[None]:
    """Tells errors of stores, whose libraries have their own, with the URL and in one line."""
    with _command.needing(PACKAGES):
        try:
            yield
        except (_command.Error, ImportError):
            raise
        except FileNotFoundError as error:
            # That of HTTP may be for any other reason.
            cause = f": {said(error.__cause__)}" if error.__cause__ else ""
            raise _command.NotFound(f"{url}: cannot be found{cause}") from None
        except Exception as error:
            raise _command.Error(f"{url}: {said(error)}") from error


def said(error: BaseException) -> str:
    """What an error says, in one line."""
    return "; ".join(str(error).splitlines()) or type(error).__name__


def place_of(url: str, options: Mapping[str, Any]) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    with told(url):
        import fsspec
        # A file of this machine, even if its name has `::`, by which fsspec joins URLs.
        scheme, separator, path = url.partition("://")
        if scheme == "file" or not separator and os.path.lexists(url):
            return fsspec.filesystem("file"), os.path.abspath(path if separator else url)
        found: tuple[Any, str] = fsspec.core.url_to_fs(url, **options)
        return found

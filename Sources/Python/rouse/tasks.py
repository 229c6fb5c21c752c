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
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from . import _command
from ._replay import Policy, _json, _list, _policy_file

# A task takes about so many bytes of traces.
TASK_BYTES = 64 << 20
# A trace whose size its store does not tell is taken for one of so many bytes.
ASSUMED_BYTES = 4 << 20
# The policies that the command knows by name.
PRESETS = ("ios", "watchos")
# A task fetches so many traces at once.
FETCHES = 16


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


class Policies(NamedTuple):
    """The arguments that name policies, the content of those that are files by name, and the hashes that results have."""

    arguments: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    hashes: tuple[str, ...] = ()

    @classmethod
    def of(cls, policies: Union[Policy, Sequence[Policy]]) -> Policies:
        several = [policies] if isinstance(policies, (str, os.PathLike, Mapping)) else list(policies)
        arguments: list[str] = []
        files: dict[str, str] = {}
        # The names of policies by their hashes.
        names: dict[str, str] = {}
        for number, policy in enumerate(several, 1):
            # One that cannot be read, is not valid or is there twice is told here and not by each task.
            argument, _file = _policy_file(policy)
            name, text = f"policy-{number}.json", None
            named = name if isinstance(policy, Mapping) else argument
            hash = _hash(argument)
            if hash in names:
                raise _command.Error(f"{names[hash]} and {named} are the same policy: give it once")
            names[hash] = named
            if isinstance(policy, Mapping):
                text = _json(policy)
            elif policy in PRESETS:
                name = str(policy)
            else:
                name, text = os.path.basename(policy), Path(policy).read_text(encoding="utf-8")
            if text is not None and files.setdefault(name, text) != text:
                raise _command.Error(f"two policies are named {name}: rename one of the files")
            # A file that has the name of a preset.
            arguments.append(f"./{name}" if text is not None and name in PRESETS else name)
        if not arguments:
            raise _command.Error("no policy is given: leave policies out for ios, or name one")
        return cls(tuple(arguments), tuple(files.items()), tuple(names))


def _hash(policy: str) -> str:
    """The hash of a policy that results have: a result of nothing tells it."""
    result = _command.run("replay", os.devnull, "--keep-going", "--policy", policy, "--results", "-", "--no-latency",
                          accept=(0, 1))
    hash: str = json.loads(result)["basis"]["policy"]
    return hash


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
        try:
            sizes.update(dict(_sizes(url, options)))
        except (_command.Error, FileNotFoundError) as error:
            if missing is None:
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
    fs, path = _place(name, options)
    try:
        with _told(name):
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
    fs, path = _place(url, options)
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
    with _told(url):
        fs, path = _place(url, options)
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
        yield fs.unstrip_protocol(name), info["size"]


@contextmanager
def _told(url: str) -> Iterator[None]:
    """Tells errors of stores, whose libraries have their own, with the URL and in one line."""
    try:
        yield
    except FileNotFoundError as error:
        # That of HTTP may be for any other reason.
        cause = f": {said(error.__cause__)}" if error.__cause__ else ""
        raise FileNotFoundError(f"{url}: cannot be found{cause}") from None
    except (_command.Error, ImportError):
        raise
    except Exception as error:
        raise _command.Error(f"{url}: {said(error)}") from error


def said(error: BaseException) -> str:
    """What an error says, in one line."""
    return "; ".join(str(error).splitlines()) or type(error).__name__


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
    """Replays the traces of a batch; the results, a line of JSON for each policy, are the same each time.

    They name damaged traces by their paths, those of S3 as `bucket/key`, and others by their URLs.
    """
    with tempfile.TemporaryDirectory(prefix="rouse-") as folder:
        paths = _fetch(batch, folder, storage_options or {})
        Path(folder, "list").write_text("".join(path + "\n" for path in paths), encoding="utf-8")
        # Results name policies as they are given: the command runs where these are, and nothing else is there.
        place = os.path.join(folder, "policies")
        os.mkdir(place)
        for name, text in policies.files:
            Path(place, name).write_text(text, encoding="utf-8")
        chosen = [text for name in policies.arguments for text in ("--policy", name)]
        pieces = dict(zip(paths, batch.pieces))
        try:
            results = _run(place, "replay", "@../list", *chosen, "--results", "-", "--no-latency", *arguments,
                           *(["--keep-going"] if keep_going else []), accept=(0, 1) if keep_going else (0,))
        except _command.Error as error:
            raise _command.Error(_with_url(str(error), pieces)) from None
        return _with_names(results, pieces)


def merge_results(results: Sequence[str]) -> str:
    """Adds results of different devices, by policy."""
    with tempfile.TemporaryDirectory(prefix="rouse-") as folder:
        for number, result in enumerate(results):
            Path(folder, f"{number}.json").write_text(result, encoding="utf-8")
        names = [f"{number}.json" for number in range(len(results))]
        try:
            return _run(folder, "merge", "--json", "--by-policy", *names)
        except _command.Error as error:
            seen: set[str] = set()
            for result in results:
                devices = _devices(result)
                if twice := seen & devices:
                    raise _command.Error(
                        f"the device with the hash {min(twice)} is in two of the results: all traces of a device must be in one "
                        "task: leave out what is there twice, or give a device_of that tells which files belong together"
                    ) from None
                seen |= devices
            raise _command.Error(re.sub(r"^\d+\.json(:\d+)?: ", "", str(error))) from None


def has_device(batch: Batch, device: str, *, storage_options: Optional[Mapping[str, Any]] = None) -> bool:
    """Whether the device with a hash is in the traces of a batch."""
    return device in _devices(replay_batch(batch, Policies(("ios",), ()), keep_going=True, storage_options=storage_options))


def _devices(result: str) -> set[str]:
    """The hashes of devices in a result: those of all policies are the same."""
    found = re.search(r'"deviceHashes"\s*:\s*"([0-9a-f]*)"', result)
    return set(re.findall(".{16}", found[1])) if found else set()


def _run(folder: str, *arguments: str, accept: Sequence[int] = (0,)) -> str:
    done = subprocess.run([_command.command(), *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in accept or not done.stdout:
        raise _command.Error(_command.message(done))
    return done.stdout.decode()


def _fetch(batch: Batch, folder: str, options: Mapping[str, Any]) -> list[str]:
    """The paths of traces: their own if they are files here, or those of copies, which are numbered.

    Objects may have names that files cannot have together, such as `a/b` and `a//b`, or `a` and `a/b`.
    """
    # fsspec keeps a file system, with its connections, for each thread that asks: this one asks for all.
    places = [_place(piece.url, options) for piece in batch.pieces]
    # In the order of names: of many damages, results have the first by path.
    copies: list[str] = [""] * len(places)
    for rank, number in enumerate(sorted(range(len(places)), key=lambda number: _name(batch.pieces[number].url))):
        copies[number] = f"../traces/{rank:08}"
    os.mkdir(os.path.join(folder, "traces"))
    # Several at once, since a store answers after milliseconds.
    with ThreadPoolExecutor(FETCHES) as pool:
        return list(pool.map(lambda piece, place, copy: _fetch_one(piece, place[0], place[1], folder, copy),
                             batch.pieces, places, copies))


def _fetch_one(piece: Piece, fs: Any, path: str, folder: str, copy: str) -> str:
    if getattr(fs, "local_file", False) and not piece.ranges:
        return os.path.abspath(path)
    target = os.path.join(folder, "traces", os.path.basename(copy))
    with _told(piece.url):
        if piece.ranges:
            with open(target, "wb") as file:
                file.writelines(fs.cat_file(path, start=start, end=end) for start, end in piece.ranges)
        else:
            fs.get_file(path, target)
    read = os.path.getsize(target)
    if piece.bytes not in (None, read):
        raise _command.Error(
            f"{piece.url}: {read} bytes were read of {piece.bytes}: the connection was cut, or the file has changed")
    return copy


def _name(url: str) -> str:
    """The name of a trace in results: a path, `bucket/key` of S3, and else the URL."""
    return re.sub("^(file|s3)://", "", url)


def _with_names(results: str, pieces: Mapping[str, Piece]) -> str:
    """Results in which damage of a copy has the name of the trace, and the place that it has there."""
    def named(found: re.Match[str]) -> str:
        piece = pieces[found[1]]
        offset = f',"offset":{_offset(int(found[3]), piece)}' if found[3] else ""
        return f'{{"file":{json.dumps(_name(piece.url), ensure_ascii=False)},"message":{found[2]}{offset}}}'
    return re.sub(r'\{"file":"(\.\./traces/\d{8})","message":("(?:[^"\\]|\\.)*")(?:,"offset":(\d+))?\}', named, results)


def _with_url(message: str, pieces: Mapping[str, Piece]) -> str:
    """A message of the command, which begins with the path of a trace and a place in it, with its URL and the place there."""
    for path, piece in pieces.items():
        if message.startswith(f"{path}:"):
            rest = message[len(path):]
            return piece.url + re.sub(r"^: byte (\d+)", lambda found: f": byte {_offset(int(found[1]), piece)}", rest)
    return message


def _offset(place: int, piece: Piece) -> int:
    """The place in a trace of a place in the copy of its parts."""
    for start, end in piece.ranges:
        if place < end - start or end == piece.ranges[-1][1]:
            return start + place
        place -= end - start
    return place

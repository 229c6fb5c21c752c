"""The tasks of a fleet's replay: what to replay together, how, and how results are added.

They know of no engine, so any can run them: `fleets` is for Dask, `examples/spark.py` for Spark.
"""
from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _command
from ._command import PRESETS
from ._plan import TASK_BYTES, Batch, Piece, plan, place_of, said, told
from ._replay import Policy, _json, _kept, _policy_file

__all__ = ["TASK_BYTES", "Batch", "Piece", "Policies", "has_device", "merge_results", "plan", "replay_batch", "said"]

# A task fetches so many traces at once.
FETCHES = 16


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
            kept = _kept(policy)
            with _policy_file(kept) as argument:
                hash = _hash(argument)
            name, text = f"policy-{number}.json", None
            named = kept if isinstance(kept, str) else name
            if hash in names:
                raise _command.Error(f"{names[hash]} and {named} are the same policy: give it once")
            names[hash] = named
            if isinstance(kept, dict):
                text = _json(kept)
            elif kept in PRESETS:
                name = kept
            else:
                name, text = os.path.basename(kept), Path(kept).read_text(encoding="utf-8")
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
    places = [place_of(piece.url, options) for piece in batch.pieces]
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
    with told(piece.url):
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

"""The command `rouse`, which the package brings."""
from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence, Union

NATIVE = Path(__file__).parent / "native"
# The policies that the command knows by name.
PRESETS = ("ios", "watchos")


class Error(Exception):
    """What went wrong, in the words of the command: which file, where, which field, and what to do."""


class NotFound(Error, FileNotFoundError):
    """A trace that is not there."""


class NotInstalled(Error, ImportError):
    """A library that is not installed."""


@contextmanager
def needing(packages: str) -> Iterator[None]:
    """Tells of a library that is not installed what to install."""
    try:
        yield
    except Error:
        raise
    except ImportError as error:
        raise NotInstalled(f"{error}: pip install {packages}") from None


def path(name: str, variable: str) -> str:
    """Where a file of the package is; an environment variable may name another one."""
    found = os.environ.get(variable) or str(NATIVE / name)
    if not os.path.isfile(found):
        raise NotInstalled(f"{found} is not there: install the wheel of rouse, or set {variable}")
    return os.path.abspath(found)


def command() -> str:
    """The path of the command."""
    return path("rouse", "ROUSE_COMMAND")


def text(value: str) -> bytes:
    """A text as the command and librouse take it."""
    if "\0" in value:
        raise Error(f"{value!r} has a NUL character, which ends a text in C: remove it")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise Error(f"{value!r} is not UTF-8; if it is a file, rename that") from None


def absolute(path: Union[str, os.PathLike[str]]) -> str:
    """The absolute path of a file, which a later os.chdir does not change, and which is no option, list or stream."""
    name = os.fspath(path)
    if not name:
        raise Error("a path is empty: name a file")
    if name == "-":
        raise Error("- is standard input or output, which only rouse.run can use: name a file, such as ./-")
    text(name)
    # Unlike os.path.abspath, keeps `..`, before which there may be a symbolic link.
    return str(Path(name).absolute())


def policy_path(policy: Union[str, os.PathLike[str]]) -> str:
    """The preset, or the absolute path of the policy."""
    name = os.fspath(policy)
    return name if name in PRESETS else absolute(name)


def run(
    *arguments: Any, input: Optional[bytes] = None, accept: Sequence[int] = (0,), notes: Optional[list[str]] = None,
) -> str:
    """Runs the command, `run("info", "day.wtrace")`, and returns its standard output as text.

    `input` is its standard input. What it tells on standard error, though all went well, is added to `notes`. Raises
    `Error` with its message unless its exit status is one of `accept`, and if the output is not text, such as a trace by
    `-o -`.
    """
    done = subprocess.run([command(), *(text(str(argument)) for argument in arguments)], input=input,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in accept or (done.returncode != 0 and not done.stdout):
        raise Error(message(done))
    if notes is not None:
        notes += [line.removeprefix("rouse: ") for line in done.stderr.decode(errors="replace").splitlines() if line]
    try:
        return done.stdout.decode()
    except UnicodeDecodeError:
        raise Error("the output is not text: write it to a file, with -o FILE") from None


def message(done: subprocess.CompletedProcess[bytes]) -> str:
    """The last message of a command that failed; before it there may be warnings."""
    if done.returncode < 0:
        return f"rouse was ended by signal {-done.returncode}"
    lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    # A usage error is followed by where help is.
    lines = [line for line in lines if not line.startswith("Try '")]
    if not lines and done.returncode == 2:
        return "rouse found a difference (status 2): accept=(0, 2) returns what it prints"
    # What is wrong with a trace is the result of `verify`.
    lines = lines or [line for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
    return lines[-1].removeprefix("rouse: ") if lines else f"rouse ended with status {done.returncode}"


def main() -> None:
    """The command `rouse` of an environment."""
    try:
        found = command()
    except Error as error:
        raise SystemExit(f"rouse: {error}") from None
    os.execv(found, ["rouse", *sys.argv[1:]])

"""The command `rouse`, which the package brings."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional, Sequence

NATIVE = Path(__file__).parent / "native"


class Error(Exception):
    """What went wrong, in the words of the command: which file, where, which field, and what to do."""


def path(name: str, variable: str) -> str:
    """Where a file of the package is; an environment variable may name another one."""
    found = os.environ.get(variable) or str(NATIVE / name)
    if not os.path.isfile(found):
        raise Error(f"{found} is not there: install the wheel of rouse, or set {variable}")
    return os.path.abspath(found)


def command() -> str:
    """The path of the command."""
    return path("rouse", "ROUSE_COMMAND")


def run(*arguments: Any, input: Optional[bytes] = None, accept: Sequence[int] = (0,)) -> str:
    """Runs the command, `run("info", "day.wtrace")`, and returns its standard output.

    Raises `Error` with its message unless its exit status is one of `accept`.
    """
    done = subprocess.run([command(), *map(str, arguments)], input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in accept or (done.returncode != 0 and not done.stdout):
        raise Error(message(done))
    return done.stdout.decode()


def message(done: subprocess.CompletedProcess[bytes]) -> str:
    """The last message of a command that failed; before it there may be warnings."""
    if done.returncode < 0:
        return f"rouse was ended by signal {-done.returncode}"
    lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    # A usage error is followed by where help is.
    lines = [line for line in lines if not line.startswith("Try '")]
    return lines[-1].removeprefix("rouse: ") if lines else f"rouse ended with status {done.returncode}"


def main() -> None:
    """The command `rouse` of an environment."""
    try:
        found = command()
    except Error as error:
        raise SystemExit(f"rouse: {error}") from None
    os.execv(found, ["rouse", *sys.argv[1:]])

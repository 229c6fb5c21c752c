"""The package from the sources, with the command and librouse of ROUSE_COMMAND and ROUSE_LIBRARY, or one that is installed."""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
if "ROUSE_COMMAND" in os.environ:
    sys.path.insert(0, str(ROOT / "Sources/Python"))
TRACES = ROOT / "Traces"


@pytest.fixture(scope="session")
def command():
    """Runs the command itself, and returns what it prints."""
    import rouse

    def run(*arguments):
        return subprocess.run([rouse.command(), *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout.decode()
    return run


@pytest.fixture(scope="session")
def golden():
    """Path, policy and summary of every golden trace."""
    found = sorted(TRACES.glob("*.wtrace"))
    assert len(found) > 5
    return [(path, path.with_suffix(".policy.json"), json.loads(path.with_suffix(".summary.json").read_text()))
            for path in found]

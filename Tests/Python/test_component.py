"""The example of a component in Python."""
import ctypes
import importlib.util

import pytest
from conftest import ROOT
from rouse import _command


@pytest.fixture
def component():
    path = ROOT / "Tests/RouseCTests/Examples/component.py"
    spec = importlib.util.spec_from_file_location("component", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_save_that_fails_is_told(component, tmp_path, monkeypatch):
    library = _command.path("librouse.so.0", "ROUSE_LIBRARY")
    with pytest.raises(OSError, match="none/a.wtrace"):
        component.main(library, f"{tmp_path}/none/a.wtrace")
    monkeypatch.setattr(component, "c_int64", lambda number: ctypes.c_int64(2**62))
    with pytest.raises(OSError, match="^a time is out of range$"):
        component.main(library, str(tmp_path / "a.wtrace"))

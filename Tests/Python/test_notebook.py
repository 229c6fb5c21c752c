"""The notebooks of the examples run from their first cell to their last."""
import pytest
from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")


def test_health(tmp_path):
    for needed in ("polars", "pyarrow", "matplotlib"):
        pytest.importorskip(needed)
    notebook = nbformat.read(ROOT / "Sources/Python/examples/health.ipynb", as_version=4)
    assert len(notebook.cells) == 10
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = "".join(output.get("data", {}).get("text/plain", "") for output in outputs)
    assert "held by" in shown and "shareOfBound" in shown and "wakesWithHealth" in shown
    assert any("image/png" in output.get("data", {}) for output in outputs)

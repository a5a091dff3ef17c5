"""The notebooks run from top to bottom, and were saved that way."""

from __future__ import annotations

from pathlib import Path

import nbclient
import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def test_the_three_notebooks_are_there():
    names = [path.stem for path in NOTEBOOKS]
    assert names == ["quick-start", "reproduce-a-figure", "your-own-agent"]


def outputs(notebook, kind):
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [output for cell in cells for output in cell.outputs if output.output_type == kind]


def pictures(notebook):
    return sum("image/png" in output.data for output in outputs(notebook, "display_data"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    # Figures are to appear in the notebook.
    monkeypatch.delenv("MPLBACKEND", raising=False)
    notebook = nbformat.read(path, as_version=4)
    saved = pictures(notebook)
    # An error in a cell is raised here.
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert not [o.text for o in outputs(notebook, "stream") if o.name == "stderr"]
    assert pictures(notebook) == saved > 0


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_saved_small_whole_and_in_order(path):
    assert path.stat().st_size < 300_000
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not outputs(notebook, "error")

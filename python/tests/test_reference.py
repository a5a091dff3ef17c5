"""Pages of the reference that follow from the program are what the program says now."""

from __future__ import annotations

import importlib
import sys

import pytest
from page_runner import ROOT

WRITER = ROOT / "scripts" / "reference"
REFERENCE = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def pages(gbandit):
    """What the writer of these pages writes now."""
    sys.path.insert(0, str(WRITER))
    try:
        return importlib.import_module("pages").pages(gbandit)
    finally:
        sys.path.remove(str(WRITER))


@pytest.mark.parametrize(
    "name", ["command-line.md", "toml.md", "http.md", "registry.md", "python.md"]
)
def test_a_page_is_what_the_program_says(pages, name):
    said = "run `python3 scripts/reference target/release/gbandit` and commit what it writes"
    assert (REFERENCE / name).read_text() == pages[name], said

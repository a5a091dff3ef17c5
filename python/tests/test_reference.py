"""Pages of the reference that follow from the program are what the program says now."""

from __future__ import annotations

import importlib
import re
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


def test_the_page_on_agents_quotes_the_frontier():
    """The numbers of which-agent.md are those of the page that they come from."""
    frontier = (ROOT / "docs" / "explanations" / "frontier.md").read_text()
    page = (ROOT / "docs" / "which-agent.md").read_text()
    seven, others = page.split("## The numbers\n")[1].split("## ")[0].split("on 54 other cases")
    reporting = frontier.split("### The reporting half\n")[1]

    def row(text, agent):
        return next(line for line in text.split("\n") if line.startswith(f"| `{agent}` |"))

    def quoted(text):
        return re.findall(r"^\| `([^`]+)` \| (.*) \|$", text.replace("**", ""), re.M)

    assert len(quoted(seven)) == 9
    for agent, numbers in quoted(seven):
        measured = re.findall(r"\(([\d.]+);", row(frontier, agent))
        assert numbers.split(" | ") == measured[:7], agent
    assert len(quoted(others)) == 7
    for agent, numbers in quoted(others):
        cells = row(reporting, agent).split(" | ")
        assert numbers.split(" | ") == [cells[2], cells[4]], agent

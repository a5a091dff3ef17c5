"""Pages of the reference that follow from the program are what the program says now."""

from __future__ import annotations

import importlib
import re
import sys
from statistics import geometric_mean

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

    def row(text, agent, then=""):
        begin = f"| `{agent}` | {then}"
        return next(line for line in text.split("\n") if line.startswith(begin))

    def quoted(text):
        return re.findall(r"^\| `([^`]+)` \| (.*) \|$", text.replace("**", ""), re.M)

    assert len(quoted(seven)) == 11
    for agent, numbers in quoted(seven):
        measured = re.findall(r"\(([\d.]+)[;)]", row(frontier, agent))
        assert numbers.split(" | ") == measured[:7], agent
    assert len(quoted(others)) == 8
    for agent, numbers in quoted(others):
        cells = row(reporting, agent, then="54 |").split(" | ")
        assert numbers.split(" | ") == [cells[2], cells[4]], agent
    told = r"`g-horizon`[^.]* has (\d\.\d+) of [^.]*G-UCB[^.]*, and `g-star` (\d\.\d+)"
    assert re.findall(told, others) == re.findall(told, frontier) != []


def test_the_page_on_changing_rewards_adds_up():
    """Its means by kind of change are those of its table of single cases."""
    page = (ROOT / "docs" / "explanations" / "changing-frontier.md").read_text()
    reporting = page.split("## The reporting half\n")[1].split("## The choosing half\n")[0]
    by_kind, by_case = reporting.split("### Every case\n")

    def rows(text):
        lines = [line for line in text.split("\n") if line.startswith("| ")]
        return [line.strip("| ").split(" | ") for line in lines[1:]]

    cases = [(row[0].split(" on ")[0], float(row[-2]), float(row[-1])) for row in rows(by_case)]
    assert len(cases) == 72
    told = {row[0].strip("*"): row for row in rows(by_kind)}
    assert len(told) == 10
    for kind, row in told.items():
        of_kind = [case for case in cases if case[0] == kind]
        if kind == "all with changes":
            of_kind = [case for case in cases if case[0] != "nothing"]
        if kind == "all":
            of_kind = cases
        assert int(row[1]) == len(of_kind), kind
        for ratios, mean, worst in [
            ([case[1] for case in of_kind], row[2], row[3]),
            ([case[2] for case in of_kind], row[5], row[6]),
        ]:
            assert geometric_mean(ratios) == pytest.approx(float(mean), abs=0.0015), kind
            assert max(ratios) == float(worst), kind

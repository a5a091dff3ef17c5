"""Pages quote the measurements that lie beside the experiments, and these agree with each other."""

from __future__ import annotations

import csv
import re
from statistics import geometric_mean

import pytest
from page_sources import ROOT

EXPERIMENTS = ROOT / "crates" / "graph-bandit-paper" / "experiments"


def measured(name: str) -> list[dict[str, str]]:
    """The rows of a table of measurements."""
    with (EXPERIMENTS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def quoted(text: str) -> list[tuple[str, list[str]]]:
    """The agent and the numbers of each row of a page's table."""
    rows = re.findall(r"^\| `([^`]+)`[^|]* \| (.*) \|$", text.replace("**", ""), re.M)
    return [(agent, numbers.replace(",", "").split(" | ")) for agent, numbers in rows]


def on_seven_graphs(agent: str) -> list[str]:
    """Ratios to G-UCB on the paper's graphs."""
    names = ("seven-graphs", "guarantee", "horizon")
    rows = [row for name in names for row in measured(f"frontier/{name}")]
    graphs = ["Line", "Circle", "Grid", "Tree", "Star", "Complete", "Robot"]
    found = {row["case"]: row["ratio_to_g_ucb"] for row in rows if row["agent"] == agent}
    return [found[graph] for graph in graphs]


def on_reporting_half(agent: str) -> list[str]:
    """The geometric mean and the worst ratio to G-UCB."""
    names = ("reporting-by-agent", "guarantee-reporting-by-agent")
    rows = [row for name in names for row in measured(f"frontier/{name}")]
    row = next(row for row in rows if row["agent"] == agent)
    return [row["geometric_mean_ratio_to_g_ucb"], row["worst_ratio_to_g_ucb"]]


def test_the_page_on_agents_quotes_the_measurements():
    page = (ROOT / "docs" / "which-agent.md").read_text()
    seven, others = page.split("## The numbers\n")[1].split("## ")[0].split("on 54 other cases")
    assert len(quoted(seven)) == 11
    for agent, numbers in quoted(seven):
        assert numbers == on_seven_graphs(agent), agent
    assert len(quoted(others)) == 8
    for agent, numbers in quoted(others):
        assert numbers == on_reporting_half(agent), agent
    told = r"`g-horizon`[^.]* has (\d\.\d+) of [^.]*G-UCB[^.]*, and `g-star` (\d\.\d+)"
    ratios = {
        row["agent"]: row["geometric_mean_ratio_to_g_ucb"]
        for row in measured("frontier/horizon-reporting-by-agent")
    }
    assert re.findall(told, others) == [(ratios["g-horizon:horizon=known"], ratios["g-star"])]


def test_the_page_beyond_the_paper_begins_with_the_measurements():
    page = (ROOT / "docs" / "explanations" / "frontier.md").read_text()
    first = quoted(page.split("\n## ")[0])
    assert len(first) == 8
    for agent, numbers in first:
        worst = max(on_seven_graphs(agent), key=float)
        assert numbers == [worst, *on_reporting_half(agent)], agent


def test_the_measurements_where_rewards_change_add_up():
    """Means by kind of change are those of single cases, and the page's first table has them."""
    cases = [
        (
            row["case"].split(" on ")[0],
            float(row["g_drift_ratio_to_best_other"]),
            float(row["g_drift_ratio_to_restarted_g_ucb"]),
        )
        for row in measured("change/reporting-by-case")
    ]
    assert len(cases) == 72
    told = {row["what_changes"]: row for row in measured("change/reporting-by-kind")}
    assert len(told) == 10
    for kind, row in told.items():
        of_kind = [case for case in cases if case[0] == kind]
        if kind == "all with changes":
            of_kind = [case for case in cases if case[0] != "nothing"]
        if kind == "all":
            of_kind = cases
        assert int(row["cases"]) == len(of_kind), kind
        for place, other in enumerate(("best_other", "restarted_g_ucb"), start=1):
            ratios = [case[place] for case in of_kind]
            mean = float(row[f"geometric_mean_ratio_to_{other}"])
            assert geometric_mean(ratios) == pytest.approx(mean, abs=0.0015), kind
            assert max(ratios) == float(row[f"worst_ratio_to_{other}"]), kind
    page = (ROOT / "docs" / "explanations" / "changing-frontier.md").read_text()
    changing = told["all with changes"]
    (single,) = [
        row["geometric_mean_ratio_of_g_drift_to_it"]
        for row in measured("change/reporting-by-agent")
        if row["other_agent"] == "glr-klucb"
    ]
    assert re.findall(r"at most 0\.5 \| (\S+) \|", page) == [
        single,
        changing["geometric_mean_ratio_to_best_other"],
        changing["geometric_mean_ratio_to_restarted_g_ucb"],
    ]

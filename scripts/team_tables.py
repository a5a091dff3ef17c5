"""Prints the tables of docs/explanations/teams.md from `report-teams`."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

OURS = "g-star"
THEIRS = "multi-g-ucb"


def short(value: float) -> str:
    """Three digits or all whole ones."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    text = f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
    return "0.00" if text == "-0.00" else text


def with_error(stats: dict[str, Any]) -> str:
    """A mean and half the width of its 95% interval; one run has no interval."""
    mean = short(stats["mean"][-1])
    if stats["ci95"][-1] is None:
        return mean
    low, high = stats["ci95"][-1]
    return f"{mean} ± {short((high - low) / 2)}"


def geometric_mean(values: list[float]) -> float:
    """The mean of ratios."""
    return math.exp(sum(map(math.log, values)) / len(values))


def by_case(study: dict[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """The numbers of every agent, by case."""
    cases: dict[str, dict[str, dict[str, Any]]] = {}
    for row in study["rows"]:
        cases.setdefault(row["case"], {})[row["agent"]] = row["stats"]
    return cases


def table_of_agents(study: dict[str, Any]) -> None:
    """All agents on one of the sequel's graphs."""
    ((_, agents),) = by_case(study).items()
    compared = {row["agent"]: row for row in study["comparison"]["rows"]}
    print("| agent | regret | relative to Multi-G-UCB | 99th percentile |")
    print("|---|--:|--:|--:|")
    for agent, stats in agents.items():
        row = compared[agent]
        cells = [f"`{agent}`", with_error(stats), f"{row['of_baseline']:.4f}", short(row["p99"])]
        print("| " + " | ".join(cells) + " |")


def table_of_ratios(study: dict[str, Any]) -> None:
    """g-star against the others on every case."""
    heading = ["case", "`multi-g-ucb`", "`comb-ucb`", "`g-star`", "relative to Multi-G-UCB"]
    print("| " + " | ".join([*heading, "99th percentile", "relative to Multi-G-UCB's mean"]) + " |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    compared = {row["case"]: row for row in study["comparison"]["rows"] if row["agent"] == OURS}
    ratios = []
    for title, agents in by_case(study).items():
        row = compared[title]
        ratios.append(row["of_baseline"])
        cells = [title, *(with_error(agents[name]) for name in (THEIRS, "comb-ucb", OURS))]
        cells += [f"{row['of_baseline']:.3f}", short(row["p99"]), f"{row['p99_of_baseline']:.3f}"]
        print("| " + " | ".join(cells) + " |")
    mean, worst = geometric_mean(ratios), max(ratios)
    print(f"| geometric mean | | | | {mean:.3f} | | |")
    print(f"| worst | | | | {worst:.3f} | | |")


def table_of_walkers(study: dict[str, Any]) -> None:
    """Regret per walker as the team grows."""
    print("| graph | walkers | `multi-g-ucb` | `g-star` | relative to Multi-G-UCB |")
    print("|---|--:|--:|--:|--:|")
    for title, agents in by_case(study).items():
        graph, walkers = title.split(", ")
        theirs, ours = (agents[name]["mean"][-1] / int(walkers) for name in (THEIRS, OURS))
        cells = [graph, walkers, short(theirs), short(ours), f"{ours / theirs:.3f}"]
        print("| " + " | ".join(cells) + " |")


def main() -> None:
    """Prints the tables of the studies that are there."""
    studies = json.loads((Path(sys.argv[1]) / "summary.json").read_text())["studies"]
    tables = {
        "teams-figure-2": table_of_agents,
        "teams-er100-5": table_of_agents,
        "teams-five-graphs": table_of_ratios,
        "teams-number-of-walkers": table_of_walkers,
    }
    for study in studies:
        print(f"\n{study['title']}, {study['runs']} runs per case\n")
        tables[study["name"]](study)


if __name__ == "__main__":
    main()

"""Prints each agent's regret and 99th percentile, both divided by those of g-star.

    gbandit study crates/graph-bandit-paper/experiments/frontier/parameters-reporting.toml
    python3 scripts/frontier_tables.py report-frontier-parameters-reporting

The tables of docs/explanations/frontier.md that compare agents with g-star on many cases come from
here. The directory may hold several studies, as `report-frontier` does; studies without g-star are
left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import geometric_mean
from typing import Any

YARDSTICK = "g-star"


def ratios(study: dict[str, Any]) -> dict[str, dict[str, tuple[float, float]]]:
    """For each agent and case, its mean regret and 99th percentile, over those of the yardstick."""
    cases: dict[str, dict[str, dict[str, float]]] = {}
    for row in study["comparison"]["rows"]:
        cases.setdefault(row["case"], {})[row["agent"]] = row
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for case, rows in cases.items():
        star = rows.get(YARDSTICK)
        if star is None:
            continue
        for agent, row in rows.items():
            both = row["mean"] / star["mean"], row["p99"] / star["p99"]
            found.setdefault(agent, {})[case] = both
    return found


def table(study: dict[str, Any]) -> None:
    """One row for each agent: geometric means over the cases, and the extremes."""
    heading = ["agent", "cases", "regret", "99th percentile", "cases that got worse"]
    print("| " + " | ".join([*heading, "lowest regret", "highest regret", "on"]) + " |")
    print("|---|--:|--:|--:|--:|--:|--:|---|")
    for agent, of_case in ratios(study).items():
        if agent == YARDSTICK:
            continue
        means = {case: mean for case, (mean, _) in of_case.items()}
        worst = max(means, key=lambda case: means[case])
        cells = [f"`{agent}`", str(len(means)), f"{geometric_mean(list(means.values())):.3f}"]
        cells.append(f"{geometric_mean([p99 for _, p99 in of_case.values()]):.3f}")
        cells.append(str(sum(mean > 1 for mean in means.values())))
        cells += [f"{min(means.values()):.3f}", f"{means[worst]:.3f}", worst.replace("|", "\\|")]
        print("| " + " | ".join(cells) + " |")


def main() -> None:
    """Prints a table for each study."""
    if len(sys.argv) != 2:
        sys.exit("usage: python3 scripts/frontier_tables.py DIRECTORY")
    summary = Path(sys.argv[1]) / "summary.json"
    if not summary.exists():
        sys.exit(f"there is no {summary}; make it with `gbandit study`, and name its directory")
    studies = json.loads(summary.read_text())["studies"]
    for study in studies:
        if any(row["agent"] == YARDSTICK for row in study["comparison"]["rows"]):
            print(f"{study['title']}, relative to `{YARDSTICK}`\n")
            table(study)
            print()


if __name__ == "__main__":
    main()

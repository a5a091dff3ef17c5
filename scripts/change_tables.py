"""Prints the tables of docs/explanations/changing-frontier.md from `report-change`."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OURS = "g-drift"


@dataclass(frozen=True)
class Case:
    """g-drift and its yardsticks on one case."""

    title: str
    runs: int
    ours: str
    best_name: str
    best: float
    restarted: float
    of_best: float
    of_restarted: float

    @property
    def kind(self) -> str:
        """What changes in the case."""
        return self.title.split(" on ")[0]


def is_told(agent: str) -> bool:
    """Whether a simulation tells the agent when means change."""
    return "restarts=oracle" in agent or agent.startswith("restarting-")


def named(agent: str) -> str:
    """An agent without its settings, but for what it restarts."""
    return agent.split(":")[0] + (", global" if "restarts=global" in agent else "")


def short(value: float) -> str:
    """Three digits or all whole ones."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def geometric_mean(values: list[float]) -> float:
    """The mean of ratios."""
    return math.exp(sum(map(math.log, values)) / len(values))


def cases_of(study: dict[str, Any]) -> list[Case]:
    """Every case with its best other agent and its best restarted G-UCB."""
    by_case: dict[str, dict[str, dict[str, Any]]] = {}
    for row in study["rows"]:
        by_case.setdefault(row["case"], {})[row["agent"]] = row["stats"]
    runs = {row["case"]: row["runs"] for row in study["comparison"]["rows"]}
    cases = []
    for title, agents in by_case.items():
        means = {agent: stats["mean"][-1] for agent, stats in agents.items()}
        others = {agent: mean for agent, mean in means.items() if agent != OURS}
        causal = [agent for agent in others if not is_told(agent)]
        best = min(causal, key=lambda agent: others[agent])
        restarted = min(mean for agent, mean in others.items() if agent.startswith("g-ucb"))
        low, high = agents[OURS]["ci95"][-1] or (math.nan, math.nan)
        cases.append(
            Case(
                title,
                runs[title],
                f"{short(means[OURS])} ± {short((high - low) / 2)}",
                named(best),
                others[best],
                restarted,
                means[OURS] / others[best],
                means[OURS] / restarted,
            )
        )
    return cases


def table_of_kinds(cases: list[Case]) -> None:
    """Geometric means and the worst by kind of change."""
    heading = ["what changes", "cases", "vs best other", "worst", "on"]
    print("| " + " | ".join([*heading, "vs restarted G-UCB", "worst", "on"]) + " |")
    print("|---|--:|--:|--:|---|--:|--:|---|")
    kinds = list(dict.fromkeys(case.kind for case in cases))
    changing = [case for case in cases if case.kind != "nothing"]
    groups = [(kind, [case for case in cases if case.kind == kind]) for kind in kinds]
    for name, of in [*groups, ("**all with changes**", changing), ("**all**", cases)]:
        cells = [name, str(len(of))]
        for key in ("of_best", "of_restarted"):
            worst = max(of, key=lambda case: getattr(case, key))
            mean = geometric_mean([getattr(case, key) for case in of])
            where = worst.title.split(" on ", 1)[1]
            cells += [f"{mean:.3f}", f"{getattr(worst, key):.3f}", where]
        print("| " + " | ".join(cells) + " |")


def table_of_cases(cases: list[Case]) -> None:
    """Every case, the worst first."""
    heading = ["case", "runs", "`g-drift`", "best other", "which", "restarted G-UCB"]
    print("| " + " | ".join([*heading, "vs best other", "vs restarted"]) + " |")
    print("|---|--:|--:|--:|---|--:|--:|--:|")
    for case in sorted(cases, key=lambda case: -case.of_best):
        cells = [case.title, str(case.runs), case.ours, short(case.best), f"`{case.best_name}`"]
        cells += [short(case.restarted), f"{case.of_best:.3f}", f"{case.of_restarted:.3f}"]
        print("| " + " | ".join(cells) + " |")


def table_of_agents(study: dict[str, Any]) -> None:
    """g-drift against each other agent with its best settings on each case with changes."""
    by_case: dict[str, dict[str, float]] = {}
    for row in study["rows"]:
        by_case.setdefault(row["case"], {})[row["agent"]] = row["stats"]["mean"][-1]
    ratios: dict[str, list[float]] = {}
    for title, means in by_case.items():
        if title.startswith("nothing"):
            continue
        others = [agent for agent in means if agent != OURS and not is_told(agent)]
        best: dict[str, float] = {}
        for agent in others:
            name = named(agent)
            best[name] = min(means[agent], best.get(name, math.inf))
        for name, mean in best.items():
            ratios.setdefault(name, []).append(means[OURS] / mean)
    print("| other agent | cases | regret of `g-drift` / regret of the other |")
    print("|---|--:|--:|")
    for name in sorted(ratios, key=lambda name: -geometric_mean(ratios[name])):
        print(f"| `{name}` | {len(ratios[name])} | {geometric_mean(ratios[name]):.3f} |")


def with_error(row: dict[str, Any]) -> str:
    """A mean and half the width of its 95% interval."""
    low, high = row["ci95"]
    return f"{short(row['mean'])} ± {short((high - low) / 2)}"


def table_of_nothing(study: dict[str, Any]) -> None:
    """g-drift beside g-star where nothing changes."""
    rows = {(row["case"], row["agent"]): row for row in study["comparison"]["rows"]}
    print("| | `g-star` | `g-drift` | ratio |")
    print("|---|--:|--:|--:|")
    titles = list(dict.fromkeys(title for title, _ in rows))
    for title in titles:
        star, drift = rows[title, "g-star"], rows[title, OURS]
        ratio = drift["mean"] / star["mean"]
        print(f"| {title} | {with_error(star)} | {with_error(drift)} | {ratio:.4f} |")
    for name, count in [("geometric mean of the first seven", 7), ("of all", len(titles))]:
        ratios = [rows[title, OURS]["of_baseline"] for title in titles[:count]]
        print(f"| {name} | | | {geometric_mean(ratios):.4f} |")


def table_of_numbers(study: dict[str, Any]) -> None:
    """Regret over the root of changes times steps, and in parentheses regret."""
    groups: dict[str, dict[int, float]] = {}
    regrets: dict[str, dict[int, float]] = {}
    for row in study["rows"]:
        if row["agent"] == OURS:
            count, group = row["case"].split(" on ")
            mean, steps = row["stats"]["mean"][-1], row["stats"]["t"][-1]
            groups.setdefault(group, {})[int(count)] = mean / math.sqrt(int(count) * steps)
            regrets.setdefault(group, {})[int(count)] = mean
    counts = list(next(iter(groups.values())))
    print("| graph | " + " | ".join(map(str, counts)) + " | largest / smallest |")
    print("|---|" + "--:|" * (len(counts) + 1))
    for group, values in groups.items():
        cells = [f"{values[count]:.2f} ({short(regrets[group][count])})" for count in counts]
        ratio = max(values.values()) / min(values.values())
        print(f"| {group} | " + " | ".join(cells) + f" | {ratio:.2f} |")


def main() -> None:
    """Prints all tables."""
    studies = json.loads((Path(sys.argv[1]) / "summary.json").read_text())["studies"]
    by_name = {study["name"].removeprefix("change-"): study for study in studies}
    print("Where nothing changes\n")
    table_of_nothing(by_name["nothing"])
    for half in ("reporting", "choosing"):
        cases = cases_of(by_name[half])
        print(f"\nThe {half} half\n")
        table_of_kinds(cases)
        if half == "reporting":
            print("\nEach other agent on the reporting half\n")
            table_of_agents(by_name[half])
            print("\nEvery case of the reporting half\n")
            table_of_cases(cases)
    print("\nFrom 1 to 64 changes\n")
    table_of_numbers(by_name["number-of-changes"])


if __name__ == "__main__":
    main()

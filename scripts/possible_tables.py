"""Prints the tables of "How far from the possible" in docs/explanations/frontier.md.

    python3 scripts/possible_tables.py target/release/gbandit

It calls `gbandit bayes` for the least possible regret on tiny graphs, and `gbandit run` for regret
over long horizons, and takes about an hour. The options that end in `runs` or `by-reward` make it
shorter.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

#: All agents except the oracle, which knows the means, and `exp3s`, which needs a complete graph.
#: `g-horizon` is told the horizon `T`. Also `g-star` and `g-horizon` with each parameter that a
#: section of the page is about, and two agents that know that rewards are 0 or 1.
AGENTS = [
    "g-star",
    "g-star:variance=declared",
    "g-star:caution=1.2,doubt=3",
    "g-star:trust=0.9",
    "g-star:foresight=1",
    "g-horizon:horizon=T",
    "g-horizon:horizon=T,steady=1",
    "g-safe",
    "g-sweep",
    "g-moss",
    "g-ts",
    "g-imed",
    "g-klucb",
    "g-ts:rewards=bernoulli",
    "g-klucb:rewards=bernoulli",
    "local-ts",
    "local-ucb",
    "g-ucb",
    "g-ucb-ucrl2-bound",
    "g-ucb-ucrl2-doubling",
    "direct-sp",
    "ucrl2",
    "ql-eps",
    "ql-ucb-h",
    "epsilon-greedy",
    "random",
    "g-drift",
    "klucb",
    "restarting-klucb",
    "glr-klucb",
    "sw-klucb",
    "cusum-klucb",
    "m-klucb",
    "discounted-klucb",
    "discounted-ts",
    "discounted-ucb",
    "sw-ucb",
    "sw-ts",
]
#: Agents that are compared with the rate of Lai and Robbins, with sums of rewards. Those of the
#: second list look at every reward of a stay, so sums would save no time: they draw each reward.
LONG = [
    "g-star",
    "g-star:variance=declared",
    "g-star:caution=1.2,doubt=3",
    "g-star:trust=0.9",
    "g-star:foresight=1",
    "g-horizon:horizon=T",
    "g-moss",
    "g-imed",
    "g-klucb",
    "g-ts",
    "g-ucb",
]
LONG_BY_REWARD = ["g-safe", "g-sweep"]
#: The means of five nodes in a line.
MEANS = [0.3, 0.5, 0.2, 0.4, 0.6]
#: The noise of the long runs, by name and, if Gaussian, by variance.
NOISES = {"bernoulli": None, "gaussian:0.5": 0.25}
DECADES = [10**4, 10**5, 10**6, 10**7]


@dataclass(frozen=True)
class Tiny:
    """A tiny graph with a horizon."""

    title: str
    graph: str
    steps: int
    #: The time of the road between two nodes, if it is one.
    time: float | None = None

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return 2 if self.time is not None else int(self.graph.split(":")[1])

    def flags(self, directory: Path) -> list[str]:
        """The graph, as flags of `gbandit`; a road is written to a file."""
        if self.time is None:
            return ["--graph", self.graph, "--steps", str(self.steps)]
        path = directory / f"road-{self.time:g}.csv"
        path.write_text(f"source,target,time\na,b,{self.time:g}\n")
        return ["--graph", str(path), "--times", "time", "--steps", str(self.steps)]


TINY = [
    *(Tiny(f"line, {steps}", "line:3", steps) for steps in (20, 60)),
    *(Tiny(f"triangle, {steps}", "complete:3", steps) for steps in (20, 60)),
    Tiny("road 0, 200", "line:2", 200),
    Tiny("road 2, 200", "", 200, 2),
    Tiny("road 8, 200", "", 200, 8),
]


def asked(program: str, *arguments: str) -> Any:
    """What the program prints as JSON."""
    command = [program, *arguments, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def printed(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in Markdown; all columns but the first are numbers."""
    print("| " + " | ".join(heading) + " |")
    print("|---|" + "--:|" * (len(heading) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def short(value: float) -> str:
    """Three digits, or all whole ones."""
    if abs(value) >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}"


def with_error(mean: float, ends: Sequence[float | None]) -> str:
    """A mean and half the width of its 95% interval."""
    low, high = ends
    assert low is not None
    assert high is not None
    return f"{short(mean)} ± {short((high - low) / 2)}"


def after_initialization(program: str, case: Tiny, directory: Path, best_mean: float) -> float:
    """The least regret of a walk that first visits every node once, in order."""
    nodes = case.nodes
    left = case.steps - nodes - (nodes - 1) * (case.time or 0)
    names = ["a", "b"] if case.time else [str(node) for node in range(nodes)]
    total = 0.0
    for rewards in itertools.product((0, 1), repeat=nodes):
        seen = ",".join(f"{name}={one}/1" for name, one in zip(names, rewards, strict=True))
        flags = replace(case, steps=round(left)).flags(directory)
        rest = asked(program, "bayes", *flags, "--start", names[-1], "--seen", seen)
        total += (sum(rewards) + rest["value"]) / 2**nodes
    return best_mean * case.steps - total


def table_of_optimum(program: str, runs: int, seed: int) -> None:
    """Every agent's regret on tiny graphs, as a multiple of the least possible."""
    with tempfile.TemporaryDirectory() as directory:
        flags = ["--runs", str(runs), "--seed", str(seed), "--agents"]
        agents = [",".join(AGENTS).replace("=T", f"={case.steps}") for case in TINY]
        answers = [
            asked(program, "bayes", *case.flags(Path(directory)), *flags, told)
            for case, told in zip(TINY, agents, strict=True)
        ]
        covered = [
            after_initialization(program, case, Path(directory), case.nodes / (case.nodes + 1))
            for case in TINY
        ]
    rows = [["least possible regret", *(f"**{answer['regret']:.3f}**" for answer in answers)]]
    ratios = (regret / answer["regret"] for regret, answer in zip(covered, answers, strict=True))
    rows.append(["the best after initialization", *(f"{ratio:.2f}" for ratio in ratios)])
    for number, agent in enumerate(AGENTS):
        measured = [answer["agents"][number] for answer in answers]
        assert len({one["agent"].split(":")[0] for one in measured}) == 1
        rows.append([f"`{agent}`", *(f"{one['of_optimum']:.2f}" for one in measured)])
    printed(["agent", *(case.title for case in TINY)], rows)


def divergence(p: float, q: float, variance: float | None) -> float:
    """The divergence of the law of mean `p` from that of mean `q`."""
    if variance is not None:
        return (p - q) ** 2 / (2 * variance)
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def rate_of(means: Sequence[float], variance: float | None) -> float:
    """The least regret for each unit of ln T; `theory::least_regret_rate` in Rust."""
    best = max(means)
    return sum((best - p) / divergence(p, best, variance) for p in means if p < best)


def regrets_at(program: str, steps: int, agents: Sequence[str], flags: Sequence[str]) -> list[Any]:
    """What each agent's regret is after so many steps; `g-horizon` is told this number."""
    told = ",".join(agents).replace("=T", f"={steps}")
    length = ["--steps", str(steps), "--checkpoints", "1"]
    return asked(program, "run", *flags, *length, "--agents", told)["agents"]


def table_of_rates(program: str, runs: int, by_reward: int, seed: int, noise: str) -> None:
    """Regret over decades of T, and how fast it grows, against the least possible rate."""
    with tempfile.TemporaryDirectory() as directory:
        means = Path(directory) / "means.csv"
        means.write_text(",".join(map(str, MEANS)) + "\n")
        flags = ["--graph", f"line:{len(MEANS)}", "--means", f"file:{means}", "--noise", noise]
        flags += ["--regret-from", "start", "--seed", str(seed)]
        sums = [*flags, "--tape", "sums", "--runs", str(runs)]
        one_by_one = [*flags, "--runs", str(by_reward)]
        measured = [
            regrets_at(program, steps, LONG, sums)
            + regrets_at(program, steps, LONG_BY_REWARD, one_by_one)
            for steps in DECADES
        ]
    least = rate_of(MEANS, NOISES[noise])
    rows = []
    for number, name in enumerate([*LONG, *LONG_BY_REWARD]):
        ends = [agents[number] for agents in measured]
        regrets = [end["regret_mean"][-1] for end in ends]
        cells = [with_error(end["regret_mean"][-1], end["regret_ci95"][-1]) for end in ends]
        over = regrets[-1] / math.log(DECADES[-1])
        growth = (regrets[-1] - regrets[-2]) / math.log(DECADES[-1] / DECADES[-2])
        cells += [short(over), short(growth), f"{growth / least:.2f}"]
        rows.append([f"`{name}`", *cells])
    decades = [f"T = 10^{round(math.log10(t))}" for t in DECADES]
    print(f"{noise}: the least rate is {least:.2f}\n")
    printed(["agent", *decades, "regret / ln T", "growth", "of the least rate"], rows)


def main() -> None:
    """Prints all tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="gbandit")
    parser.add_argument("--runs", type=int, default=10_000, help="runs on tiny graphs")
    parser.add_argument("--long-runs", type=int, default=100_000, help="runs of 10^7 steps")
    parser.add_argument(
        "--long-runs-by-reward", type=int, default=2_000, help="the same, if each reward is drawn"
    )
    parser.add_argument("--seed", type=int, default=1, help="the seed of all randomness")
    arguments = parser.parse_args()
    table_of_optimum(arguments.program, arguments.runs, arguments.seed)
    for noise in NOISES:
        by_reward = arguments.long_runs_by_reward
        table_of_rates(arguments.program, arguments.long_runs, by_reward, arguments.seed, noise)


if __name__ == "__main__":
    main()

"""How fast the Python package is, as ratios within one run: `python bench/python/speed.py`.

Against the command line (studies), a plain numpy/networkx implementation (one run), and rustworkx
(conversion of networkx graphs). Needs networkx, rustworkx, and `cargo build --release` for gbandit.
Rounds alternate between the two sides; the figures are medians over rounds.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import rustworkx as rx
from plain import g_ucb

import graph_bandit as gb

ROOT = Path(__file__).parents[2]


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def alternate(rounds: int, *sides: Callable[[], object]) -> list[float]:
    """Median seconds of every side."""
    for side in sides:
        side()
    taken = [[seconds(side) for side in sides] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*taken, strict=True)]


def studies(rounds: int) -> None:
    runs, steps = 4000, 20_000
    gbandit = ROOT / "target" / "release" / "gbandit"
    world = gb.World("grid:10x10")

    def in_python() -> None:
        gb.run(world, ["g-ucb"], steps=steps, runs=runs, n_jobs=1, progress=False)

    def on_command_line() -> None:
        command = [
            gbandit,
            "run",
            "--graph",
            "grid:10x10",
            "--agents",
            "g-ucb",
            "--runs",
            str(runs),
        ]
        subprocess.run([*command, "--jobs", "1", "--json"], check=True, capture_output=True)

    ours, cli = alternate(rounds, in_python, on_command_line)
    print(f"study, g-ucb, grid 10x10, {steps:,} steps, {runs:,} runs, one thread")
    print(f"  python {ours:.3f} s, command line {cli:.3f} s: {ours / cli:.3f} of its time")


def one_run(rounds: int) -> None:
    graph = nx.grid_2d_graph(10, 10)
    world = gb.World(graph)
    means = np.random.default_rng(1).uniform(0.5, 9.5, 100)

    def ours() -> None:
        gb.run(world, ["g-ucb"], steps=20_000, runs=20, n_jobs=1, progress=False)

    def plain() -> None:
        g_ucb(graph, means, 20_000, np.random.default_rng(2))

    here, there = alternate(max(rounds // 2, 1), ours, plain)
    print("one g-ucb run, grid 10x10, 20,000 steps")
    print(f"  graph_bandit {here / 20 * 1e3:.2f} ms, numpy and networkx {there * 1e3:.0f} ms: "
          f"{there / (here / 20):,.0f} times as fast")  # fmt: skip


def ask_tell(rounds: int) -> None:
    grid = nx.grid_2d_graph(10, 10)
    visits = 100_000

    def single() -> None:
        agent = gb.agent(grid, "local-ucb")
        ask, tell = agent.ask, agent.tell
        for _ in range(visits):
            tell(ask().node, 0.5)

    rewards = np.random.default_rng(3).uniform(0, 1, 1 << 20)
    counted = [0, 0.0]

    def legs() -> None:
        # A session has about 200 legs before they get too long to wait for.
        counted[:] = [0, 0.0]
        for seed in range(100):
            agent = gb.agent(grid, "g-ucb", seed=seed, init="none")
            begun = time.perf_counter()
            while agent.visits < 20_000:
                leg = agent.ask()
                agent.tell_leg(rewards[: leg.visits])
                counted[0] += 1
            counted[1] += time.perf_counter() - begun

    rates = []
    for _ in range(rounds):
        legs()
        rates.append(counted[0] / counted[1])
    (taken,) = alternate(rounds, single)
    print("ask and tell, grid 10x10 with networkx labels")
    print(f"  local-ucb, visit by visit: {visits / taken:,.0f} visits/s")
    print(f"  g-ucb, leg by leg to 20,000 visits: {statistics.median(rates):,.0f} legs/s")


def conversion(rounds: int) -> None:
    graphs = {
        "numbers": nx.gnm_random_graph(250_000, 1_000_000, seed=1),
        "pairs": nx.grid_2d_graph(708, 708),
    }
    print("conversion of a networkx graph of a million edges")
    for name, graph in graphs.items():
        if not nx.is_connected(graph):
            nodes = max(nx.connected_components(graph), key=len)
            graph = graph.subgraph(nodes).copy()
        ours, theirs = alternate(
            rounds,
            lambda graph=graph: gb.graph(graph),
            lambda graph=graph: rx.networkx_converter(graph),
        )
        print(f"  labels {name}, {graph.number_of_edges():,} edges: {ours:.2f} s, "
              f"rustworkx {theirs:.2f} s: {ours / theirs:.2f} of its time")  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", choices=["studies", "one_run", "ask_tell", "conversion"])
    arguments = parser.parse_args()
    print(f"graph_bandit {gb.__version__}, medians of {arguments.rounds} rounds")
    for section in (studies, one_run, ask_tell, conversion):
        if arguments.only in (None, section.__name__):
            section(arguments.rounds)

"""How fast the Gymnasium environments step: `python bench/python/gym_speed.py`.

Compares a single environment, many in the compiled vector environment, and the same number in
Gymnasium's SyncVectorEnv of single environments. Random legal moves are drawn in advance, so that
only steps are timed. Rounds alternate between the sides; the figures are medians over rounds.
Compare ratios within one run.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import gymnasium as gym
import numpy as np

import graph_bandit as gb

ENV = "graph_bandit/GraphBandit-v0"


def seconds(work: Callable[[], object]) -> float:
    """How long the work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def moves(graph: gb.Graph, walks: int, steps: int) -> np.ndarray:
    """Random walks from node 0, one column each."""
    rng = np.random.default_rng(0)
    around = [graph.neighborhood_numbers(node) for node in range(len(graph))]
    at = np.zeros(walks, np.int64)
    made = np.empty((steps, walks), np.int64)
    for t in range(steps):
        at = made[t] = [rng.choice(around[node]) for node in at]
    return made


def main() -> None:
    """Measures all sides and prints a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--graph", default="grid:10x10")
    options.add_argument("--walks", type=int, default=1_000)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    graph = gb.graph(given.graph)
    steps = 20
    alone, together = moves(graph, 1, 20_000)[:, 0].tolist(), moves(graph, given.walks, steps)
    print(f"{given.graph}, {given.walks:,} walks in vectors, median of {given.rounds} rounds")
    for observation in ("node", "estimates"):
        setting = {"graph": graph, "observation": observation, "steps": 10**9}
        one = gym.make(ENV, disable_env_checker=True, **setting)
        bare = one.unwrapped
        many = gym.make_vec(ENV, given.walks, **setting)
        sync = gym.vector.SyncVectorEnv(
            [lambda setting=setting: gym.make(ENV, **setting).unwrapped] * given.walks
        )
        sides: dict[str, tuple[Callable[[], object], int]] = {
            "single, as made": (lambda one=one: [one.step(a) for a in alone], len(alone)),
            "single, unwrapped": (lambda bare=bare: [bare.step(a) for a in alone], len(alone)),
            "vector in Rust": (lambda many=many: [many.step(a) for a in together], together.size),
            "SyncVectorEnv": (lambda sync=sync: [sync.step(a) for a in together], together.size),
        }
        taken: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(given.rounds):
            for env in (one, many, sync):
                env.reset(seed=0)
            for name, (work, _) in sides.items():
                if name == "single, unwrapped":
                    one.reset(seed=0)
                taken[name].append(seconds(work))
        rates = {name: count / statistics.median(taken[name]) for name, (_, count) in sides.items()}
        for name, rate in rates.items():
            ratio = rate / rates["SyncVectorEnv"]
            print(
                f"  {observation:10} {name:18} {rate:12,.0f} steps/s {ratio:7.1f} x SyncVectorEnv"
            )


if __name__ == "__main__":
    main()

"""Runs of teams, step by step: against the results, the graph, and tables written by the program."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graph_bandit as gb

AGENTS = ["g-star", "multi-g-ucb", "g-ucb"]
OPTIONS: Any = {"walkers": 3, "steps": 150, "runs": 2, "seed": 5, "share": "log:0.7"}


def roads() -> gb.Graph:
    ring = [(0, 1, 0.0), (1, 2, 1.5), (2, 3, 0.0), (3, 4, 2.0), (4, 0, 0.0)]
    both = [road for a, b, time in ring for road in ((a, b, time), (b, a, time))]
    made = nx.DiGraph()
    made.add_weighted_edges_from(both, weight="time")
    return gb.graph(made, times="time")


def shares(count: int) -> float:
    """log:0.7, by its formula."""
    return float(np.log(1 + 0.7 * count) / np.log(1.7))


@pytest.mark.parametrize("draws", ["one", "own"])
@pytest.mark.parametrize("regret_from", ["start", "cover"])
def test_a_trace_adds_up_to_the_results(draws: str, regret_from: str) -> None:
    results = gb.run(
        "grid:4x4", AGENTS, draws=draws, regret_from=regret_from, progress=False, **OPTIONS
    )
    for number, agent in enumerate(AGENTS):
        for run in range(2):
            walk = results.trace(agent, run)
            assert walk.agent == agent
            assert walk.nodes.shape == (150 + walk.began, 3)
            assert walk.regret[-1] == pytest.approx(results.regret[number, run, -1])
            paid = walk.rewards[walk.began :].sum()
            assert paid == pytest.approx(results.reward[number, run, -1])
            assert walk.optimum == results.optimum(run)
            assert walk.means.tolist() == results.means(run).tolist()
            assert walk.began == results.init_steps[number, run]
            if regret_from == "cover":
                assert walk.began == walk.cover_steps > 0


def test_walkers_go_along_edges_and_share_what_their_node_pays() -> None:
    walk = gb.trace("grid:4x4", "g-star", walkers=3, share="log:0.7", steps=150, seed=5)
    edges = {tuple(sorted(edge)) for edge in walk.world.graph.edge_array().tolist()}
    seen: dict[int, list[float]] = {node: [] for node in range(16)}
    for step in range(walk.steps):
        there = walk.nodes[step].tolist()
        for walker, node in enumerate(there):
            before = int(walk.nodes[step - 1, walker]) if step else node
            assert before == node or tuple(sorted((before, node))) in edges
            count = there.count(node)
            part = shares(count) / count * walk.draws[step, walker]
            assert walk.rewards[step, walker] == pytest.approx(part)
            if there.index(node) == walker:
                seen[node].append(float(walk.draws[step, walker]))
            else:
                assert walk.draws[step, walker] == walk.draws[step, there.index(node)]
    assert walk.counts().tolist() == [len(draws) for draws in seen.values()]
    assert walk.cover_steps < 150
    assert (walk.counts(walk.cover_steps) > 0).all()
    assert (walk.counts(walk.cover_steps - 1) == 0).any()
    # Legs begin where walkers have nothing left to do: the first with the first step.
    for legs in walk.legs:
        assert legs[0] == 0
        assert (np.diff(legs) > 0).all()


def test_own_draws_are_counted_each() -> None:
    walk = gb.trace("line:3", "g-star", walkers=3, draws="own", share="power:1", steps=60, seed=1)
    assert not walk.shared
    assert walk.counts().sum() == 180


def test_on_a_road_nobody_draws() -> None:
    team = [gb.Walker(start=0), gb.Walker(start=0, speed=0.5)]
    walk = gb.trace(gb.World(roads()), "g-star", walkers=team, steps=200, seed=2)
    away = walk.on_road
    assert away.sum() > 3
    assert np.isnan(walk.draws[away]).all()
    assert (walk.rewards[away] == 0).all()
    for walker, speed in enumerate((1.0, 0.5)):
        own = np.flatnonzero(~away[:, walker])
        for before, after in pairwise(own.tolist()):
            a, b = (int(walk.nodes[step, walker]) for step in (before, after))
            time = 0.0 if a == b else {(1, 2): 1.5, (3, 4): 2.0}.get((min(a, b), max(a, b)), 0.0)
            assert after - before == 1 + np.ceil(time / speed)


def test_the_table_has_one_row_per_visit_and_is_that_of_the_program(tmp_path: Path) -> None:
    world = gb.World("grid:4x4")
    results = gb.run(world, AGENTS, progress=False, **OPTIONS)
    table = results.trajectories()
    frame = table.to_pandas()
    assert list(frame) == [
        "run", "agent", "walker", "t", "node", "reward", "draw", "leg", "phase",
    ]  # fmt: skip
    assert len(frame) == len(AGENTS) * 2 * 150 * 3
    table.to_parquet(tmp_path / "ours.parquet")
    command = [sys.executable, "-m", "graph_bandit", "run", "--graph", "grid:4x4", "--json"]
    command += ["--agents", ",".join(AGENTS), "--walkers", "3", "--steps", "150", "--runs", "2"]
    command += ["--seed", "5", "--share", "log:0.7"]
    command += ["--trajectories", str(tmp_path / "theirs.parquet")]
    subprocess.run(command, check=True, capture_output=True)
    ours, theirs = (pd.read_parquet(tmp_path / f"{whose}.parquet") for whose in ("ours", "theirs"))
    theirs["node"] = theirs["node"].astype(int)
    theirs["t"] = theirs["t"].astype(int)
    for column in ours:
        assert ours[column].tolist() == theirs[column].tolist(), column
    first = frame[(frame.agent == "g-star") & (frame.run == 1)]
    assert first.reward.sum() == pytest.approx(results.reward[0, 1, -1])


def test_what_cannot_be_traced_is_refused() -> None:
    results = gb.run("grid:3x3", "g-star", walkers=2, steps=50, runs=1, progress=False)
    with pytest.raises(ValueError, match="there is no run 1"):
        results.trace("g-star", run=1)
    sums = gb.run("grid:3x3", "g-star", walkers=2, steps=50, runs=1, tape="sums", progress=False)
    with pytest.raises(ValueError, match="one-by-one"):
        sums.trace("g-star")
    # A team of one is a walker alone, and its trace is that of one.
    alone = gb.trace("grid:3x3", "g-star", walkers=1, starts=4, steps=50)
    assert isinstance(alone, gb.Trace)
    special = gb.trace("grid:3x3", walkers=[gb.Walker(start=0, nodes=[0, 1])], steps=50)
    assert isinstance(special, gb.TeamTrace)
    assert set(special.nodes.ravel().tolist()) <= {0, 1}

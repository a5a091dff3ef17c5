"""The vector environment against Gymnasium's own vectors of single environments."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import networkx as nx
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import graph_bandit as gb

ENV = "graph_bandit/GraphBandit-v0"
GRID: nx.Graph[Any] = nx.grid_2d_graph(3, 4)
CALLED: nx.Graph[Any] = nx.Graph([("hall", "attic"), ("hall", "cellar"), ("cellar", "garden")])


def same(ours: Any, theirs: Any) -> None:
    """Equal to the bit, types of arrays included."""
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key in theirs:
            same(ours[key], theirs[key])
    elif isinstance(theirs, tuple) and any(isinstance(part, dict | np.ndarray) for part in theirs):
        for one, other in zip(ours, theirs, strict=True):
            same(one, other)
    elif isinstance(theirs, np.ndarray):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        if theirs.dtype == object:
            for one, other in zip(ours, theirs, strict=True):
                same(one, other)
        else:
            np.testing.assert_array_equal(ours, theirs)
    else:
        assert ours == theirs


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("observation", ["node", "estimates"])
@pytest.mark.parametrize("graph", ["circle:5", GRID, CALLED, nx.Graph([(10, 20), (20, 30)])])
def test_a_vector_is_single_environments(graph: Any, observation: str, mode: AutoresetMode) -> None:
    options = {
        "graph": graph,
        "observation": observation,
        "steps": 7,
        "means": gb.uniform_means(0, 9),
    }
    ours = gym.make_vec(
        ENV, 5, vectorization_mode="vector_entry_point", autoreset_mode=mode, **options
    )
    theirs = SyncVectorEnv([lambda: gym.make(ENV, **options)] * 5, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    same(ours.reset(seed=3), theirs.reset(seed=3))
    rng = np.random.default_rng(8)
    over = np.zeros(5, np.bool_)
    for t in range(30):
        if mode is AutoresetMode.DISABLED and over.any():
            same(
                ours.reset(options={"reset_mask": over.copy()}),
                theirs.reset(options={"reset_mask": over.copy()}),
            )
        elif t == 4:
            # So that walks are over at different times.
            chosen = np.array([True, False, True, False, False])
            mine = ours.reset(seed=90, options={"reset_mask": chosen})
            same(mine, theirs.reset(seed=90, options={"reset_mask": chosen}))
        actions = rng.integers(ours.single_action_space.n, size=5)
        mine, yours = ours.step(actions), theirs.step(actions)
        same(mine, yours)
        over = mine[3]
    seeds = [4, None, 4, None, 2**40]
    same(ours.reset(seed=seeds)[0], theirs.reset(seed=list(seeds))[0])
    actions = rng.integers(ours.single_action_space.n, size=5)
    same(ours.step(actions), theirs.step(actions))


def test_a_vector_without_a_seed_has_walks_of_its_own() -> None:
    envs = gym.make_vec(ENV, 2, graph="line:3").unwrapped
    envs.reset()
    assert envs.means(0).tolist() != envs.means(1).tolist()
    before = envs.means(0).tolist()
    envs.reset()
    assert envs.means(0).tolist() != before


def test_what_a_vector_returns_is_not_used_again() -> None:
    envs = gym.make_vec(ENV, 2, graph="grid:3x3", observation="estimates")
    before, info = envs.reset(seed=0)
    kept = copy.deepcopy((before, info))
    envs.step([1, 3])
    same((before, info), kept)

"""The PettingZoo environment: PettingZoo's own tests, and studies of the library."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import networkx as nx
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import graph_bandit as gb
from graph_bandit.pettingzoo import GraphTeam

GRID: nx.Graph[Any] = nx.grid_2d_graph(3, 4)
SHARES = ["equal", "log:0.05", "power:0.5", "capacity:2"]


@pytest.mark.parametrize("observation", ["node", "estimates"])
@pytest.mark.parametrize("draws", ["one", "own"])
@pytest.mark.parametrize("graph", ["line:1", "grid:3x3", GRID])
def test_passes_pettingzoos_tests_without_a_warning(
    graph: Any, draws: str, observation: Any
) -> None:
    def made() -> GraphTeam:
        return GraphTeam(graph, walkers=3, draws=draws, observation=observation, steps=40)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(made(), num_cycles=100)
        parallel_seed_test(made, num_cycles=100)


def scripted(step: int, at: int, around: Any) -> int:
    """Where a walker goes: a rule that visits much of the graph, and brings walkers together."""
    return int(around[(step * (at + 3) // 2) % len(around)])


class Scripted(gb.Agent):
    """The same rule as an agent of a study."""

    step = 0

    def next_leg(self, now: gb.Situation) -> Any:
        around = sorted(now.graph.neighborhood_numbers(now.at_number).tolist())
        self.step += 1
        return now.graph.label(scripted(self.step - 1, now.at_number, around))


@pytest.mark.parametrize("draws", ["one", "own"])
@pytest.mark.parametrize("share", SHARES)
def test_a_script_has_the_regret_of_a_run_with_the_same_walks(share: str, draws: str) -> None:
    world = gb.World(GRID, gb.uniform_means(0.5, 9.5), gb.gaussian_noise(2.0))
    steps = 120
    results = gb.run(
        world, Scripted(), walkers=4, share=share, draws=draws, steps=steps, runs=3, seed=11,
        init="none", checkpoints=range(1, steps + 1), progress=False,
    )  # fmt: skip
    env = GraphTeam(world, walkers=4, share=share, draws=draws, steps=steps)
    met = 0
    for run in range(3):
        # The first run by the seed, the others by resets without one.
        _, infos = env.reset(seed=11 if run == 0 else None)
        assert env.means.tolist() == results.means(run).tolist()
        assert env.optimum == results.optimum(run)
        regret, earned = [], []
        for step in range(steps):
            places = env.state()
            met += len(set(places.tolist())) < len(places)
            actions = {
                agent: scripted(step, int(at), np.flatnonzero(infos[agent]["action_mask"]))
                for agent, at in zip(env.agents, places, strict=True)
            }
            _, rewards, _, truncated, infos = env.step(actions)
            assert not any(info["illegal"] for info in infos.values())
            regret.append(infos["walker_0"]["regret"])
            earned.append(sum(rewards.values()))
        assert all(truncated.values())
        assert not env.agents
        assert regret == results.regret[0, run].tolist()
        assert np.cumsum(earned) == pytest.approx(results.reward[0, run])
    assert met > steps / 2


def test_rewards_are_shared_by_those_who_are_there() -> None:
    shares = np.array([[1.0, 1.5, 1.8]] * 3)
    env = GraphTeam(
        "line:3", [2.0, 4.0, 8.0], gb.no_noise(), walkers=3, starts=[0, 1, 2], share=shares
    )
    env.reset(seed=1)
    _, rewards, _, _, infos = env.step({"walker_0": 1, "walker_1": 1, "walker_2": 2})
    assert rewards == {"walker_0": 3.0, "walker_1": 3.0, "walker_2": 8.0}
    # The best static allocation: two on the last node, one on the middle; 12 + 4.
    assert env.optimum == 16.0
    assert infos["walker_2"]["regret"] == 2.0
    _, rewards, *_ = env.step(dict.fromkeys(env.agents, 1))
    assert list(rewards.values()) == pytest.approx([2.4] * 3)


def test_what_is_shared_is_observed() -> None:
    env = GraphTeam(
        "line:3", [2.0, 4.0, 8.0], gb.no_noise(), walkers=2, starts=0, observation="estimates"
    )
    seen, _ = env.reset()
    assert seen["walker_0"]["walkers"].tolist() == [2, 0, 0]
    seen, *_ = env.step({"walker_0": 1, "walker_1": 0})
    for agent, node in (("walker_0", 1), ("walker_1", 0)):
        assert seen[agent]["node"] == node
        assert seen[agent]["walkers"].tolist() == [1, 1, 0]
        assert seen[agent]["visits"].tolist() == [1, 1, 0]
        assert seen[agent]["means"].tolist() == [2.0, 4.0, 0.0]
        assert env.observation_space(agent).contains(seen[agent])


def test_masks_keep_walkers_to_their_nodes() -> None:
    team = [gb.Walker(start=4), gb.Walker(start=0, nodes=[0, 1, 4])]
    env = GraphTeam("grid:3x3", walkers=team)
    _, infos = env.reset(seed=2)
    assert np.flatnonzero(infos["walker_0"]["action_mask"]).tolist() == [1, 3, 4, 5, 7]
    assert np.flatnonzero(infos["walker_1"]["action_mask"]).tolist() == [0, 1]
    seen, *_, infos = env.step({"walker_0": 0, "walker_1": 3})
    assert {agent: int(node) for agent, node in seen.items()} == {"walker_0": 4, "walker_1": 0}
    assert all(info["illegal"] for info in infos.values())


def test_a_walker_on_a_road_draws_nothing_and_goes_on() -> None:
    roads = gb.graph([("a", "b", 2.0), ("b", "a", 2.0)], directed=True, times="weights")
    team = [gb.Walker(start="a"), gb.Walker(start="a", speed=2.0)]
    env = GraphTeam(roads, {"a": 1.0, "b": 5.0}, gb.no_noise(), walkers=team, steps=4)
    env.reset(seed=0)
    paid, places = [], []
    for _ in range(4):
        _, rewards, *_, infos = env.step({"walker_0": 1, "walker_1": 1})
        paid.append(list(rewards.values()))
        places.append([(info["node"], info["on_road"]) for info in infos.values()])
    a, b = ("a", True), ("b", False)
    assert places == [[a, a], [a, b], [b, b], [b, b]]
    assert paid == [[0.0, 0.0], [0.0, 5.0], [2.5, 2.5], [2.5, 2.5]]
    assert infos["walker_0"]["regret"] == 4 * 6.0 - 15.0


def test_episodes_with_seeds_repeat_and_copies_are_apart() -> None:
    env = GraphTeam("grid:3x3", walkers=2, steps=5)
    played = []
    for seed in (3, None, 3, None):
        env.reset(seed=seed)
        played.append((env.state().tolist(), env.means.tolist()))
    assert played[:2] == played[2:]
    assert played[0] != played[1]
    other = copy.deepcopy(env)
    actions = dict.fromkeys(env.agents, 4)
    assert other.step(actions)[1] == env.step(actions)[1]
    first, second = GraphTeam("grid:3x3"), GraphTeam("grid:3x3")
    first.reset()
    second.reset()
    assert first.means.tolist() != second.means.tolist()


def test_mistakes_are_named() -> None:
    env = GraphTeam("line:3", walkers=2, steps=1)
    with pytest.raises(RuntimeError, match="begin one with reset"):
        env.step({"walker_0": 0, "walker_1": 0})
    env.reset(seed=1)
    for actions, error, says in (
        ({"walker_0": 0}, ValueError, "walker_1 has no action"),
        ({"walker_0": 0, "walker_1": 0, "walker_2": 0}, ValueError, "no agent 'walker_2'"),
        ({"walker_0": 0, "walker_1": 3}, gb.UnknownNodeError, "there is no node number 3"),
    ):
        with pytest.raises(error, match=says):
            env.step(actions)
    env.step({"walker_0": 0, "walker_1": 0})
    with pytest.raises(RuntimeError, match="begin one with reset"):
        env.step({})
    with pytest.raises(TypeError, match="graph is a World"):
        GraphTeam(gb.World("line:3"), means=[1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="there is no observation 'all'"):
        GraphTeam("line:3", observation="all")  # type: ignore[arg-type]


def test_means_may_change_and_regret_follows_them() -> None:
    # The best two of three nodes pay 5 + 2 at first, and 6 + 4 from step 4 on.
    table = gb.changing_means({0: [5.0, 2.0, 1.0], 4: [1.0, 4.0, 6.0]})
    world = gb.World("line:3", table, noise="gaussian:0")
    env = GraphTeam(world, walkers=2, starts=[0, 1], steps=6)
    env.reset(seed=1)
    assert (env.optimum, list(env.means)) == (7.0, [5.0, 2.0, 1.0])
    regrets, rewards = [], []
    for _ in range(6):
        _, paid, _, _, infos = env.step({"walker_0": 0, "walker_1": 1})
        rewards.append(sum(paid.values()))
        regrets.append(infos["walker_0"]["regret"])
    assert rewards == [7.0, 7.0, 7.0, 7.0, 5.0, 5.0]
    assert regrets == [0.0, 0.0, 0.0, 0.0, 5.0, 10.0]
    assert (env.optimum, list(env.means)) == (10.0, [1.0, 4.0, 6.0])


def test_an_error_in_your_own_rewards_reaches_you_and_ends_the_episode() -> None:
    def broken(node: int, rng: np.random.Generator) -> float:
        if node == 2:
            raise ArithmeticError("no money left")
        return 1.0

    env = GraphTeam("line:3", noise=gb.rewards_from(broken, scale=1.0), walkers=2, starts=[0, 1])
    env.reset(seed=1)
    assert sum(env.step({"walker_0": 0, "walker_1": 1})[1].values()) == 2.0
    with pytest.raises(ArithmeticError, match="no money left"):
        env.step({"walker_0": 0, "walker_1": 2})
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        env.step({"walker_0": 0, "walker_1": 1})
    env.reset()
    assert sum(env.step({"walker_0": 0, "walker_1": 1})[1].values()) == 2.0

"""The Gymnasium environments against studies of the library, networkx and Gymnasium's own vectors."""

from __future__ import annotations

import copy
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import networkx as nx
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import graph_bandit as gb

ENV = "graph_bandit/GraphBandit-v0"
GRID: nx.Graph[Any] = nx.grid_2d_graph(3, 4)
CALLED: nx.Graph[Any] = nx.Graph([("hall", "attic"), ("hall", "cellar"), ("cellar", "garden")])


def made(**options: Any) -> Any:
    return gym.make(ENV, **options)


@pytest.mark.parametrize("observation", ["node", "estimates"])
@pytest.mark.parametrize("graph", ["line:1", "grid:3x3", CALLED, GRID])
def test_passes_gymnasiums_check_without_a_warning(graph: Any, observation: str) -> None:
    env = made(graph=graph, observation=observation, steps=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("agent", ["g-ucb", "local-ucb", "g-star"])
@pytest.mark.parametrize("noise", [gb.uniform_noise(0.5), gb.gaussian_noise(2.0)])
def test_a_run_repeated_by_hand_is_paid_the_same(agent: str, noise: gb.Noise) -> None:
    world = gb.World(GRID, gb.uniform_means(0.5, 9.5), noise)
    study = gb.run(
        world, agent, steps=300, runs=3, seed=11, start=(1, 1), back="walk", progress=False
    )
    env = made(graph=world, steps=10_000, start=(1, 1))
    for run in range(3):
        walk = study.trace(agent, run)
        # The first run by the seed, the others by resets without one.
        env.reset(seed=11 if run == 0 else None)
        assert env.unwrapped.means.tolist() == study.means(run).tolist()
        steps = [env.step(node) for node in walk.nodes]
        assert [int(step[0]) for step in steps] == walk.nodes.tolist()
        assert [step[1] for step in steps] == walk.rewards.tolist()
        assert not any(step[4]["illegal"] for step in steps)
        collected = sum(step[1] for step in steps[walk.init_steps :])
        assert collected == pytest.approx(study.reward[0, run, -1])
        regret = study.regret[0, run, -1] + study.init_regret[0, run]
        assert steps[-1][4]["regret"] == pytest.approx(regret)


def test_rows_of_means_are_used_in_turn() -> None:
    env = made(graph="line:3", means=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], noise=gb.no_noise())
    paid = []
    for seed in (5, None, None, 5):
        env.reset(seed=seed)
        paid.append(env.step(1)[1])
    assert paid == [2.0, 5.0, 2.0, 2.0]


def test_without_a_seed_walks_differ() -> None:
    first, second = made(graph="line:3"), made(graph="line:3")
    first.reset()
    second.reset()
    assert first.unwrapped.means.tolist() != second.unwrapped.means.tolist()


@pytest.mark.parametrize("graph", [GRID, CALLED, nx.star_graph(6)])
def test_masks_are_closed_neighbourhoods_and_other_moves_stay(graph: nx.Graph[Any]) -> None:
    env = made(graph=graph, steps=10_000, means=gb.uniform_means(0, 1), noise=gb.no_noise())
    labels = list(graph)
    _, info = env.reset(seed=3)
    rng = np.random.default_rng(4)
    at, seen = labels[0], set()
    assert info["node"] == at
    assert not info["illegal"]
    assert info["regret"] == 0.0
    means = env.unwrapped.means
    regret = 0.0
    for _ in range(200):
        legal = {at, *graph.neighbors(at)}
        assert info["action_mask"].dtype == np.int8
        assert {labels[i] for i in np.flatnonzero(info["action_mask"])} == legal
        assert env.unwrapped.action_masks().tolist() == (info["action_mask"] == 1).tolist()
        action = int(rng.integers(len(labels)))
        node, reward, terminated, truncated, info = env.step(action)
        assert info["illegal"] == (labels[action] not in legal)
        at = at if info["illegal"] else labels[action]
        seen.add(info["illegal"])
        assert (info["node"], labels[node]) == (at, at)
        # Staying put by an illegal action is a visit that pays.
        assert reward == means[node]
        regret += means.max() - means[node]
        assert info["regret"] == pytest.approx(regret)
        assert not terminated
        assert not truncated
    assert seen == {True, False}


def test_estimates_are_counts_and_averages() -> None:
    env = made(graph="grid:3x3", observation="estimates", steps=80)
    seen, _ = env.reset(seed=1)
    assert seen["visits"].sum() == 0
    assert seen["means"].tolist() == [0.0] * 9
    rng = np.random.default_rng(2)
    paid: dict[int, list[float]] = {}
    for t in range(1, 81):
        seen, reward, _, truncated, _ = env.step(rng.integers(9))
        paid.setdefault(int(seen["node"]), []).append(reward)
        assert truncated == (t == 80)
    assert seen["visits"].tolist() == [len(paid.get(s, [])) for s in range(9)]
    assert seen["means"] == pytest.approx([np.mean(paid.get(s, [0.0])) for s in range(9)])
    assert seen in env.observation_space


def test_a_walk_that_is_over_wants_a_reset() -> None:
    env = made(graph="line:2", steps=1).unwrapped
    with pytest.raises(RuntimeError, match=r"no walk has begun yet; call reset\(\) first"):
        env.step(0)
    env.reset(seed=0)
    assert env.step(1)[3]
    with pytest.raises(
        RuntimeError, match=r"walk of 1 steps is over; begin another with reset\(\)"
    ):
        env.step(0)


def draw(node: Any, rng: np.random.Generator, size: int) -> Any:
    return len(node) + rng.triangular(-1.0, 0.0, 1.0, size)


def test_rewards_of_ones_own() -> None:
    means = {node: float(len(node)) for node in CALLED}
    world = gb.World(CALLED, means, gb.rewards_from(draw, scale=1.0))
    walk = gb.trace(world, "local-ucb", steps=300, seed=5, back="walk")
    env = made(graph=world)
    env.reset(seed=5)
    assert [env.step(node)[1] for node in walk.nodes] == walk.rewards.tolist()


@pytest.mark.parametrize("make", [gym.make, gym.make_vec])
def test_errors_of_ones_own_rewards_come_through(make: Callable[..., Any]) -> None:
    def broken(node: Any, rng: np.random.Generator, size: int) -> Any:
        raise KeyError(f"nothing at {node}")

    env = make(ENV, graph=CALLED, means=[1.0] * 4, noise=gb.rewards_from(broken, scale=1.0))
    env.reset(seed=0)
    with pytest.raises(KeyError, match="nothing at hall"):
        env.step(0 if make is gym.make else [0])


def test_a_copy_goes_on_by_itself() -> None:
    env = made(graph="grid:3x3").unwrapped
    env.reset(seed=6)
    env.step(1)
    other = copy.deepcopy(env)
    ahead = [env.step(node)[:2] for node in (1, 2, 5, 5)]
    assert [other.step(node)[:2] for node in (1, 2, 5, 5)] == ahead


def test_rendering() -> None:
    env = made(graph=CALLED, means=[1.0, 2.0, 3.0, 4.0], noise=gb.no_noise(), render_mode="ansi")
    env.reset(seed=0)
    env.step(2)
    line = "step 1 of 1000 at 'cellar': paid 3, regret 1; next 'hall' or 'cellar' or 'garden'"
    assert env.render() == line
    envs = gym.make_vec(
        ENV, 2, graph=CALLED, means=[1.0, 2.0, 3.0, 4.0], noise="constant", render_mode="ansi"
    )
    envs.reset(seed=0)
    envs.step([2, 0])
    assert envs.render()[0] == line
    assert envs.render()[1].startswith("step 1 of 1000 at 'hall'")

    env = made(graph=CALLED, render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    assert (first.shape, first.dtype) == ((480, 480, 3), np.uint8)
    env.step(2)
    assert (env.render() != first).any()
    plain = made(graph=CALLED).unwrapped
    plain.reset(seed=0)
    with pytest.warns(UserWarning, match="without a render mode nothing is drawn"):
        plain.render()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"steps": 0}, ValueError, "steps is 0; give a whole number of at least 1"),
        ({"steps": 2.5}, TypeError, "steps is 2.5; give a whole number"),
        (
            {"start": "pantry"},
            gb.UnknownNodeError,
            "there is no node 'pantry'; use the labels of your graph",
        ),
        ({"observation": "all"}, ValueError, "no observation 'all'; there are 'node' and 'estim"),
        ({"means": [1.0, 2.0]}, ValueError, "for 4 nodes; give exactly one per node"),
        ({"means": [2.0] * 4, "noise": gb.bernoulli_noise()}, ValueError, "mean 2"),
        ({"graph": gb.World(CALLED), "means": [1.0] * 4}, TypeError, "graph is a World, which has"),
    ],
)
@pytest.mark.parametrize("make", [gym.make, gym.make_vec])
def test_settings_that_make_no_sense(
    make: Callable[..., Any], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make(ENV, **{"graph": CALLED, **options})


def test_actions_and_seeds_that_make_no_sense() -> None:
    env = made(graph=CALLED).unwrapped
    for seed in (-1, 2**64):
        with pytest.raises(
            ValueError, match=r"give a whole number (of at least 0|from 0 to 18446744073709551615)"
        ):
            env.reset(seed=seed)
    env.reset(seed=2**64 - 1)
    for action in (-1, 4):
        with pytest.raises(gb.UnknownNodeError, match="actions are the numbers 0 to 3"):
            env.step(action)
    with pytest.raises(TypeError):
        env.step(1.5)
    envs = gym.make_vec(ENV, 2, graph=CALLED)
    with pytest.raises(RuntimeError, match="no walk has begun yet"):
        envs.step([0, 0])
    with pytest.raises(gym.error.ResetNeeded, match="reset all of them first"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.reset(seed=0)
    with pytest.raises(gb.UnknownNodeError, match="no node number 4"):
        envs.step([0, 4])
    with pytest.raises(ValueError, match="3 actions for 2 walkers; give exactly one per walker"):
        envs.step([0, 0, 0])
    with pytest.raises(ValueError, match="1 seeds for 2 walkers"):
        envs.reset(seed=[1])
    with pytest.raises(TypeError, match="give node numbers, which are integers"):
        envs.step([0.0, 1.0])
    with pytest.raises(ValueError, match="give a numpy array of 2 booleans"):
        envs.reset(options={"reset_mask": [True, False]})
    with pytest.raises(ValueError, match="num_envs is 0"):
        gym.make_vec(ENV, 0, graph=CALLED)


def in_a_fresh_interpreter(program: str) -> str:
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_package_works_without_gymnasium() -> None:
    program = """
import sys
sys.modules["gymnasium"] = None
import graph_bandit
try:
    import graph_bandit.gym
except ImportError as error:
    print(error)
"""
    assert in_a_fresh_interpreter(program).strip().endswith("graph-bandit[gym]")


def test_the_name_says_what_to_import() -> None:
    program = f"""
import gymnasium
print(gymnasium.make("graph_bandit:{ENV}").action_space.n)
"""
    assert in_a_fresh_interpreter(program).strip() == "100"


def test_a_tabular_learner_learns() -> None:
    """Q-learning on one fixed world, against a walker that goes anywhere at random."""
    means = np.full((5, 5), 0.1)
    means[4, 4] = 0.9
    env = made(
        graph=nx.grid_2d_graph(5, 5), means=means.ravel(), noise=gb.bernoulli_noise(), steps=100
    )
    rng = np.random.default_rng(0)
    # What staying on the best node without end is worth: whatever was not tried is worth a try.
    values = np.full((25, 25), 0.9 / (1 - 0.95))

    def walk(seed: int, explore: float, learn: bool = False) -> float:
        node, info = env.reset(seed=seed)
        total, truncated = 0.0, False
        while not truncated:
            legal = np.flatnonzero(info["action_mask"])
            if rng.random() < explore:
                action = rng.choice(legal)
            else:
                action = legal[values[node, legal].argmax()]
            before = node
            node, reward, _, truncated, info = env.step(action)
            total += reward
            if learn:
                best = values[node, np.flatnonzero(info["action_mask"])].max()
                values[before, action] += 0.1 * (reward + 0.95 * best - values[before, action])
        return total

    for episode in range(300):
        walk(episode, explore=0.3, learn=True)
    learned = np.mean([walk(1_000 + i, explore=0.0) for i in range(20)])
    at_random = np.mean([walk(1_000 + i, explore=1.0) for i in range(20)])
    # Eight steps of 0.1 on the way and 92 of 0.9, or nearly so.
    assert learned > 75
    assert at_random < 30


def test_a_failed_reward_ends_the_walk_and_too_many_walks_are_refused():
    trouble = {"on": False}

    def draw(node, rng, size):
        if trouble["on"]:
            raise KeyError("no level")
        return np.full(size, 100.0)

    noise = gb.rewards_from(draw, scale=0.5)
    env = gym.make("graph_bandit/GraphBandit-v0", graph="line:3", means=[100.0] * 3, noise=noise)
    trouble["on"] = True
    env.reset(seed=1)
    with pytest.raises(KeyError, match="no level"):
        env.step(0)
    trouble["on"] = False
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    assert env.step(0)[1] == 100.0
    with pytest.raises(ValueError, match="more than memory holds; ask for at most"):
        gym.make_vec("graph_bandit/GraphBandit-v0", num_envs=10**18, graph="line:3")

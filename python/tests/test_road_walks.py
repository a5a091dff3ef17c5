"""Walks on roads: sessions, studies, Gymnasium and figures."""

from __future__ import annotations

import copy
import json
import pickle

import gymnasium as gym
import matplotlib as mpl
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from random_roads import some_roads

import graph_bandit as gb

mpl.use("Agg")


def ring() -> gb.Graph:
    """Round one way, a slow road from "c" to "a", and a two-way street from "b" to "d"."""
    roads = [("a", "b", 0.5), ("b", "c", 0.0), ("c", "a", 2.0), ("b", "d", 1.0), ("d", "b", 1.0)]
    return gb.graph(roads, directed=True, times="weights")


MEANS = {"a": 0.2, "b": 0.4, "c": 1.0, "d": 0.8}


def test_an_order_says_how_long_its_roads_take():
    agent = gb.agent(ring(), "g-star", start="a", init="lowest")
    leg = agent.ask()
    assert (leg.path, leg.stay, leg.times, leg.arrival, agent.time) == ((), 1, (), 0.0, 0.0)
    agent.tell("a", 0.2)
    leg = agent.ask()
    assert (leg.path, leg.times, leg.arrival) == (("b",), (1.5,), 2.5)
    agent.tell(leg, [0.4])
    assert (agent.time, agent.visits) == (2.5, 2)
    leg = agent.ask()
    assert (leg.path, leg.times, leg.arrival) == (("c",), (1.0,), 3.5)
    with pytest.raises(gb.IllegalMoveError, match="from node 'b' to node 'a'"):
        agent.tell("a", 0.2)


def test_legs_without_roads_have_no_times():
    assert (gb.agent("line:3", "g-star").ask().times, gb.Leg(["a"]).arrival) == (None, None)


def test_told_times_are_learned():
    agent = gb.agent(ring(), "g-star", start="a", init="lowest")
    agent.tell("a", 0.2)
    assert agent.ask().times == (1.5,)
    agent.tell("b", 0.4, took=4.0)
    assert agent.time == 5.0
    agent.move_to("a")
    agent.tell("b", 0.4)
    # The map said 0.5, the drive took 3: their mean is expected now.
    assert agent.time == 5.0 + 1.0 + 1.75
    with pytest.raises(ValueError, match=r"0\.5"):
        agent.tell("c", 0.4, took=0.5)
    agent.tell(agent.ask(), [0.4], took=2.0)
    assert agent.time == 5.0 + 1.0 + 1.75 + 2.0


def play(agent: gb.Session, visits: int) -> list[object]:
    nodes = []
    for _ in range(visits):
        node = agent.ask().node
        agent.tell(node, MEANS[node])
        nodes.append(node)
    return nodes


def test_sessions_go_on_where_they_were_put_aside(tmp_path):
    for spec in ("g-star", "g-ucb", "ql-ucb-h"):
        agent = gb.agent(ring(), spec, start="d", seed=4, init="tour")
        play(agent, 30)
        agent.save(tmp_path / "session.json")
        assert json.loads((tmp_path / "session.json").read_text())["version"] == 1
        others = [
            gb.load(tmp_path / "session.json"),
            copy.deepcopy(agent),
            pickle.loads(pickle.dumps(agent)),
        ]
        expected = play(agent, 40)
        for other in others:
            assert play(other, 40) == expected
            assert other.time == agent.time
            assert other.graph.road_times().tolist() == agent.graph.road_times().tolist()


def test_roads_are_closed_as_they_run():
    agent = gb.agent(ring(), "g-star", start="a")
    agent.block("d", "b")
    assert agent.blocked == (("d", "b"),)
    assert agent.set_aside == ("d",)
    assert "d" not in play(agent, 30)
    agent.open("d", "b")
    assert agent.set_aside == ()
    with pytest.raises(ValueError, match="there is no road from node 'b' to node 'a'"):
        agent.block("b", "a")


def test_studies_count_units_of_time():
    world = gb.World(ring(), means=MEANS, noise=gb.uniform_noise(0.1))
    study = gb.run(
        world, ["g-star", "g-ucb"], steps=400, runs=3, seed=2, init="tour", progress=False
    )
    assert study.unit == "units of time"
    assert repr(study).startswith("Results of 3 runs, 400 units of time")
    assert "400 units of time" in study._repr_html_()
    frame = study.to_pandas()
    assert frame["t"].max() == 400
    assert study.plot_regret().get_xlabel() == "time"
    assert study.summary()[0]["init_travel"] > 0
    again = gb.run(
        world, ["g-star", "g-ucb"], steps=400, runs=3, seed=2, init="tour", n_jobs=1, progress=False
    )
    assert (again.regret == study.regret).all()
    # Whoever knows that "c" is best goes there and stays: 0.5 + 0.6 at "b".
    way = gb.plan.shortest_path(world.graph, MEANS)
    assert way.path("a") == ("b", "c")
    assert way.values.tolist() == pytest.approx([1.1, 0.0, 0.0, 1.0 + 0.6], abs=1e-12)
    assert (study.regret[:, :, -1] >= way.values[0] - 1e-9).all()


def test_agents_of_your_own_see_the_time():
    seen = []

    class Round(gb.Agent):
        def next_leg(self, now):
            seen.append((now.visits, now.time))
            others = [node for node in now.graph.neighborhood(now.at) if node != now.at]
            return others[0]

    gb.run(gb.World(ring(), means=MEANS), [Round()], steps=40, runs=1, progress=False)
    assert len(seen) > 5
    assert all(time > visits for visits, time in seen)


ROADS = "graph_bandit/GraphBandit-v0"


def test_the_environment_passes_gymnasium_s_own_check():
    for observation in ("node", "estimates"):
        env = gym.make(
            ROADS, graph=gb.World(ring(), means=MEANS), steps=60, start="a", observation=observation
        )
        check_env(env.unwrapped, skip_render_check=True)


def test_actions_take_their_roads_time():
    env = gym.make(ROADS, graph=gb.World(ring(), means=MEANS), steps=10, start="a")
    env.reset(seed=1)
    numbers = {label: number for number, label in enumerate(ring().nodes)}

    def go(label):
        node, reward, ended, over, info = env.step(numbers[label])
        assert not ended
        assert node == numbers[info["node"]]
        return reward, over, info

    _, over, info = go("b")
    assert (over, info["time"], info["node"]) == (False, 1.5, "b")
    assert info["regret"] == pytest.approx(1.5 - 0.4)
    _, over, info = go("a")
    assert (info["illegal"], info["node"], info["time"]) == (True, "b", 2.5), "no road leads back"
    _, over, info = go("d")
    assert (over, info["time"]) == (False, 4.5)
    assert info["regret"] == pytest.approx(4.5 - 0.4 - 0.4 - 0.8)
    _, over, info = go("b")
    _, over, info = go("c")
    assert (over, info["time"]) == (False, 7.5)
    # The way to "a" would end at 10.5: it is not finished.
    reward, over, info = go("a")
    assert (reward, over, info["time"], info["node"]) == (0.0, True, 10.0, "c")
    assert info["regret"] == pytest.approx(10 - 3 * 0.4 - 0.8 - 1.0)
    with pytest.raises(RuntimeError, match="over"):
        env.step(numbers["c"])


def test_a_rest_too_short_for_a_visit_ends_the_episode():
    env = gym.make(ROADS, graph=gb.World(ring(), means=MEANS), steps=2, start="a")
    env.reset(seed=1)
    _, reward, _, over, info = env.step(ring().number("b"))
    assert reward != 0.0
    assert (over, info["time"], info["node"]) == (True, 2.0, "b")
    assert info["regret"] == pytest.approx(2.0 - 0.4)


@pytest.mark.parametrize("agent", ["g-star", "g-ucb"])
def test_a_run_repeated_by_hand_has_the_same_regret(agent):
    rng = np.random.default_rng(9)
    made = gb.graph(some_roads(rng, 8), times="tau")
    world = gb.World(made, means=rng.random(8), noise=gb.bernoulli_noise())
    study = gb.run(world, agent, steps=200, runs=1, seed=5, init="none", progress=False)
    walk = study.trace(agent)
    env = gym.make(ROADS, graph=world, steps=200)
    env.reset(seed=5)
    over, paid = False, []
    for node in walk.nodes.tolist():
        _, reward, _, over, info = env.step(node)
        paid.append(reward)
        assert not info["illegal"]
    assert paid == walk.rewards.tolist()
    if not over:  # What is left is too short for the road that the agent had planned.
        slowest = max(made.neighborhood(info["node"]), key=lambda b: made.travel(info["node"], b))
        _, _, _, over, info = env.step(slowest)
    assert over
    assert info["regret"] == pytest.approx(study.regret[0, 0, -1], abs=1e-9)


def test_many_at_once_are_single_ones():
    world = gb.World(ring(), means=gb.uniform_means(0, 1), noise=gb.bernoulli_noise())
    many = gym.make_vec(ROADS, num_envs=3, graph=world, steps=12, render_mode="ansi")
    ones = [gym.make(ROADS, graph=world, steps=12) for _ in range(3)]
    many.reset(seed=3)
    for i, one in enumerate(ones):
        one.reset(seed=3 + i)
    rng = np.random.default_rng(0)
    over = np.zeros(3, bool)
    for _ in range(40):
        actions = rng.integers(4, size=3)
        nodes, rewards, _, now_over, info = many.step(actions)
        for i, one in enumerate(ones):
            if over[i]:
                node, told = one.reset()
                reward, is_over = 0.0, False
            else:
                node, reward, _, is_over, told = one.step(actions[i])
            assert (node, reward, is_over) == (nodes[i], rewards[i], now_over[i])
            assert (told["time"], told["regret"]) == (info["time"][i], info["regret"][i])
        assert f"time {info['time'][0]:.10g} of 12" in many.render()[0]
        over = now_over
    assert many.spec is not None


def test_one_way_roads_have_heads_in_figures():
    from graph_bandit.plots.network import one_way

    numbers = {label: number for number, label in enumerate(ring().nodes)}
    heads = {tuple(row) for row in one_way(ring()).tolist()}
    assert heads == {(numbers[a], numbers[b]) for a, b in (("a", "b"), ("b", "c"), ("c", "a"))}
    agent = gb.agent(ring(), "g-star", start="a")
    play(agent, 5)
    axes = agent.plot()
    (arrows,) = [drawn for drawn in axes.collections if drawn.get_label() == "one way"]
    assert len(arrows.get_paths()) == 3
    axes.figure.canvas.draw()
    plain = gb.agent("grid:2x2", "g-star").plot("visits")
    assert not [drawn for drawn in plain.collections if drawn.get_label() == "one way"]
    walk = gb.trace(gb.World(ring(), means=MEANS), "g-star", steps=60, seed=1)
    film = gb.plots.film(walk, frames=5)
    best = walk.means.max()
    own = walk.times[walk.init_steps :] - walk.times[walk.init_steps - 1]
    expected = best * own - np.cumsum(walk.means[walk.nodes[walk.init_steps :]])
    np.testing.assert_allclose(film.regret, expected, atol=1e-9)

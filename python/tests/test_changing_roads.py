"""Roads that close and drives that take other times: studies, environments, sessions, the service."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess

import gymnasium as gym
import numpy as np
import pytest

import graph_bandit as gb
from graph_bandit.road_directions import block_each

ROADS = [(0, 1, 0.5), (1, 2, 0), (2, 3, 2.25), (3, 0, 1), (3, 1, 0), (1, 0, 4), (2, 0, 0.125)]
RATES = {(0, 1): (0.1, 0.3), (2, 3): (0.02, 0.0), (3, 1): (0.05, 1.0)}


def town() -> gb.Graph:
    return gb.graph(ROADS, directed=True, times="weights")


def of_command_line(gbandit, *arguments):
    flags = ["--agents", "g-ucb,g-star,ql-eps", "--steps", "500", "--runs", "4", "--seed", "7"]
    command = [gbandit, "run", "--json", *arguments, *flags]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["agents"]


def regret(study):
    """As the command line adds up: run by run."""
    return [(np.add.accumulate(runs, axis=0)[-1] / 4).tolist() for runs in study.regret]


@pytest.mark.parametrize(
    ("graph", "options", "flags"),
    [
        ("grid:4x4", {"closures": (0.05, 0.2)}, ["--closures", "0.05,0.2"]),
        ("grid:4x4", {"closures": "0.05,0.2"}, ["--closures", "0.05,0.2"]),
        ("town", {"travel_noise": 0.4}, ["--travel-noise", "0.4"]),
        (
            "town",
            {"closures": (0.05, 0.2), "travel_noise": 0.4},
            ["--closures", "0.05,0.2", "--travel-noise", "0.4"],
        ),
        ("town", {"closures": RATES}, ["--closures", "map"]),
    ],
)
def test_the_same_numbers_as_the_command_line(gbandit, tmp_path, graph, options, flags):
    source = ["--graph", graph]
    if graph == "town":
        rows = "".join(
            f"{a},{b},{time},{','.join(map(str, RATES.get((a, b), ['', ''])))}\n"
            for a, b, time in ROADS
        )
        file = tmp_path / "roads.csv"
        file.write_text("source,target,time,closing_rate,reopening_rate\n" + rows)
        source = ["--graph", str(file), "--directed", "--times", "time"]
    made = town() if graph == "town" else graph
    agents = ["g-ucb", "g-star", "ql-eps"]
    study = gb.run(made, agents, steps=500, runs=4, seed=7, **options)
    ran = of_command_line(gbandit, *source, *flags)
    assert regret(study) == [agent["regret_mean"] for agent in ran]
    still = gb.run(made, agents, steps=500, runs=4, seed=7)
    assert regret(study) != regret(still)
    world = gb.World(made, **options)
    for again in (world, pickle.loads(pickle.dumps(world)), copy.deepcopy(world)):
        assert regret(gb.run(again, agents, steps=500, runs=4, seed=7)) == regret(study)


def test_what_cannot_be_is_named():
    with pytest.raises(ValueError, match="closures: roads cannot close at rate -1"):
        gb.run("line:3", closures=(-1, 0.5))
    with pytest.raises(ValueError, match=r"closures: .*such as 0\.01,0\.1"):
        gb.run("line:3", closures="often")
    with pytest.raises(ValueError, match="closures: a graph does not keep the rates"):
        gb.run("line:3", closures="map")
    with pytest.raises(ValueError, match="closures: there is no road from 0 to 2"):
        gb.run("line:3", closures={(0, 2): (0.1, 0.5)})
    with pytest.raises(ValueError, match="two different"):
        gb.run("line:3", closures={(0, 1): (0.1, 0.5), (1, 0): (0.1, 0.6)})
    with pytest.raises(gb.UnknownNodeError):
        gb.run("line:3", closures={(0, 9): (0.1, 0.5)})
    with pytest.raises(TypeError, match=r"closures is 3; give .*\(0\.01, 0\.1\)"):
        gb.World("line:3", closures=3)
    with pytest.raises(ValueError, match=r"travel-noise: .* scale -1"):
        gb.run(town(), travel_noise=-1)
    with pytest.raises(TypeError, match="give them there"):
        gb.run(gb.World("line:3"), closures=(0.1, 0.5))
    shown = "World(<Graph of 3 nodes, 2 edges>, means=uniform:0.5,9.5, noise=uniform:0.5"
    assert repr(gb.World("line:3", closures=(0.1, 1), travel_noise=2)) == (
        f"{shown}, closures=(0.1, 1.0), travel_noise=2.0)"
    )


@pytest.mark.parametrize("agent", ["g-star", "local-ucb", "ql-eps"])
@pytest.mark.parametrize(
    "options",
    [{"closures": (0.1, 0.3)}, {"travel_noise": 0.5}, {"closures": RATES, "travel_noise": 0.5}],
)
def test_a_run_repeated_by_hand_has_the_same_rewards_and_regret(agent, options):
    world = gb.World(town(), **options)
    study = gb.run(world, agent, steps=300, runs=6, seed=5, init="none", checkpoints=[300])
    env = gym.make("graph_bandit/GraphBandit-v0", graph=world, steps=300)
    masked = compared = 0
    for run in range(6):
        walk = study.trace(agent, run)
        _, info = env.reset(seed=5) if run == 0 else env.reset()
        truncated = False
        for node, reward, time in zip(walk.nodes, walk.rewards, walk.times, strict=True):
            number = int(node)
            assert info["action_mask"][number] == 1
            here = info["node"]
            masked += int(info["action_mask"].sum()) < len(town().neighborhood(here))
            _, paid, _, truncated, info = env.step(number)
            assert (paid, info["illegal"]) == (reward, False)
            assert truncated or info["time"] == pytest.approx(time)
        # Where the run had no time for its next road, it ended; here any visit would go on.
        if truncated:
            assert info["regret"] == pytest.approx(study.regret[0, run, -1])
            compared += 1
    assert compared > 1
    assert (masked > 0) == ("closures" in options)


def test_a_closed_road_is_no_move():
    env = gym.make("graph_bandit/GraphBandit-v0", graph="line:2", closures=(1.0, 0.2), steps=400)
    envs = gym.make_vec(
        "graph_bandit/GraphBandit-v0", num_envs=2, graph="line:2", closures=(1.0, 0.2), steps=400
    )
    _, info = env.reset(seed=1)
    envs.reset(seed=1)
    stayed = 0
    for _ in range(399):
        at = info["node"]
        is_closed = info["action_mask"][1 - at] == 0
        node, _, _, _, info = env.step(1 - at)
        nodes, *_ = envs.step([1 - at, 0])
        assert int(nodes[0]) == int(node) == (at if is_closed else 1 - at)
        assert info["illegal"] == is_closed
        stayed += is_closed
    # Closed with chance 1 / 1.2 at any time.
    assert 0.7 < stayed / 399 < 0.95


def detour(rate):
    """From "a" to "b" leads a road that takes no time; around, by "c", it takes 2 and 2."""
    roads = [("a", "b", 0.0), ("b", "a", 0.0), ("a", "c", 2.0), ("c", "b", 2.0), ("b", "c", 0.0)]
    agent = gb.agent(gb.graph(roads, directed=True, times="weights"), "direct-sp", init="none")
    for node, reward in [("a", 0.1), ("b", 9.0), ("c", 0.1)]:
        agent.tell(node, reward)
    agent.move_to("a")
    assert agent.ask().node == "b"
    agent.block("a", "b", reopening_rate=rate)
    return agent


def test_a_session_waits_for_a_road_that_is_expected_to_reopen(tmp_path):
    # To wait is expected to take 1 / rate, and the step 1; around takes 6.
    for rate, first in [(0.25, "a"), (0.21, "a"), (0.19, "c"), (0.01, "c"), (None, "c")]:
        agent = detour(rate)
        assert (agent.ask().node, agent.blocked) == (first, (("a", "b"),))
        for put_aside in ("saved", "pickled"):
            agent.save(tmp_path / "waiting.json")
            saved, pickled = gb.load(tmp_path / "waiting.json"), pickle.loads(pickle.dumps(agent))
            again = saved if put_aside == "saved" else pickled
            assert (again.ask(), again.blocked) == (agent.ask(), agent.blocked)
            if first == "a":
                again.tell("a", 0.1)
                agent.tell("a", 0.1)
                assert again.ask() == agent.ask() == gb.Leg((), 1)
            assert json.loads(again._dump()) == json.loads(agent._dump())
        agent.open("a", "b")
        assert (agent.ask().node, agent.blocked) == ("b", ())
    with pytest.raises(ValueError, match=r"reopen at rate -1.*closed for good"):
        gb.agent("line:3", "g-star").block(0, 1, reopening_rate=-1)
    agent = gb.agent("line:3", "g-star")
    agent.block(0, 1, reopening_rate=0.5)
    with pytest.raises(ValueError, match="is blocked already"):
        agent.block(1, 0)


def test_a_service_waits_as_a_session_does(fleet):
    agent = detour(0.25)
    van = fleet.create(agent.graph, "direct-sp", init="none")
    van.tell_visits([("a", 0.1), ("b", 9.0), ("c", 0.1)])
    van.moved("a")
    van.block("a", "b", reopening_rate=0.25)
    assert van.ask().node == agent.ask().node == "a"
    assert [record.reopening_rate for record in van.history()] == [None, None, 0.25]
    van.open("a", "b")
    assert van.ask().node == "b"


def test_a_leg_takes_its_times():
    one_by_one, at_once = (gb.agent(town(), "g-star", init="lowest") for _ in range(2))
    told = 0
    for k in range(60):
        leg = at_once.ask()
        nodes = [*leg.path, *[leg.path[-1] if leg.path else at_once.at] * leg.stay][:12]
        took = [None if i % 3 == 2 else 1.0 + (k * 7 + i) % 5 / 4 for i in range(len(nodes))]
        rewards = [((k + i) % 7) / 7 for i in range(len(nodes))]
        if len(nodes) == leg.visits:
            at_once.tell(leg, rewards, took=took)
        else:
            at_once.tell_leg(np.array(rewards), took)
        for node, reward, time in zip(nodes, rewards, took, strict=True):
            one_by_one.tell(node, reward, took=time)
        assert json.loads(at_once._dump()) == json.loads(one_by_one._dump())
        told += len(nodes) > 1
    assert told > 5
    assert at_once.time > at_once.visits
    leg = at_once.ask()
    with pytest.raises(ValueError, match="took has 2 numbers for 1 rewards"):
        at_once.tell_leg([0.5], took=[1.0, 2.0])
    with pytest.raises(ValueError, match=r"took 0\.5"):
        at_once.tell_leg([0.5], took=[0.5])
    with pytest.raises(TypeError, match=r"took is \['long'\]"):
        at_once.tell_leg([0.5], took=["long"])
    with pytest.raises(TypeError, match="together with their leg"):
        at_once.tell(leg.node, 0.5, took=[1.0])
    assert at_once.ask() == leg


def test_an_agent_blocks_and_opens_both_directions_of_a_street():
    two_way = [("a", "b"), ("b", "c"), ("c", "a")]
    streets = [*two_way, *((end, start) for start, end in two_way)]
    agent = gb.agent(gb.graph(streets, times=[1.0] * 6, directed=True), "g-star", start="a")
    agent.block("a", "b", directions="both")
    assert agent.blocked == (("a", "b"), ("b", "a"))
    with pytest.raises(ValueError, match="road from node 'b' to node 'a' is blocked already"):
        agent.block("b", "a", directions="both")
    # One direction is still closed, and only that one changes.
    agent.open("a", "b")
    assert agent.blocked == (("b", "a"),)
    agent.open("a", "b", directions="both")
    assert agent.blocked == ()
    agent.block("b", "c", 0.5, directions="both")
    assert agent.blocked == (("b", "c"), ("c", "b"))
    with pytest.raises(ValueError, match="directions is 'back'; give 'one' or 'both'"):
        agent.block("a", "b", directions="back")
    with pytest.raises(ValueError, match="leads both ways and is blocked or opened in both"):
        gb.agent("line:3", "g-star").block(0, 1, directions="one")


def test_roads_are_blocked_together_or_not_at_all():
    closed = []

    def block(*road):
        if road == ("b", "a"):
            raise ValueError("the agent cannot continue")
        closed.append(road)

    with pytest.raises(ValueError, match="cannot continue"):
        block_each([("a", "b"), ("b", "a")], block, lambda *road: closed.remove(road))
    assert closed == []

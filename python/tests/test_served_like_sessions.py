"""An agent of this process and one of a service answer alike."""

import dataclasses
import math
import os
import subprocess
import sys

import numpy as np
import pytest

import graph_bandit as gb

ROOMS = [("hall", "yard"), ("yard", "roof"), ("roof", "hall"), ("yard", "gate")]


def public(kind):
    return {
        name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))
    }


def test_a_served_agent_has_the_methods_of_a_session_but_two():
    assert public(gb.Session) - public(gb.ServedAgent) == {"abandon", "save"}
    assert "except ``abandon`` and ``save``" in gb.ServedAgent.__doc__


def test_properties_send_nothing():
    shown = {"id": "rover", "agent": {"agent": "g-star"}, "sequence": 4, "number": 1}
    # Without a connection, whatever sends a request fails.
    rover = gb.ServedAgent(None, gb.graph("line:2"), shown)
    names = [
        name for name in dir(gb.ServedAgent) if isinstance(getattr(gb.ServedAgent, name), property)
    ]
    assert names == ["graph", "id", "sequence", "spec"]
    for name in names:
        getattr(rover, name)


@pytest.mark.parametrize(
    "spec",
    ["g-ucb:bonus=0.5", "g-star:noise-scale=2", "random", "sw-ucb:window=9", "discounted-ucb"],
)
def test_sessions_know_what_served_agents_know(fleet, spec):
    session = gb.agent(ROOMS, spec, init="lowest", seed=3)
    rover = fleet.create(ROOMS, spec, init="lowest", seed=3)
    rng = np.random.default_rng(5)
    for agent in (session, rover):
        agent.block("yard", "gate")
    for _ in range(40):
        node, reward = session.ask().node, float(rng.uniform())
        for agent in (session, rover):
            agent.tell(node, reward)
    here, there = session.estimates().columns(), rover.estimates().columns()
    assert list(here) == list(there)
    for name, column in here.items():
        np.testing.assert_array_equal(column, there[name], err_msg=name)
    assert session.best() == rover.best()
    assert here["set_aside"].tolist() == [False, False, False, True]
    assert np.isnan(here["estimate"]).tolist() == [False, False, False, True]


def test_a_team_knows_what_a_served_team_knows(fleet):
    walkers = [gb.Walker("hall"), gb.Walker("roof", nodes=["roof", "yard", "hall"])]
    team = gb.team(ROOMS, walkers, "g-star:noise-scale=2", share="log:0.5", seed=3)
    crew = fleet.create(ROOMS, "g-star:noise-scale=2", walkers=walkers, share="log:0.5", seed=3)
    rng = np.random.default_rng(5)
    for turn in range(60):
        if turn == 20:
            team.failed(1, at="yard")
            crew[1].failed(at="yard")
        if turn == 40:
            team.move_to(0, "hall")
            crew[0].move_to("hall")
            team.block("yard", "gate")
            crew.block("yard", "gate")
        walker, reward = turn % 2, float(rng.uniform())
        node = crew[walker].ask().node
        team.tell(walker, reward, node=node)
        crew[walker].tell(node, reward)
    here, there = team.estimates().columns(), crew.estimates().columns()
    assert list(here) == list(there)
    for name, column in here.items():
        np.testing.assert_array_equal(column, there[name], err_msg=name)
    assert np.isfinite(here["bound"]).all()
    assert here["set_aside"].tolist() == [False, False, False, True]
    leg = team.ask(0)
    status, served = team.status(), crew.status()
    assert (status.walkers[0].path, status.walkers[0].stay) == (leg.path, leg.stay)
    shared = [field.name for field in dataclasses.fields(status) if field.name != "walkers"]
    # The service allows fewer walkers while one of them is confined.
    shared.remove("most")
    assert [getattr(status, name) for name in shared] == [getattr(served, name) for name in shared]
    assert (status.set_aside_nodes, status.most, len(status.walkers)) == (1, 1000, 2)
    for walker, robot in zip(status.walkers, served.walkers, strict=True):
        for field in dataclasses.fields(walker):
            # The service plans as soon as a leg ends; here, a walker asks first.
            if field.name not in ("path", "stay"):
                assert getattr(walker, field.name) == getattr(robot, field.name), field.name
    assert status.walkers[1].nodes == ("hall", "yard", "roof")


def test_estimates_and_the_best_node_rest_on_what_is_remembered():
    agent = gb.agent("complete:3", "sw-ucb:window=4", init="none")
    for node, reward in [(0, 1.0)] * 3 + [(1, 0.5)] * 3 + [(0, 0.0)]:
        agent.tell(node, reward)
    known = agent.estimates()
    assert (known.visits.tolist(), known.remembered.tolist()) == ([4, 3, 0], [1, 3, 0])
    assert (known[0].visits, known[0].estimate, known[0].remembered) == (4, 0.0, 1.0)
    assert (known[1].estimate, known[1].remembered, known[2].remembered) == (0.5, None, None)
    best = agent.best()
    # All rewards of node 0 together have the mean 0.75.
    assert (agent.means[0], best.node, best.best.remembered) == (0.75, 1, None)
    assert (best.runner_up.node, best.runner_up.visits, best.runner_up.remembered) == (0, 4, 1.0)
    assert (best.unvisited, best.forgotten) == (1, 0)
    np.testing.assert_array_equal(gb.plots.beliefs(agent).means, [0.0, 0.5, np.nan])
    for _ in range(4):
        agent.tell(1, 0.5)
    gone = agent.estimates()[0]
    assert (gone.visits, gone.estimate, gone.radius, gone.remembered) == (4, None, None, 0.0)
    best = agent.best()
    assert (best.best.visits, best.best.remembered, best.runner_up) == (7, 4.0, None)
    assert (best.unvisited, best.forgotten, best.settled) == (1, 1, False)


def test_estimates_by_hand():
    agent = gb.agent([("hall", "yard"), ("yard", "roof")], "g-ucb:bonus=0.5", init="none")
    for node, reward in [("hall", 0.25), ("hall", 0.75), ("yard", 1.0), ("hall", 0.5)]:
        agent.tell(node, reward)
    known = agent.estimates()
    assert (len(known), known.visits.tolist()) == (3, [3, 1, 0])
    radius = 0.5 * math.sqrt(2 * math.log(4) / 3)
    hall, roof = known["hall"], known["roof"]
    assert (hall.visits, hall.estimate, hall.set_aside) == (3, 0.5, False)
    assert hall.radius == pytest.approx(radius, rel=1e-12)
    assert hall.bound == hall.score == pytest.approx(0.5 + radius, rel=1e-12)
    assert (roof.visits, roof.estimate, roof.radius, roof.bound) == (0, None, None, None)
    assert known.to_pandas()["node"].tolist() == ["hall", "yard", "roof"]


PROGRAM = """\
import gc, sys
import graph_bandit as gb
fleet = gb.connect(sys.argv[1])
assert fleet.ready()
{}
"""


@pytest.mark.parametrize(
    "end",
    [
        "",  # at the end of the program
        "del fleet; gc.collect(); print('gone', flush=True)",
        "fleet.close()",
        "fleet.__exit__(None, None, None); assert fleet.ready()",
        "import threading; threading.Thread(target=fleet.agents).start()",
        *(
            ["import os; pid = os.fork(); assert fleet.ready(); pid and os.waitpid(pid, 0)"]
            if hasattr(os, "fork")
            else []
        ),
    ],
)
def test_connections_are_closed_without_a_warning(server, end):
    ended = subprocess.run(
        [sys.executable, "-W", "always::ResourceWarning", "-c", PROGRAM.format(end), server.url],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")

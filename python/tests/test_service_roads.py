"""The client on roads: directions, times, closures, against the real service."""

import pickle

import pytest

import graph_bandit as gb
from graph_bandit import service

#: A one-way ring, and a street between the yard and the gate that is slow one way.
ROADS = {
    ("hall", "yard"): 2.5,
    ("yard", "roof"): 0.0,
    ("roof", "gate"): 1.0,
    ("gate", "hall"): 0.5,
    ("yard", "gate"): 4.0,
    ("gate", "yard"): 0.25,
}


@pytest.fixture
def town():
    return gb.graph(list(ROADS), directed=True, times=list(ROADS.values()))


def test_orders_say_when_the_robot_arrives(fleet, town):
    van = fleet.create(town, seed=4, visit_time=30)
    van.tell_leg(0.5, took=1)
    leg = van.ask()
    steps = zip((leg.at, *leg.path), leg.path, strict=False)
    assert leg.times == tuple(1 + ROADS[step] for step in steps)
    assert leg.path[0] == "yard"
    assert leg.times_in_seconds == tuple(30 * time for time in leg.times)
    assert leg.arrival == van.status().time + sum(leg.times)
    again = pickle.loads(pickle.dumps(leg))
    assert (again, again.times, again.arrival) == (leg, leg.times, leg.arrival)
    # Elsewhere there is nothing to say.
    plain = fleet.create("line:3").ask()
    assert (plain.times, plain.arrival, plain.times_in_seconds) == (None, None, None)


@pytest.mark.parametrize("name", ["g-star", "g-ucb", "local-ucb", "ql-eps"])
def test_one_function_plays_both_and_gets_the_same_legs(fleet, town, name):
    local = gb.agent(town, name, seed=5, init="nearest")
    served = fleet.create(town, name, seed=5, init="nearest")
    for turn in range(60):
        ours, theirs = local.ask(), served.ask()
        assert (ours, ours.times, ours.arrival) == (theirs, theirs.times, theirs.arrival)
        local.tell(ours.node, turn % 7 / 7)
        served.tell(theirs.node, turn % 7 / 7)
    assert local.time == served.status().time


def test_told_times_are_kept_and_learned(fleet, town):
    van = fleet.create(town, seed=4)
    van.tell("hall", 0.5, took=1.5)
    van.tell("yard", 0.5, took=6.5)
    assert van.status().time == 8.0
    van.moved("hall")
    # The map says 2.5 beyond the visit, the drive took 5.5.
    assert van.ask().times[0] == 1 + (2.5 + 5.5) / 2
    van.tell_visits([("roof", 1.0, 1.25), ("roof", 2.0), ("gate", 3.0, None)])
    leg = van.ask()
    van.tell(leg, [1.0], took=[2.0])
    told = [record.took for record in van.history() if record.kind == "told"]
    assert told == [(1.5,), (6.5,), (1.25, None, None), (2.0,)]
    for wrong in (0.5, -1, 1e12):
        with pytest.raises(service.RefusedError, match="`took` is"):
            van.tell("yard", 1.0, took=wrong)
    for wrong in ("long", float("nan")):
        with pytest.raises(ValueError, match="travel and visit together"):
            van.tell("yard", 1.0, took=wrong)


def test_roads_close_in_one_direction_or_both(fleet, town):
    van = fleet.create(town, seed=4)
    van.block("yard", "gate")
    assert van.status().blocked == (("yard", "gate"),)
    van.block("gate", "yard", directions="both")
    assert set(van.status().blocked) == {("yard", "gate"), ("gate", "yard")}
    van.open("yard", "gate", directions="both")
    assert van.status().blocked == ()
    with pytest.raises(service.RefusedError, match='only a road from "hall" to "yard"'):
        van.block("yard", "hall")
    assert [record.directions for record in van.history()] == ["one", "both", "both"]
    assert van.status().set_aside_nodes == 0


def test_the_graph_comes_back_with_its_roads(fleet, town):
    van = fleet.create(town, id="van-that-is-found", seed=4, visit_time=12.5)
    there = fleet["van-that-is-found"].graph
    assert there.has_roads
    for (a, b), time in ROADS.items():
        assert there.travel(a, b) == time
    assert there.travel("yard", "hall") is None
    assert fleet.attach(van.id, town).graph is town
    slower = gb.graph(list(ROADS), directed=True, times=[time + 1 for time in ROADS.values()])
    with pytest.raises(ValueError, match="another graph"):
        fleet.attach(van.id, slower)

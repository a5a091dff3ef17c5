"""The client against the real service."""

import json
import pathlib
import pickle
import runpy
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import networkx as nx
import numpy as np
import pytest
import rustworkx as rx
from service_process import Server, tokens
from service_walks import play

import graph_bandit as gb
from graph_bandit import service

ROOT = pathlib.Path(__file__).parents[2]
GRID = nx.grid_2d_graph(4, 4)
ROOMS = [("hall", "yard"), ("yard", "roof"), ("roof", "gate"), ("gate", "hall")]


@pytest.mark.parametrize("name", gb.SPECS)
def test_one_function_plays_both_and_gets_the_same_legs(fleet, name):
    local = gb.agent(GRID, name, start=(1, 2), seed=5, init="nearest")
    served = fleet.create(GRID, name, start=(1, 2), seed=5, init="nearest")
    assert play(served, 150) == play(local, 150)
    assert served.ask() == local.ask()
    assert local.ask() == served.ask()
    here, there, known = local.status(), served.status(), served.estimates()
    assert (there.at, there.visits, there.blocked) == (here.at, here.visits, here.blocked)
    assert (here.at, here.visits, here.time) == (local.at, local.visits, local.time)
    assert served.spec == local.spec
    assert known.visits.tolist() == local.counts.tolist()
    np.testing.assert_array_equal(known.estimate, local.estimates().estimate)
    # Agents for rewards that change may have forgotten some.
    whole = known.remembered == known.visits
    assert known.estimate[whole] == pytest.approx(local.means[whole], rel=1e-15, abs=0)
    forgets = name.startswith(("sw-", "discounted-"))
    assert whole.all() != forgets
    ours, theirs = local.scores(), served.scores()
    assert (ours is None) == (theirs is None)
    assert ours is None or np.array_equal(ours, theirs)
    local.move_to((3, 3))
    served.move_to((3, 3))
    served.move_to((3, 3))
    assert play(served, 20) == play(local, 20)


def test_roads_are_walked_there_as_here(fleet):
    roads = [
        ("hall", "yard", 0.5),
        ("yard", "roof", 0.0),
        ("roof", "hall", 2.0),
        ("roof", "yard", 1.0),
    ]
    made = gb.graph(roads, directed=True, times="weights")
    local = gb.agent(made, "g-star", start="yard", seed=5, init="nearest")
    served = fleet.create(made, "g-star", start="yard", seed=5, init="nearest")
    timed = 0
    for visit in range(60):
        mine, theirs = local.ask(), served.ask()
        assert theirs == mine
        assert theirs.times == pytest.approx(mine.times)
        assert theirs.arrival == pytest.approx(mine.arrival)
        assert pickle.loads(pickle.dumps(theirs)).times == theirs.times
        timed += len(mine.path) > 0
        took = 2.5 if mine.path and visit % 2 else None
        for agent in (local, served):
            agent.tell(mine.node, 1.0 + visit % 3, took=took)
    assert timed > 2
    assert fleet.attach(served.id, made).ask() == served.ask()
    assert fleet[served.id].graph.road_times().tolist() == made.road_times().tolist()
    served.block("roof", "hall")
    assert served.status().blocked == (("roof", "hall"),)
    with pytest.raises(ValueError, match="another graph"):
        fleet.attach(served.id, gb.graph([road[:2] for road in roads]))


@pytest.mark.parametrize(
    ("graph", "start"),
    [
        (GRID, (0, 3)),
        (nx.relabel_nodes(nx.path_graph(4), {0: 1, 1: "1", 2: frozenset(), 3: 2.5}), "1"),
        (rx.generators.cycle_graph(5), 2),
        (ROOMS, "roof"),
        ("geometric:30,0.4", 7),
        ("arkansas", None),
        (gb.graph([(object(), object())]), None),
    ],
)
def test_labels_come_back_as_they_were_given(fleet, graph, start):
    made = gb.graph(graph)
    local = gb.agent(made, "g-star", start=start, seed=3, noise_scale=0.75, init="nearest")
    served = fleet.create(made, "g-star", start=start, seed=3, noise_scale=0.75)
    assert served.spec == local.spec == "g-star:noise-scale=0.75"
    for _ in range(60):
        mine, theirs = local.ask(), served.ask()
        assert (mine.path, mine.node, mine.stay) == (theirs.path, theirs.node, theirs.stay)
        assert theirs.node in made
        local.tell(mine.node, 1.0)
        served.tell(theirs.node, 1.0)
    assert [node.node for node in served.estimates()] == list(made.nodes)
    # By another client, with and without the graph.
    again = fleet.attach(served.id, made)
    assert again.ask() == served.ask()
    there = fleet[served.id]
    names = made.nodes if made.labels is None else [str(label) for label in made.nodes]
    if len(set(names)) < len(names):
        names = [repr(label) for label in made.nodes]
    assert there.graph.nodes == tuple(names)
    assert np.array_equal(there.graph.edge_array(), made.edge_array())
    assert (there.graph.coordinates is None) == (made.coordinates is None)
    assert [there.graph.number(node) for node in there.ask().path] == [
        made.number(node) for node in served.ask().path
    ]


def test_a_map_file_keeps_names_and_places(fleet, tmp_path):
    graph = nx.Graph([("dock", "crane"), ("crane", "mast")])
    nx.set_node_attributes(graph, {"dock": 0.0, "crane": 1.5, "mast": 2.0}, "x")
    nx.set_node_attributes(graph, {"dock": 3.0, "crane": 0.5, "mast": 1.0}, "y")
    nx.write_graphml(graph, tmp_path / "port.graphml")
    fleet.create(tmp_path / "port.graphml", id="crane-bot", start="crane")
    there = fleet["crane-bot"]
    assert there.graph.nodes == ("dock", "crane", "mast")
    assert there.graph.coordinates.tolist() == [[0.0, 3.0], [1.5, 0.5], [2.0, 1.0]]
    assert there.status().at == "crane"


def test_all_that_can_be_reported(fleet):
    rover = fleet.create(ROOMS, "g-ucb", id="rover", start="hall", seed=5)
    leg = rover.ask()
    assert (leg.path, leg.stay, leg.node, leg.phase, leg.sequence) == ((), 1, "hall", "cover", 0)
    assert leg.why.reason == "not every node has been visited yet"
    assert leg.why.runner_up == service.KnownNode("yard", 0)
    receipt = rover.tell(leg.node, reward=0.5)
    assert receipt == service.Receipt(0, 1, "hall", 1, False)
    assert rover.tell(rover.ask(), [1]).at == "yard"
    rover.tell_visits([("roof", 3), ("roof", 2.0), ("gate", np.float32(9)), ("roof", 1)])
    leg = rover.ask()
    assert (leg.path, leg.why.destination.node, leg.why.destination.estimate) == (
        ("gate",),
        "gate",
        9.0,
    )
    assert leg.why.destination.bound == leg.why.destination.estimate + leg.why.destination.radius
    rover.block("roof", "gate")
    assert rover.ask().path == ("yard", "hall", "gate")
    assert rover.status().blocked == (("roof", "gate"),)
    with pytest.raises(service.RefusedError, match='no edge between "hall" and "roof"') as refused:
        rover.block("hall", "roof")
    assert (refused.value.status, refused.value.kind) == (422, "impossible")
    assert isinstance(refused.value, ValueError)
    rover.open("roof", "gate")
    assert rover.failed(at="hall", reason="a stair").at == "hall"
    happened = list(rover.history())
    assert [record.kind for record in happened] == [
        "told", "told", "told", "edge-blocked", "edge-opened", "leg-failed",
    ]  # fmt: skip
    assert happened[2].visits == (("roof", 3.0), ("roof", 2.0), ("gate", 9.0), ("roof", 1.0))
    assert (happened[3].edge, happened[3].at) == (("roof", "gate"), "roof")
    assert (happened[5].at, happened[5].reason, happened[5].sequence) == ("hall", "a stair", 5)
    assert [record.sequence for record in rover.history(start=4)] == [4, 5]
    assert pickle.loads(pickle.dumps(leg)).why == leg.why


def test_estimates_are_tables(fleet):
    rover = fleet.create(GRID, "g-ucb", init="none")
    rover.tell_visits([((0, 0), 1.0), ((0, 1), 2.0), ((0, 1), 4.0)])
    known = rover.estimates()
    assert (known[0, 1].visits, known[0, 1].estimate) == (2, 3.0)
    assert known[3, 3] == service.KnownNode((3, 3), 0)
    frame = known.to_pandas()
    columns = ["node", "visits", "estimate", "radius", "bound", "score", "set_aside", "remembered"]
    assert list(frame.columns) == columns
    assert frame["remembered"].equals(frame["visits"].astype(float))
    assert frame["node"][1] == (0, 1)
    assert frame["estimate"].notna().sum() == 2
    assert known.to_polars()["node"][1] == "(0, 1)"
    assert known.to_polars()["visits"].sum() == 3
    assert rover.plot("visits").get_title(loc="left") == "visits per node, g-ucb after 3 visits"


def test_the_sum_of_rewards(fleet):
    rover = fleet.create(ROOMS, "g-ucb", init="none")
    assert rover.status().reward == 0
    for reward in [0.5, 1.0, 0.25]:
        rover.tell(rover.ask().node, reward)
    assert rover.status().reward == 1.75
    assert rover.rewards()[-3:].tolist() == [[1, 0.5], [2, 1.5], [3, 1.75]]


def test_who_watches_sees_every_state_until_the_end(gbandit, tmp_path):
    with Server(gbandit, f"sqlite://{tmp_path / 'fleet.db'}") as server:
        fleet = gb.connect(server.url)
        rover = fleet.create(GRID, "g-ucb", id="rover", start=(1, 1))
        sights = fleet.attach("rover", GRID).watch()
        first = next(sights)
        assert (first.visits, first.reward, first.blocked, first.leg) == (0, 0.0, (), rover.ask())
        assert first.leg.at == (1, 1)
        for visit in range(1, 4):
            rover.tell(rover.ask().node, 0.5)
            sight = next(sights)
            assert (sight.visits, sight.reward) == (visit, visit / 2)
            assert sight.leg == rover.ask()
            assert sight.leg.sequence == visit
        server.kill()
        server.start()
        rover.block((0, 0), (0, 1))
        assert next(sights).blocked == (((0, 0), (0, 1)),)
        rover.delete()
        assert list(sights) == []
        with pytest.raises(service.UnknownAgentError):
            next(rover.watch())
        fleet.create(GRID, id="rover")
        sights = gb.connect(server.url, deadline=0.3)["rover"].watch()
        next(sights)
        server.terminate()
        with pytest.raises(service.UnavailableError):
            next(sights)


def test_pages_are_turned(fleet):
    wide = fleet.create("star:2500", "local-ucb", init="none")
    assert len(wide.estimates()) == 2500
    for number in range(1100):
        wide.tell(wide.ask().node, number)
    records = list(wide.history())
    assert [record.visits[0][1] for record in records] == list(range(1100))


def test_an_agent_goes_on_elsewhere(fleet):
    rover = fleet.create(GRID, "g-ts", seed=9)
    play(rover, 40)
    twin = fleet.import_(json.loads(json.dumps(rover.snapshot())), id="twin")
    assert twin.sequence == 0
    assert twin.status().visits == rover.status().visits
    expected = play(rover, 30)
    assert play(fleet.attach("twin", GRID), 30) == expected


def test_created_again_it_is_the_same_one(fleet):
    first = fleet.create(ROOMS, id="rover", start="yard")
    first.tell(first.ask().node, 1.0)
    again = fleet.create(ROOMS, id="rover", start="yard")
    assert (again.status().visits, again.sequence) == (1, 1)
    with pytest.raises(service.NameTakenError, match="another agent"):
        fleet.create(ROOMS, id="rover", start="hall")
    assert "rover" in fleet
    assert "nobody" not in fleet
    assert [(agent.id, agent.spec, agent.sequence) for agent in fleet.agents()] == [
        ("rover", "g-star", 1)
    ]
    first.delete()
    with pytest.raises(service.UnknownAgentError, match="there is no agent"):
        again.ask()
    with pytest.raises(KeyError):
        fleet["rover"]
    with pytest.raises(service.UnknownAgentError):
        first.delete()


def test_two_that_report_for_one_robot(fleet):
    one = fleet.create(ROOMS, id="rover")
    other = fleet["rover"]
    leg = one.ask()
    other.tell(other.ask().node, 0.25)
    with pytest.raises(service.SequenceConflictError, match="already has the number") as conflict:
        one.tell(leg.node, 0.5)
    assert (conflict.value.next_sequence, conflict.value.status) == (1, 409)
    # Looking does not hide it; asking settles it.
    assert one.status().visits == 1
    with pytest.raises(service.SequenceConflictError):
        one.tell(leg, [0.5])
    one.tell(one.ask().node, 0.5)
    assert one.status().visits == 2


def test_robots_that_ask_again_lose_no_reward_and_count_none_twice(server, fleet):
    """Two robots tell, and observe for each other, at the same time."""
    for name in ("anna", "bert"):
        fleet.create(ROOMS, "g-drift", id=name)
    conflicts = []

    def sent(agent, report, *said):
        while True:
            try:
                return getattr(agent, report)(*said)
            except gb.SequenceConflictError:
                conflicts.append(agent)
                agent.ask()

    def drive(name, other):
        mine = gb.connect(server.url, robot=name)
        robot, neighbour = mine[name], mine[other]
        for _ in range(50):
            node = robot.ask().node
            sent(robot, "tell", node, 0.5)
            sent(neighbour, "observe", node, 0.5)

    pairs = [("anna", "bert"), ("bert", "anna")]
    with ThreadPoolExecutor(2) as pool:
        for driven in [pool.submit(drive, *pair) for pair in pairs]:
            driven.result(60)
    assert conflicts
    for name in ("anna", "bert"):
        status = fleet[name].status()
        assert (status.visits, status.observed) == (100, 50)
        assert status.reward == pytest.approx(25.0)


def test_a_leg_is_told_once_here_and_may_be_told_again_by_who_comes_after(fleet):
    rover = fleet.create("line:9", "g-ucb", init="none", id="rover")
    rover.tell_visits([(8, 99.0)] + [(node, 0.0) for node in reversed(range(8))])
    leg = rover.ask()
    assert leg.visits > 1
    receipt = rover.tell(leg, [0.5])
    # Twice the same would be a repeat to the service, and the second reward lost.
    with pytest.raises(ValueError, match="not the one that you asked for last"):
        rover.tell(leg, [0.5])
    with pytest.raises(ValueError, match="not the one that you asked for last"):
        rover.tell(gb.Leg(leg.path, leg.stay), [0.5])
    # A robot that died after it had told, and kept the leg, may not know whether it had.
    assert fleet["rover"].tell(leg, [0.5]) == receipt
    assert rover.status().visits == 10
    rover.tell(gb.Leg(rover.ask().path, rover.ask().stay), [0.25])
    assert rover.status().visits == 11


@pytest.mark.parametrize(
    ("report", "error", "message"),
    [
        (lambda rover: rover.tell("kitchen", 1.0), gb.UnknownNodeError, "'kitchen'"),
        (lambda rover: rover.tell("rof", 1.0), gb.UnknownNodeError, "did you mean 'roof'"),
        (lambda rover: rover.observe("rof", 1.0), gb.UnknownNodeError, "did you mean 'roof'"),
        (lambda rover: rover.tell("hall", float("nan")), ValueError, "reward nan is not finite"),
        (lambda rover: rover.tell("hall", "much"), TypeError, "reward 'much' is not a number"),
        (
            lambda rover: rover.tell("hall", [1.0]),
            TypeError,
            "is not a number; tell several rewards",
        ),
        (lambda rover: rover.tell_leg([1.0] * 99), ValueError, "99 rewards were told of a leg"),
        (lambda rover: rover.tell_leg([]), ValueError, "nothing was told"),
        (lambda rover: rover.open("hall", "yard"), ValueError, "is open already"),
        (lambda rover: rover.block("hall", "roof"), ValueError, "there is no edge"),
        (lambda rover: rover.tell(gb.Leg(["gate"]), [1.0]), ValueError, "ask again"),
    ],
)
def test_refused_reports_change_nothing(fleet, report, error, message):
    rover = fleet.create(ROOMS)
    rover.tell(rover.ask().node, 1.0)
    with pytest.raises(error, match=message):
        report(rover)
    assert (rover.status().visits, rover.status().sequence) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("g-star", ROOMS), TypeError, "the graph comes first"),
        ((gb.GUcb(), ROOMS), TypeError, "the graph comes first"),
        ((ROOMS, "ucb"), ValueError, "there is no agent"),
        ((ROOMS, "g-star:bonus=1"), ValueError, "bonus"),
    ],
)
def test_impossible_definitions_are_refused(fleet, arguments, error, message):
    with pytest.raises(error, match=message):
        fleet.create(*arguments)
    with pytest.raises(gb.UnknownNodeError):
        fleet.create(ROOMS, start="kitchen")
    with pytest.raises(service.RefusedError, match="is not a name for an agent"):
        fleet.create(ROOMS, id="a b")
    with pytest.raises(TypeError, match="has no parameter"):
        fleet.create(ROOMS, preset="program")
    assert fleet.agents() == []


def test_another_graph_is_not_taken_for_its_own(fleet):
    fleet.create(GRID, id="rover")
    with pytest.raises(ValueError, match="walks another graph"):
        fleet.attach("rover", nx.grid_2d_graph(2, 8))


def test_threads_share_a_fleet_and_an_agent(fleet):
    agents = [fleet.create("grid:3x3", id=f"rover-{number}") for number in range(4)]
    shared = fleet.create("grid:3x3", id="shared")
    failures = []

    def fly(agent):
        try:
            for _ in range(50):
                agent.tell(agent.ask().node, 0.5)
                shared.tell(0, 0.25)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=fly, args=[agent]) for agent in agents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [agent.status().visits for agent in agents] == [50] * 4
    assert (shared.status().visits, shared.sequence) == (200, 200)


def test_the_example_runs_and_goes_on(server, fleet):
    script = ROOT / "examples" / "python" / "service_robot.py"
    command = [sys.executable, str(script), "--server", server.url, "--legs", "25"]
    for _ in range(2):
        ran = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "closed" not in ran.stdout
    robot = fleet["town-robot"]
    assert robot.status().blocked == (("market", "harbour"),)
    assert robot.sequence == 50
    assert robot.estimates()["lighthouse"].visits > robot.status().visits / 2


def test_the_example_goes_on_when_somebody_else_closes_a_road(server, fleet, monkeypatch):
    example = runpy.run_path(str(ROOT / "examples" / "python" / "service_robot.py"))
    robot = fleet.create(gb.graph(example["STREETS"]), "g-star", id="patrol", start="depot")
    ask, orders = robot.ask, []

    def closing_while_under_way():
        orders.append(ask())
        if len(orders) == 3:
            gb.connect(server.url, robot="dispatcher")["patrol"].block("mill", "depot")
        return orders[-1]

    monkeypatch.setattr(robot, "ask", closing_while_under_way)
    example["drive"](robot, 10)
    # It asked once more, and no visit is lost.
    assert len(orders) == 11
    told = [leg for number, leg in enumerate(orders) if number != 3]
    visits = sum(len(leg.path) + min(leg.stay, 10) for leg in told)
    assert robot.status().visits == visits
    assert robot.status().blocked == (("depot", "mill"),)


def test_tokens(gbandit, tmp_path, monkeypatch):
    made = tokens(gbandit, tmp_path / "tokens", "read", "decide", "admin")
    with Server(gbandit, "memory:", "--token-file", str(tmp_path / "tokens")) as server:
        gb.connect(server.url, made["admin"]).create(ROOMS, id="rover")
        monkeypatch.setenv("GBANDIT_TOKEN", made["decide"])
        fleet = gb.connect(server.url)
        rover = fleet["rover"]
        rover.tell(rover.ask().node, 1.0)
        with pytest.raises(service.NotAllowedError, match="needs scope admin") as refused:
            rover.delete()
        assert (refused.value.status, refused.value.kind) == (403, "scope")
        with pytest.raises(service.NotAllowedError, match="needs scope decide"):
            gb.connect(server.url, made["read"])["rover"].ask()
        monkeypatch.delenv("GBANDIT_TOKEN")
        with pytest.raises(service.NotAllowedError, match="send a token") as refused:
            gb.connect(server.url)["rover"]
        assert refused.value.status == 401
        assert all(token not in repr(vars(fleet)) + repr(fleet) for token in made.values())


@pytest.mark.parametrize(
    "url",
    ["127.0.0.1:8080", "ftp://x", "http://", "http://h:port", "http://u:p@host", "http://h?x"],
)
def test_addresses_that_are_none(url):
    with pytest.raises(ValueError, match="address"):
        gb.connect(url)
    with pytest.raises(ValueError, match="deadline is 0"):
        gb.connect("http://h", deadline=0)


def test_a_dead_end_that_closes_is_set_aside(fleet):
    rover = fleet.create([("hall", "yard"), ("yard", "roof"), ("hall", "gate")], id="rover")
    rover.tell(rover.ask().node, 1.0)
    assert rover.ask().node == "yard"
    rover.block("hall", "yard")
    leg = rover.ask()
    assert (leg.node, leg.why.set_aside_nodes, rover.status().set_aside_nodes) == ("gate", 2, 2)
    known = rover.estimates()
    assert known["roof"].set_aside
    assert not known["gate"].set_aside
    rover.tell("gate", 1.0)
    assert np.isnan(rover.scores()[known.graph.number("roof")])
    rover.open("hall", "yard")
    assert rover.ask().path == ("hall", "yard")


def test_observations_and_hand_overs(fleet):
    rover = fleet.create(ROOMS, id="rover", noise_scale=0.1)
    assert rover.best().node is None
    rover.tell(rover.ask().node, 1.0)
    leg = rover.ask()
    receipt = rover.observe("roof", 9.0)
    assert (receipt.at, receipt.visits, receipt.replanned) == ("hall", 2, False)
    assert rover.ask() == leg
    rover.observe([("roof", 9.0), ("yard", 1.0), ("gate", 1.0)])
    assert (rover.status().observed, rover.status().reward) == (4, 1.0)
    best = rover.best(confidence=0.9)
    assert (best.node, best.best.visits, best.settled, best.confidence) == ("roof", 2, True, 0.9)
    assert best.best.interval[0] < 9.0 < best.best.interval[1]
    assert not rover.best(noise_scale=50).settled
    with pytest.raises(service.RefusedError, match="confidence 2 is not above 0 and below 1"):
        rover.best(confidence=2)
    receipt = rover.moved("gate", reason="robot 2 takes over")
    assert (receipt.at, receipt.replanned) == ("gate", True)
    kinds = [record.kind for record in rover.history()]
    assert kinds == ["told", "observed", "observed", "moved"]
    handed = list(rover.history())[-1]
    assert (handed.at, handed.reason) == ("gate", "robot 2 takes over")
    assert list(rover.history())[1].observations == (("roof", 9.0),)


def test_reports_say_who_made_them_and_when(fleet):
    one = gb.connect(fleet._url, robot="rover 7")
    other = gb.connect(fleet._url, robot="rover 8")
    G = nx.path_graph(["hall", "yard", "roof"])
    rover = one.create(G, id="told-by-whom")
    again = other["told-by-whom"]
    moment = datetime(2026, 11, 16, 8, 30, tzinfo=UTC)
    leg = rover.ask()
    receipt = rover.tell(leg.node, 0.5, time=moment)
    # The same report again is a repeat; of another robot it is not.
    rover._sequence = 0
    assert rover.tell(leg.node, 0.5, time=moment) == receipt
    with pytest.raises(service.SequenceConflictError):
        again.tell(leg.node, 0.5, time=moment)
    [record] = rover.history()
    assert (record.robot, record.time) == ("rover 7", "2026-11-16T08:30:00+00:00")
    with pytest.raises(ValueError, match="has no time zone"):
        rover.tell(leg.node, 0.5, time=datetime(2026, 11, 16))
    # Whoever has the name after it was deleted is another agent.
    number = rover.status().number
    rover.delete()
    successor = other.create(G, id="told-by-whom")
    assert successor.status().number != number
    with pytest.raises(service.UnknownAgentError, match="was deleted"):
        rover.tell("hall", 1.0)

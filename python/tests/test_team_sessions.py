"""Ask and tell for teams: who joins, leaves, fails or is elsewhere, and the errors of all that."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graph_bandit as gb

ROOMS: nx.Graph[Any] = nx.Graph([("hall", "attic"), ("hall", "cellar"), ("cellar", "garden")])
PAYS = {"hall": 0.1, "attic": 0.9, "cellar": 0.2, "garden": 0.8}


def walked(team: gb.Team, rounds: int) -> list[Any]:
    """Lets all walkers tell in turn; where they end."""
    for _ in range(rounds):
        for walker in team.walkers:
            team.tell(walker, PAYS[team.ask(walker).node])
    return [team.ask(walker).node for walker in team.walkers]


def test_walkers_find_the_best_seats_by_label() -> None:
    team = gb.team(ROOMS, walkers=2, starts="hall")
    assert sorted(walked(team, 300)) == ["attic", "garden"]
    known = team.estimates()
    assert known.visits.sum() == 600
    assert known["attic"].estimate == pytest.approx(0.9)
    assert repr(team) == "<Team of 2 walkers on 4 nodes>"


def test_an_order_stays_the_same_until_something_is_told() -> None:
    team = gb.team(ROOMS, walkers=2, starts=["attic", "garden"])
    order = team.ask(0)
    assert isinstance(order, gb.Leg)
    team.tell(1, 0.5, node="garden")
    team.observe("cellar", 0.5)
    assert team.ask(0) == order
    team.tell(0, 0.5)
    assert team.estimates()[order.node].visits >= 1


def test_a_robot_that_joins_looks_where_it_stands() -> None:
    team = gb.team("line:6", walkers=1)
    team.tell(0, 0.5)
    team.observe(1, 0.5)
    assert team.ask(0).path == (1, 2)
    order = team.ask(team.join(2))
    assert (order.path, order.stay, order.phase) == ((), 1, "cover")
    assert team.ask(0).path == (1, 2)


def test_orders_on_roads_say_how_long_they_take() -> None:
    roads = gb.graph([("a", "b"), ("b", "c")], times=[3.0, 5.0])
    team = gb.team(roads, walkers=[gb.Walker("a", speed=2.0), gb.Walker("c")])
    team.tell(0, 1.0, node="a")
    order = team.ask(0)
    assert (order.path, order.times, order.arrival) == (("b",), (2.5,), 3.5)
    team.tell(0, 1.0)
    stay = team.ask(0)
    assert (stay.times, stay.arrival) in [((), 3.5), ((3.5,), 7.0)]
    again = pickle.loads(pickle.dumps(team))
    assert again.ask(0).arrival == stay.arrival
    plain = gb.team(ROOMS).ask(0)
    assert (plain.times, plain.arrival) == (None, None)


def test_errors_count_all_walkers_that_were_asked_for() -> None:
    with pytest.raises(ValueError, match="9 walkers do not fit on 4 nodes with at most 1 on each"):
        gb.team(ROOMS, walkers=9, seats=1)


def test_walkers_join_leave_and_keep_what_they_told() -> None:
    team = gb.team(ROOMS, walkers=1)
    walked(team, 50)
    assert team.join("garden") == 1
    assert team.join(nodes=["hall", "attic"]) == 2
    assert team.walkers == [0, 1, 2]
    visits = team.estimates().visits.sum()
    team.leave(1)
    assert team.walkers == [0, 2]
    assert team.estimates().visits.sum() == visits
    # Numbers are never used again.
    assert team.join("attic") == 3
    for _ in range(30):
        walked(team, 1)
        assert team.ask(2).node in ("hall", "attic")


def test_who_fails_or_is_carried_gets_an_order_from_there() -> None:
    team = gb.team("line:30", walkers=1, starts=0)
    for node in range(30):
        team.observe(node, 1.0 if node == 29 else 0.0)
    far = team.ask(0)
    assert len(far.path) > 1
    team.tell(0, 0.0, node=far.path[0])
    team.failed(0)
    assert team.ask(0).path[0] == far.path[0] + 1
    team.move_to(0, 20)
    assert team.ask(0).node in (19, 20, 21)
    # A report from elsewhere is believed, and the rest of the order is dropped.
    team.tell(0, 0.0, node=5)
    assert team.ask(0).node in (4, 5, 6)


def test_the_same_seed_gives_the_same_orders() -> None:
    def orders(seed: int) -> list[Any]:
        team = gb.team("grid:4x4", walkers=3, share="log:0.05", seed=seed)
        rng = np.random.default_rng(1)
        taken = []
        for _ in range(100):
            for walker in team.walkers:
                taken.append(team.ask(walker).node)
                team.tell(walker, float(rng.normal(taken[-1], 1.0)))
        return taken

    assert orders(7) == orders(7)


def _happens(team: gb.Team, rng: np.random.Generator) -> list[Any]:
    """Something happens to a team; what the team answers."""
    walker = int(rng.choice(team.walkers))
    nodes = len(team.graph)
    what, node, reward = int(rng.integers(12)), int(rng.integers(nodes)), float(rng.normal())
    edge = [int(end) for end in rng.choice(team.graph.edge_array())]
    if what == 0 and len(team.walkers) < 5:
        return [team.join(node)]
    if what == 1 and len(team.walkers) > 1:
        return [team.leave(walker)]
    if what == 2:
        return [team.failed(walker)]
    if what == 3:
        return [team.move_to(walker, node)]
    if what == 4:
        return [team.observe(node, reward)]
    if what == 5:
        return [team.open(*team.blocked[0]) if team.blocked else team.block(*edge)]
    answers: list[Any] = [team.ask(walker)]
    team.tell(walker, reward + team.ask(walker).node / nodes)
    return answers


@pytest.mark.parametrize("how", ["save", "pickle", "deepcopy"])
def test_a_saved_team_continues_as_its_twin(how: str, tmp_path: Path) -> None:
    def again(team: gb.Team) -> gb.Team:
        if how == "save":
            team.save(tmp_path / "team.json")
            loaded = gb.load(tmp_path / "team.json")
            assert [path.name for path in tmp_path.iterdir()] == ["team.json"]
            assert isinstance(loaded, gb.Team)
            return loaded
        return pickle.loads(pickle.dumps(team)) if how == "pickle" else copy.deepcopy(team)

    options: Any = {"walkers": 3, "share": "log:0.05", "seats": 2, "seed": 4, "most": 5}
    options["agent"] = "g-star:noise-scale=1"
    twin, team = gb.team("grid:4x4", **options), gb.team("grid:4x4", **options)
    of_twin, of_team = np.random.default_rng(9), np.random.default_rng(9)
    joined = closed = 0
    for moment in range(300):
        if moment % 3 == 0:
            team = again(team)
        assert _happens(team, of_team) == _happens(twin, of_twin), moment
        assert team.walkers == twin.walkers
        assert team.blocked == twin.blocked
        joined, closed = max(joined, *team.walkers), max(closed, len(team.blocked))
    assert joined > 5
    assert closed > 0
    assert team._dump() == twin._dump()
    assert team.spec == "g-star:noise-scale=1.0"
    assert team.estimates().visits.tolist() == twin.estimates().visits.tolist()
    assert [team.at(walker) for walker in team.walkers] == [twin.at(w) for w in twin.walkers]


def test_saved_teams_keep_labels_roads_shares_and_who_may_be_where(tmp_path: Path) -> None:
    roads = nx.DiGraph()
    roads.add_weighted_edges_from(
        [
            ("hall", "attic", 1.5),
            ("attic", "hall", 0.0),
            ("hall", "yard", 0.0),
            ("yard", "hall", 2.0),
        ],
        weight="time",
    )
    table = [[1.0, 1.5], [1.0, 1.2], [1.0, 2.0]]
    pair = [gb.Walker("hall", speed=2.0), gb.Walker("yard", nodes=["hall", "yard"])]
    team = gb.team(gb.graph(roads, times="time"), pair, share=table)
    team.save(tmp_path / "team.json")
    loaded = gb.load(tmp_path / "team.json")
    for _ in range(60):
        for walker in team.walkers:
            order = team.ask(walker)
            assert loaded.ask(walker) == order
            for one in (team, loaded):
                one.tell(walker, PAYS.get(order.node, 0.5))
            assert walker == 0 or order.node != "attic"
    with pytest.raises(ValueError, match="it has room for at most"):
        loaded.join("hall")
    # Shares of a file are kept as they were: the file may change.
    shares = tmp_path / "shares.csv"
    shares.write_text("1,1.5\n1,1\n1,1\n1,1\n")
    of_file = gb.team(ROOMS, walkers=2, share=f"file:{shares}", most=2)
    shares.unlink()
    assert copy.deepcopy(of_file).walkers == [0, 1]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda stored: stored.update(version=9), "it has format 9, not 1: it was made by an unpublished"),
        (lambda stored: stored.update(format="else"), "it is not a saved session"),
        (lambda stored: stored.pop("team"), "it is not a saved session: KeyError"),
        (lambda stored: stored["team"]["team"].update(agent="multi-g-ucb"), "step together"),
        (lambda stored: stored["team"]["team"].update(share="logs"), "share"),
        (lambda stored: stored["team"]["state"].update(next=0), "walker 0 out of order"),
        (lambda stored: stored["team"]["state"]["walkers"][0].update(at=77), "names node 77"),
        (lambda stored: stored["team"]["state"].update(more=1), "unknown field"),
        (lambda stored: stored["graph"].update(nodes=5), "graph"),
    ],
)  # fmt: skip
def test_damaged_files_are_refused(change: Any, says: str, tmp_path: Path) -> None:
    team = gb.team(ROOMS, walkers=2)
    team.save(tmp_path / "team.json")
    stored = json.loads((tmp_path / "team.json").read_text())
    change(stored)
    (tmp_path / "team.json").write_text(json.dumps(stored))
    with pytest.raises(ValueError, match=rf"team\.json: .*{says}"):
        gb.load(tmp_path / "team.json")


def test_orders_lead_around_a_blocked_edge() -> None:
    ring = nx.cycle_graph(["a", "b", "c", "d", "e", "f"])
    team = gb.team(ring, walkers=2, starts=["a", "d"])
    for node, reward in zip(ring, [0.0, 0.0, 1.0, 0.0, 0.0, 0.9], strict=True):
        team.observe(node, reward)
    for _ in range(400):
        team.observe("c", 1.0)
        team.observe("f", 0.0)
        team.observe("d", 0.9)
    team.tell(1, 0.9, node="d")
    before = team.ask(0)
    assert before.path == ("b", "c")
    # Recalled, it gets the same order; on a blocked road, another one.
    team.failed(0)
    assert team.ask(0) == before
    assert team.block("b", "c") == [0]
    assert team.blocked == (("b", "c"),)
    around = team.ask(0)
    assert around.path[:1] != ("b",)
    team.failed(0)
    assert team.ask(0) == around
    with pytest.raises(ValueError, match="edge between node 'b' and node 'c' is blocked already"):
        team.block("b", "c")
    with pytest.raises(ValueError, match="there is no edge between node 'a' and node 'c'"):
        team.block("a", "c")
    # Two blocked edges cut b off; nobody is sent there.
    team.block("a", "b")
    for _ in range(40):
        for walker in team.walkers:
            node = team.ask(walker).node
            assert node != "b"
            team.tell(walker, 0.5)
    team.open("a", "b")
    team.open("b", "c")
    assert team.blocked == ()
    with pytest.raises(ValueError, match="edge between node 'b' and node 'c' is open already"):
        team.open("b", "c")


def test_both_directions_of_a_street_close_and_open() -> None:
    two_way = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    streets = [*two_way, *((end, start) for start, end in two_way), ("a", "c")]
    town = gb.graph(streets, times=[1.0] * len(streets), directed=True)
    team = gb.team(town, walkers=2, starts=["a", "b"], share="capacity:2")
    for node, reward in zip("abcd", [1.0, 0.0, 0.0, 0.0], strict=True):
        for _ in range(50):
            team.observe(node, reward)
    team.tell(1, 0.0, node="b")
    assert team.ask(1).path == ("a",)
    assert team.block("a", "b", directions="both") == [1]
    assert team.blocked == (("a", "b"), ("b", "a"))
    assert team.ask(1).path == ("c", "d", "a")
    with pytest.raises(ValueError, match="road from node 'b' to node 'a' is blocked already"):
        team.block("b", "a", directions="both")
    # One direction is still closed, and only that one changes.
    team.open("a", "b")
    assert team.blocked == (("b", "a"),)
    team.block("a", "b", directions="both")
    assert len(team.blocked) == 2
    team.open("b", "a", directions="both")
    assert team.blocked == ()
    with pytest.raises(ValueError, match="is open already"):
        team.open("a", "b", directions="both")
    # A one-way street has one direction, from whichever end it is named.
    team.block("c", "a", directions="both")
    assert team.blocked == (("a", "c"),)
    with pytest.raises(ValueError, match="there is no road from node 'b' to node 'd'"):
        team.block("b", "d", directions="both")
    with pytest.raises(ValueError, match="directions is 'back'; give 'one' or 'both'"):
        team.block("a", "b", directions="back")  # type: ignore[arg-type]
    assert team.block("a", "b", directions="one") == []
    assert team.blocked == (("a", "b"), ("a", "c"))


def test_an_edge_without_a_direction_closes_as_a_whole() -> None:
    team = gb.team(ROOMS, walkers=1)
    with pytest.raises(ValueError, match=r"leads both ways .*; leave directions out"):
        team.block("hall", "attic", directions="one")
    team.block("attic", "hall", directions="both")
    assert len(team.blocked) == 1
    team.open("hall", "attic", directions="both")
    assert team.blocked == ()


def test_where_walkers_are() -> None:
    team = gb.team(ROOMS, walkers=2, starts=["attic", "garden"])
    assert [team.at(0), team.at(1)] == ["attic", "garden"]
    team.move_to(0, "cellar")
    assert team.at(0) == "cellar"
    with pytest.raises(ValueError, match="walker 5 is not in the team"):
        team.at(5)
    team = gb.team(ROOMS, [gb.Walker("hall", nodes=["hall", "attic"])])
    with pytest.raises(ValueError, match="walker 0 may not be on node 'garden'"):
        team.move_to(0, "garden")


def test_robots_on_threads_lose_no_reward() -> None:
    team = gb.team("grid:4x4", walkers=4)

    def robot(walker: int) -> None:
        for _ in range(200):
            order = team.ask(walker)
            team.tell(walker, float(order.node))

    threads = [threading.Thread(target=robot, args=(walker,)) for walker in team.walkers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert team.estimates().visits.sum() == 800


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"agent": "multi-g-ucb"}, ValueError,
         "agent multi-g-ucb: the agent needs all walkers to step together"),
        ({"walkers": 10**7}, ValueError,
         "walkers: 10000000 walkers are not a team; give 1 to 100000"),
        ({"walkers": 10**12}, ValueError,
         "walkers: 1000000000000 walkers are not a team; give 1 to 100000"),
        ({"walkers": 10**30}, ValueError, "give a whole number from 1 to 100000"),
        ({"agent": "g-ucb"}, ValueError, "there are g-star, multi-g-ucb, comb-ucb, g-drift"),
        ({"walkers": 2, "starts": "random"}, ValueError, "say where the walkers of your team are"),
        ({"walkers": 3, "starts": ["hall", "attic"]}, ValueError, "2 starts for 3 walkers"),
        ({"walkers": 2, "starts": "roof"}, gb.UnknownNodeError, "there is no node 'roof'"),
        ({"walkers": 2, "most": 1}, ValueError, "most is 1, but there are 2 walkers"),
        ({"walkers": 3, "share": np.ones((4, 2))}, ValueError,
         "share: the table has 2 columns, but there are 3 walkers; give f(1) to f(3)"),
        ({"walkers": 2, "share": np.ones((4, 3)), "most": 4}, ValueError, "end at f(3)"),
        ({"walker": 2}, TypeError, "team() has no argument 'walker', and agent g-star has no such"),
        ({"noise_scale": -1}, ValueError, "noise-scale"),
        ({"agent": "multi-gucb", "noise_scale": 1}, ValueError, "did you mean multi-g-ucb?"),
        ({"walkers": [gb.Walker("hall", nodes=["hall", "garden"])]}, ValueError,
         "do not connect node 'garden' with its start 'hall'"),
        ({"walkers": [gb.Walker("hall", nodes=["attic"])]}, ValueError, "node 'hall', where it may"),
        ({"walkers": [gb.Walker("hall", speed=0.0)]}, ValueError, "the walker has speed 0"),
        ({"share": [[1.0, 0.5]] * 4}, ValueError, "must not fall"),
        ({"share": "log"}, ValueError, "share"),
    ],
)  # fmt: skip
def test_mistakes_of_teams_are_named(options: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as raised:
        gb.team(ROOMS, **options)
    assert says in str(raised.value)


def test_parameters_of_the_agent_are_keywords_as_for_one_walker() -> None:
    team = gb.team(ROOMS, noise_scale=1)
    assert team.spec == gb.team(ROOMS, agent="g-star:noise-scale=1").spec != gb.team(ROOMS).spec
    both = gb.team(ROOMS, agent="g-star:growth=3", noise_scale=1)
    assert "growth=3" in both.spec
    assert "noise-scale=1" in both.spec


def test_refused_reports_change_nothing() -> None:
    team = gb.team(ROOMS, walkers=2, share=np.ones((4, 2)))
    order = team.ask(0)
    for report, error, says in (
        (
            lambda: team.tell(7, 0.5),
            ValueError,
            "walker 7 is not in the team; the walkers are 0, 1",
        ),
        (lambda: team.tell(0, float("nan"), node="hall"), ValueError, "reward NaN at node 'hall'"),
        (lambda: team.tell(0, 0.5, node="roof"), gb.UnknownNodeError, "there is no node 'roof'"),
        (lambda: team.observe("hall", float("inf")), ValueError, "out of range"),
        (lambda: team.leave(2), ValueError, "walker 2 is not in the team"),
        (lambda: team.ask(2), ValueError, "walker 2 is not in the team"),
        (lambda: team.join("hall"), ValueError, "let others leave first"),
    ):
        with pytest.raises(error) as raised:
            report()
        assert says in str(raised.value)
    assert team.walkers == [0, 1]
    assert team.estimates().visits.sum() == 0
    assert team.ask(0) == order


def test_what_one_robot_finds_both_know(tmp_path: Path) -> None:
    team = gb.team(ROOMS, walkers=2, agent="g-drift", starts=["attic", "garden"], noise_scale=0.05)
    assert sorted(walked(team, 40)) == ["attic", "garden"]
    falls = PAYS | {"attic": 0.05}
    there = next(walker for walker in team.walkers if team.at(walker) == "attic")
    other = next(walker for walker in team.walkers if walker != there)
    before = team.ask(other)
    assert before.stay > 1
    for _ in range(3):
        team.tell(there, falls[team.ask(there).node])
    # What the attic paid before does not count any more, for either of them.
    known = team.estimates()["attic"]
    assert known.estimate == pytest.approx(0.05)
    assert known.remembered is not None
    assert known.remembered < known.visits
    # The other robot's order stands until its own report, and then it plans again.
    assert team.ask(other) == before
    team.save(tmp_path / "team.json")
    again = gb.load(tmp_path / "team.json")
    assert isinstance(again, gb.Team)
    for _ in range(60):
        for walker in team.walkers:
            node = team.ask(walker).node
            assert again.ask(walker) == team.ask(walker)
            team.tell(walker, falls[node])
            again.tell(walker, falls[node])
    assert sorted(team.at(walker) for walker in team.walkers) == ["cellar", "garden"]


def found_a_fall() -> gb.Team:
    """A team whose attic paid well for 40 rounds, and then did not."""
    team = gb.team(ROOMS, walkers=2, agent="g-drift", starts=["attic", "garden"], noise_scale=0.05)
    for _ in range(40):
        team.tell(0, 0.9, node="attic")
        team.tell(1, 0.8, node="garden")
    for _ in range(3):
        team.tell(0, 0.05, node="attic")
    return team


def test_the_best_node_is_that_of_all_walkers_and_of_what_is_remembered() -> None:
    team = gb.team(ROOMS, walkers=2, starts=["attic", "garden"], noise_scale=0.02)
    assert (team.best().best, team.best().unvisited) == (None, 4)
    walked(team, 100)
    best = team.best(confidence=0.9)
    assert (best.node, best.settled, best.unvisited, best.forgotten) == ("attic", True, 0, 0)
    assert best.runner_up is not None
    assert best.runner_up.node == "garden"
    assert (best.confidence, best.noise_scale) == (0.9, 0.02)
    assert team.best(noise_scale=5.0).settled is False
    with pytest.raises(ValueError, match="confidence 1 is not above 0 and below 1"):
        team.best(confidence=1.0)
    team.block("hall", "attic")
    team.move_to(0, "hall")
    team.move_to(1, "hall")
    assert team.best().best is not None
    assert team.best().best.set_aside
    # g-drift forgets what the attic paid before.
    best = found_a_fall().best()
    assert best.node == "garden"
    assert best.runner_up is not None
    assert (best.runner_up.node, best.runner_up.visits) == ("attic", 43)
    assert best.runner_up.remembered is not None
    assert best.runner_up.remembered <= 3


def test_changes_and_ages_are_those_of_the_team(tmp_path: Path) -> None:
    team = found_a_fall()
    (change,) = team.changes()
    assert isinstance(change, gb.service.FoundChange)
    assert change.node == "attic"
    assert 81 <= change.visits <= 83
    ages = dict(zip(team.graph.nodes, team.ages().tolist(), strict=True))
    # Walker 0 is three visits ahead of walker 1.
    assert (ages["attic"], ages["garden"]) == (0, 3)
    assert np.isnan([ages["hall"], ages["cellar"]]).all()
    team.observe("cellar", 0.2)
    team.tell(1, 0.8, node="garden")
    team.tell(0, 0.05, node="attic")
    ages = dict(zip(team.graph.nodes, team.ages().tolist(), strict=True))
    assert (ages["attic"], ages["garden"], ages["cellar"]) == (0, 1, 1)
    team.save(tmp_path / "team.json")
    for again in (
        gb.load(tmp_path / "team.json"),
        copy.deepcopy(team),
        pickle.loads(pickle.dumps(team)),
    ):
        assert again.changes() == team.changes()
        assert np.array_equal(again.ages(), team.ages(), equal_nan=True)
        again.leave(1)
        again.tell(0, 0.05, node="hall")
        assert again.changes() == team.changes()


def test_teams_that_do_not_forget_note_nothing() -> None:
    team = gb.team(ROOMS, walkers=1)
    walked(team, 20)
    assert team.changes() == []
    assert np.isnan(team.ages()).all()


def test_notes_that_cannot_be_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "team.json"
    found_a_fall().save(file)
    stored = json.loads(file.read_text())
    for damage in (
        lambda notes: notes["seen"].pop(),
        lambda notes: notes["seen"].__setitem__(0, 1e9),
        lambda notes: notes["found"]["newest"][0].__setitem__("node", 4),
        lambda notes: notes.__setitem__("visits", 10),
    ):
        damaged = copy.deepcopy(stored)
        damage(damaged["team"]["notes"])
        file.write_text(json.dumps(damaged))
        with pytest.raises(ValueError, match="notes about changes and last visits do not fit"):
            gb.load(file)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda team: team.ask(), "the number of the walker is missing; as in `team.ask(0)` (the walkers are 0, 1)"),
        (lambda team: team.tell(reward=0.7), "the number of the walker is missing; as in `team.tell(0, reward=0.7)`"),
        (lambda team: team.tell("hall", reward=0.7),
         "'hall' is not the number of a walker; give the number first, as in `team.tell(0, reward=0.7)`"),
        (lambda team: team.tell(reward=0.7, node="hall"), "as in `team.tell(0, reward=0.7, node=..)`"),
        (lambda team: team.tell(0), "the reward is missing; as in `team.tell(0, reward=0.7)`"),
        (lambda team: team.tell(0, "hall", 0.7), "reward 'hall' is not a number; as in `team.tell(0, reward=0.7, node=..)`"),
        (lambda team: team.failed(), "as in `team.failed(0)`"),
        (lambda team: team.failed(at="hall"), "as in `team.failed(0, at=..)`"),
        (lambda team: team.move_to("hall"), "'hall' is not the number of a walker; give the number first, as in `team.move_to(0, node)`"),
        (lambda team: team.move_to(0), "the node is missing; as in `team.move_to(0, node)`"),
        (lambda team: team.leave(), "as in `team.leave(0)`"),
        (lambda team: team.at(-1), "-1 is not the number of a walker"),
        (lambda team: team.at(0.5), "0.5 is not the number of a walker"),
    ],
)  # fmt: skip
def test_a_forgotten_number_is_named(call: Any, says: str) -> None:
    team = gb.team(ROOMS, walkers=2)
    with pytest.raises(TypeError) as raised:
        call(team)
    assert says in str(raised.value)
    assert team.status().visits == 0
    alone = gb.team(ROOMS, walkers=1)
    with pytest.raises(TypeError, match=r"\(the only walker is 0\)"):
        alone.ask()  # type: ignore[call-arg]
    alone.leave(0)
    with pytest.raises(TypeError, match=r"\(the team has no walkers; let one join first\)"):
        alone.ask()  # type: ignore[call-arg]
    many = gb.team(ROOMS, walkers=20)
    with pytest.raises(TypeError, match=r"\(there are 20 walkers, 0 to 19\)"):
        many.ask()  # type: ignore[call-arg]
    # Any whole number will do.
    assert many.at(np.int64(3)) == "hall"

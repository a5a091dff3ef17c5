"""A team of a service: every robot asks and tells on its own."""

import threading

import numpy as np
import pytest
from service_process import Server

import graph_bandit as gb
from graph_bandit import service

RING = [("hall", "yard"), ("yard", "roof"), ("roof", "gate"), ("gate", "hall")]


def crew(fleet, **more):
    walkers = {"anna": gb.Walker("hall"), "bert": {"start": "roof"}}
    return fleet.create(RING, id="crew", walkers=walkers, share="capacity:2", **more)


def test_every_robot_asks_and_tells_on_its_own(fleet):
    team = crew(fleet)
    assert isinstance(team, gb.ServedTeam)
    anna, bert = team["anna"], team[1]
    assert (anna.number, bert.name, anna.team) == (0, "bert", team)
    leg = anna.ask()
    assert isinstance(leg, gb.ServedLeg)
    receipt = anna.tell(leg, [1.0])
    assert (receipt.walker, receipt.next_sequence, receipt.visits) == (0, 1, 1)
    bert.tell("roof", 3.0)
    bert.tell_visits([("gate", 2.0), ("gate", 4.0)])
    team.observe("yard", 0.5)
    assert (anna.sequence, bert.sequence, team.status().sequence) == (1, 2, 1)
    bert.failed(at="hall", reason="wind")
    bert.failed()
    bert.moved("roof")
    bert.move_to("roof")
    assert bert.status().at == "roof"
    status = team.status()
    assert (status.visits, status.observed, status.reward) == (5, 1, 10.0)
    assert [walker.visits for walker in status.walkers] == [1, 3]
    assert team.estimates()["gate"].estimate == 3.0
    assert team.best().node in ("roof", "gate")
    assert team.rewards()[-1].tolist() == [4, 10.0]
    assert [record.reporter for record in team.history() if record.kind == "told"] == [0, 1, 1]
    assert [record.reporter for record in team.history() if record.kind == "observed"] == [None]
    assert next(team.watch()).walkers[0].name == "anna"
    assert repr(anna).startswith("<walker anna of <team 'crew' led by g-star at ")


def test_reasons_say_which_better_nodes_are_taken(fleet):
    pays = {"hall": 9.0, "yard": 5.0, "roof": 1.0, "gate": 0.0}
    walkers = {"anna": gb.Walker("hall"), "bert": gb.Walker("roof")}
    team = fleet.create(RING, "g-star:noise-scale=0.1", walkers=walkers)
    for _ in range(12):
        for robot in team:
            node = robot.ask().node
            robot.tell(node, pays[node])
    ends = {robot.name: robot.status().at for robot in team}
    best = next(name for name, node in ends.items() if node == "hall")
    other = {"anna": "bert", "bert": "anna"}[best]
    assert ends[other] == "yard"
    why = team[other].ask().why
    assert why.reason.endswith(f'; nodes with higher bounds are taken: "hall" by "{best}"')
    assert [(node.known.node, node.known.estimate) for node in why.taken] == [("hall", 9.0)]
    assert why.taken[0].walkers == (team[best].number,)
    assert team[best].ask().why.taken == ()


def test_a_program_that_starts_again_finds_its_team(fleet):
    crew(fleet)["anna"].tell("hall", 1.0)
    again = crew(fleet)
    assert again["anna"].sequence == 1
    attached = fleet["crew"]
    assert isinstance(attached, gb.ServedTeam)
    assert attached["bert"].ask().at == "roof"
    cleo = again.join("cleo", "gate", nodes=["gate", "roof"], speed=2.0)
    assert again.join("cleo", "gate", nodes=["gate", "roof"], speed=2.0) is cleo
    assert cleo.status().nodes == ("roof", "gate")
    joined = [record for record in again.history() if record.kind == "joined"]
    assert [(record.name, record.start) for record in joined] == [("cleo", "gate")]
    cleo.tell("gate", 1.0)
    cleo.leave(reason="flat battery")
    cleo.leave()
    with pytest.raises(service.RefusedError, match="has left the team"):
        cleo.tell("gate", 1.0)
    with pytest.raises(LookupError, match="has left"):
        cleo.status()
    with pytest.raises(KeyError, match=r"no walker 'cleo'.*'anna', 'bert'"):
        again["cleo"]
    copy = fleet.import_(again.snapshot(), id="copy")
    assert copy.status().visits == 2
    again.delete()
    assert "crew" not in fleet


def test_nobody_joins_or_leaves_a_later_team_of_the_same_name(fleet):
    team = crew(fleet)
    anna = team["anna"]
    team.delete()
    later = crew(fleet)
    for late in [lambda: team.join("cleo"), anna.leave, lambda: team.observe("yard", 1.0)]:
        with pytest.raises(service.UnknownAgentError, match="which was deleted"):
            late()
    assert [walker.name for walker in later.walkers()] == ["anna", "bert"]
    assert later.status().visits == 0


def test_a_fleet_lists_teams_with_their_walkers(fleet):
    crew(fleet)
    fleet.create(RING, id="rover")
    listed = [(agent.id, agent.spec, agent.walkers) for agent in fleet.agents()]
    assert listed == [("crew", "g-star", 2), ("rover", "g-star", None)]
    fleet["crew"].join("cleo")
    assert fleet.agents()[0].walkers == 3
    fleet["crew"]["anna"].leave()
    fleet["crew"]["bert"].leave()
    assert fleet.agents()[0].walkers == 1


def test_equal_observations_of_robots_without_names_count_once(gbandit, tmp_path):
    """Only `robot` tells them apart, and the second one then has to send it again."""
    with Server(gbandit, f"sqlite://{tmp_path / 'fleet.db'}") as server:
        crew(gb.connect(server.url))
        first, second = (gb.connect(server.url)["crew"] for _ in range(2))
        assert first.observe("yard", 1.0) == second.observe("yard", 1.0)
        assert first.status().visits == 1
        first, second = (gb.connect(server.url, robot=name)["crew"] for name in ("mast", "buoy"))
        first.observe("yard", 1.0)
        with pytest.raises(service.SequenceConflictError, match="already has the number"):
            second.observe("yard", 1.0)
        second.observe("yard", 1.0)
        assert first.status().visits == 3


def test_a_blocked_edge_is_blocked_for_all(fleet):
    team = fleet.create("circle:6", walkers=[{"start": 0}, {"start": 3}])
    first, other = team.walkers()
    first.tell(0, 0.5)
    other.tell(3, 0.5)
    before = first.ask()
    team.block(before.at, before.path[0])
    with pytest.raises(service.SequenceConflictError, match="has changed"):
        first.tell_leg([1.0])
    after = first.ask()
    assert (after.path, after.sequence) != (before.path, before.sequence)
    first.tell_visits([(before.path[0], 1.0)])
    assert team.status().visits == 3
    assert len(team.status().blocked) == 1
    team.open(before.at, before.path[0])
    assert team.status().blocked == ()


def test_bad_teams_and_reports_are_refused(fleet):
    for more, why in [
        ({"walkers": 2, "share": "half"}, "half"),
        ({"walkers": 2, "share": [[1, -1]] * 4}, r"f\(2\) = -1"),
        ({"walkers": 2, "init": "lowest"}, "`init` is for agents alone"),
        ({"walkers": {"7": {}}}, "not a name for a walker"),
    ]:
        with pytest.raises(service.RefusedError, match=why):
            fleet.create(RING, **more)
    with pytest.raises(TypeError, match="give walkers, too"):
        fleet.create(RING, share="equal")
    with pytest.raises(ValueError, match=r"share\[1\]\[0\] is nan; give a finite number"):
        fleet.create(RING, walkers=2, share=[[1.0], [float("nan")], [1.0], [1.0]])
    with pytest.raises(ValueError, match=r"attic"):
        crew(fleet)["anna"].tell("attic", 1.0)
    assert fleet.create(RING, walkers=0).walkers() == []


@pytest.mark.parametrize(
    ("given", "kind", "why"),
    [
        ({"walkers": ["anna"]}, TypeError, r"walkers=\{'anna': gb\.Walker\(\)\}"),
        ({"walkers": {"start": "hall"}}, TypeError, "walker start is 'hall'; give a gb.Walker"),
        (
            {"walkers": gb.Walker("hall")},
            TypeError,
            r"walkers is Walker\(.*; give a number, a list",
        ),
        ({"walkers": "two"}, TypeError, "walkers is 'two'; give a number, a list"),
        ({"walkers": 2.5}, TypeError, "walkers is 2.5; give a number, a list"),
        ({"walkers": True}, TypeError, "walkers is True; give a whole number"),
        ({"walkers": -1}, ValueError, "walkers is -1; give a whole number of at least 0"),
        ({"walkers": [3]}, TypeError, "walker 0 is 3; give a gb.Walker"),
        ({"walkers": [{"sped": 1}]}, TypeError, "walker 0 has 'sped'; .* did you mean 'speed'"),
        ({"walkers": {"anna": {"sped": 1}}}, TypeError, "walker anna has 'sped'; the fields are"),
        ({"walkers": [{"speed": "fast"}]}, TypeError, "walker 0: speed is 'fast'; give a number"),
        ({"walkers": [{"nodes": 3}]}, TypeError, "walker 0: nodes is 3; give a list of labels"),
        ({"walkers": 2, "starts": ["hall"]}, TypeError, "no argument 'starts'; give every robot"),
        ({"walkers": 2, "draws": "own"}, TypeError, "no argument 'draws'; robots report"),
        ({"walkers": 2, "bonus": 1}, TypeError, r"create\(\) has no argument 'bonus', and agent"),
        ({"starts": "hall"}, TypeError, "no argument 'starts'"),
        ({"spec": "multi-g-ucb", "until": "median"}, ValueError, "multi-g-ucb"),
    ],
)
def test_mistaken_calls_name_the_value_and_the_right_call(given, kind, why):
    # Nothing is sent: there is no service at this address.
    with pytest.raises(kind, match=why):
        gb.connect("http://127.0.0.1:9").create(RING, **given)


def test_walkers_by_number_by_list_and_by_name(fleet):
    assert len(fleet.create(RING, walkers=np.int64(2)).walkers()) == 2
    listed = [{"name": "anna", "start": "yard"}, gb.Walker("roof"), {}]
    team = fleet.create(RING, walkers=listed, start="gate", noise_scale=0.2)
    robots = team.walkers()
    assert [robot.name for robot in robots] == ["anna", None, None]
    assert [robot.status().at for robot in robots] == ["yard", "roof", "gate"]
    with pytest.raises(TypeError, match=r"name is Walker\(.*as in join\('cleo', start\)"):
        team.join(gb.Walker("hall"))
    with pytest.raises(service.RefusedError, match=r"reads no files.*such as"):
        fleet.create(RING, walkers=2, share="file:shares.csv")
    with pytest.raises(service.RefusedError, match="multi-g-ucb plans for all walkers at once"):
        fleet.create(RING, gb.MultiGUcb(until="median"), walkers=2)
    with pytest.raises(service.RefusedError, match="9 walkers do not fit on 4 nodes"):
        fleet.create(RING, walkers=9, seats=1)


def test_limits_and_clocks_of_robots(fleet):
    team = crew(fleet)
    assert (team.status().most, team["anna"].status().time) == (1_000, None)
    team.join("cleo", "gate", nodes=["gate"])
    assert team.status().most == 64
    roads = gb.graph([("a", "b")], times=[3.0])
    quick = fleet.create(roads, walkers=[gb.Walker("a", speed=2.0)]).walkers()[0]
    assert (quick.ask().arrival, quick.status().time) == (0.0, 0.0)
    quick.tell("a", 1.0)
    leg = quick.ask()
    assert (leg.path, leg.times, leg.arrival) == (("b",), (2.5,), 3.5)
    quick.tell(leg, [1.0])
    assert quick.status().time == 3.5


def test_robots_of_a_team_survive_a_kill(gbandit, tmp_path):
    """Four threads report while the service is killed and started again."""
    with Server(gbandit, f"sqlite://{tmp_path / 'fleet.db'}") as server:
        fleet = gb.connect(server.url, deadline=60)
        team = fleet.create("grid:4x4", id="crew", walkers=4, seed=3)
        robots = team.walkers()
        half = threading.Barrier(len(robots) + 1)

        def work(robot, told):
            for visit in range(30):
                leg = robot.ask()
                told.append((leg.node, robot.number + visit / 100))
                robot.tell(leg.node, told[-1][1])
                if visit == 15:
                    half.wait()

        diaries = [[] for _ in robots]
        threads = [
            threading.Thread(target=work, args=each) for each in zip(robots, diaries, strict=True)
        ]
        for thread in threads:
            thread.start()
        half.wait()
        server.kill()
        server.start()
        for thread in threads:
            thread.join()
        assert team.status().visits == 120
        by_robot = [[] for _ in robots]
        for record in team.history():
            by_robot[record.receipt.walker].extend(record.visits)
        assert by_robot == diaries


def test_a_team_says_what_changed_and_how_old_its_knowledge_is(fleet):
    team = crew(fleet, spec="g-drift:noise-scale=0.05")
    assert np.isnan(team.ages()).all()
    anna, bert = team["anna"], team["bert"]
    anna.tell_visits([("hall", 0.9)] * 40)
    bert.tell_visits([("roof", 0.5)])
    anna.tell_visits([("hall", 0.1)] * 5)
    (change,) = team.changes()
    assert isinstance(change, service.FoundChange)
    assert change.node == "hall"
    assert 42 <= change.visits <= 46
    ages = dict(zip(team.graph.nodes, team.ages().tolist(), strict=True))
    # Bert reported when anna had made 40 visits.
    assert (ages["hall"], ages["roof"]) == (0, 5)
    assert np.isnan([ages["yard"], ages["gate"]]).all()
    still = fleet.create(RING, walkers=1)
    still.walkers()[0].tell("hall", 0.9)
    assert np.isnan(still.ages()).all()


def test_a_list_of_names_is_not_a_team(fleet):
    with pytest.raises(TypeError, match=r"give a dictionary: walkers=\{'anna': gb.Walker\(\)\}"):
        fleet.create(RING, walkers=["anna"])

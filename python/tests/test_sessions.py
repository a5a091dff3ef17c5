import gc
import json
import pickle
import threading
from collections.abc import Sequence

import networkx as nx
import numpy as np
import pytest

import graph_bandit as gb

GRID = nx.grid_2d_graph(5, 5)


def pay(agent, node):
    """A pure function of node and visits."""
    i, j = node
    k = int(agent.counts[agent.graph.number(node)])
    return (i * 5 + j) / 25 + 0.1 * ((k * 7919 + i * 31 + j) % 11 - 5)


def walk(agent, visits):
    nodes = []
    for _ in range(visits):
        leg = agent.ask()
        nodes.append(leg.node)
        agent.tell(leg.node, pay(agent, leg.node))
    return nodes


@pytest.mark.parametrize("name", gb.SPECS)
@pytest.mark.parametrize("preset", ["paper", "program"])
def test_saved_and_loaded_it_goes_on_bit_for_bit(name, preset, tmp_path):
    whole = gb.agent(GRID, name, start=(2, 2), seed=5, init="nearest", preset=preset)
    broken = gb.agent(GRID, name, start=(2, 2), seed=5, init="nearest", preset=preset)
    for part in [10, 31, 60, 7]:
        expected = walk(whole, part)
        assert walk(broken, part) == expected
        broken.save(tmp_path / "a.json")
        broken = gb.load(tmp_path / "a.json")
    assert (whole.means == broken.means).all()
    assert whole.ask() == broken.ask()
    assert list(tmp_path.iterdir()) == [tmp_path / "a.json"]


def test_a_session_is_the_run_of_the_command_line():
    study = gb.run(gb.World("grid:5x5"), ["g-star"], steps=400, runs=1, seed=11, init="depth-first")
    run = study.trace("g-star")
    # What a session is seeded by is the seed of its run.
    agent = gb.agent("grid:5x5", "g-star", init="depth-first", seed=0)
    for node, reward in zip(run.nodes[: run.init_steps], run.rewards, strict=False):
        assert agent.ask().node == node
        agent.tell(node, reward)
    agent.move_to(0)
    for node, reward in zip(
        run.nodes[run.init_steps :], run.rewards[run.init_steps :], strict=True
    ):
        assert agent.ask().node == node
        agent.tell(node, reward)


def test_a_leg_is_told_at_once_in_any_form():
    agents = [gb.agent(GRID, "g-ucb", seed=1, init="none") for _ in range(5)]
    for _ in range(40):
        leg = agents[0].ask()
        rewards = [0.1 * k for k in range(leg.visits)]
        agents[0].tell(leg, rewards)
        agents[1].tell_leg(np.array(rewards))
        agents[2].tell_leg(np.repeat(rewards, 2)[::2])
        agents[3].tell(agents[3].ask(), tuple(rewards))
        for reward in rewards:
            agents[4].tell(agents[4].ask().node, reward)
    for agent in agents[1:]:
        assert (agent.counts == agents[0].counts).all()
        assert (agent.means == agents[0].means).all() or np.array_equal(
            agent.means, agents[0].means, equal_nan=True
        )


def test_asking_again_changes_nothing_and_legs_compare():
    agent = gb.agent(GRID, "g-ts")
    assert agent.ask() == agent.ask()
    assert hash(agent.ask()) == hash(agent.ask())
    leg = gb.Leg([(0, 1), (0, 2)], stay=3)
    assert (leg.node, leg.path, leg.stay, leg.visits, len(leg)) == (
        (0, 1),
        ((0, 1), (0, 2)),
        3,
        5,
        5,
    )
    assert leg != gb.Leg([(0, 1)], 3)
    assert leg != "leg"
    assert repr(leg) == "Leg(path=((0, 1), (0, 2)), stay=3)"


def test_scores_are_the_bounds_of_the_paper():
    agent = gb.agent(GRID, "g-ucb", init="nearest")
    walk(agent, 80)
    n, t = agent.counts, agent.visits
    expected = agent.means + np.sqrt(2 * np.log(t) / n)
    assert agent.scores() == pytest.approx(expected)
    before = agent.ask()
    agent.scores()
    assert agent.ask() == before
    assert gb.agent(GRID, "ql-eps").scores() is None


def test_refused_tells_change_nothing():
    agent = gb.agent(GRID, "g-ucb")
    walk(agent, 5)
    counts = agent.counts.copy()
    with pytest.raises(gb.IllegalMoveError, match=r"from node \(0, \d\) to node \(4, 4\)"):
        agent.tell((4, 4), 1.0)
    with pytest.raises(gb.UnknownNodeError, match="'kitchen'"):
        agent.tell("kitchen", 1.0)
    with pytest.raises(ValueError, match="reward NaN at node"):
        agent.tell(agent.at, float("nan"))
    with pytest.raises(TypeError, match="reward 'much' is not a number"):
        agent.tell(agent.at, "much")
    with pytest.raises(ValueError, match="rewards were told; the leg has only"):
        agent.tell_leg([0.0] * 1000)
    with pytest.raises(ValueError, match="not the one that you asked for last"):
        agent.tell(gb.Leg([(4, 4)]), [1.0])
    with pytest.raises(TypeError):
        agent.tell_leg(["much"])
    assert isinstance(gb.IllegalMoveError("x"), ValueError)
    assert (agent.counts == counts).all()


def test_deviations_are_accepted_and_replanned():
    agent = gb.agent(GRID, "g-star")
    walk(agent, 30)
    other = next(node for node in agent.graph.neighborhood(agent.at) if node != agent.ask().node)
    agent.tell(other, 0.5)
    assert agent.at == other
    agent.move_to((4, 4))
    assert agent.at == (4, 4)
    assert agent.visits == 31


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"spec": "ucb"}, "there is no agent"),
        ({"start": (9, 9)}, "there is no node"),
        ({"init": "x"}, "init: there is no"),
        ({"noise_scale": -1.0}, "noise-scale"),
    ],
)
def test_agents_that_cannot_be(arguments, message):
    settings = {"spec": "g-star", **arguments}
    with pytest.raises(ValueError, match=message):
        gb.agent(GRID, settings.pop("spec"), **settings)
    with pytest.raises(TypeError, match="no parameter 'nois'; it has caution"):
        gb.agent(GRID, "g-star", nois=1.0)


def test_files_that_are_no_session_are_named(tmp_path):
    agent = gb.agent(GRID, "ql-ucb-h")
    walk(agent, 20)
    agent.save(tmp_path / "a.json")
    good = json.loads((tmp_path / "a.json").read_text())

    def refused(change, match):
        stored = json.loads(json.dumps(good))
        change(stored)
        (tmp_path / "b.json").write_text(json.dumps(stored))
        with pytest.raises(ValueError, match=match):
            gb.load(tmp_path / "b.json")

    refused(lambda s: s.update(format="x"), "b.json: it is not a saved session")
    for other in (0, 2, None):
        refused(
            lambda s, other=other: s.update(version=other),
            f"b.json: it has format {other}, not 1: it was made by an unpublished version .* again",
        )
    refused(lambda s: s.pop("graph"), "not a saved session")
    refused(lambda s: s["session"].pop("state"), "state")
    refused(lambda s: s["session"]["state"].update(at=99), "node 99")
    refused(lambda s: s["graph"]["edges"].pop(), "walk|memory|values")
    (tmp_path / "c.json").write_text("{")
    with pytest.raises(ValueError, match=r"c\.json"):
        gb.load(tmp_path / "c.json")
    with pytest.raises(FileNotFoundError):
        gb.load(tmp_path / "none.json")
    odd = gb.agent([(frozenset("a"), frozenset("b"))], "g-ucb")
    with pytest.raises(TypeError, match="frozenset, which cannot be saved"):
        odd.save(tmp_path / "a.json")
    # The earlier file is as it was.
    assert json.loads((tmp_path / "a.json").read_text()) == good
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.json", "b.json", "c.json"]


def test_threads_may_share_an_agent():
    agent = gb.agent("line:6000", "local-ucb", init="none")

    def work():
        for _ in range(200):
            agent.ask()
            agent.tell(agent.at, 0.5)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert agent.visits == 800


def resident() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


def test_nothing_leaks_over_many_cycles():
    agent = gb.agent(GRID, "local-ucb")
    legs = gb.agent(GRID, "g-ts", growth=0.0, per_hop=0.0)

    def cycle(times):
        for _ in range(times):
            leg = agent.ask()
            agent.tell(leg.node, 0.5)
            legs.tell_leg([0.25] * legs.ask().visits)

    cycle(20_000)
    gc.collect()
    before = resident()
    cycle(100_000)
    gc.collect()
    assert resident() - before < 2_000_000


def test_specs_travel_and_compare():
    spec = gb.GStar(noise_scale=1.0)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert spec == gb.GStar(noise_scale=1)
    assert spec != gb.GStar()
    assert str(spec) == "g-star:noise-scale=1.0"
    assert repr(spec) == "GStar(noise_scale=1.0)"
    assert gb.agent(GRID, spec, caution=2.0).spec == "g-star:caution=2.0,noise-scale=1.0"


class Nosy:
    """A reward that looks at the session when it is read."""

    def __init__(self, agent):
        self.agent, self.looks = agent, 0

    def __float__(self):
        self.looks += 1
        return 0.5 + 0.0 * self.agent.visits


class Lazily(Sequence):
    """Rewards that are made when they are read, from what the session knows."""

    def __init__(self, agent, length):
        self.agent, self.length, self.looks = agent, length, 0

    def __len__(self):
        return self.length

    def __getitem__(self, k):
        if k >= self.length:
            raise IndexError(k)
        self.looks += 1
        return 0.5 + 0.0 * self.agent.visits


def test_rewards_may_look_at_the_session_while_they_are_told():
    agent = gb.agent(GRID, "g-ucb")
    for _ in range(5):
        leg = agent.ask()
        nosy = [Nosy(agent) for _ in range(leg.visits)]
        agent.tell(leg, nosy)
        lazily = Lazily(agent, agent.ask().visits)
        agent.tell_leg(lazily)
        assert lazily.looks
        assert all(reward.looks for reward in nosy)
    assert agent.visits > 5


class Label:
    agent = None

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        if Label.agent is not None:
            assert Label.agent.visits >= 0
        return self.name == other.name

    def __repr__(self):
        assert Label.agent is None or Label.agent.at is not None
        return self.name


def test_labels_may_look_at_the_session_while_it_looks_at_them():
    a, b, c = map(Label, "abc")
    Label.agent = agent = gb.agent([(a, b), (b, c)], "g-ucb")
    for _ in range(5):
        leg = agent.ask()
        agent.tell(gb.Leg([Label(node.name) for node in leg.path], leg.stay), [0.5] * leg.visits)
    assert "g-ucb at" in repr(agent)
    agent.move_to(a)
    with pytest.raises(gb.IllegalMoveError, match="from node a to node c"):
        agent.tell(c, 1.0)


def test_sessions_and_legs_travel():
    import copy

    agent = gb.agent(gb.geometric(30, 0.4, seed=3), "ql-ucb-h", seed=2)
    for _ in range(50):
        agent.tell(agent.ask().node, 0.25)
    for twin in (pickle.loads(pickle.dumps(agent)), copy.deepcopy(agent)):
        for _ in range(20):
            twin.tell(twin.ask().node, 0.25)
    for _ in range(20):
        agent.tell(agent.ask().node, 0.25)
    assert (twin.counts == agent.counts).all()
    assert type(twin) is gb.Session
    leg = gb.Leg([(0, 1)], 4)
    assert pickle.loads(pickle.dumps(leg)) == leg
    assert copy.deepcopy(leg) == leg


def test_places_are_saved(tmp_path):
    agent = gb.agent(gb.geometric(30, 0.4, seed=3), "g-ucb")
    agent.save(tmp_path / "a.json")
    assert (gb.load(tmp_path / "a.json").graph.coordinates == agent.graph.coordinates).all()


def test_no_damaged_file_is_worse_than_an_error(tmp_path):
    """Every number of a saved session changed in turn: refused, or a session that still works."""
    agent = gb.agent("line:5", "ql-ucb-h", seed=3, init="depth-first")
    for _ in range(7):
        agent.tell(agent.ask().node, 0.25)
    agent.save(tmp_path / "a.json")
    good = json.loads((tmp_path / "a.json").read_text())
    tried = 0

    def numbers(value, path=()):
        if isinstance(value, dict):
            for key, part in value.items():
                yield from numbers(part, (*path, key))
        elif isinstance(value, list):
            for key, part in enumerate(value):
                yield from numbers(part, (*path, key))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield path

    for path in numbers(good):
        for wrong in (-1, 0, 4, 5, 99, 2**32, 2**63, 1e300):
            stored = json.loads(json.dumps(good))
            place = stored
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = wrong
            (tmp_path / "b.json").write_text(json.dumps(stored))
            tried += 1
            try:
                loaded = gb.load(tmp_path / "b.json")
            except ValueError:
                continue
            for _ in range(6):
                loaded.tell(loaded.ask().node, 0.5)
    assert tried > 500


def test_a_blocked_edge_is_walked_around_and_what_it_cuts_off_is_set_aside(tmp_path):
    rooms = [("hall", "yard"), ("yard", "roof"), ("hall", "gate")]
    agent = gb.agent(rooms, "g-star", init="nearest")
    agent.tell("hall", 1.0)
    assert agent.ask().node == "yard"
    agent.block("yard", "hall")
    assert (agent.set_aside, agent.blocked) == (("yard", "roof"), (("hall", "yard"),))
    assert agent.ask().node == "gate"
    agent.save(tmp_path / "agent.json")
    again = gb.load(tmp_path / "agent.json")
    assert (again.set_aside, again.ask().node) == (("yard", "roof"), "gate")
    agent.tell("gate", 1.0)
    assert set(walk_rooms(agent, 20)) <= {"hall", "gate"}
    agent.open("hall", "yard")
    assert agent.set_aside == ()
    assert "roof" in walk_rooms(agent, 20)
    for wrong, message in [
        (("hall", "roof"), "there is no edge between node 'hall' and node 'roof'"),
        (("hall", "rof"), "did you mean 'roof'"),
    ]:
        with pytest.raises(ValueError, match=message):
            agent.block(*wrong)
    with pytest.raises(ValueError, match="is open already"):
        agent.open("hall", "yard")
    learner = gb.agent("line:3", "ql-eps")
    learner.block(1, 2)
    assert learner.set_aside == (2,)


def walk_rooms(agent, visits):
    nodes = []
    for _ in range(visits):
        nodes.append(agent.ask().node)
        agent.tell(nodes[-1], 1.0)
    return nodes


def test_what_others_observe_and_which_node_is_best():
    agent = gb.agent("line:4", "g-ucb")
    assert (agent.best().node, agent.best().unvisited) == (None, 4)
    agent.tell(0, 0.5)
    leg = agent.ask()
    agent.observe(3, 9.0)
    assert (agent.ask(), agent.at, agent.visits) == (leg, 0, 2)
    best = agent.best(noise_scale=0.01)
    assert (best.node, best.runner_up.node, best.unvisited, best.settled) == (3, 0, 2, False)
    agent.observe(1, 0.0)
    agent.observe(2, 0.0)
    best = agent.best(noise_scale=0.01)
    assert (best.settled, best.chance, best.confidence) == (True, 1.0, 0.95)
    with pytest.raises(ValueError, match="noise scale -1"):
        agent.best(noise_scale=-1)
    with pytest.raises(gb.UnknownNodeError):
        agent.observe(9, 1.0)


def test_a_leg_that_failed_is_planned_anew_from_where_the_walker_stands():
    graph = nx.relabel_nodes(nx.path_graph(5), dict(enumerate("abcde")))
    agent, other = gb.agent(graph, "g-ucb", seed=4), gb.agent(graph, "g-ucb", seed=4)
    for session in (agent, other):
        for node in "abcde":
            session.tell(node, 5.0 if node == "a" else 1.0)
        for _ in range(40):
            leg = session.ask()
            session.tell(
                leg,
                [
                    5.0 if node == "a" else 1.0
                    for node in (*leg.path, *[leg.node] * (leg.visits - len(leg.path)))
                ],
            )
    agent.failed(at="d")
    assert agent.at == "d"
    leg = agent.ask()
    assert (*leg.path, leg.node)[0] in {"d", *graph["d"]}
    other.abandon()
    other.move_to("d")
    assert other.ask() == leg
    agent.abandon()
    assert agent.at == "d"
    with pytest.raises(gb.UnknownNodeError, match="'x'"):
        agent.failed(at="x")
    assert agent.ask().node == leg.node


def test_what_was_left_of_an_abandoned_leg_is_not_asked_for():
    # Staying long is a leg of many visits; abandoned, the next order is a plan of now.
    agent = gb.agent("line:2", "g-ucb", seed=1)
    while agent.ask().visits < 4:
        leg = agent.ask()
        agent.tell(leg, [float(leg.node)] * leg.visits)
    begun = agent.ask()
    agent.tell(begun.node if not begun.path else begun.path[0], 1.0)
    rest = agent.ask()
    assert rest.visits == begun.visits - 1
    agent.failed()
    assert agent.ask().visits != rest.visits or agent.ask().path != rest.path


@pytest.mark.parametrize("whole_legs", [False, True])
def test_changes_and_ages_of_a_local_agent(whole_legs, tmp_path):
    rooms = [("hall", "yard"), ("yard", "shed")]
    agent = gb.agent(rooms, "g-drift", init="none", noise_scale=0.05)
    assert agent.changes() == []
    assert np.isnan(agent.ages()).all()
    pays = {"hall": 0.1, "yard": 0.9, "shed": 0.3}
    while agent.visits < 100:
        if agent.visits >= 60:
            pays["yard"] = 0.2
        leg = agent.ask()
        nodes = [*leg.path, *[leg.path[-1] if leg.path else leg.node] * leg.stay]
        if whole_legs:
            agent.tell(leg, [pays[node] for node in nodes])
        else:
            agent.tell(nodes[0], pays[nodes[0]])
    first, *_ = agent.changes()
    assert first.node == "yard"
    ages = agent.ages()
    assert ages[agent.graph.number(agent.at)] == 0
    assert (ages >= 0).all()
    agent.observe("hall", 0.1)
    assert agent.ages()[0] == 0
    agent.save(tmp_path / "agent.json")
    again = gb.load(tmp_path / "agent.json")
    assert again.changes() == agent.changes()
    assert np.array_equal(again.ages(), agent.ages())
    still = gb.agent(rooms, "g-star")
    still.tell("hall", 0.1)
    assert still.changes() == []
    assert np.isnan(still.ages()).all()


def test_a_whole_leg_and_its_visits_teach_an_agent_that_forgets_the_same():
    def walked(told):
        agent = gb.agent("line:5", "g-drift", noise_scale=0.05)
        for visit in range(120):
            leg = agent.ask()
            nodes = [*leg.path, *[leg.path[-1] if leg.path else leg.node] * leg.stay][:7]
            paid = [0.1 * node if visit < 60 else 0.5 - 0.1 * node for node in nodes]
            told(agent, nodes, paid)
        return json.loads(agent._dump())

    def one_by_one(agent, nodes, paid):
        for node, reward in zip(nodes, paid, strict=True):
            agent.tell(node, reward)

    whole = walked(lambda agent, _, paid: agent.tell_leg(paid))
    timed = walked(lambda agent, _, paid: agent.tell_leg(paid, [None] * len(paid)))
    assert whole == timed == walked(one_by_one)

"""Agents and rewards of one's own, in the same studies on the same tapes."""

import networkx as nx
import numpy as np
import pytest

import graph_bandit as gb

WORLD = gb.World(nx.grid_2d_graph(4, 4), gb.uniform_means(0.5, 9.5), gb.uniform_noise(0.5))


class Ucb(gb.Agent):
    """Local UCB, written down once more."""

    def next_leg(self, now):
        around = now.graph.neighborhood_numbers(now.at_number)
        bounds = now.means[around] + np.sqrt(2 * np.log(now.visits) / now.counts[around])
        return now.graph.label(int(around[bounds.argmax()]))


class Told(gb.Agent):
    """The same by ask and tell, with a memory of its own."""

    def start(self, graph, rng):
        super().start(graph, rng)
        self.count = {node: 0 for node in graph.nodes}
        self.sum = {node: 0.0 for node in graph.nodes}
        self.at = graph.nodes[0]

    def tell(self, node, reward):
        self.count[node] += 1
        self.sum[node] += reward
        self.at = node

    def ask(self):
        # Initialization ends elsewhere, and the walker is put back; it learns so by its first visit.
        t = sum(self.count.values())
        if not hasattr(self, "learning"):
            self.learning = True
            self.at = self.graph.nodes[0]

        def bound(node):
            n = self.count[node]
            return self.sum[node] / n + np.sqrt(2 * np.log(t) / n)

        return max(self.graph.neighborhood(self.at), key=bound)


class Committed(gb.Agent):
    """Goes to a corner and stays; records what it hears."""

    def start(self, graph, rng):
        super().start(graph, rng)
        self.heard = 0

    def next_leg(self, now):
        path = nx.shortest_path(nx.grid_2d_graph(4, 4), now.at, (3, 3))[1:]
        return gb.Leg(path, stay=5)

    def observe(self, visit):
        self.heard += visit.sample.count
        assert visit.phase in ("cover", "learn")
        assert visit.node in self.graph.neighborhood(visit.came_from) or visit.phase == "learn"


def test_the_same_algorithm_makes_the_same_walk():
    study = gb.run(WORLD, [Ucb(), Told(), "local-ucb"], steps=600, runs=4, seed=3)
    assert study.agents == ("Ucb", "Told", "local-ucb")
    assert (study.regret[0] == study.regret[2]).all()
    assert (study.regret[1] == study.regret[2]).all()
    assert (study.reward[1] == study.reward[2]).all()


def test_legs_count_as_legs_and_threads_change_nothing():
    one = gb.run(WORLD, [Committed, "g-ucb"], steps=200, runs=5, seed=3, n_jobs=1)
    two = gb.run(WORLD, [Committed, "g-ucb"], steps=200, runs=5, seed=3, n_jobs=2)
    assert (one.regret == two.regret).all()
    assert one.legs[0, :, -1].max() < 45
    assert one.trace("Committed").nodes[-1] == 15


def test_own_randomness_comes_from_the_run():
    class Drunk(gb.Agent):
        name = "drunkard"

        def next_leg(self, now):
            around = now.graph.neighborhood(now.at)
            return around[int(self.rng.integers(len(around)))]

    first = gb.run(WORLD, [Drunk], steps=300, runs=3, seed=3)
    again = gb.run(WORLD, [Drunk, "g-ucb"], steps=300, runs=3, seed=3)
    assert first.agents == ("drunkard",)
    assert (first.regret[0] == again.regret[0]).all()
    assert (first.regret != gb.run(WORLD, [Drunk], steps=300, runs=3, seed=4).regret).any()
    assert len(set(first.regret[0, :, -1])) == 3


def test_what_an_agent_sees_is_true_and_read_only():
    class Watching(gb.Agent):
        def next_leg(self, now):
            assert now.counts.sum() == now.visits
            assert np.allclose(now.sums / now.counts, now.means)
            assert (now.sums_of_squares >= 0).all()
            with pytest.raises(ValueError, match="read-only"):
                now.counts[0] = 7
            return now.at

    gb.run(WORLD, [Watching], steps=20, runs=2)


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda now: 1 / 0, ZeroDivisionError, "division by zero"),
        (
            lambda now: "kitchen",
            TypeError,
            "an agent must return a node or a graph_bandit.Leg.*kitchen",
        ),
        (lambda now: None, TypeError, "None"),
        (lambda now: (3, 3), gb.IllegalMoveError, r"steps from node \(0, 0\) to node \(3, 3\)"),
        (lambda now: gb.Leg(), ValueError, r"empty leg on node \(0, 0\)"),
        (lambda now: gb.Leg([(9, 9)]), gb.UnknownNodeError, r"\(9, 9\)"),
    ],
)
def test_failures_of_an_agent_are_the_user_s_own_exceptions(answer, error, message):
    class Failing(gb.Agent):
        def next_leg(self, now):
            return answer(now)

    with pytest.raises(error, match=message):
        gb.run(WORLD, ["g-ucb", Failing], steps=50, runs=3)
    # Nothing of the failure stays behind.
    gb.run(WORLD, ["g-ucb"], steps=50, runs=1)


def test_failures_while_starting_or_listening():
    class Unstarted(gb.Agent):
        def start(self, graph, rng):
            raise LookupError("no table")

    class Deaf(Ucb):
        def observe(self, visit):
            raise OSError("no ears")

    with pytest.raises(LookupError, match="no table"):
        gb.run(WORLD, [Unstarted], steps=10, runs=2)
    with pytest.raises(OSError, match="no ears"):
        gb.run(WORLD, [Deaf], steps=10, runs=2)
    with pytest.raises(NotImplementedError, match="write next_leg"):
        gb.run(WORLD, [gb.Agent], steps=10, runs=1)


def level(node):
    return 0.25 * (node[0] + node[1])


def around(node, rng, size):
    return level(node) + rng.normal(0.0, 0.1, size)


def around_one(node, rng):
    return level(node) + rng.normal(0.0, 0.1)


MEANS = {node: level(node) for node in nx.grid_2d_graph(4, 4)}


@pytest.mark.parametrize(
    "draw",
    [
        lambda node, rng, size, mean: np.full(size, mean),
        lambda node, rng, mean: mean,
        lambda node, rng, size, *, mean: np.full(size, mean),
    ],
)
def test_a_law_with_a_parameter_mean_is_told_the_mean(draw):
    # Means are drawn again for every run; rewards that are the means lose what is expected.
    world = gb.World("grid:3x3", gb.uniform_means(0, 1), gb.rewards_from(draw, scale=0))
    study = gb.run(world, ["g-ucb", "random"], steps=60, runs=4, progress=False)
    assert study.realized_regret == pytest.approx(study.regret, abs=1e-9)
    assert (study.regret[:, :, -1] > 0).all()


def test_rewards_from_a_callable_are_a_tape():
    world = gb.World(nx.grid_2d_graph(4, 4), MEANS, gb.rewards_from(around, scale=0.1))
    study = gb.run(world, ["g-ucb", "g-star", Ucb], steps=3_000, runs=3, seed=5)
    again = gb.run(world, ["g-star"], steps=3_000, runs=3, seed=5, n_jobs=1)
    assert (study.reward[1] == again.reward[0]).all()
    # All agents meet the same rewards: the k-th visit to a node pays the same.
    first, second = study.trace("g-ucb", 1), study.trace("g-star", 1)
    for node in range(16):
        a, b = (walk.rewards[walk.nodes == node] for walk in (first, second))
        shared = min(len(a), len(b))
        assert (a[:shared] == b[:shared]).all()
    corner = first.rewards[first.nodes == 15]
    assert len(corner) > 500
    assert abs(corner.mean() - 1.5) < 6 * 0.1 / np.sqrt(len(corner))
    assert len(set(corner.tolist())) == len(corner)


def test_one_at_a_time_is_the_same_as_many_at_once():
    worlds = [
        gb.World(nx.grid_2d_graph(4, 4), MEANS, gb.rewards_from(draw, scale=0.1))
        for draw in (around, around_one)
    ]
    many, single = (gb.run(world, ["g-star"], steps=600, runs=2, seed=5) for world in worlds)
    assert (many.reward == single.reward).all()


@pytest.mark.parametrize(
    ("draw", "error", "message"),
    [
        (lambda node, rng, size: 1 / 0, ZeroDivisionError, "division"),
        (lambda node, rng, size: [1.0], ValueError, r"have shape \(1,\); give 256"),
        (lambda node, rng, size: np.full(size, np.inf), ValueError, "is inf; give finite numbers"),
        (lambda node, rng, size: ["much"] * size, ValueError, "much"),
    ],
)
def test_failures_of_a_callable_are_the_user_s_own_exceptions(draw, error, message):
    world = gb.World("line:4", [0, 1, 2, 3], gb.rewards_from(draw, scale=1))
    with pytest.raises(error, match=message):
        gb.run(world, ["g-ucb"], steps=10_000, runs=4)
    with pytest.raises(TypeError, match="draw is 3"):
        gb.rewards_from(3, scale=1)
    for scale in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="scale is"):
            gb.rewards_from(draw, scale=scale)


def test_a_trace_fails_as_a_run_does_and_leaves_nothing_behind():
    trouble = {"on": False}

    class Moody(Ucb):
        def next_leg(self, now):
            if trouble["on"] and now.visits > 40:
                raise LookupError("lost")
            return super().next_leg(now)

    study = gb.run(WORLD, [Moody], steps=100, runs=2)
    before = study.trace("Moody", 1)
    trouble["on"] = True
    for _ in range(2):
        with pytest.raises(LookupError, match="lost"):
            study.trace("Moody", 1)
    trouble["on"] = False
    again = study.trace("Moody", 1)
    assert (again.nodes == before.nodes).all()

    def draw(node, rng, size):
        if trouble["on"]:
            raise KeyError("no level")
        return level(node) + rng.normal(0.0, 0.1, size)

    world = gb.World(nx.grid_2d_graph(4, 4), MEANS, gb.rewards_from(draw, scale=0.1))
    study = gb.run(world, ["g-ucb"], steps=1_000, runs=1)
    before = study.trace("g-ucb")
    trouble["on"] = True
    with pytest.raises(KeyError, match="no level"):
        study.trace("g-ucb")
    trouble["on"] = False
    assert (study.trace("g-ucb").rewards == before.rewards).all()


class Place:
    """A label that is told apart by who it is."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


def test_copies_of_an_agent_know_the_same_labels():
    hall, attic = Place("hall"), Place("attic")

    class Homebody(gb.Agent):
        def __init__(self, home):
            self.home = home

        def next_leg(self, now):
            return self.home

    study = gb.run(
        gb.World([(hall, attic)], {hall: 0.0, attic: 1.0}), [Homebody(attic)], steps=50, runs=2
    )
    assert study.regret[0, :, -1].max() == 0.0


def test_what_becomes_of_a_prototype_is_no_part_of_the_study():
    class Lazy(gb.Agent):
        goal = (0, 0)

        def __init__(self):
            self.goal = (0, 0)

        def next_leg(self, now):
            return self.goal

    prototype = Lazy()
    study = gb.run(WORLD, [prototype], steps=30, runs=1)
    prototype.goal = (0, 1)
    assert set(study.trace("Lazy").nodes[-30:].tolist()) == {0}


def test_a_film_of_an_interrupted_trace_is_none():
    import os
    import signal

    def draw(node, rng, size):
        if trouble["on"]:
            # Once: another one could come after the first was heard.
            trouble["on"] = False
            os.kill(os.getpid(), signal.SIGINT)
        return level(node) + rng.normal(0.0, 0.1, size)

    trouble = {"on": False}
    world = gb.World(nx.grid_2d_graph(4, 4), MEANS, gb.rewards_from(draw, scale=0.1))
    study = gb.run(world, ["local-ts"], steps=3_000_000, runs=1, n_jobs=1)
    trouble["on"] = True
    with pytest.raises(KeyboardInterrupt):
        study.trace("local-ts")

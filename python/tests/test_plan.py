import itertools

import networkx as nx
import numpy as np
import pytest

import graph_bandit as gb

GRAPHS = [nx.grid_2d_graph(5, 4), nx.petersen_graph(), nx.barbell_graph(5, 3), nx.path_graph(9)]


@pytest.mark.parametrize("graph", GRAPHS, ids=repr)
def test_shortest_paths_are_networkx_s(graph):
    rng = np.random.default_rng(3)
    means = dict(zip(graph, rng.uniform(0, 1, len(graph)), strict=True))
    policy = gb.plan.shortest_path(graph, means)
    best = max(means, key=means.get)
    entering = nx.DiGraph()
    for a, b in itertools.chain(graph.edges, ((b, a) for a, b in graph.edges)):
        entering.add_edge(a, b, weight=means[best] - means[b])
    costs = nx.shortest_path_length(entering, target=best, weight="weight")
    for number, node in enumerate(graph):
        assert policy.values[number] == pytest.approx(costs[node], abs=1e-12)
        path = policy.path(node)
        assert nx.is_path(graph, [node, *path])
        assert [node, *path][-1] == best
        assert policy[node] == (path[0] if path else node)
    assert policy.average_reward == (means[best], means[best])


@pytest.mark.parametrize("graph", GRAPHS, ids=repr)
def test_value_iteration_finds_the_best_average(graph):
    means = np.random.default_rng(4).uniform(0, 1, len(graph))
    made = gb.plan.value_iteration(graph, means, 1e-3)
    low, high = made.average_reward
    assert low <= means.max() + 1e-12
    assert high >= means.max() - 1e-12
    assert high - low < 1e-3
    assert made.sweeps > 1


@pytest.mark.parametrize("graph", GRAPHS[1:], ids=repr)
def test_the_finite_horizon_is_brute_force(graph):
    means = np.random.default_rng(5).uniform(0, 1, len(graph))
    made = gb.graph(graph)
    horizon = 4
    plan = gb.plan.finite_horizon(graph, means, horizon, start=next(iter(graph)))

    def most(node, steps):
        paid = means[made.number(node)]
        if steps == 0:
            return paid
        return paid + max(most(v, steps - 1) for v in made.neighborhood(node))

    for number, node in enumerate(graph):
        assert plan.values[horizon, number] == pytest.approx(most(node, horizon))
    assert sum(means[made.number(node)] for node in plan.path) == pytest.approx(
        plan.values[horizon, 0]
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gb.plan.shortest_path("line:3", [1.0]), "1 means for 3 nodes"),
        (lambda: gb.plan.shortest_path("line:3", [1, np.inf, 0]), "node number 1 is inf"),
        (lambda: gb.plan.shortest_path("line:3", {0: 1.0}), "node 1 has no mean"),
        (
            lambda: gb.plan.value_iteration("line:3", [1, 2, 3], 0.0),
            "never reached; give a positive",
        ),
        (lambda: gb.plan.finite_horizon("line:3", [1, 2, 3], 2**60), "give a shorter horizon"),
        (lambda: gb.plan.finite_horizon("line:3", [1, 2, 3], -1), "horizon is -1"),
        (lambda: gb.plan.finite_horizon("line:3", [1, 2, 3], 2, start=7), "there is no node 7"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_bounds_are_those_of_the_theorems():
    graph, steps, init = nx.path_graph(4), 96, 4
    time = steps + init
    optimism = 2 * (np.sqrt(2) + 1) * np.sqrt(2 * np.log(time)) * np.sqrt(3 * 4 * time)
    travel = 3 * 4 * np.log2(3 * time)
    assert gb.theory.minimax_bound(graph, steps, init) == pytest.approx(optimism + travel + 8)
    means = np.array([0.0, 0.25, 0.5, 1.0])
    gaps = 1.0 - means[:3]
    episodes = 1 + np.log2(np.maximum(8 * np.log(time) / gaps**2, 1))
    by_gaps = (2 * (3 - 1) * episodes + 16 * np.log(time) / gaps).sum() + 3 + 10
    assert gb.theory.gap_bound(graph, means, steps, init) == pytest.approx(by_gaps)
    assert gb.theory.gap_bound(graph, [1, 1, 0, 0], steps, init) is None
    # On a line there is one way: everything from the start's neighbour on.
    assert gb.theory.regret_floor(graph, means, steps, start=0) == pytest.approx(0.75 + 0.5)
    with pytest.raises(ValueError, match=r"together they must be from 1 to 2\*\*53"):
        gb.theory.minimax_bound(graph, 0, 0)


def test_the_bound_of_g_safe_is_that_of_theorem_10():
    # Computed by hand in crates/graph-bandit/src/theory/safe.rs, there for another graph:
    # tau = 10,000 and |S| = 25, so R = 2.5345922 and R sqrt(|S| tau) = 500 R. K = 4, five ways.
    unit = 500 * 2.5345922
    agent = "g-safe:budget=8,resolution=4,horizon=10000"
    travel = (4 * 25 + 5 * 12) * 0.5
    expected = (8.4852814 + 7.2426407) * unit + travel + 13
    bound = gb.theory.safe_bound(nx.cycle_graph(25), agent, 9960, 40, worst_step=0.5)
    assert bound == pytest.approx(expected, abs=0.01)
    given = gb.GSafe(budget=8, resolution=4, horizon=10_000)
    assert gb.theory.safe_bound("circle:25", given, 9960, 40, worst_step=0.5) == bound
    # Sweeping alone with these constants has the same bound; a larger budget raises it.
    sweeping = gb.GSweep(resolution=4, horizon=10_000)
    assert gb.theory.safe_bound("circle:25", sweeping, 9960, 40, worst_step=0.5) == bound
    trusting = gb.GSafe(budget=10, resolution=4, horizon=10_000)
    more = gb.theory.safe_bound("circle:25", trusting, 9960, 40, worst_step=0.5) - bound
    assert more == pytest.approx((10 - 8.4852814) * unit, abs=0.01)
    # Without a horizon there are five epochs: ten rounds, nine ways, and a larger R.
    anytime = gb.GSafe(budget=8, resolution=4)
    later = gb.theory.safe_bound("circle:25", anytime, 9960, 40, worst_step=0.5)
    free = gb.theory.safe_bound("circle:25", anytime, 9960, 40, worst_step=0)
    assert later - free == pytest.approx((10 * 25 + 9 * 12) * 0.5 + (9 * 25 + 1) * 0.5)
    assert bound < later < 1.2 * bound
    # All but travel and bad epochs is proportional to the noise scale.
    loud = gb.GSafe(budget=8, resolution=4, noise_scale=1.5)
    assert gb.theory.safe_bound("circle:25", loud, 9960, 40, worst_step=0) == pytest.approx(
        3 * free
    )
    # On roads, initialization need not end at a whole time.
    times = [gb.theory.safe_bound("circle:25", anytime, 9960, t) for t in (40, 40.5, 41)]
    assert times[0] < times[1] < times[2]
    with pytest.raises(ValueError, match="init_steps is NaN"):
        gb.theory.safe_bound("circle:25", anytime, 9960, float("nan"))
    with pytest.raises(ValueError, match=r"init_steps is 0\.25; together they must be from 1"):
        gb.theory.safe_bound("circle:25", anytime, 0, 0.25)
    with pytest.raises(TypeError, match="init_steps is 'many'; give a number"):
        gb.theory.safe_bound("circle:25", anytime, 9960, "many")  # type: ignore[arg-type]


def test_the_bound_of_teams_is_that_of_theorem_9():
    # Computed by hand in crates/graph-bandit/src/theory/teams.rs.
    episodes = 1 + 4 * np.log2(50)
    each_its_own = 12 + 6 * episodes + 586.1431 + 12
    rows = [[1.0, 2.0]] * 4
    graph = nx.path_graph(4)
    assert gb.theory.team_bound(graph, 2, 100, share=rows) == pytest.approx(each_its_own, abs=0.01)
    equal = 12 + 6 * episodes + 586.1431 / np.sqrt(2) + 12
    assert gb.theory.team_bound(graph, 2, 100) == pytest.approx(equal, abs=0.01)
    assert gb.theory.team_bound(graph, 2, 100, share="equal") == gb.theory.team_bound(graph, 2, 100)


def test_floors_are_those_of_the_theorems():
    # Computed by hand in crates/graph-bandit/src/theory/lower_bounds.rs.
    floor = gb.theory.noise_floor
    assert floor("line:2", 200, noise="gaussian") == pytest.approx(1.25)
    assert floor("line:2", 200) == pytest.approx(1.25 * np.sqrt(3) / 2)
    many = floor("grid:10x10", 4000, 1000, noise_scale=1, noise="gaussian")
    assert many == pytest.approx(0.9801 * 2000 * np.sqrt(0.02))
    assert floor("line:1", 200) is None
    assert floor("line:60", 200) is None
    ends = {"contenders": 2, "apart": 11, "gap": 0.5, "rate": 2, "first": 16}
    assert gb.theory.travel_floor(**ends, last=2**40) == 7.5
    assert gb.theory.travel_floor(**ends, last=16 * 1102**2 - 1) == 2.5
    assert gb.theory.travel_floor(**{**ends, "first": 15}, last=2**40) is None
    assert gb.theory.travel_floor(**{**ends, "contenders": 1}, last=2**40) is None


TRAVEL = {"contenders": 2, "apart": 11, "gap": 0.5, "rate": 2, "first": 16, "last": 99}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gb.theory.safe_bound("line:3", "g-ucb", 10, 3), r'"g-ucb"; .* give one of them'),
        (lambda: gb.theory.safe_bound("line:3", "g-save", 10, 3), "did you mean"),
        (lambda: gb.theory.safe_bound("line:3", "g-safe", 0, 0), r"from 1 to 2\*\*53"),
        (lambda: gb.theory.safe_bound("line:3", "g-safe", -1, 3), "steps is -1; give a whole"),
        (
            lambda: gb.theory.safe_bound("line:3", "g-safe", 10, 3, worst_step=-1),
            "worst_step is -1; give a finite number of at least 0",
        ),
        (lambda: gb.theory.team_bound("line:3", 0, 10), "walkers is 0; give a whole number"),
        (lambda: gb.theory.team_bound("line:3", 2, 0), r"from 1 to 2\*\*53"),
        (lambda: gb.theory.team_bound("line:3", 2, 10, share=[[1.0, 2.0]]), "one row per node"),
        (
            lambda: gb.theory.team_bound(gb.graph(nx.DiGraph([(0, 1), (1, 2), (2, 0)])), 2, 10),
            "roads that run one way or take time; .* give a graph of plain edges",
        ),
        (lambda: gb.theory.noise_floor("line:3", 99, noise="loud"), '"loud"; give "two-values" or'),
        (
            lambda: gb.theory.noise_floor("line:3", 99, noise_scale=np.inf),
            "noise_scale is inf; give a finite",
        ),
        (
            lambda: gb.theory.travel_floor(**{**TRAVEL, "rate": 0}),
            "rate is 0; give a finite number above 0",
        ),
        (
            lambda: gb.theory.travel_floor(**{**TRAVEL, "apart": 2**32}),
            r"apart is 4294967296; give the number of hops, which is below 2\*\*32",
        ),
        (lambda: gb.theory.travel_floor(**{**TRAVEL, "last": 2**54}), r"may be above 2\*\*53"),
    ],
)
def test_mistakes_in_bounds_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()

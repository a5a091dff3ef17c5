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

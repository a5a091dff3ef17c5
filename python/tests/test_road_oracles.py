"""Roads against scipy, networkx and sums by hand."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from random_roads import some_roads
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import graph_bandit as gb


def by_visit(made: gb.Graph) -> csr_array:
    """Roads as scipy needs them: a visit and what the road takes."""
    theirs = gb.to_scipy(made)
    theirs.data = theirs.data + 1.0
    return theirs


def test_distances_are_scipy_s_forward_and_reversed():
    rng = np.random.default_rng(1)
    for case in range(120):
        made = gb.graph(some_roads(rng, 2 + case % 30), times="tau")
        theirs = by_visit(made)
        forward = dijkstra(theirs, directed=True)
        backward = dijkstra(theirs.T.tocsr(), directed=True)
        np.testing.assert_array_equal(backward.T.round(9), forward.round(9))
        for node in range(len(made)):
            np.testing.assert_allclose(made.times_from(node), forward[node], rtol=1e-13)
            np.testing.assert_allclose(made.times_to(node), backward[node], rtol=1e-13)
        assert made.time_diameter() == pytest.approx(forward.max(), rel=1e-13)
        hops = dijkstra(theirs, directed=True, unweighted=True)
        assert made.diameter() == hops.max()


def test_cheapest_ways_are_networkx_s():
    rng = np.random.default_rng(2)
    longer = 0
    for case in range(150):
        theirs = some_roads(rng, 2 + case % 20)
        means = rng.random(len(theirs)) - (0.9 if case % 3 == 0 else 0.0)
        best = means.max()
        policy = gb.plan.shortest_path(gb.graph(theirs, times="tau"), means)

        def price(a: int, b: int, data: dict[str, float], means=means, best=best) -> float:
            return float(data["tau"] * max(best, 0.0) + best - means[b])

        target = int(means.argmax())
        costs = nx.single_source_dijkstra_path_length(
            theirs.reverse(), target, weight=lambda a, b, data, price=price: price(b, a, data)
        )
        for node in theirs:
            assert policy.values[node] == pytest.approx(costs[node], abs=1e-12)
            way = [node, *policy.path(node)]
            assert way[-1] == target
            paid = sum(price(a, b, theirs.edges[a, b]) for a, b in nx.utils.pairwise(way))
            assert paid == pytest.approx(costs[node], abs=1e-12)
            longer += len(way) > 2
    assert longer > 100


@pytest.mark.parametrize("agent", ["g-ucb", "g-star", "local-ucb", "ql-ucb-h", "ucrl2"])
@pytest.mark.parametrize("back", ["jump", "walk"])
def test_regret_is_the_time_at_the_best_node_less_the_visits_that_ended(agent, back):
    rng = np.random.default_rng(5)
    theirs = some_roads(rng, 9)
    made = gb.graph(theirs, times="tau")
    means = rng.random(9)
    world = gb.World(made, means=means, noise=gb.uniform_noise(0.1))
    study = gb.run(
        world, agent, steps=300, runs=2, seed=8, start=4, back=back, checkpoints=300, progress=False
    )
    for run in range(2):
        walk = study.trace(agent, run)
        assert walk.means.tolist() == means.tolist()
        # Times go by visits and roads, whatever the walker was put elsewhere for.
        moves = list(zip([4, *walk.nodes.tolist()], walk.nodes.tolist(), strict=False))
        road = np.array(
            [
                0.0 if a == b else theirs.edges[a, b]["tau"] if theirs.has_edge(a, b) else np.nan
                for a, b in moves
            ]
        )
        carried = np.isnan(road)
        assert carried.sum() <= (back == "jump")
        if carried.any():
            # After the cover it was put back to its start, and set out from there.
            first = int(np.flatnonzero(carried)[0])
            assert first == walk.init_steps
            to = int(walk.nodes[first])
            road[first] = 0.0 if to == 4 else theirs.edges[4, to]["tau"]
        elif back == "jump" and walk.init_steps < len(walk.nodes):
            first, to = walk.init_steps, int(walk.nodes[walk.init_steps])
            road[first] = 0.0 if to == 4 else theirs.edges[4, to]["tau"]
        np.testing.assert_allclose(walk.times, np.cumsum(1.0 + road), rtol=1e-12)
        np.testing.assert_allclose(walk.travel, road, atol=1e-9)
        begin = walk.times[walk.init_steps - 1]
        ended = walk.times[walk.init_steps :] - begin
        nodes, rewards = walk.nodes[walk.init_steps :], walk.rewards[walk.init_steps :]
        assert ended[-1] <= 300 + 1e-9
        for t, regret, realized, reward in zip(
            study.t,
            study.regret[0, run],
            study.realized_regret[0, run],
            study.reward[0, run],
            strict=True,
        ):
            by_then = ended <= t + 1e-9
            assert regret == pytest.approx(t * means.max() - means[nodes[by_then]].sum(), abs=1e-9)
            assert reward == pytest.approx(rewards[by_then].sum(), abs=1e-9)
            assert realized == pytest.approx(t * means.max() - rewards[by_then].sum(), abs=1e-9)
        covering = walk.nodes[: walk.init_steps]
        assert study.init_steps[0, run] == walk.init_steps
        assert study.init_travel[0, run] == pytest.approx(road[: walk.init_steps].sum(), abs=1e-9)
        lost = (means.max() - means[covering]).sum() + means.max() * study.init_travel[0, run]
        assert study.init_regret[0, run] == pytest.approx(lost, abs=1e-9)


def test_whole_times_are_those_of_roads_with_more_nodes():
    # A road of time 2 is as long as two nodes more on the way.
    theirs = nx.DiGraph()
    theirs.add_edge(0, 1, tau=2)
    theirs.add_edge(1, 2, tau=0)
    theirs.add_edge(2, 0, tau=1)
    made = gb.graph(theirs, times="tau")
    fine = gb.graph([(0, "x"), ("x", "y"), ("y", 1), (1, 2), (2, "z"), ("z", 0)], directed=True)
    for a in range(3):
        for b in range(3):
            assert made.times_from(a)[b] == fine.times_from(a)[fine.number(b)]


def test_scaled_times_scale_what_ways_take_beyond_their_visits():
    rng = np.random.default_rng(6)
    for nodes in range(2, 12):
        theirs = some_roads(rng, nodes)
        ones = gb.graph(theirs, times="tau")
        slow = gb.graph(theirs, times="tau", visit_time=0.25)
        np.testing.assert_array_equal(slow.road_times(), 4 * ones.road_times())

"""Graphs with directions and times, from whatever holds one, and back."""

from __future__ import annotations

import copy
import pathlib
import pickle
import warnings

import networkx as nx
import numpy as np
import pytest
import rustworkx as rx
import scipy.sparse as sp
from random_roads import some_roads

import graph_bandit as gb


def roads_of(made: gb.Graph) -> dict[tuple[object, object], float]:
    names = made.nodes
    ends, times = made.road_array().tolist(), made.road_times().tolist()
    return {(names[a], names[b]): t for (a, b), t in zip(ends, times, strict=True)}


def same(one: gb.Graph, other: gb.Graph) -> bool:
    return one.nodes == other.nodes and roads_of(one) == roads_of(other)


TOWN = {("a", "b"): 60.0, ("b", "c"): 0.0, ("c", "a"): 15.0, ("c", "b"): 30.0}


def town() -> nx.DiGraph:
    made = nx.DiGraph()
    for (a, b), seconds in TOWN.items():
        made.add_edge(a, b, travel_time=seconds)
    return made


def test_the_attribute_of_a_directed_graph():
    made = gb.graph(town(), times="travel_time", visit_time=30)
    assert roads_of(made) == {ends: seconds / 30 for ends, seconds in TOWN.items()}
    assert made.nodes == ("a", "b", "c")
    assert (made.directed, made.takes_time, made.has_roads) == (True, True, True)
    assert (made.road_count, made.edge_count) == (4, 3)
    assert (made.travel("a", "b"), made.travel("b", "a"), made.travel("a", "a")) == (2.0, None, 0.0)
    assert made.neighborhood("a") == ("a", "b")
    # a -> b -> c: 1 + 2 and 1 + 0; back over c -> a: 1 + 0.5.
    assert made.times_from("a").tolist() == [0.0, 3.0, 4.0]
    assert made.times_to("a").tolist() == [0.0, 2.5, 1.5]
    assert made.time_diameter() == 4.0
    assert made.diameter() == 2
    assert repr(made) == "<Graph of 3 nodes, 4 roads with times>"


def test_directions_alone():
    made = gb.graph(town())
    assert repr(made) == "<Graph of 3 nodes, 4 roads>"
    assert (made.directed, made.takes_time) == (True, False)
    assert set(roads_of(made)) == set(TOWN)
    both = gb.graph(town(), directed=False)
    assert not both.has_roads
    assert both.edge_array().tolist() == gb.graph(town().to_undirected()).edge_array().tolist()


def test_what_leads_both_ways_and_takes_no_time_is_the_graph_as_it_was():
    plain = nx.grid_2d_graph(3, 4)
    for likewise in (
        gb.graph(plain.to_directed()),
        gb.graph(plain, directed=True),
        gb.graph(plain, times=lambda data: 0.0),
        gb.graph(list(plain.edges), times=np.zeros(17)),
    ):
        assert not likewise.has_roads
        assert repr(likewise) == "<Graph of 12 nodes, 17 edges>"
    assert (
        gb.graph(plain.to_directed()).edge_array().tolist() == gb.graph(plain).edge_array().tolist()
    )


def test_two_way_streets():
    made = gb.graph([("a", "b"), ("b", "c")], times=[1.5, 0])
    assert roads_of(made) == {("a", "b"): 1.5, ("b", "a"): 1.5, ("b", "c"): 0.0, ("c", "b"): 0.0}
    assert (made.directed, made.takes_time) == (False, True)
    streets = nx.Graph()
    streets.add_edge("a", "b", s=1.5)
    streets.add_edge("b", "c", s=0)
    assert same(gb.graph(streets, times="s"), made)
    slower = gb.graph([("a", "b", 1.5), ("b", "a", 2.0)], directed=True, times="weights")
    assert slower.directed, "the way back takes longer"


def test_the_fastest_of_parallels():
    made = nx.MultiDiGraph()
    made.add_nodes_from("ab")
    for time in (3.0, 1.0, 2.0):
        made.add_edge("a", "b", t=time)
    made.add_edge("b", "a", t=0.5)
    made.add_edge("b", "b", t=9.0)
    assert roads_of(gb.graph(made, times="t")) == {("a", "b"): 1.0, ("b", "a"): 0.5}
    both = nx.MultiGraph([("a", "b", {"t": 2}), ("a", "b", {"t": 1})])
    assert roads_of(gb.graph(both, times="t")) == {("a", "b"): 1.0, ("b", "a"): 1.0}


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_array", "lil_array", "csr_matrix"])
def test_sparse_matrices(form):
    ends = np.array([[0, 1], [1, 2], [2, 0], [0, 2]])
    times = np.array([2.0, 0.0, 0.25, 7.0])
    matrix = getattr(sp, form)(sp.coo_array((times, ends.T), (3, 3)))
    if form == "lil_array":
        matrix[1, 2] = 0.125  # It holds no zeros.
        times = np.array([2.0, 0.125, 0.25, 7.0])
    made = gb.graph(matrix, times="weights")
    expected = gb.graph(ends, directed=True, times=times)
    assert same(made, expected)
    assert made.travel(1, 2) == times[1], "an explicit zero is a road"
    assert same(gb.graph(gb.to_scipy(made), times="weights"), made)
    # Without times, entries are edges that lead both ways, and zeros are none: as always.
    plain = gb.graph(sp.csr_array(matrix))
    assert not plain.has_roads
    joined = {(a, b) for a, b in plain.edge_array().tolist()}
    assert joined == {(0, 1), (0, 2)} | ({(1, 2)} if times[1] else set())


def test_entries_given_twice_are_added_up():
    matrix = sp.coo_array(([1.0, 2.0, 0.5], ([0, 0, 1], [1, 1, 0])), (2, 2))
    assert roads_of(gb.graph(matrix, times="weights")) == {(0, 1): 3.0, (1, 0): 0.5}


def test_a_matrix_as_directions_alone():
    matrix = sp.csr_array(np.array([[0, 1, 0], [0, 0, 5], [2, 0, 0]]))
    made = gb.graph(matrix, directed=True)
    assert set(roads_of(made)) == {(0, 1), (1, 2), (2, 0)}
    assert not made.takes_time
    upper = sp.csr_array(np.triu(np.ones((3, 3))))
    with pytest.raises(ValueError, match="directed=False"):
        gb.graph(upper, times="weights")
    assert gb.graph(upper, times="weights", directed=False).travel(2, 0) == 1.0


def test_edge_arrays():
    rows = np.array([[0, 1, 2.5], [1, 2, 0.0], [2, 0, 1.0]])
    made = gb.graph(rows, directed=True, times="weights")
    assert made.labels is None
    assert roads_of(made) == {(0, 1): 2.5, (1, 2): 0.0, (2, 0): 1.0}
    assert same(gb.graph(rows[:, :2].astype(int), directed=True, times=rows[:, 2]), made)
    assert same(gb.graph(rows.tolist(), directed=True, times="weights"), made)


def test_rustworkx():
    theirs = rx.PyDiGraph()
    a, b = theirs.add_nodes_from(["a", "b"])
    gone = theirs.add_node("gone")
    theirs.remove_node(gone)
    theirs.add_edges_from([(a, b, {"t": 2.0}), (b, a, {"t": 0.5}), (a, b, {"t": 3.0})])
    made = gb.graph(theirs, times="t")
    assert roads_of(made) == {("a", "b"): 2.0, ("b", "a"): 0.5}
    assert same(gb.graph(theirs, times=lambda data: data["t"]), made)
    floats = rx.PyGraph()
    floats.add_nodes_from(["a", "b"])
    floats.add_edge(0, 1, 4.0)
    assert roads_of(gb.graph(floats, times=float, visit_time=2)) == {
        ("a", "b"): 2.0,
        ("b", "a"): 2.0,
    }


def test_there_and_back_without_loss():
    rng = np.random.default_rng(3)
    for nodes in range(1, 12):
        made = gb.graph(some_roads(rng, nodes), times="tau")
        theirs = gb.to_networkx(made)
        assert theirs.is_directed() == made.has_roads
        assert same(gb.graph(theirs, times="time" if made.has_roads else None), made)
        assert same(gb.graph(gb.to_scipy(made), times="weights"), made)
        assert same(pickle.loads(pickle.dumps(made)), made)
        assert copy.deepcopy(made) is made
        renamed = gb.graph(made, labels=[f"node {i}" for i in range(nodes)])
        assert renamed.road_times().tolist() == made.road_times().tolist()
        assert renamed.nodes[-1] == f"node {nodes - 1}"


def negative(time: object) -> nx.DiGraph:
    made = town()
    made.edges["b", "c"]["travel_time"] = time
    return made


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (
            negative(-1.0),
            {"times": "travel_time"},
            r"from node 'b' to node 'c' is -1\.0; give a finite number of at least 0",
        ),
        (negative(np.nan), {"times": "travel_time"}, r"from node 'b' to node 'c' is nan"),
        (negative(np.inf), {"times": "travel_time"}, r"from node 'b' to node 'c' is inf"),
        (
            negative("12 s"),
            {"times": "travel_time"},
            r"from node 'b' to node 'c' is '12 s'; give a number",
        ),
        (negative(None), {"times": "travel_time"}, r"from node 'b' to node 'c' is None"),
        (
            negative(1e300),
            {"times": "travel_time"},
            r"from node 'b' to node 'c' takes 1\d+ beyond the visit; .* 134217728",
        ),
        (town(), {"times": "lenght"}, r"from node 'a' to node 'b' has no 'lenght'"),
        (town(), {"times": [1.0]}, "name of an attribute"),
        (town(), {"visit_time": 30}, "give times as well"),
        (
            town(),
            {"times": "travel_time", "visit_time": 0},
            "visit_time is 0; give a positive number",
        ),
        (town(), {"times": "travel_time", "visit_time": float("nan")}, "visit_time is nan"),
        ([("a", "b")], {"times": [1.0, 2.0]}, "2 times for 1 edges"),
        ([("a", "b", 1.0)], {"times": [1.0]}, "is not an edge; an edge is a pair of nodes$"),
        (
            [("a", "b")],
            {"times": "weights"},
            "is not an edge; an edge is a pair of nodes and a time",
        ),
        ([("a", "b")], {"times": "length"}, "one number per edge"),
        (sp.eye(3), {"times": "length"}, "its entries; give times='weights'"),
        (sp.csr_array((2, 3)), {"times": "weights"}, "2 by 3"),
        ("grid:3x3", {"times": "t"}, "times: the roads of grid:3x3 lead both ways"),
        ("roads.csv", {"times": [1.0]}, "name of a field"),
        (
            gb.graph("grid:3x3"),
            {"directed": True},
            "directed: this graph already has its directions",
        ),
        (nx.DiGraph(), {}, "no nodes"),
    ],
)
def test_what_cannot_be_is_named(source, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        gb.graph(source, **options)


def test_a_one_way_trap_is_named_by_its_parts():
    trap = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "trap"), ("spring", "a")])
    with pytest.raises(
        ValueError,
        match=r"3 strongly .* 2 nodes with node 'a', node 'trap' alone, node 'spring' alone",
    ):
        gb.graph(trap)
    largest = max(nx.strongly_connected_components(trap), key=len)
    assert len(gb.graph(trap.subgraph(largest))) == 2


def test_a_graph_is_refused_exactly_where_networkx_finds_several_parts():
    rng = np.random.default_rng(11)
    refused = 0
    for _ in range(200):
        nodes = int(rng.integers(2, 9))
        theirs = nx.gnp_random_graph(nodes, 0.35, seed=int(rng.integers(1 << 30)), directed=True)
        parts = sorted(map(len, nx.strongly_connected_components(theirs)), reverse=True)
        if len(parts) == 1:
            assert len(gb.graph(theirs)) == nodes
            continue
        refused += 1
        with pytest.raises(ValueError, match=f"there are {len(parts)} strongly connected parts"):
            gb.graph(theirs)
    assert 50 < refused < 200


def test_what_counts_steps_says_so():
    made = gb.graph(town(), times="travel_time", visit_time=30)
    means = {"a": 0.0, "b": 0.5, "c": 1.0}
    with pytest.raises(ValueError, match=r"value iteration .* shortest_path"):
        gb.plan.value_iteration(made, means)
    with pytest.raises(ValueError, match=r"finite horizon .* shortest_path"):
        gb.plan.finite_horizon(made, means, 5)
    with pytest.raises(ValueError, match=r"regret floor .* shortest_path"):
        gb.theory.regret_floor(made, means, 100)
    # Planners that count steps accept one-way roads without times.
    one_way = gb.graph(town())
    assert gb.plan.finite_horizon(one_way, means, 2, start="a").path == ("a", "b", "c")
    with pytest.raises(ValueError, match="the highest mean is -1"):
        gb.run(gb.World(made, means=[-1.0, -2.0, -3.0]), steps=10, runs=1, progress=False)


def test_theorems_have_the_time_diameter_in_place_of_the_diameter():
    made = gb.graph(town(), times="travel_time", visit_time=30)
    # D_w = 4 and L = 2 on three nodes; T + t_1 = 100.
    log = np.log(100)
    optimism = 2 * (np.sqrt(2) + 1) * np.sqrt(2 * log) * np.sqrt(3 * 3 * 100)
    expected = optimism + 4 * 3 * np.log2(300) + 8 + 3 * 3 + 1
    assert gb.theory.minimax_bound(made, 97, 3) == pytest.approx(expected)
    way, gaps = (2 - 1) + (4 - 1), np.array([0.5, 1.0])
    by_gaps = (2 * way * (1 + np.log2(8 * log / gaps**2)) + 16 * log / gaps).sum()
    expected = by_gaps + 4 * way + 3 * 3 + 9
    assert gb.theory.gap_bound(made, [0.0, 0.5, 1.0], 97, 3) == pytest.approx(expected)
    assert gb.theory.gap_bound(made, [1.0, 0.5, 1.0], 97, 3) is None


def test_the_bound_of_g_safe_has_the_time_of_a_round_and_the_time_diameter():
    made = gb.graph(town(), times="travel_time", visit_time=30)
    agent = gb.GSweep(horizon=100)
    bound = gb.theory.safe_bound(made, agent, 97, 3)
    free = gb.theory.safe_bound(made, agent, 97, 3, worst_step=0)
    # (2 / 3.7) sqrt(100 / 3) = 3.1, so there are K = 2 rounds and three ways of D_w = 4. A round
    # takes 3 + 1 + 1.5, and bad epochs cost |S| + 1.
    assert bound - free == pytest.approx(2 * 5.5 + 3 * 4 + 3 + 1)


def test_a_service_is_sent_the_roads_and_shows_them():
    from graph_bandit.service import maps

    made = gb.graph(town(), times="travel_time", visit_time=30)
    assert same(maps.read(maps.written(made)), made)
    assert maps.same(maps.read(maps.written(made)), made)
    assert not maps.same(made, gb.graph(town()))


def test_the_guide_is_true(recwarn):
    guide = pathlib.Path(__file__).parents[2] / "docs" / "guides" / "python.md"
    section = guide.read_text().split("### Directions and times")[1]
    said = section.split("```python\n")[1].split("```")[0]
    # As written, with fewer runs.
    told: dict[str, object] = {}
    exec(said.replace("runs=10", "runs=2, progress=False"), told)
    made = told["G"]
    assert made.travel("station", "market") == 2.0
    assert made.times_from("station").tolist() == [0, 3, 4]
    way = gb.plan.shortest_path(made, told["means"]).path("station")
    assert way == ("market", "harbour")
    assert told["results"].unit == "units of time"


def test_files_have_directions_and_times_where_they_are_asked_for(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text("source,target,time\na,b,30\nb,c,0\nc,a,90\nc,b,15\n")
    made = gb.read_map(path, directed=True, times="time", visit_time=60)
    expected = {("a", "b"): 0.5, ("b", "c"): 0.0, ("c", "a"): 1.5, ("c", "b"): 0.25}
    assert roads_of(made) == expected
    assert same(gb.graph(path, directed=True, times="time", visit_time=60), made)
    with warnings.catch_warnings(action="ignore"):
        assert not gb.graph(path).has_roads
    with pytest.raises(ValueError, match=r"visit_time=\.\. of read_map"):
        gb.read_map(path, directed=True, times="time", visit_time=-1)
    with pytest.raises(ValueError, match="tiem"):
        gb.read_map(path, directed=True, times="tiem")
    path.write_text("source,target,time\na,b,30\nb,a,0\nb,trap,90\n")
    with pytest.raises(ValueError, match="largest_component=True of read_map"):
        gb.read_map(path, directed=True, times="time")
    kept = gb.read_map(path, directed=True, times="time", largest_component=True)
    assert kept.nodes == ("a", "b")


def test_a_town_is_read_from_its_file_as_networkx_has_it():
    place = (
        pathlib.Path(__file__).parents[2] / "crates" / "graph-bandit-maps" / "tests" / "fixtures"
    )
    made = gb.read_map(place / "town.graphml", times="travel_time", visit_time=30)
    theirs = nx.read_graphml(place / "town.graphml", force_multigraph=True)
    likewise = gb.graph(theirs, times=lambda data: float(data["travel_time"]), visit_time=30)
    assert roads_of(made) == pytest.approx(roads_of(likewise), rel=1e-12)
    assert made.directed
    assert made.time_diameter() == pytest.approx(likewise.time_diameter(), rel=1e-12)

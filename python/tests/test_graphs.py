import pickle
import random

import networkx as nx
import numpy as np
import pytest
import rustworkx as rx
import scipy.sparse

import graph_bandit as gb
from graph_bandit.registry import REGISTRY


def edges_of(graph: gb.Graph) -> set[frozenset]:
    names = graph.nodes
    return {frozenset((names[a], names[b])) for a, b in graph.edge_array().tolist()}


def some_graphs():
    yield nx.grid_2d_graph(4, 5)
    yield nx.path_graph(7)
    yield nx.relabel_nodes(nx.karate_club_graph(), lambda n: f"member {n}")
    yield nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)])
    shuffled = list(range(30))
    random.Random(3).shuffle(shuffled)
    yield nx.relabel_nodes(
        nx.connected_watts_strogatz_graph(30, 4, 0.3, seed=1), dict(enumerate(shuffled))
    )


@pytest.mark.parametrize("source", list(some_graphs()), ids=repr)
def test_networkx_keeps_labels_and_edges(source):
    made = gb.graph(source)
    assert list(made.nodes) == list(source)
    simple = nx.Graph(source)
    simple.remove_edges_from(nx.selfloop_edges(simple))
    assert edges_of(made) == {frozenset(edge) for edge in simple.edges}
    assert made.edge_count == simple.number_of_edges()
    assert made.diameter() == nx.diameter(simple)
    for node in source:
        assert set(made.neighborhood(node)) == {node, *simple[node]}
        assert made.label(made.number(node)) == node
    back = gb.to_networkx(made)
    assert set(back) == set(simple)
    assert {frozenset(edge) for edge in back.edges} == {frozenset(edge) for edge in simple.edges}


def test_subgraph_views_are_graphs_too():
    whole = nx.path_graph(10)
    part = whole.subgraph(range(4, 9))
    assert gb.graph(part).nodes == (4, 5, 6, 7, 8)


def test_rustworkx_payloads_are_labels_where_they_can_be():
    source = rx.PyGraph()
    a, b, c = source.add_nodes_from(["a", "b", "c"])
    source.add_edges_from([(a, b, 1.0), (b, c, 2.0), (c, c, 1.0)])
    assert gb.graph(source).nodes == ("a", "b", "c")
    assert edges_of(gb.graph(source)) == {frozenset("ab"), frozenset("bc")}
    source.remove_node(source.add_node("gone"))
    source.add_edge(source.add_node(["no", "label"]), a, 1.0)
    assert gb.graph(source).nodes == tuple(source.node_indices())


def test_sparse_matrices_of_either_half_or_both():
    matrix = scipy.sparse.csr_array(nx.to_scipy_sparse_array(nx.petersen_graph()))
    full = gb.graph(matrix)
    assert full.edge_count == 15
    upper = gb.graph(scipy.sparse.triu(matrix))
    assert (upper.edge_array() == full.edge_array()).all()
    with pytest.raises(ValueError, match="2 by 3; the matrix of a graph is square"):
        gb.graph(scipy.sparse.coo_array(np.ones((2, 3))))


def test_edges_as_lists_and_arrays():
    assert gb.graph([("x", "y"), ("y", 3.5)]).nodes == ("x", "y", 3.5)
    assert gb.graph(np.array([[0, 1], [1, 2]])).nodes == (0, 1, 2)
    assert gb.graph(np.array([[0, 1], [1, 2]], np.uint8)).edge_count == 2
    assert gb.graph([(0, 1)], labels="ab").nodes == ("a", "b")


def test_families_are_the_library_s(gbandit):
    import json
    import subprocess

    for text in ["grid:3x4", "tree:20,3", "erdos-renyi:40,0.15", "geometric:60,0.3"]:
        shown = subprocess.run(
            [
                gbandit,
                "run",
                "--graph",
                text,
                "--seed",
                "5",
                "--runs",
                "1",
                "--steps",
                "1",
                "--json",
            ],
            check=True,
            capture_output=True,
        )
        of_cli = json.loads(shown.stdout)["graph"]
        made = gb.graph(text, seed=5)
        assert [len(made), made.edge_count, made.diameter()] == list(of_cli.values())
    assert (
        gb.geometric(60, 0.3, seed=5).edge_array()
        == gb.graph("geometric:60,0.3", seed=5).edge_array()
    ).all()
    for family in REGISTRY["families"]:
        assert len(gb.graph(family["example"])) > 1, family["name"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (nx.DiGraph([(0, 1)]), "roads run one way"),
        (nx.Graph(), "no nodes"),
        (nx.Graph([("a", "b"), ("c", "d")]), "'c' is cut off from node 'a'"),
        (rx.PyDiGraph(), "no nodes"),
        ([(1, 2, 3)], "is not an edge"),
        ([], "no edge"),
        (np.array([[0, 1, 2]]), "two node numbers per edge"),
        (np.array([[0, 5], [0, 1]]), "node 2 is cut off"),
        ("grid:axb", "grid"),
        ("hexagon:5", "hexagon"),
    ],
)
def test_what_is_no_graph_is_named(source, message):
    with pytest.raises(ValueError, match=message):
        gb.graph(source)


def test_other_mistakes():
    with pytest.raises(TypeError, match="'int' is not a graph"):
        gb.graph(5)
    with pytest.raises(OSError, match="roads\\.csv"):
        gb.graph("roads.csv")
    with pytest.raises(ValueError, match="both labelled 'a'"):
        gb.graph([(0, 1)], labels=["a", "a"])
    with pytest.raises(ValueError, match="1 labels for 2 nodes"):
        gb.graph([(0, 1)], labels=["a"])
    grid = gb.grid(2, 2)
    with pytest.raises(gb.UnknownNodeError, match="there is no node 4; the nodes are 0 to 3"):
        grid.number(4)
    with pytest.raises(gb.UnknownNodeError):
        grid.neighborhood(-1)
    with pytest.raises(gb.UnknownNodeError):
        gb.Graph(2, np.array([[0, 2]]))
    with pytest.raises(gb.UnknownNodeError, match="-1"):
        grid.label(-1)
    for degrees in ([1, 2], [1, 0], [3, -1]):
        with pytest.raises(ValueError, match="degrees add up to"):
            gb.Graph.from_rows(np.array(degrees), np.array([1, 0]))
    named = gb.graph([("a", "b")])
    with pytest.raises(gb.UnknownNodeError, match=r"'z'.*such as 'a'"):
        named.number("z")
    with pytest.raises(gb.UnknownNodeError, match="hashable"):
        named.number(["a"])
    assert "z" not in named
    assert "a" in named


def test_graphs_travel():
    for made in [
        gb.graph(nx.grid_2d_graph(3, 3)),
        gb.star(5),
        gb.geometric(40, 0.4, seed=2),
        gb.arkansas(),
    ]:
        twin = pickle.loads(pickle.dumps(made))
        assert twin.nodes == made.nodes
        assert (twin.edge_array() == made.edge_array()).all()
        if made.coordinates is not None:
            assert (twin.coordinates == made.coordinates).all()


def test_maps_keep_names_and_places(tmp_path):
    source = nx.relabel_nodes(nx.random_geometric_graph(40, 0.3, seed=4), lambda n: f"stop {n}")
    for _, data in source.nodes(data=True):
        data["x"], data["y"] = data.pop("pos")
    nx.write_graphml(source, tmp_path / "stops.graphml")
    made = gb.graph(tmp_path / "stops.graphml")
    assert set(made.nodes) == set(source)
    assert edges_of(made) == {frozenset(edge) for edge in source.edges}
    for node, (x, y) in zip(made.nodes, made.coordinates.tolist(), strict=True):
        assert (x, y) == (source.nodes[node]["x"], source.nodes[node]["y"])
    nx.write_edgelist(source, tmp_path / "stops.edgelist", delimiter="\t", data=False)
    assert edges_of(gb.graph(str(tmp_path / "stops.edgelist"))) == edges_of(made)


def test_maps_in_parts_are_named_or_the_largest_taken(tmp_path):
    place = tmp_path / "parts.csv"
    place.write_text("source,target\na,b\nb,c\nx,y\n")
    with pytest.raises(
        ValueError, match=r"parts\.csv.*2 parts.*\(largest_component=True of read_map\)$"
    ):
        gb.graph(place)
    with pytest.warns(UserWarning, match="part"):
        made = gb.read_map(place, largest_component=True)
    assert made.nodes == ("a", "b", "c")
    with pytest.raises(ValueError, match="not a map format; the formats are graphml"):
        gb.read_map(place, format="shapefile")
    with pytest.raises(ValueError, match=r'ways is .*; give "walk" or "drive"'):
        gb.read_map(place, ways="fly")


def test_one_edge_is_not_edges():
    assert repr(gb.graph([("hall", "yard")])) == "<Graph of 2 nodes, 1 edge>"
    assert repr(gb.graph([("hall", "yard"), ("yard", "roof")])) == "<Graph of 3 nodes, 2 edges>"
    agent = gb.agent([("hall", "yard")], "g-ucb")
    agent.tell("hall", 0.5)
    assert repr(agent) == "<g-ucb at 'hall' after 1 visit>"

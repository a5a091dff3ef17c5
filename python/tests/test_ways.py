"""Distances and paths of graphs, against networkx; and names wherever numbers are."""

import networkx as nx
import numpy as np
import pytest

import graph_bandit as gb


@pytest.mark.parametrize("seed", range(5))
def test_hops_and_paths_are_networkx_s(seed):
    graph = nx.connected_watts_strogatz_graph(30, 4, 0.4, seed=seed)
    graph = nx.relabel_nodes(graph, {node: f"n{node}" for node in graph})
    made = gb.graph(graph)
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    for a in list(graph)[::5]:
        assert made.hops_from(a).tolist() == [lengths[a][b] for b in made.nodes]
        assert set(made.neighbors(a)) == set(graph[a])
        for b in graph:
            path = made.path(a, b)
            assert made.hops(a, b) == len(path) == lengths[a][b]
            assert a == b or path[-1] == b
            assert all(graph.has_edge(*edge) for edge in nx.utils.pairwise((a, *path)))


@pytest.mark.parametrize("seed", range(5))
def test_paths_on_roads_take_the_least_time(seed):
    stream = np.random.default_rng(seed)
    graph = nx.DiGraph()
    nx.add_cycle(graph, range(25))
    graph.add_edges_from((int(a), int(b)) for a, b in stream.integers(25, size=(60, 2)) if a != b)
    for a, b in graph.edges:
        graph.edges[a, b]["time"] = float(stream.uniform(0, 5))
    made = gb.graph(graph, times="time")
    for a in range(0, 25, 3):
        least = nx.single_source_dijkstra_path_length(
            graph, a, weight=lambda _a, _b, edge: 1 + edge["time"]
        )
        hops = nx.single_source_shortest_path_length(graph, a)
        assert made.hops_from(a).tolist() == [hops[b] for b in range(25)]
        for b in range(25):
            path = made.path(a, b)
            took = sum(1 + made.travel(u, v) for u, v in nx.utils.pairwise((a, *path)))
            assert took == pytest.approx(least[b], abs=1e-9)
            assert took == pytest.approx(made.times_from(a)[b], abs=1e-9)


class Sweeper(gb.Agent):
    """Goes to the farthest node, again and again."""

    def next_leg(self, now):
        far = now.graph.label(int(now.graph.hops_from(now.at).argmax()))
        return gb.Leg(now.graph.path(now.at, far))


def test_own_agents_plan_with_them():
    study = gb.run(gb.World("line:4"), [Sweeper()], steps=9, runs=1, progress=False)
    visits = study.trajectories().to_pandas()
    assert visits[visits.t > 0].node.tolist() == [1, 2, 3, 2, 1, 0, 1, 2, 3]


MAP = "source,target\nhall,yard\nyard,barn\nbarn,attic\n"


@pytest.fixture
def town(tmp_path):
    (tmp_path / "town.csv").write_text(MAP)
    (tmp_path / "means.csv").write_text('attic,"hall",barn,yard\n4,1,3,2\n8,5,7,6\n')
    return tmp_path


def test_means_with_a_header_are_by_name(town):
    graph = gb.graph(town / "town.csv")
    order = {"hall": 1.0, "yard": 2.0, "barn": 3.0, "attic": 4.0}
    study = gb.run(
        gb.World(graph, means=f"file:{town / 'means.csv'}"), steps=30, runs=2, progress=False
    )
    assert study.means(0).tolist() == [order[node] for node in graph.nodes]
    assert study.means(1).tolist() == [order[node] + 4 for node in graph.nodes]
    labelled = gb.graph([("hall", "yard"), ("yard", "barn"), ("barn", "attic")])
    again = gb.run(
        gb.World(labelled, means=f"file:{town / 'means.csv'}"), steps=30, runs=2, progress=False
    )
    assert again.means(0).tolist() == [order[node] for node in labelled.nodes]
    for header, message in (
        (
            "attic,hall,barn,yrad",
            'means.csv:1: "yrad" is not a node of the graph; did you mean "yard"',
        ),
        ("attic,hall,barn", 'node "yard" has no column'),
        ("attic,hall,barn,yard,yard", "a node has two columns"),
    ):
        (town / "wrong.csv").write_text(header + "\n1,2,3,4\n")
        with pytest.raises(ValueError, match=message.replace("means", "wrong")):
            gb.run(gb.World(graph, means=f"file:{town / 'wrong.csv'}"), steps=30, progress=False)
    with pytest.raises(
        ValueError, match="this is a header, but the nodes of the graph do not have names"
    ):
        gb.run(gb.World("line:4", means=f"file:{town / 'means.csv'}"), steps=30, progress=False)


def test_headers_of_numbers_are_names_where_nodes_are_called_so(town):
    (town / "ids.csv").write_text("source,target\n101,205\n205,33\n")
    (town / "of_ids.csv").write_text("33,101,205\n0.3,0.1,0.2\n")
    graph = gb.graph(town / "ids.csv")
    study = gb.run(
        gb.World(graph, means=f"file:{town / 'of_ids.csv'}"), steps=10, runs=2, progress=False
    )
    wanted = {"101": 0.1, "205": 0.2, "33": 0.3}
    assert study.means(1).tolist() == pytest.approx([wanted[str(node)] for node in graph.nodes])


def test_studies_in_toml_start_on_names_and_each_case_on_its_own(town):
    (town / "mine.toml").write_text(
        "name = 'mine'\ntitle = 'Mine'\nsteps = 60\nruns = 3\nagents = ['g-ucb']\nstart = 'barn'\nmeans = 'file:means.csv'\n"
        "[[cases]]\ngraph = 'town.csv'\ntitle = 'by name'\n"
        "[[cases]]\ngraph = 'town.csv'\ntitle = 'other'\nstart = 'attic'\n"
        "[[cases]]\ngraph = 'line:4'\nstart = 2\nmeans = 'uniform:0,1'\n"
    )
    studies = gb.run_study(town / "mine.toml", out=town / "out", progress=False)
    graph = gb.graph(town / "town.csv")
    world = gb.World(graph, means=f"file:{town / 'means.csv'}")
    options = {"steps": 60, "runs": 3, "progress": False}
    for case, start in (("by name", "barn"), ("other", "attic")):
        assert np.array_equal(
            studies[case].regret, gb.run(world, "g-ucb", start=start, **options).regret
        ), case
    assert not np.array_equal(studies["by name"].regret, studies["other"].regret)
    line = gb.run(gb.World("line:4", means="uniform:0,1"), "g-ucb", start=2, **options)
    assert np.array_equal(studies["line:4"].regret, line.regret)
    text = (town / "mine.toml").read_text().replace("'barn'", "'bran'")
    (town / "mine.toml").write_text(text)
    with pytest.raises(
        ValueError, match=r"mine\.toml: case \"by name\": start: \"bran\" .* did you mean \"barn\""
    ):
        gb.run_study(town / "mine.toml", out=town / "wrong")

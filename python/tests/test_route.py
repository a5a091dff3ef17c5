"""Routes on roads that may be closed: against an enumeration written here, and the command line."""

import itertools
import json
import math
import subprocess

import networkx as nx
import numpy as np
import pytest
from conftest import ROOT

import graph_bandit as gb

# A ford that may be flooded, a bridge that may be closed, and a long road around.
ROADS = [
    ("home", "ford", 1.0),
    ("ford", "work", 1.0, 0.5),
    ("home", "bridge", 2.0),
    ("bridge", "work", 1.0, 0.75),
    ("ford", "bridge", 1.0, 0.25),
    ("home", "work", 9.0, 0.5),
]


def weathers(roads):
    """Every weather in which home and work are connected, with its probability."""
    for states in itertools.product((True, False), repeat=len(roads)):
        chance, open_roads = 1.0, nx.Graph()
        open_roads.add_nodes_from({node for road in roads for node in road[:2]})
        for (a, b, time, *probability), is_open in zip(roads, states, strict=True):
            of_open = probability[0] if probability else 1.0
            chance *= of_open if is_open else 1.0 - of_open
            if is_open:
                open_roads.add_edge(a, b, weight=time)
        if chance > 0.0 and nx.has_path(open_roads, "home", "work"):
            yield chance, open_roads


def optimistic(roads, open_roads):
    """Travels on what is not known to be closed, with networkx's cheapest paths."""
    believed = nx.Graph()
    believed.add_weighted_edges_from([(a, b, time) for a, b, time, *_ in roads])
    at, took = "home", 0.0
    while at != "work":
        for neighbour in list(believed[at]):
            if not open_roads.has_edge(at, neighbour):
                believed.remove_edge(at, neighbour)
        ahead = nx.dijkstra_path(believed, at, "work")[1]
        took, at = took + believed[at][ahead]["weight"], ahead
    return took


def test_means_are_those_of_an_enumeration():
    chances, times = zip(
        *((chance, optimistic(ROADS, weather)) for chance, weather in weathers(ROADS)), strict=True
    )
    expected = np.average(times, weights=chances)
    found = gb.plan.route(ROADS, "home", "work", "optimistic")
    assert found.mean == pytest.approx(expected, rel=1e-12)
    assert (found.se, found.runs, len(found.times)) == (0.0, 0, 0)
    simulated = gb.plan.route(ROADS, "home", "work", "optimistic", runs=4_000, seed=1)
    assert simulated.runs == len(simulated.times) == 4_000
    assert simulated.mean == pytest.approx(simulated.times.mean())
    assert abs(simulated.mean - expected) < 4 * simulated.se
    best = gb.plan.route(ROADS, "home", "work")
    assert best.mean < found.mean


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_networkx_graph_is_the_same_roads(kind):
    graph = kind()
    for a, b, time, *probability in ROADS:
        graph.add_edge(a, b, time=time)
        if probability:
            graph.edges[a, b]["open_probability"] = probability[0]
    listed = gb.plan.route(ROADS, "home", "work", directed=graph.is_directed())
    assert gb.plan.route(graph, "home", "work") == listed
    del graph.edges["home", "ford"]["time"]
    with pytest.raises(ValueError, match="'ford' has no attribute 'time'"):
        gb.plan.route(graph, "home", "work")


def test_one_way_roads_take_longer_or_lead_nowhere():
    there_and_back = gb.plan.route(ROADS, "home", "work").mean
    assert gb.plan.route(ROADS, "home", "work", directed=True).mean > there_and_back
    with pytest.raises(ValueError, match="no path leads from start to goal"):
        gb.plan.route([("work", "home", 1.0)], "home", "work", directed=True)


@pytest.mark.parametrize("policy", ["exact", "optimistic", "comparison", "uct"])
def test_the_command_line_says_the_same(policy, gbandit):
    file = ROOT / "examples" / "roads" / "ctp5-01.csv"
    rows = [line.split(",") for line in file.read_text().splitlines()[1:]]
    roads = [(int(a), int(b), float(time), float(chance)) for a, b, time, chance in rows]
    options = {} if policy == "exact" else {"runs": 50, "seed": 3, "rollouts": 200}
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    command = [
        gbandit,
        "route",
        str(file),
        "--from",
        "0",
        "--to",
        "4",
        "--policy",
        policy,
        "--json",
    ]
    said = json.loads(subprocess.run([*command, *flags], check=True, capture_output=True).stdout)
    found = gb.plan.route(roads, 0, 4, policy, **options)
    # The file names nodes in the same order, so even the luck is the same.
    assert (found.policy, found.mean, found.se, found.runs) == (
        said["policy"],
        said["mean"],
        said["se"],
        said["runs"],
    )


@pytest.mark.parametrize(
    ("roads", "options", "message"),
    [
        ([("a", "b", -1)], {}, "from 'a' to 'b' takes -1.0; a travel time is a finite number"),
        ([("a", "b", math.nan)], {}, "takes nan"),
        ([("a", "b", math.inf)], {}, "takes inf"),
        ([("a", "b", 1, 1.5)], {}, "open with probability 1.5; a probability is from 0 to 1"),
        ([("a", "a", 1), ("a", "b", 1)], {}, "the road from 'a' leads to itself"),
        ([("a", "b")], {}, r"a road is \('a', 'b'\); write \(a, b, time\)"),
        ([("a", "c", 1)], {}, "goal is 'b', and no road leads there"),
        ([("a", "b", 1)], {"policy": "optimistc"}, "did you mean optimistic"),
        (["abc"], {}, "a road is 'abc'; write"),
        ([("a", "b", "fast")], {}, "from 'a' to 'b' has 'fast' for a time or a probability"),
        ([("a", "b", None)], {}, "has None for a time"),
        ([("a", "b", 1, 1e-9)], {"policy": "uct"}, "goal: .*were not connected"),
        ([("a", str(n), 1, 0.5) for n in range(19)] + [("a", "b", 1)], {}, "choose optimistic"),
        ([("a", "b", 1)], {"rollouts": 2**40}, "rollouts is 1099511627776; give at most 1000000"),
        ([("a", "b", 1)], {"runs": 2**40}, "runs is 1099511627776; give at most 10000000"),
        ([("a", "b", 1)], {"runs": 0}, "runs is 0"),
    ],
)
def test_mistakes_name_the_value(roads, options, message):
    with pytest.raises(ValueError, match=message):
        gb.plan.route(roads, "a", "b", **options)

"""Graphs on their way to a service and back.

Requests and answers have node numbers; names are only for people to read. So labels of any kind can
be given back, as long as the client has the graph that they belong to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graphs import Graph


def written(made: Graph, visit_time: float | None = None) -> dict[str, Any]:
    """The graph as the service reads it; ``visit_time`` is how many seconds a visit takes.

    >>> import graph_bandit as gb
    >>> written(gb.graph([("hall", "yard")]))
    {'nodes': 2, 'edges': [[0, 1]], 'names': ['hall', 'yard']}
    >>> ring = gb.graph([("a", "b"), ("b", "a")], directed=True, times=[2.5, 0.5])
    >>> written(ring, visit_time=30)
    {'nodes': 2, 'roads': [[0, 1, 2.5], [1, 0, 0.5]], 'visit_time': 30, 'names': ['a', 'b']}
    """
    shown: dict[str, Any] = {"nodes": len(made)}
    if made.has_roads:
        roads = zip(made.road_array().tolist(), made.road_times().tolist(), strict=True)
        shown["roads"] = [[a, b, time] for (a, b), time in roads]
    else:
        shown["edges"] = made.edge_array().tolist()
    if visit_time is not None:
        shown["visit_time"] = visit_time
    names = _names(made.labels)
    if names is not None:
        shown["names"] = names
    if made.coordinates is not None:
        shown["coordinates"] = made.coordinates.tolist()
    return shown


def _names(labels: list[Any] | None) -> list[str] | None:
    """The labels as texts: by ``str``, else by ``repr``; ``None`` if neither makes them distinct.

    >>> _names([(0, 1), "hall"]), _names([1, "1"])
    (['(0, 1)', 'hall'], ['1', "'1'"])
    """
    if labels is None:
        return None
    for write in (str, repr):
        names = [write(label) for label in labels]
        if len(set(names)) == len(names):
            return names
    return None


def read(shown: dict[str, Any]) -> Graph:
    """The graph in an answer; labels are its names, or numbers if it has no names."""
    places = shown.get("coordinates")
    coordinates = None if places is None else np.asarray(places, np.float64)
    names, nodes = shown.get("names"), shown["nodes"]
    if "roads" in shown:
        ends = np.asarray([road[:2] for road in shown["roads"]], np.int64).reshape(-1, 2)
        times = np.asarray([road[2] for road in shown["roads"]], np.float64)
        return Graph.from_roads(nodes, ends, times, names, coordinates)
    edges = np.asarray(shown["edges"], np.int64).reshape(-1, 2)
    return Graph(nodes, edges, names, coordinates)


def same(one: Graph, other: Graph) -> bool:
    """Whether both have the same edges or roads by node number; labels do not matter."""
    return (
        len(one) == len(other)
        and np.array_equal(one.road_array(), other.road_array())
        and np.array_equal(one.road_times(), other.road_times())
    )

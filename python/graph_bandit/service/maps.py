"""Graphs on their way to a service and back.

On the wire nodes are numbers; names go along for people to read. So labels of any kind come back as
what they are, as long as the graph they belong to is at hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graphs import Graph


def written(made: Graph) -> dict[str, Any]:
    """The graph as the service reads it.

    >>> import graph_bandit as gb
    >>> written(gb.graph([("hall", "yard")]))
    {'nodes': 2, 'edges': [[0, 1]], 'names': ['hall', 'yard']}
    """
    if made.has_roads:
        raise ValueError(
            "this client does not send roads that run one way or take time; make the graph with "
            "directed=False and without times"
        )
    shown: dict[str, Any] = {"nodes": len(made), "edges": made.edge_array().tolist()}
    names = _names(made.labels)
    if names is not None:
        shown["names"] = names
    if made.coordinates is not None:
        shown["coordinates"] = made.coordinates.tolist()
    return shown


def _names(labels: list[Any] | None) -> list[str] | None:
    """The labels as text; those that read alike are told apart as Python writes them, or not.

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
    """The graph that a service shows: labels are its names, or numbers where there are none."""
    edges = np.asarray(shown["edges"], np.int64).reshape(-1, 2)
    places = shown.get("coordinates")
    coordinates = None if places is None else np.asarray(places, np.float64)
    return Graph(shown["nodes"], edges, shown.get("names"), coordinates)


def same(one: Graph, other: Graph) -> bool:
    """Whether they have the same edges by number, whatever their nodes are called."""
    return (
        len(one) == len(other)
        and np.array_equal(one.road_array(), other.road_array())
        and np.array_equal(one.road_times(), other.road_times())
    )

"""Where nodes are drawn: at their coordinates, or where the layout of all figures puts them.

Reports and the dashboard use the same layout: complete graphs are circles, stars have a hub, trees
have levels, and in all other graphs distances on paper are close to hops. Nothing about it is
random, so a graph always looks the same. You can give a layout of networkx as ``places``.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import _core
from ..graphs import Graph

if TYPE_CHECKING:
    import numpy.typing as npt

#: Two numbers per node: an array by node number, or a mapping by label as networkx's layouts are.
Places: TypeAlias = "npt.ArrayLike | Mapping[Any, npt.ArrayLike]"


def layout(graph: Graph, places: Places | None = None) -> npt.NDArray[np.float64]:
    """A place in the plane for every node, by number.

    These are ``places``, if given; otherwise the coordinates of the graph; otherwise the labels, if
    they are pairs of numbers as in networkx's grids; otherwise the places that reports and the
    dashboard use.

    >>> import graph_bandit as gb
    >>> from graph_bandit.plots import layout
    >>> layout(gb.graph([((0, 0), (0, 1)), ((0, 1), (2, 1))])).tolist()
    [[0.0, 0.0], [0.0, 1.0], [2.0, 1.0]]
    """
    if places is not None:
        return _given(graph, places)
    if graph.coordinates is not None:
        return np.asarray(graph.coordinates)
    labels = graph.labels
    if labels is not None and all(map(_is_place, labels)):
        return np.array(labels, np.float64)
    return _core.layout(graph)


def _given(graph: Graph, places: Places) -> npt.NDArray[np.float64]:
    if isinstance(places, Mapping):
        missing = [node for node in graph.nodes if node not in places]
        if missing:
            raise ValueError(f"node {missing[0]!r} has no place; give two numbers for every node")
        found = np.array([places[node] for node in graph.nodes], np.float64)
    else:
        found = np.array(places, np.float64)
    if found.shape != (len(graph), 2) or not np.isfinite(found).all():
        raise ValueError(
            f"places of shape {found.shape} for {len(graph)} nodes; give two finite numbers each"
        )
    return found


def _is_place(label: Hashable) -> bool:
    return (
        isinstance(label, tuple)
        and len(label) == 2
        and all(isinstance(part, int | float | np.integer | np.floating) for part in label)
    )

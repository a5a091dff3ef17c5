"""Graphs of other libraries whose edges lead both ways and take no time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from enum import Enum, auto
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Graph

if TYPE_CHECKING:
    import numpy.typing as npt


class Kind(Enum):
    """The kinds of sources of a graph."""

    NETWORKX = auto()
    RUSTWORKX = auto()
    MATRIX = auto()
    ARRAY = auto()
    EDGES = auto()


def kind_of(source: Any) -> Kind:
    """The kind of ``source``; an error lists the kinds that there are."""
    if hasattr(source, "adj") and hasattr(source, "is_directed"):
        return Kind.NETWORKX
    package = type(source).__module__.partition(".")[0]
    if package == "rustworkx" or hasattr(source, "edge_list"):
        return Kind.RUSTWORKX
    if hasattr(source, "tocoo"):
        return Kind.MATRIX
    if isinstance(source, np.ndarray):
        return Kind.ARRAY
    if isinstance(source, Iterable):
        return Kind.EDGES
    raise TypeError(
        f"{type(source).__name__!r} is not a graph; give a networkx or rustworkx graph, a "
        "scipy sparse matrix, edges, the text of a family such as 'grid:10x10', or a file"
    )


def convert(source: Any) -> Graph:
    """The graph in ``source``, with edges that lead both ways."""
    readers = {
        Kind.NETWORKX: _from_networkx,
        Kind.RUSTWORKX: _from_rustworkx,
        Kind.MATRIX: _from_sparse,
        Kind.ARRAY: _from_edge_array,
        Kind.EDGES: _from_edges,
    }
    return readers[kind_of(source)](source)


def _from_networkx(source: Any) -> Graph:
    adjacency = source._adj if hasattr(source, "_adj") else dict(source.adj)
    names = list(adjacency)
    if not names:
        raise ValueError("the graph has no nodes; a graph bandit needs at least one")
    degrees = np.fromiter(map(len, adjacency.values()), np.int64, len(names))
    total = int(degrees.sum())
    plain = all(type(name) is int and name == number for number, name in enumerate(names))
    everyone = chain.from_iterable(adjacency.values())
    if plain:
        neighbors = np.fromiter(everyone, np.int64, total)
        return Graph.from_rows(degrees, neighbors)
    number = {name: number for number, name in enumerate(names)}
    neighbors = np.fromiter(map(number.__getitem__, everyone), np.int64, total)
    return Graph.from_rows(degrees, neighbors, names)


def _from_rustworkx(source: Any) -> Graph:
    places = np.asarray(source.node_indices(), np.int64)
    if not len(places):
        raise ValueError("the graph has no nodes; a graph bandit needs at least one")
    edges = np.asarray(source.edge_list(), np.int64).reshape(-1, 2)
    edges = np.searchsorted(places, edges)
    return Graph(len(places), edges, rustworkx_labels(source, places))


def rustworkx_labels(source: Any, places: npt.NDArray[np.int64]) -> list[Any]:
    """Labels are the payloads if they are distinct and hashable, otherwise the indices."""
    payloads = list(source.nodes())
    try:
        distinct = len(set(payloads)) == len(payloads)
    except TypeError:
        distinct = False
    return payloads if distinct else list(places.tolist())


def _from_sparse(source: Any) -> Graph:
    matrix = source.tocoo()
    rows, columns = matrix.shape
    if rows != columns:
        raise ValueError(f"the matrix is {rows} by {columns}; the matrix of a graph is square")
    there = np.asarray(matrix.data) != 0
    ends = (np.asarray(matrix.row)[there], np.asarray(matrix.col)[there])
    return Graph(rows, np.stack(ends, axis=1).astype(np.int64))


def _from_edge_array(source: npt.NDArray[Any]) -> Graph:
    if not np.issubdtype(source.dtype, np.integer):
        return _from_edges(map(tuple, source.tolist()))
    if source.ndim != 2 or source.shape[1] != 2:
        raise ValueError(
            f"edges of shape {source.shape}; give one row of two node numbers per edge"
        )
    if not len(source):
        raise ValueError(
            "there are no edges; say how many nodes there are with Graph(nodes, edges)"
        )
    return Graph(int(source.max()) + 1, source.astype(np.int64))


def _from_edges(source: Iterable[Any]) -> Graph:
    number: dict[Hashable, int] = {}
    ends: list[int] = []
    for edge in source:
        try:
            a, b = edge
        except (TypeError, ValueError):
            raise ValueError(f"{edge!r} is not an edge; an edge is a pair of nodes") from None
        ends.append(number.setdefault(a, len(number)))
        ends.append(number.setdefault(b, len(number)))
    if not number:
        raise ValueError("there are no edges; a graph bandit needs at least one node")
    return Graph(len(number), np.asarray(ends, np.int64).reshape(-1, 2), list(number))

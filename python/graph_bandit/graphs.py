"""Graphs from whatever holds one, and the families of the paper.

:func:`graph` takes networkx and rustworkx graphs, scipy sparse matrices, arrays or lists of edges,
the text of a family (``"grid:10x10"``) and files; labels are kept and given back.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ._core import Graph

if TYPE_CHECKING:
    import networkx
    import numpy.typing as npt

#: Whatever :func:`graph` makes a graph of.
GraphLike: TypeAlias = Any

__all__ = [
    "Graph",
    "GraphLike",
    "arkansas",
    "barbell",
    "broom",
    "circle",
    "complete",
    "erdos_renyi",
    "geometric",
    "graph",
    "grid",
    "line",
    "read_map",
    "small_world",
    "star",
    "to_networkx",
    "tree",
]


def graph(source: GraphLike, *, labels: Iterable[Hashable] | None = None, seed: int = 0) -> Graph:
    """The graph that ``source`` holds.

    ``source`` is a :class:`Graph`, a networkx or rustworkx graph, a square scipy sparse matrix, an
    array or list of edges (pairs of labels; an integer array is taken as node numbers), the text of
    a family such as ``"grid:10x10"``, or the path of a file. ``labels`` renames the nodes, by
    number; ``seed`` draws the random families.

    >>> import graph_bandit as gb
    >>> gb.graph("grid:3x4")
    <Graph of 12 nodes, 17 edges>
    >>> gb.graph([("kitchen", "hall"), ("hall", "attic")]).nodes
    ('kitchen', 'hall', 'attic')
    """
    made = _convert(source, seed)
    if labels is None:
        return made
    return Graph(len(made), made.edge_array(), list(labels), made.coordinates)


def read_map(
    path: str | os.PathLike[str],
    *,
    largest_component: bool = False,
    format: str | None = None,
    ways: str = "walk",
) -> Graph:
    """The graph of a map: GraphML, GeoJSON, edge list, DOT, or an OpenStreetMap extract.

    The format is told by the file's name, else by how it begins, unless said. A map in several
    parts is an error that names them, or ``largest_component`` takes the largest. ``ways`` of an
    extract are those one may ``"walk"`` or ``"drive"``. Nodes are called as in the file, and lie
    where it says. What was dropped or taken otherwise is told as warnings; docs/maps.md has the
    rules.
    """
    made, notes = Graph.load(os.fspath(path), 0, largest_component, format, ways)
    _tell(notes)
    return made


def _loaded(text: str, seed: int = 0) -> Graph:
    made, notes = Graph.load(text, seed)
    _tell(notes)
    return made


def _tell(notes: list[str]) -> None:
    for note in notes:
        warnings.warn(note, stacklevel=4)


def _convert(source: GraphLike, seed: int) -> Graph:
    if isinstance(source, Graph):
        return source
    if isinstance(source, str | os.PathLike):
        return _loaded(os.fspath(source), seed)
    kind = type(source).__module__.partition(".")[0]
    if hasattr(source, "adj") and hasattr(source, "is_directed"):
        return _from_networkx(source)
    if kind == "rustworkx" or hasattr(source, "edge_list"):
        return _from_rustworkx(source)
    if hasattr(source, "tocoo"):
        return _from_sparse(source)
    if isinstance(source, np.ndarray):
        return _from_edge_array(source)
    if isinstance(source, Iterable):
        return _from_edges(source)
    raise TypeError(
        f"no graph can be made of {type(source).__name__!r}; give a networkx or rustworkx graph, a "
        "scipy sparse matrix, edges, the text of a family such as 'grid:10x10', or a file"
    )


def _from_networkx(source: Any) -> Graph:
    if source.is_directed():
        raise ValueError(
            "the graph is directed, a walk here goes both ways; give G.to_undirected()"
        )
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
    if type(source).__name__ == "PyDiGraph":
        raise ValueError("the graph is directed, a walk here goes both ways; give .to_undirected()")
    places = np.asarray(source.node_indices(), np.int64)
    if not len(places):
        raise ValueError("the graph has no nodes; a graph bandit needs at least one")
    edges = np.asarray(source.edge_list(), np.int64).reshape(-1, 2)
    edges = np.searchsorted(places, edges)
    payloads = list(source.nodes())
    try:
        distinct = len(set(payloads)) == len(payloads)
    except TypeError:
        distinct = False
    # Payloads are labels where they can be, else nodes are called by their indices.
    return Graph(len(places), edges, payloads if distinct else places.tolist())


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
        raise ValueError("there is no edge; say how many nodes there are with Graph(nodes, edges)")
    return Graph(int(source.max()) + 1, source.astype(np.int64))


def _from_edges(source: Iterable[Any]) -> Graph:
    number: dict[Hashable, int] = {}
    ends: list[int] = []
    for edge in source:
        try:
            a, b = edge
        except (TypeError, ValueError):
            raise ValueError(f"{edge!r} is no edge; an edge is a pair of nodes") from None
        ends.append(number.setdefault(a, len(number)))
        ends.append(number.setdefault(b, len(number)))
    if not number:
        raise ValueError("there is no edge; a graph bandit needs at least one node")
    return Graph(len(number), np.asarray(ends, np.int64).reshape(-1, 2), list(number))


def to_networkx(source: GraphLike) -> networkx.Graph[Any]:
    """The graph as networkx has it, with its labels, and ``pos`` where nodes have coordinates."""
    import networkx

    made = graph(source)
    names = made.nodes
    result: networkx.Graph[Any] = networkx.Graph()
    result.add_nodes_from(names)
    result.add_edges_from((names[a], names[b]) for a, b in made.edge_array().tolist())
    places = made.coordinates
    if places is not None:
        networkx.set_node_attributes(result, dict(zip(names, places.tolist(), strict=True)), "pos")
    return result


def _unpickle(
    nodes: int,
    edges: npt.NDArray[np.int64],
    labels: list[Any] | None,
    coordinates: npt.NDArray[np.float64] | None,
    place: str,
) -> Graph:
    return Graph(nodes, edges, labels, coordinates)._with_program_self_place(place)


def line(nodes: int) -> Graph:
    """A line, node 0 at one end."""
    return _loaded(f"line:{nodes}")


def circle(nodes: int) -> Graph:
    """A line with its ends joined."""
    return _loaded(f"circle:{nodes}")


def star(nodes: int) -> Graph:
    """Node 0 joined to all others."""
    return _loaded(f"star:{nodes}")


def tree(nodes: int, branching: int = 2) -> Graph:
    """A tree filled level by level."""
    return _loaded(f"tree:{nodes},{branching}")


def grid(rows: int, columns: int) -> Graph:
    """A rectangle numbered row by row."""
    return _loaded(f"grid:{rows}x{columns}")


def complete(nodes: int) -> Graph:
    """Every two nodes joined."""
    return _loaded(f"complete:{nodes}")


def broom(nodes: int, handle: int) -> Graph:
    """A line of ``handle`` nodes, the others hung on its last."""
    return _loaded(f"broom:{nodes},{handle}")


def barbell(bell: int, path: int) -> Graph:
    """Two complete graphs of ``bell`` nodes joined by ``path`` nodes."""
    return _loaded(f"barbell:{bell},{path}")


def arkansas() -> Graph:
    """The ten counties of the paper's robot experiment."""
    return _loaded("arkansas")


def erdos_renyi(nodes: int, probability: float, seed: int = 0) -> Graph:
    """Every edge present with one probability, drawn until connected."""
    return _loaded(f"erdos-renyi:{nodes},{probability!r}", seed)


def geometric(nodes: int, radius: float, seed: int = 0) -> Graph:
    """Random points of the unit square joined within ``radius``, drawn until connected."""
    return _loaded(f"geometric:{nodes},{radius!r}", seed)


def small_world(nodes: int, neighbors: int, rewiring: float, seed: int = 0) -> Graph:
    """A ring of near neighbours with some edges moved, drawn until connected."""
    return _loaded(f"small-world:{nodes},{neighbors},{rewiring!r}", seed)

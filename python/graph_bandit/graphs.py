"""Graphs from many sources, and the families of the paper.

:func:`graph` takes networkx and rustworkx graphs, scipy sparse matrices, arrays or lists of edges,
the text of a family (``"grid:10x10"``) and files. It keeps your labels.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Iterable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from . import plain_sources
from ._core import Graph
from .road_sources import Reading, TimesLike, with_roads

if TYPE_CHECKING:
    import networkx
    import numpy.typing as npt
    import scipy.sparse

#: Whatever :func:`graph` can turn into a graph.
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
    "to_scipy",
    "tree",
]


def graph(
    source: GraphLike,
    *,
    labels: Iterable[Hashable] | None = None,
    seed: int = 0,
    directed: bool | None = None,
    times: TimesLike | None = None,
    visit_time: float | None = None,
) -> Graph:
    """Turns ``source`` into a graph.

    ``source`` is a :class:`Graph`, a networkx or rustworkx graph, a square scipy sparse matrix, an
    array or list of edges (pairs of labels; an integer array is taken as node numbers), the text of
    a family such as ``"grid:10x10"``, or the path of a file. ``labels`` renames the nodes, in the
    order of their numbers; ``seed`` is for the random families.

    **Directions.** Edges of a ``networkx.DiGraph`` or ``rustworkx.PyDiGraph`` are roads that run
    one way. So are the entries of a matrix with times, from row to column. A file has its own
    directions if you give ``times`` or ``directed=True``. All other edges lead both ways.
    ``directed=True`` makes the entries of a matrix, and the edges of an array or list, run one way;
    ``directed=False`` makes the edges of a ``DiGraph`` and the entries of a matrix lead both ways.
    Every node must be reachable from every other.

    **Times.** ``times`` says how long roads take beyond the visit at their end (default: nothing,
    as in the paper):

    - a text: the edge attribute of a networkx graph, the key of a rustworkx edge, the field of a
      file's edges (:func:`read_map` has more options)
    - ``"weights"``: the entries of a matrix, including explicit zeros, or the third parts of edges
      ``(a, b, time)``
    - one number for every edge, in the order of an array or list of edges
    - a function of a networkx edge's attributes or a rustworkx edge's payload

    ``visit_time`` is how long a visit takes, in the unit of these times (default: 1). Of several
    roads from one node to another, the fastest is kept.

    >>> import graph_bandit as gb
    >>> gb.graph("grid:3x4")
    <Graph of 12 nodes, 17 edges>
    >>> gb.graph([("kitchen", "hall"), ("hall", "attic")]).nodes
    ('kitchen', 'hall', 'attic')
    >>> ring = gb.graph([("a", "b"), ("b", "c"), ("c", "a")], directed=True, times=[60, 0, 30],
    ...                 visit_time=30)
    >>> ring, ring.travel("a", "b"), ring.travel("b", "a"), ring.time_diameter()
    (<Graph of 3 nodes, 3 roads with times>, 2.0, None, 5.0)
    """
    reading = Reading(directed, times, visit_time)
    made = _convert(source, seed, reading)
    if labels is None:
        return made
    names, places = list(labels), made.coordinates
    if made.has_roads:
        return Graph.from_roads(len(made), made.road_array(), made.road_times(), names, places)
    return Graph(len(made), made.edge_array(), names, places)


def _convert(source: GraphLike, seed: int, reading: Reading) -> Graph:
    if isinstance(source, Graph):
        reading.refuse(
            "this graph already has its directions and times; make a new one from its roads instead"
        )
        return source
    if isinstance(source, str | os.PathLike):
        return _loaded(os.fspath(source), seed, reading)
    if reading.wants_roads(source):
        return with_roads(source, reading)
    return plain_sources.convert(source)


def read_map(
    path: str | os.PathLike[str],
    *,
    largest_component: bool = False,
    format: str | None = None,
    ways: str = "walk",
    directed: bool = False,
    times: str | None = None,
    speed: float | None = None,
    visit_time: float | None = None,
) -> Graph:
    """The graph of a map: GraphML, GeoJSON, edge list, or an OpenStreetMap extract.

    ``format`` is the format of the file (default: what its name says, otherwise what its first
    bytes look like). A map in several parts is refused; ``largest_component=True`` takes the
    largest part. ``ways`` chooses the ways of an extract: those where you may ``"walk"`` or those
    where you may ``"drive"``. Nodes have the names and coordinates of the file. Warnings say what
    was left out or changed; docs/guides/maps.md has the rules.

    By default edges lead both ways and take no time.

    - ``directed``: take the directions of the file; each line of an edge list leads one way
    - ``times``: the field of edges that says how long a road takes beyond the visit at its end: a
      time, a length or a speed; edges then also have the directions that the file declares
    - ``speed``: how fast lengths are travelled, in metres per second
    - ``visit_time``: how long a visit takes, in seconds
    """
    options = SimpleNamespace(
        largest_component=largest_component,
        format=format,
        ways=ways,
        directed=directed,
        times=times,
        speed=speed,
        visit_time=visit_time,
    )
    made, notes = Graph.load(os.fspath(path), 0, options)
    _tell(notes)
    return made


def _loaded(text: str, seed: int = 0, reading: Reading | None = None) -> Graph:
    options = None if reading is None else reading.of_file()
    made, notes = Graph.load(text, seed, options)
    _tell(notes)
    return made


def _tell(notes: list[str]) -> None:
    for note in notes:
        warnings.warn(note, stacklevel=4)


def to_networkx(source: GraphLike, *, times: str = "time") -> networkx.Graph[Any]:
    """Converts a graph for networkx, with its labels, and ``pos`` where nodes have coordinates.

    If some road runs one way or takes time, the graph becomes a ``networkx.DiGraph``. ``times`` is
    then the name of the edge attribute for the time beyond the visit, in units of one visit.
    :func:`graph` with the same ``times`` reads it back.

    >>> import graph_bandit as gb
    >>> G = gb.to_networkx(gb.graph([("a", "b")], times=[1.5]))
    >>> list(G.edges(data="time"))
    [('a', 'b', 1.5), ('b', 'a', 1.5)]
    """
    import networkx

    made = graph(source)
    names = made.nodes
    result: networkx.Graph[Any] = networkx.DiGraph() if made.has_roads else networkx.Graph()
    result.add_nodes_from(names)
    if made.has_roads:
        roads = zip(made.road_array().tolist(), made.road_times().tolist(), strict=True)
        result.add_weighted_edges_from(((names[a], names[b], t) for (a, b), t in roads), times)
    else:
        result.add_edges_from((names[a], names[b]) for a, b in made.edge_array().tolist())
    places = made.coordinates
    if places is not None:
        networkx.set_node_attributes(result, dict(zip(names, places.tolist(), strict=True)), "pos")
    return result


def to_scipy(source: GraphLike) -> scipy.sparse.csr_array:
    """The times of all roads as a scipy sparse matrix, by node number, from row to column.

    A road that takes no time beyond the visit is an explicit zero. ``graph(matrix,
    times="weights")`` reads the graph back, without its labels.

    >>> import graph_bandit as gb
    >>> matrix = gb.to_scipy(gb.graph([("a", "b"), ("b", "a")], directed=True, times=[0, 1.5]))
    >>> matrix.nnz, matrix.toarray().tolist()
    (2, [[0.0, 0.0], [1.5, 0.0]])
    """
    import scipy.sparse

    made = graph(source)
    ends, nodes = made.road_array(), len(made)
    return scipy.sparse.csr_array((made.road_times(), (ends[:, 0], ends[:, 1])), (nodes, nodes))


def _unpickle(
    nodes: int,
    edges: npt.NDArray[np.int64],
    labels: list[Any] | None,
    coordinates: npt.NDArray[np.float64] | None,
    place: str,
) -> Graph:
    return Graph(nodes, edges, labels, coordinates)._with_program_self_place(place)


def _unpickle_roads(
    nodes: int,
    roads: npt.NDArray[np.int64],
    times: npt.NDArray[np.float64],
    labels: list[Any] | None,
    coordinates: npt.NDArray[np.float64] | None,
) -> Graph:
    return Graph.from_roads(nodes, roads, times, labels, coordinates)


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
    """Every node joined to every other."""
    return _loaded(f"complete:{nodes}")


def broom(nodes: int, handle: int) -> Graph:
    """A line of ``handle`` nodes, with all other nodes joined to its last one."""
    return _loaded(f"broom:{nodes},{handle}")


def barbell(bell: int, path: int) -> Graph:
    """Two complete graphs of ``bell`` nodes joined by ``path`` nodes."""
    return _loaded(f"barbell:{bell},{path}")


def arkansas() -> Graph:
    """The ten counties of the paper's robot experiment."""
    return _loaded("arkansas")


def erdos_renyi(nodes: int, probability: float, seed: int = 0) -> Graph:
    """Each edge is present with this probability; drawn again until the graph is connected."""
    return _loaded(f"erdos-renyi:{nodes},{probability!r}", seed)


def geometric(nodes: int, radius: float, seed: int = 0) -> Graph:
    """Random points of the unit square, joined within ``radius``; drawn until connected."""
    return _loaded(f"geometric:{nodes},{radius!r}", seed)


def small_world(nodes: int, neighbors: int, rewiring: float, seed: int = 0) -> Graph:
    """A ring joined to near neighbours, with some edges rewired; drawn until connected."""
    return _loaded(f"small-world:{nodes},{neighbors},{rewiring!r}", seed)

"""Graphs of other libraries with roads, which may run one way and take time."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ._core import Graph
from .plain_sources import Kind, kind_of, rustworkx_labels

if TYPE_CHECKING:
    import numpy.typing as npt

#: Where times are: the name of an attribute, a function of an edge's data, one number per edge.
TimesLike: TypeAlias = "str | Callable[[Any], float] | npt.ArrayLike"

#: Stands for the entries of a matrix, or the third parts of edges.
WEIGHTS = "weights"


@dataclass(frozen=True, eq=False)
class Reading:
    """How to read directions and times; ``None`` is the default of the source."""

    directed: bool | None
    times: TimesLike | None
    visit_time: float | None

    def __post_init__(self) -> None:
        if self.directed not in (None, True, False):
            raise TypeError(f"directed is {self.directed!r}; give True or False")
        if self.visit_time is None:
            return
        if self.times is None:
            raise ValueError("visit_time is in the unit of times; give times as well")
        if not (self.visit_time > 0 and math.isfinite(self.visit_time)):
            raise ValueError(f"visit_time is {self.visit_time!r}; give a positive number")

    def of_file(self) -> SimpleNamespace:
        """The options for reading a file, for the compiled part."""
        if not (self.times is None or isinstance(self.times, str)):
            raise TypeError(
                f"times have type {type(self.times).__name__}; for a file, give the name of a field"
            )
        return SimpleNamespace(
            largest_component=False,
            format=None,
            ways="walk",
            directed=bool(self.directed),
            times=self.times,
            speed=None,
            visit_time=self.visit_time,
        )

    def refuse(self, why: str) -> None:
        """Raises an error if directions or times are given."""
        if self.directed is not None or self.times is not None:
            wanted = "directed" if self.times is None else "times"
            raise ValueError(f"{wanted}: {why}")

    def wants_roads(self, source: Any) -> bool:
        """Whether the graph in ``source`` gets roads."""
        if self.times is not None or self.directed:
            return True
        return self.directed is None and _is_directed(source, kind_of(source))


@dataclass(frozen=True)
class Roads:
    """The parts of a graph, before its times are converted to units of one visit."""

    nodes: int
    labels: list[Any] | None
    #: Node numbers, one row for every road or edge.
    ends: npt.NDArray[np.int64]
    #: How long each of them takes, as the source has it; ``None`` without times.
    times: Sequence[Any] | npt.NDArray[Any] | None

    def name(self, number: int) -> str:
        """The node as its label shows it."""
        return repr(number if self.labels is None else self.labels[number])


def with_roads(source: Any, reading: Reading) -> Graph:
    """The graph of ``source`` with its directions and times."""
    kind = kind_of(source)
    found = _READERS[kind](source, reading.times)
    times = _checked(found) / (1.0 if reading.visit_time is None else reading.visit_time)
    ends = found.ends
    if not _one_way(source, kind, reading.directed):
        ends, times = np.concatenate([ends, ends[:, ::-1]]), np.concatenate([times, times])
    return Graph.from_roads(found.nodes, np.ascontiguousarray(ends), times, found.labels)


def _one_way(source: Any, kind: Kind, directed: bool | None) -> bool:
    if kind in (Kind.NETWORKX, Kind.RUSTWORKX):
        # An edge without a direction always leads both ways.
        return directed is not False and _is_directed(source, kind)
    return kind is Kind.MATRIX if directed is None else directed


def _is_directed(source: Any, kind: Kind) -> bool:
    if kind is Kind.NETWORKX:
        return bool(source.is_directed())
    return kind is Kind.RUSTWORKX and type(source).__name__ == "PyDiGraph"


def _checked(found: Roads) -> npt.NDArray[np.float64]:
    """The times as numbers; an error names the first that is not one, with its road."""
    if found.times is None:
        return np.zeros(len(found.ends))
    if len(found.times) != len(found.ends):
        raise ValueError(
            f"{len(found.times)} times for {len(found.ends)} edges; give exactly one per edge"
        )
    times = np.empty(len(found.ends))
    for place, time in enumerate(found.times):
        try:
            if time is None or isinstance(time, str | bytes):
                raise TypeError
            times[place] = time
        except (TypeError, ValueError):
            raise ValueError(
                f"the time {_road(found, place)} is {time!r}; give a number of at least 0"
            ) from None
    bad = np.flatnonzero(~((times >= 0) & (times < math.inf)))
    if len(bad):
        place = int(bad[0])
        raise ValueError(
            f"the time {_road(found, place)} is {times[place]}; give a finite number of at least "
            "0: what the road takes beyond the visit at its end"
        )
    return times


def _road(found: Roads, place: int) -> str:
    a, b = found.ends[place].tolist()
    return f"of the road from node {found.name(a)} to node {found.name(b)}"


def _of_networkx(source: Any, times: TimesLike | None) -> Roads:
    names = list(source.adj)
    edges = list(source.edges(data=True))
    number = {name: number for number, name in enumerate(names)}
    ends = np.fromiter((number[end] for a, b, _ in edges for end in (a, b)), np.int64)
    plain = all(type(name) is int and name == place for place, name in enumerate(names))
    found = Roads(_some(len(names)), None if plain else names, ends.reshape(-1, 2), None)
    return _timed(found, [data for _, _, data in edges], times)


def _of_rustworkx(source: Any, times: TimesLike | None) -> Roads:
    places = np.asarray(source.node_indices(), np.int64)
    edges = source.weighted_edge_list()
    ends = np.array([(a, b) for a, b, _ in edges], np.int64).reshape(-1, 2)
    labels = rustworkx_labels(source, places)
    found = Roads(_some(len(places)), labels, np.searchsorted(places, ends), None)
    return _timed(found, [payload for _, _, payload in edges], times)


def _some(nodes: int) -> int:
    if not nodes:
        raise ValueError("the graph has no nodes; a graph bandit needs at least one")
    return nodes


def _timed(found: Roads, data: list[Any], times: TimesLike | None) -> Roads:
    """The roads, with the times that their data give."""
    if times is None:
        return found
    if callable(times):
        read: list[Any] = [times(of_edge) for of_edge in data]
    elif isinstance(times, str):
        read = []
        for place, of_edge in enumerate(data):
            try:
                read.append(of_edge[times])
            except (KeyError, TypeError, IndexError):
                a, b = found.ends[place].tolist()
                raise ValueError(
                    f"the edge from node {found.name(a)} to node {found.name(b)} has no {times!r}; "
                    "give every edge one, or give a function of its data as times"
                ) from None
    else:
        raise TypeError(
            f"times of a graph with edge data are of type {type(times).__name__}; give the name of "
            "an attribute, or a function of an edge's data"
        )
    return Roads(found.nodes, found.labels, found.ends, read)


def _of_matrix(source: Any, times: TimesLike | None) -> Roads:
    rows, columns = source.shape
    if rows != columns:
        raise ValueError(f"the matrix is {rows} by {columns}; the matrix of a graph is square")
    if times is not None and not (isinstance(times, str) and times == WEIGHTS):
        raise ValueError(f"times of a matrix are its entries; give times={WEIGHTS!r}")
    # Entries that occur twice are added up, as scipy does.
    matrix = source.tocsr().tocoo()
    ends = np.stack([np.asarray(matrix.row), np.asarray(matrix.col)], axis=1).astype(np.int64)
    entries = np.asarray(matrix.data)
    if times is None:
        return Roads(_some(rows), None, ends[entries != 0], None)
    return Roads(_some(rows), None, ends, entries)


def _of_array(source: npt.NDArray[Any], times: TimesLike | None) -> Roads:
    numeric = np.issubdtype(source.dtype, np.number)
    weighted = isinstance(times, str) and times == WEIGHTS
    if not numeric or source.ndim != 2 or source.shape[1] != 2 + weighted:
        return _of_edges(map(tuple, source.tolist()), times)
    ends = source[:, :2].astype(np.int64)
    if not np.array_equal(ends, source[:, :2]):
        return _of_edges(map(tuple, source.tolist()), times)
    if not len(ends):
        raise ValueError("there are no edges; say how many nodes there are with Graph.from_roads")
    taken = source[:, 2] if weighted else _listed(times)
    return Roads(int(ends.max()) + 1, None, ends, taken)


def _of_edges(source: Iterable[Any], times: TimesLike | None) -> Roads:
    weighted = isinstance(times, str) and times == WEIGHTS
    number: dict[Hashable, int] = {}
    ends: list[int] = []
    third: list[Any] = []
    for edge in source:
        try:
            a, b, *rest = edge
        except (TypeError, ValueError):
            rest = [None] * 3
        if len(rest) != weighted:
            shape = "a pair of nodes and a time" if weighted else "a pair of nodes"
            raise ValueError(f"{edge!r} is not an edge; an edge is {shape}")
        ends.append(number.setdefault(a, len(number)))
        ends.append(number.setdefault(b, len(number)))
        third += rest
    if not number:
        raise ValueError("there are no edges; a graph bandit needs at least one node")
    taken = third if weighted else _listed(times)
    return Roads(len(number), list(number), np.asarray(ends, np.int64).reshape(-1, 2), taken)


def _listed(times: TimesLike | None) -> Sequence[Any] | None:
    """Times that are given in a list of their own."""
    if times is None:
        return None
    if isinstance(times, str) or callable(times):
        raise ValueError(
            f"times of edges are {times!r}; give one number per edge, or edges (a, b, time) and "
            f"times={WEIGHTS!r}"
        )
    listed: Sequence[Any] = np.asarray(times).ravel().tolist()
    return listed


_READERS: dict[Kind, Callable[[Any, TimesLike | None], Roads]] = {
    Kind.NETWORKX: _of_networkx,
    Kind.RUSTWORKX: _of_rustworkx,
    Kind.MATRIX: _of_matrix,
    Kind.ARRAY: _of_array,
    Kind.EDGES: _of_edges,
}

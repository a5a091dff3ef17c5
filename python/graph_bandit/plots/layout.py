"""Where nodes are drawn: where they are, or where their hops put them.

The plane is filled by stress majorization (Gansner, Koren and North 2004): distances on paper as
near to hops as can be. It draws lines straight and circles round, needs nothing random, and starts
from pivot MDS (Brandes and Pich 2007), which alone serves on large graphs. networkx's layouts need
scipy or randomness; they can be given as ``places``.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..graphs import Graph

if TYPE_CHECKING:
    import numpy.typing as npt

#: Two numbers per node: an array by node number, or a mapping by label as networkx's layouts give.
Places: TypeAlias = "npt.ArrayLike | Mapping[Any, npt.ArrayLike]"

#: Up to so many nodes all distances count, else only those to the pivots.
ALL_DISTANCES = 800
PIVOTS = 50
SWEEPS = 100


def layout(graph: Graph, places: Places | None = None) -> npt.NDArray[np.float64]:
    """A place in the plane for every node, by number.

    It is the one given; else the graph's coordinates; else labels that are pairs of numbers, as
    those of networkx's grids; else one that keeps hops.

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
    return _by_hops(graph)


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


def _by_hops(graph: Graph) -> npt.NDArray[np.float64]:
    nodes = len(graph)
    if nodes == 1:
        return np.zeros((1, 2))
    rows = _rows(graph)
    if nodes > ALL_DISTANCES:
        return _pivot_mds(_from_pivots(rows, PIVOTS))
    hops = np.array([_hops(rows, node) for node in range(nodes)])
    return _majorized(hops, _pivot_mds(hops))


def _rows(graph: Graph) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where each node's neighbours begin, and all of them one after another."""
    edges = graph.edge_array()
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    begins = np.searchsorted(both[:, 0], np.arange(len(graph) + 1))
    return begins.astype(np.int64), both[:, 1]


def _hops(
    rows: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]], source: int
) -> npt.NDArray[np.float64]:
    begins, neighbors = rows
    hops = np.full(len(begins) - 1, np.inf)
    hops[source] = 0.0
    front = np.array([source])
    distance = 0
    while len(front):
        distance += 1
        counts = begins[front + 1] - begins[front]
        places = np.repeat(begins[front] - np.cumsum(counts) + counts, counts)
        around = neighbors[places + np.arange(counts.sum())]
        front = np.unique(around[np.isinf(hops[around])])
        hops[front] = distance
    return hops


def _from_pivots(
    rows: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]], many: int
) -> npt.NDArray[np.float64]:
    """Hops from pivots, each the farthest from those before it."""
    found = [_hops(rows, 0)]
    nearest = found[0].copy()
    while len(found) < many:
        found.append(_hops(rows, int(nearest.argmax())))
        nearest = np.minimum(nearest, found[-1])
    return np.array(found)


def _pivot_mds(hops: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    squares = hops**2
    centred = squares - squares.mean(0) - squares.mean(1, keepdims=True) + squares.mean()
    axes = np.linalg.eigh(centred @ centred.T)[1][:, -1:-3:-1]
    # Signs of eigenvectors are arbitrary: the largest part is made positive.
    signs = np.sign(axes[np.abs(axes).argmax(0), range(axes.shape[1])])
    spread = -(centred.T @ axes) * signs
    scale = np.abs(spread).max()
    return np.asarray(spread * (hops.max() / (2 * scale)))


def _majorized(
    hops: npt.NDArray[np.float64], places: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Moves every node to where the others want it, weighted by the square of nearness."""
    nodes = len(hops)
    # Nodes alike in all hops, as leaves of a star, start in one point and must be parted.
    turns = 2.399963 * np.arange(nodes)
    places = places + 0.1 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    weights = 1.0 / (hops + np.eye(nodes)) ** 2
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(1)) - weights
    inverse = np.linalg.pinv(laplacian)
    pull = weights * hops
    for _ in range(SWEEPS):
        apart = places[:, None, :] - places[None, :, :]
        length = np.sqrt((apart**2).sum(2))
        ratio = pull / np.where(length > 0, length, 1.0)
        moved = np.diag(ratio.sum(1)) - ratio
        places = inverse @ (moved @ places)
    return places

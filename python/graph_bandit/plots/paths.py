"""Where walkers went: their paths on the graph, and how often each was on each node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..graphs import Graph
from ..team_traces import TeamTrace
from ..traces import Trace
from .layout import Places
from .network import EDGE, UNKNOWN, Network
from .palette import PAPER
from .team import arc, lane_width, lanes_of, look_of, name_walkers, side_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

#: The line widths of a road that was driven once, and of the one that was driven most.
_WIDTHS = (1.2, 4.0)
#: With more walkers, lines are thinner, and the parts of pies have no borders.
_FEW = 6


@dataclass(frozen=True)
class Paths:
    """Where walkers went in some steps of a run."""

    graph: Graph
    agent: str
    #: The first and the last step shown; steps count from 1.
    steps: tuple[int, int]
    #: For every walker, the roads that it drove, one row of two node numbers each.
    roads: tuple[npt.NDArray[np.int64], ...]
    #: For every walker, how often it drove each of these.
    drives: tuple[npt.NDArray[np.int64], ...]
    #: Visits by walker and node.
    visits: npt.NDArray[np.int64]


def path_data(trace: Trace | TeamTrace, since: int = 1, until: int | None = None) -> Paths:
    """What :func:`paths` draws: roads and visits from step ``since`` to step ``until``.

    For a walker alone, steps are visits. Both directions of a road count as one.

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> walk = gb.trace("line:5", "g-star", walkers=2, starts=[0, 4], steps=100, seed=3)
    >>> plots.path_data(walk).visits.sum()
    np.int64(200)
    """
    if not isinstance(trace, Trace | TeamTrace):
        raise TypeError(
            f"{type(trace).__name__!r} has no paths; give a trace (gb.trace, results.trace)"
        )
    nodes = trace.nodes if isinstance(trace, TeamTrace) else trace.nodes[:, None]
    there = ~trace.on_road if isinstance(trace, TeamTrace) else np.ones(nodes.shape, np.bool_)
    last = len(nodes) if until is None else int(until)
    if not 1 <= since <= last <= len(nodes):
        raise ValueError(
            f"since is {since!r}, until is {until!r}; give steps from 1 to {len(nodes)}, in order"
        )
    many = len(trace.means)
    graph = trace.world.graph
    roads, drives, visits = [], [], []
    known = {tuple(sorted(edge)) for edge in graph.edge_array().tolist()}
    for walker in range(nodes.shape[1]):
        own = nodes[since - 1 : last, walker]
        pairs = np.sort(np.stack([own[:-1], own[1:]], axis=1), axis=1)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        driven, times = np.unique(pairs, axis=0, return_counts=True)
        # After covering the graph, a walker alone may jump to its start.
        real = np.array([tuple(road) in known for road in driven.tolist()], np.bool_)
        roads.append(driven[real] if len(driven) else np.empty((0, 2), np.int64))
        drives.append(times[real] if len(driven) else np.empty(0, np.int64))
        visits.append(np.bincount(own[there[since - 1 : last, walker]], minlength=many))
    return Paths(
        graph=graph,
        agent=trace.agent,
        steps=(since, last),
        roads=tuple(roads),
        drives=tuple(drives),
        visits=np.array(visits),
    )


def paths(
    trace: Trace | TeamTrace,
    *,
    since: int = 1,
    until: int | None = None,
    places: Places | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws where walkers went from step ``since`` to step ``until`` (default: all steps).

    Every walker has its own colour and goes in its own lane; a road that it drove often is wider.
    The pie on a node shows how often each walker was there; a larger pie has more visits, on a
    logarithmic scale.

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> walk = gb.trace("grid:5x5", "g-star", walkers=3, steps=500, seed=3)
    >>> plots.paths(walk, until=100).get_title(loc="left")
    'paths of 3 walkers, g-star, steps 1 to 100'
    """
    shown = path_data(trace, since, until)
    network = Network(shown.graph, places, ax)
    walkers = len(shown.roads)
    whose = f"paths of {walkers} walkers" if walkers > 1 else "path"
    what = "steps" if isinstance(trace, TeamTrace) else "visits"
    first, last = shown.steps
    network.title(f"{whose}, {shown.agent}, {what} {first:,} to {last:,}")
    _draw_roads(network, shown)
    _draw_visits(network, shown.visits)
    name_walkers(network.ax, range(walkers))
    return network.ax


def _draw_roads(network: Network, shown: Paths) -> None:
    from matplotlib.collections import LineCollection

    walkers = len(shown.roads)
    lanes = lane_width(network.size, walkers) * lanes_of(walkers)
    most = max((int(times.max()) for times in shown.drives if len(times)), default=1)
    thin, wide = (min(1.0, _FEW / walkers) * width for width in _WIDTHS)
    for walker, (roads, times) in enumerate(zip(shown.roads, shown.drives, strict=True)):
        if not len(roads):
            continue
        ends = network.places[roads]
        ends = ends + lanes[walker] * side_of(ends)[:, None, :]
        share = np.log(times) / np.log(max(most, 2))
        drawn = LineCollection(
            list(ends),
            colors=look_of(walker).color,
            linewidths=thin + (wide - thin) * share,
            capstyle="round",
            zorder=1.6,
            label=f"path {walker}",
        )
        network.ax.add_collection(drawn, autolim=False)


def _draw_visits(network: Network, visits: npt.NDArray[np.int64]) -> None:
    from matplotlib.collections import PolyCollection

    all_visits = visits.sum(axis=0)
    most = max(2, int(all_visits.max()))
    empty = network.places[all_visits == 0]
    if len(empty):
        network.discs(empty, 0.6 * network.size).set(
            facecolor=UNKNOWN, edgecolor=EDGE, linewidth=0.5, zorder=2
        )
    for walker, own in enumerate(visits):
        wedges = []
        for node in np.flatnonzero(own).tolist():
            # Between 0.6 and 1 of the full size.
            radius = 0.5 * network.size * (0.6 + 0.4 * np.log(all_visits[node]) / np.log(most))
            before, total = visits[:walker, node].sum(), all_visits[node]
            wedges.append(network.places[node] + radius * wedge(before / total, own[node] / total))
        if wedges:
            drawn = PolyCollection(
                wedges,
                facecolors=look_of(walker).color,
                edgecolors=PAPER,
                linewidths=0.6 if len(visits) <= _FEW else 0.0,
                zorder=2,
                label=f"visits {walker}",
            )
            network.ax.add_collection(drawn, autolim=False)


def wedge(begin: float, share: float) -> npt.NDArray[np.float64]:
    """The outline of a part of a disc of radius 1, clockwise from the top.

    >>> wedge(0.0, 0.25).round(3)[[0, 1, -1]].tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    if share >= 1.0:
        return arc(0, 1)
    angles = np.pi / 2 - 2 * np.pi * np.linspace(begin, begin + share, 3 + int(60 * share))
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.concatenate([np.zeros((1, 2)), around])

"""Numbers drawn on the graph: visits, estimates and bounds, with the walker and its next leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..graphs import Graph
from .axes import NETWORK, TEXT, axes_for, rounded
from .beliefs import Beliefs, Source, beliefs
from .layout import Places, layout
from .palette import MUTED, PAPER, WALKER, ramp
from .team import Walkers, name_walkers

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.collections import EllipseCollection, LineCollection
    from matplotlib.colors import Normalize
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

EDGE = "#c8cdd2"
#: The colour of nodes without a number.
UNKNOWN = "#f3f4f6"
#: Up to this many nodes the distances of all pairs count, beyond it only those along edges.
ALL_PAIRS = 1000


def visits(
    source: Source,
    *,
    until: int | None = None,
    places: Places | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws how often nodes were visited on the graph, on a logarithmic scale.

    ``source`` is a session, or a trace after ``until`` visits (default: all), or a team, or its
    trace after ``until`` steps. ``places`` says where nodes are drawn; see :func:`layout`.

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> walk = gb.trace(gb.World("grid:5x5"), "g-ucb", steps=500, seed=3)
    >>> plots.visits(walk).get_title(loc="left")
    'visits per node, g-ucb after 541 visits'
    """
    now = beliefs(source, until)
    found = Network(now.graph, places, ax)
    found.title(_caption("visits per node", now))
    counts = np.where(now.counts > 0, now.counts, np.nan).astype(np.float64)
    from matplotlib.colors import LogNorm

    norm = LogNorm(1.0, max(2.0, float(now.counts.max())))
    found.nodes(counts, norm)
    found.scale(norm, logarithmic=True)
    found.walkers(now)
    return found.ax


def estimates(
    source: Source,
    *,
    until: int | None = None,
    places: Places | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws the average rewards of nodes on the graph; nodes without visits are empty."""
    now = beliefs(source, until)
    found = Network(now.graph, places, ax)
    found.title(_caption("estimates", now))
    norm = norm_of(now.means)
    found.nodes(now.means, norm)
    found.scale(norm)
    found.walkers(now)
    return found.ax


def bounds(
    source: Source,
    *,
    until: int | None = None,
    places: Places | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draws upper bounds as rings around estimates on the graph, on one scale.

    Where ring and centre look alike, the agent is sure; where the ring is darker, the node may be
    better than its estimate. If the scores of an agent (``Session.scores``) are not upper bounds,
    only the scores are drawn.
    """
    now = beliefs(source, until)
    if now.bounds is None:
        raise ValueError(f"agent {now.agent} has no bounds; draw its estimates or visits instead")
    seen = now.counts > 0
    if np.all(now.bounds[seen] >= now.means[seen]):
        found = Network(now.graph, places, ax)
        found.title(_caption("upper bounds around estimates", now))
        norm = norm_of(np.concatenate([now.means, now.bounds]))
        found.nodes(now.bounds, norm)
        found.nodes(now.means, norm, share=0.55)
    else:
        found = Network(now.graph, places, ax)
        found.title(_caption("scores", now))
        norm = norm_of(now.bounds)
        found.nodes(now.bounds, norm)
    found.scale(norm)
    found.walkers(now)
    return found.ax


@dataclass
class Marks:
    """The marks of the walker and its leg; an animation moves them."""

    ring: EllipseCollection
    leg: Line2D
    goal: Line2D


class Network:
    """A graph on axes, on which numbers are drawn."""

    def __init__(self, graph: Graph, places: Places | None, ax: Axes | None) -> None:
        self.ax = axes_for(ax, NETWORK)
        self.places = layout(graph, places)
        edges = graph.edge_array()
        self.size = _size(self.places, edges)
        self.edges = self._edges(edges)
        self._one_way(graph)
        self.ax.set_axis_off()
        # A narrow graph is on the left, so that its title has the whole width.
        self.ax.set_aspect("equal", anchor="W")
        low, high = self.places.min(0) - self.size, self.places.max(0) + self.size
        self.ax.set_xlim(low[0], high[0])
        self.ax.set_ylim(low[1], high[1])

    def title(self, text: str) -> Text:
        """Writes a title above the graph."""
        return self.ax.set_title(text, loc="left", color=MUTED, size=TEXT, pad=6, wrap=True)

    def _edges(self, edges: npt.NDArray[np.int64]) -> LineCollection:
        from matplotlib.collections import LineCollection

        drawn = LineCollection(
            list(self.places[edges]), colors=EDGE, linewidths=1.0, zorder=1, label="edges"
        )
        self.ax.add_collection(drawn, autolim=False)
        return drawn

    def _one_way(self, graph: Graph) -> None:
        """Draws an arrowhead in the middle of every one-way road."""
        ends = one_way(graph)
        if not len(ends):
            return
        from matplotlib.collections import PolyCollection

        drawn = PolyCollection(
            list(heads(self.places[ends], 0.45 * self.size)),
            facecolors=MUTED,
            linewidths=0,
            zorder=1.5,
            label="one way",
        )
        self.ax.add_collection(drawn, autolim=False)

    def nodes(
        self, values: npt.NDArray[np.float64], norm: Normalize, share: float = 1.0
    ) -> EllipseCollection:
        """Draws discs coloured by value, ``share`` of the full size; empty without a number."""
        drawn = self.discs(self.places, share * self.size)
        drawn.set_cmap(ramp().with_extremes(bad=UNKNOWN))
        drawn.set_norm(norm)
        drawn.set_array(np.ma.masked_invalid(values))
        drawn.set(linewidth=0.5, edgecolor=PAPER if share < 1 else EDGE, zorder=2 + (share < 1))
        return drawn

    def discs(self, places: npt.NDArray[np.float64], size: float) -> EllipseCollection:
        """Draws discs of this diameter."""
        from matplotlib.collections import EllipseCollection

        many = len(places)
        drawn = EllipseCollection(
            np.full(many, size),
            np.full(many, size),
            np.zeros(many),
            units="xy",
            offsets=places,
            offset_transform=self.ax.transData,
        )
        self.ax.add_collection(drawn, autolim=False)
        return drawn

    def scale(self, norm: Normalize, *, logarithmic: bool = False) -> None:
        """Draws a bar that says what the colours mean."""
        from matplotlib.cm import ScalarMappable

        ticks, written = rounded(5, log=logarithmic)
        bar = self.ax.figure.colorbar(
            ScalarMappable(norm, ramp()),
            ax=self.ax,
            shrink=0.6,
            aspect=24,
            pad=0.03,
            panchor=False,
            ticks=ticks,
            format=written,
        )
        bar.outline.set_visible(False)
        bar.ax.minorticks_off()
        bar.ax.tick_params(colors=MUTED, labelsize=TEXT, length=0)

    def walkers(self, now: Beliefs) -> None:
        """Draws where the walker is, or all walkers of a team, with their next legs."""
        if now.team:
            numbers = now.numbers or tuple(range(len(now.team)))
            Walkers(self, now.team, numbers)
            name_walkers(self.ax, numbers)
        else:
            self.walker(now.at, now.leg)

    def walker(self, at: int, path: Sequence[int]) -> Marks:
        """Draws a ring around the walker, its next leg as a line, and a dot where the leg ends."""
        ring = self.discs(self.places[[at]], 1.25 * self.size)
        ring.set(facecolor="none", edgecolor=WALKER, linewidth=2.2, zorder=5, label="walker")
        (leg,) = self.ax.plot([], [], color=WALKER, linewidth=2.2, zorder=4, label="leg")
        leg.set(solid_joinstyle="round", solid_capstyle="round")
        (goal,) = self.ax.plot([], [], "o", color=WALKER, ms=6, mec=PAPER, zorder=6, label="goal")
        marks = Marks(ring, leg, goal)
        self.move(marks, at, path)
        return marks

    def move(self, marks: Marks, at: int, path: Sequence[int]) -> None:
        """Moves the walker and its leg."""
        marks.ring.set_offsets(self.places[[at]])
        way = self.places[[at, *path]]
        if path:
            # The line starts at the ring's edge, not in its centre.
            first = way[1] - way[0]
            length = float(np.hypot(*first))
            way = way.copy()
            way[0] += first * min(1.0, 0.62 * self.size / length) if length else 0.0
        marks.leg.set_data(way[:, 0], way[:, 1])
        marks.goal.set_data(way[-1:, 0] if path else [], way[-1:, 1] if path else [])


def heads(roads: npt.NDArray[np.float64], length: float) -> npt.NDArray[np.float64]:
    """Triangles in the middle of roads that point along them; a road is given by its two ends.

    >>> heads(np.array([[[0.0, 0.0], [4.0, 0.0]]]), 2.0).tolist()
    [[[3.0, 0.0], [1.0, 0.8], [1.0, -0.8]]]
    """
    start, end = roads[:, 0], roads[:, 1]
    far = np.hypot(*(end - start).T)[:, None]
    along = length / 2 * (end - start) / np.where(far > 0, far, 1.0)
    across = 0.8 * np.stack([-along[:, 1], along[:, 0]], axis=1)
    middle = (start + end) / 2
    return np.stack([middle + along, middle - along + across, middle - along - across], axis=1)


def one_way(graph: Graph) -> npt.NDArray[np.int64]:
    """The one-way roads, one row of two node numbers each.

    >>> import graph_bandit as gb
    >>> one_way(gb.graph([(0, 1), (1, 2), (2, 0), (1, 0)], directed=True)).tolist()
    [[1, 2], [2, 0]]
    """
    if not graph.directed:
        return np.empty((0, 2), np.int64)
    ends, nodes = graph.road_array(), len(graph)
    there, back = ends[:, 0] * nodes + ends[:, 1], ends[:, 1] * nodes + ends[:, 0]
    return np.asarray(ends[~np.isin(there, back)])


def _caption(what: str, now: Beliefs) -> str:
    count, unit = (now.visits, "visit") if now.steps is None else (now.steps, "step")
    return f"{what}, {now.agent} after {count:,} {unit}{'s' if count != 1 else ''}"


def _size(places: npt.NDArray[np.float64], edges: npt.NDArray[np.int64]) -> float:
    """A diameter at which nodes can be seen and few of them overlap."""
    extent = float(np.ptp(places, axis=0).max())
    if extent == 0.0:
        return 1.0
    if len(places) <= ALL_PAIRS:
        apart = np.hypot(*(places[:, None, :] - places[None, :, :]).transpose(2, 0, 1))
        lengths = np.where(apart > 0, apart, np.inf).min(1)
    else:
        lengths = np.hypot(*(places[edges[:, 0]] - places[edges[:, 1]]).T)
    most, least = 0.1 * extent, 0.2 * extent / np.sqrt(len(places))
    return float(np.clip(0.72 * np.quantile(lengths, 0.1), min(least, most), most))


def norm_of(values: npt.NDArray[np.float64]) -> Normalize:
    """A scale that covers all finite values."""
    from matplotlib.colors import Normalize

    finite = values[np.isfinite(values)]
    if not len(finite):
        return Normalize(0.0, 1.0)
    low, high = float(finite.min()), float(finite.max())
    return Normalize(low, high if high > low else low + 1.0)

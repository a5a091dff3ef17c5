"""Several walkers on the graph: each has its colour, an arc around its node, and its next leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .axes import TEXT
from .beliefs import Standing
from .palette import HUES, MUTED, PAPER

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from .network import Network

#: The hues of walkers: first those that are least like the colours of nodes and like each other.
_ORDER = (2, 15, 12, 6, 4, 11, 7, 0, 9, 14, 10, 8, 1, 13, 3, 5)
#: The dashes of legs. Walkers of the same hue have different ones.
_DASHES = ("solid", "dashed", "dotted", "dashdot")
#: A legend names at most this many walkers.
MOST_NAMED = len(_ORDER)


@dataclass(frozen=True)
class Look:
    """How a walker is drawn."""

    color: str
    dash: str


def look_of(walker: int) -> Look:
    """How the walker of this number is drawn, in every figure.

    >>> look_of(0).color, look_of(16).color, look_of(16).dash
    ('#d55e00', '#d55e00', 'dashed')
    """
    again, place = divmod(walker, len(_ORDER))
    return Look(HUES[_ORDER[place]], _DASHES[again % len(_DASHES)])


class Walkers:
    """The marks of all walkers; an animation moves them."""

    def __init__(
        self, network: Network, walkers: Sequence[Standing], numbers: Sequence[int]
    ) -> None:
        self._network = network
        self._gap = lane_width(network.size, len(walkers))
        self.rings: list[Line2D] = []
        self.legs: list[Line2D] = []
        self.goals: list[Line2D] = []
        for number in numbers:
            self._add(number)
        self.move(walkers)

    def _add(self, number: int) -> None:
        from matplotlib.patheffects import Normal, Stroke

        look, ax = look_of(number), self._network.ax
        halo = [Stroke(linewidth=4.4, foreground=PAPER), Normal()]
        (ring,) = ax.plot([], [], color=look.color, linewidth=2.6, zorder=5, path_effects=halo)
        ring.set(label=f"walker {number}", solid_capstyle="butt")
        (leg,) = ax.plot([], [], color=look.color, linestyle=look.dash, linewidth=1.8, zorder=4)
        leg.set(label=f"leg {number}", solid_joinstyle="round", solid_capstyle="round")
        (goal,) = ax.plot([], [], "o", color=look.color, ms=5, mec=PAPER, zorder=6)
        goal.set_label(f"goal {number}")
        self.rings.append(ring)
        self.legs.append(leg)
        self.goals.append(goal)

    def move(self, walkers: Sequence[Standing]) -> None:
        """Moves all walkers and their legs."""
        places, size = self._network.places, self._network.size
        together: dict[int, list[int]] = {}
        for row, walker in enumerate(walkers):
            together.setdefault(walker.at, []).append(row)
        for node, rows in together.items():
            for part, row in enumerate(rows):
                around = places[node] + 0.62 * size * arc(part, len(rows))
                self.rings[row].set_data(around[:, 0], around[:, 1])
        lanes = lanes_of(len(walkers))
        for row, walker in enumerate(walkers):
            way = beside(places[[walker.at, *walker.leg]], self._gap * lanes[row])
            shown = way if walker.leg else way[:0]
            self.legs[row].set_data(shown[:, 0], shown[:, 1])
            self.goals[row].set_data(shown[-1:, 0], shown[-1:, 1])

    def artists(self) -> list[Line2D]:
        """All marks."""
        return [*self.rings, *self.legs, *self.goals]


def arc(part: int, parts: int) -> npt.NDArray[np.float64]:
    """The points of one of equal parts of a circle of radius 1, with a small gap; from the top.

    >>> arc(0, 1)[0].round(6).tolist(), arc(1, 2).round(1).min(axis=0).tolist()
    ([0.0, 1.0], [-1.0, -1.0])
    """
    gap = 0.0 if parts == 1 else min(0.18, 0.4 / parts)
    whole = 2 * np.pi / parts
    angles = np.pi / 2 - np.linspace(part * whole + gap / 2, (part + 1) * whole - gap / 2, 49)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def lanes_of(walkers: int) -> npt.NDArray[np.float64]:
    """How many lanes each walker goes beside the middle of a road.

    >>> lanes_of(3).tolist()
    [-1.0, 0.0, 1.0]
    """
    return np.arange(walkers, dtype=np.float64) - (walkers - 1) / 2


def lane_width(size: float, walkers: int) -> float:
    """The width of a lane, so that the lanes of all walkers fit beside each other."""
    return min(0.14 * size, 0.5 * size / walkers)


def beside(way: npt.NDArray[np.float64], far: float) -> npt.NDArray[np.float64]:
    """The same way, moved sideways by ``far``; the side does not depend on the direction.

    >>> beside(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), 0.5).tolist()
    [[0.0, 0.5], [1.0, 0.5], [2.0, 0.5]]
    """
    if len(way) < 2:
        return way
    sides = side_of(np.stack([way[:-1], way[1:]], axis=1))
    at_nodes = np.concatenate([sides[:1], sides[:-1] + sides[1:], sides[-1:]])
    length = np.hypot(*at_nodes.T)[:, None]
    # Where a way turns back, its two sides cancel: take that of the road before.
    before = np.concatenate([sides[:1], sides])
    unit = np.where(length > 1e-9, at_nodes / np.where(length > 1e-9, length, 1.0), before)
    moved: npt.NDArray[np.float64] = way + far * unit
    return moved


def side_of(roads: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A unit vector across each road, the same for both directions; roads are pairs of ends."""
    along = roads[:, 1] - roads[:, 0]
    backwards = (along[:, 0] < 0) | ((along[:, 0] == 0) & (along[:, 1] < 0))
    along = np.where(backwards[:, None], -along, along)
    length = np.hypot(*along.T)[:, None]
    along = along / np.where(length > 0, length, 1.0)
    return np.stack([-along[:, 1], along[:, 0]], axis=1)


def name_walkers(ax: Axes, numbers: Sequence[int]) -> None:
    """Writes below the graph which colour is whose, if there are not too many.

    A walker alone is named only if its number is not 0: then others were in the team.
    """
    if not numbers or tuple(numbers) == (0,) or len(numbers) > MOST_NAMED:
        return
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=look_of(walker).color, linewidth=2.6, label=str(walker))
        for walker in numbers
    ]
    legend = ax.legend(
        handles=handles,
        title="walker",
        ncols=min(len(numbers), 8),
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        frameon=False,
        fontsize=TEXT,
        labelcolor=MUTED,
        handlelength=1.2,
        columnspacing=1.0,
        borderaxespad=0.3,
    )
    legend.get_title().set(color=MUTED, size=TEXT)

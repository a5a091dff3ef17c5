"""Colours: the same for an agent as in the figures of the command line, on light paper.

Hues are told apart by the colour-blind, too; dashes are a second channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _core

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

_COLORS = _core.palette()
(INK,), (MUTED,), (GRID,), (PAPER,) = (_COLORS[role] for role in ("ink", "muted", "grid", "paper"))
HUES = tuple(_COLORS["hues"])
#: The walker, which no colour of the ramp resembles.
WALKER = HUES[2]
#: Part of viridis; more always means farther from the paper.
RAMP = tuple(_COLORS["ramp"])


@dataclass(frozen=True)
class Style:
    """How an agent's line looks."""

    color: str
    #: As matplotlib calls it: ``"solid"``, ``"dashed"`` or ``"dotted"``.
    dash: str


def styles_of(labels: Sequence[str]) -> list[Style]:
    """The styles of agents that meet in one figure.

    Agents of the registry always have their own, and keep it with other parameters where it is
    free. Others have one that depends on their label, and move on where it is taken.

    >>> from graph_bandit.plots.palette import styles_of
    >>> styles_of(["g-ucb", "Mine"])[0]
    Style(color='#0072b2', dash='solid')
    """
    return [Style(color, dash) for color, dash in _core.styles_of(list(labels))]


def ramp() -> Colormap:
    """The colours of numbers, from few to many."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("graph-bandit", list(RAMP))

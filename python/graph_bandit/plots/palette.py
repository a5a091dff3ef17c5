"""Colours on light paper: an agent has the same colour as in the figures of the command line.

People who are colour-blind can tell the hues apart; dashes help as well.
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
#: The colour of the walker, unlike any colour of the ramp.
WALKER = HUES[2]
#: Part of viridis; a larger number is always darker.
RAMP = tuple(_COLORS["ramp"])


@dataclass(frozen=True)
class Style:
    """How an agent's line looks."""

    color: str
    #: As matplotlib calls it: ``"solid"``, ``"dashed"`` or ``"dotted"``.
    dash: str


def styles_of(labels: Sequence[str]) -> list[Style]:
    """The styles of agents that meet in one figure.

    An agent of the registry always has its own style. With other parameters it keeps that style, if
    no other agent of the figure has it. The style of your own agents depends on their label; if it
    is taken, they get the next one.

    >>> from graph_bandit.plots.palette import styles_of
    >>> styles_of(["g-ucb", "Mine"])[0]
    Style(color='#0072b2', dash='solid')
    """
    return [Style(color, dash) for color, dash in _core.styles_of(list(labels))]


def ramp() -> Colormap:
    """The colours of numbers, from low to high."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("graph-bandit", list(RAMP))

"""Colours: the same for an agent as in the figures of the command line, on light paper.

Hues are told apart with and without red and green; dashes are a second channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _core
from ..registry import AGENTS

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

_COLORS = _core.palette()
(INK,), (MUTED,), (GRID,), (PAPER,) = (_COLORS[role] for role in ("ink", "muted", "grid", "paper"))
HUES = tuple(_COLORS["hues"])
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

    Agents of the registry always have their own. Others have one that depends on their label, and
    move on to the next free one where it is taken.

    >>> from graph_bandit.plots.palette import styles_of
    >>> styles_of(["g-ucb", "Mine"])[0]
    Style(color='#0072b2', dash='solid')
    """
    chosen = {label: _own_style(label) for label in labels if _has_own(label)}
    for label in labels:
        if label not in chosen:
            chosen[label] = _free_style(label, list(chosen.values()))
    return [chosen[label] for label in labels]


def ramp() -> Colormap:
    """The colours of numbers, from few to many."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("graph-bandit", list(RAMP))


def _has_own(label: str) -> bool:
    return label in AGENTS and AGENTS[label]["look"] is not None


def _own_style(label: str) -> Style:
    look = AGENTS[label]["look"]
    return Style(HUES[look["slot"]], look["dash"])


def _free_style(label: str, taken: Sequence[Style]) -> Style:
    start = _hash(label)
    candidates = [_other_style(start + k) for k in range(3 * len(HUES))]
    hues = {style.color for style in taken}
    # A hue nobody has is best, then dashes nobody has with it, then whatever comes.
    free_hue = [style for style in candidates if style.color not in hues]
    free = free_hue or [style for style in candidates if style not in taken]
    return (free or candidates)[0]


def _other_style(number: int) -> Style:
    dash = ("dashed", "dotted", "solid")[number // len(HUES) % 3]
    return Style(HUES[number % len(HUES)], dash)


def _hash(text: str) -> int:
    """64-bit FNV-1a, folded so that all its bits count."""
    h = 0xCBF2_9CE4_8422_2325
    for byte in text.encode():
        h = (h ^ byte) * 0x0100_0000_01B3 % 2**64
    return (h ^ (h >> 32)) & 0xFFFF_FFFF

"""Colours: the same for an agent as in the figures of the command line.

A copy of ``crates/graph-bandit-lab/src/figure/palette.rs``, on light paper only; a test reads that
file and compares. Hues are told apart with and without red and green; dashes are a second channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

INK = "#1f2328"
MUTED = "#5c636b"
GRID = "#e4e7ea"
PAPER = "#ffffff"

#: Agents in the order of their hues, with their dashes.
AGENTS = {
    "g-ucb": "solid",
    "direct-sp": "dashed",
    "ucrl2": "solid",
    "g-ucb-ucrl2-bound": "dotted",
    "g-ucb-ucrl2-doubling": "dashed",
    "local-ucb": "solid",
    "local-ts": "dashed",
    "ql-eps": "solid",
    "ql-ucb-h": "dashed",
    "g-ts": "solid",
    "g-moss": "solid",
    "g-imed": "dashed",
    "g-klucb": "solid",
    "g-star": "dotted",
}

HUES = (
    "#0072b2",
    "#af8d58",
    "#d55e00",
    "#767678",
    "#8e6ef2",
    "#3ea282",
    "#637b53",
    "#c26e9b",
    "#771d5a",
    "#054390",
    "#28a0c3",
    "#5a3508",
    "#cb2833",
    "#175042",
)

#: Part of viridis; more always means farther from the paper.
RAMP = (
    "#43bf71",
    "#31b57b",
    "#24aa83",
    "#1f9f88",
    "#1f958c",
    "#238a8d",
    "#277f8e",
    "#2b748e",
    "#30698e",
    "#355d8d",
    "#3b518b",
    "#414487",
    "#453681",
    "#482878",
    "#48196b",
    "#46085c",
)


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
    chosen = {label: _own_style(label) for label in labels if label in AGENTS}
    for label in labels:
        if label not in chosen:
            chosen[label] = _free_style(label, list(chosen.values()))
    return [chosen[label] for label in labels]


def ramp() -> Colormap:
    """The colours of numbers, from few to many."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("graph-bandit", list(RAMP))


def _own_style(label: str) -> Style:
    return Style(HUES[list(AGENTS).index(label)], AGENTS[label])


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

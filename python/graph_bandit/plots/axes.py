"""The look of all figures: thin spines, light grids, labels where lines end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .palette import GRID, MUTED

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation
    from matplotlib.ticker import Formatter, Locator

#: Width and height in inches.
CURVES = (7.2, 4.0)
NETWORK = (5.6, 4.8)

TEXT = 9.0
#: From one label to the next, in points.
LINE_HEIGHT = 1.3 * TEXT


def pyplot() -> Any:
    """matplotlib's pyplot, or an error that says how to install it."""
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError(
            "figures need matplotlib: pip install matplotlib, or graph-bandit[plot]"
        ) from error
    return matplotlib.pyplot


def axes_for(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The axes that were given, or those of a new figure."""
    if ax is not None:
        return ax
    _, made = pyplot().subplots(figsize=size, layout="constrained")
    fresh: Axes = made
    return fresh


def tidy(ax: Axes, *, x: str, title: str = "") -> None:
    """Styles axes for curves; the title above the vertical axis says what is measured."""
    ax.set_axisbelow(True)
    ax.grid(axis="y", color=GRID, linewidth=0.8)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set(color=MUTED, linewidth=0.8)
    ax.tick_params(axis="both", which="both", colors=MUTED, labelsize=TEXT, width=0.8)
    ax.tick_params(axis="y", which="both", length=0)
    ax.set_xlabel(x, color=MUTED, size=TEXT)
    if title:
        ax.set_title(title, loc="left", color=MUTED, size=TEXT, pad=8)


def round_ticks(ax: Axes, *axes: str) -> None:
    """Ticks at round numbers, such as 20,000, on the axes ``"x"`` and ``"y"``."""
    from matplotlib.ticker import NullFormatter

    for name in axes:
        axis = ax.xaxis if name == "x" else ax.yaxis
        log = axis.get_scale() != "linear"
        if log:
            axis.set_minor_formatter(NullFormatter())
        locator, formatter = rounded(6, log=log)
        axis.set_major_locator(locator)
        axis.set_major_formatter(formatter)


def rounded(about: int, *, log: bool = False) -> tuple[Locator, Formatter]:
    """A locator and a formatter for about this many ticks, as all figures have them."""
    from matplotlib.ticker import Formatter, Locator

    def found(axis: Any) -> tuple[list[float], list[str]]:
        low, high = sorted(axis.get_view_interval())
        return _core.ticks(low, high, about, log)

    class Rounded(Locator):
        def __call__(self) -> Any:
            return found(self.axis)[0]

        def tick_values(self, vmin: float, vmax: float) -> Any:
            return _core.ticks(vmin, vmax, about, log)[0]

    class Written(Formatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            labels = dict(zip(*found(self.axis), strict=True))
            # The pointer may be between ticks.
            return labels.get(x) or number(x)

    return Rounded(), Written()


def number(value: float) -> str:
    """A number as text: ``20,000``, ``0.25``, with a true minus sign.

    >>> from graph_bandit.plots.axes import number
    >>> number(20000.0), number(0.25), number(-3.0)
    ('20,000', '0.25', '−3')
    """
    text = f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:,.4g}"
    return text.replace("-", "−")


@dataclass(frozen=True)
class LineEnd:
    """A label for the end of a line."""

    x: float
    y: float
    text: str
    color: str


def label_ends(ax: Axes, ends: Sequence[LineEnd]) -> list[Annotation]:
    """Writes labels beside the ends of lines, and moves them apart where they would overlap.

    A thin line connects a moved label to its curve. The limits of the axes must be final.
    """
    figure = ax.get_figure(root=True)
    if figure is not None:
        figure.draw_without_rendering()
    # A logarithmic axis cannot show numbers that are not positive.
    ends = [end for end in ends if end.y > 0 or ax.get_yscale() == "linear"]
    if not ends:
        return []
    heights = ax.transData.transform([(end.x, end.y) for end in ends])[:, 1]
    wanted = points_per_pixel(ax) * heights
    # Labels must not reach the numbers below the axis.
    floor = points_per_pixel(ax) * ax.get_window_extent().y0 + 0.4 * LINE_HEIGHT
    shifts = spread(wanted, LINE_HEIGHT, floor) - wanted
    moved = np.abs(shifts) > 0.25 * LINE_HEIGHT
    aside = 16 if moved.any() else 5
    made: list[Annotation] = []
    for end, shift in zip(ends, shifts.tolist(), strict=True):
        tie = {"arrowstyle": "-", "color": end.color, "linewidth": 0.6, "shrinkA": 1, "shrinkB": 1}
        made.append(
            ax.annotate(
                end.text,
                (end.x, end.y),
                xytext=(aside, shift),
                textcoords="offset points",
                va="center",
                ha="left",
                color=end.color,
                size=TEXT,
                annotation_clip=False,
                arrowprops=tie if moved.any() else None,
            )
        )
    return made


def points_per_pixel(ax: Axes) -> float:
    """How many points of 1/72 inch a pixel of the figure is."""
    figure = ax.get_figure(root=True)
    return 1.0 if figure is None else 72.0 / figure.dpi


def spread(wanted: npt.ArrayLike, gap: float, floor: float = -np.inf) -> npt.NDArray[np.float64]:
    """Places near the wanted ones, in the same order, at least ``gap`` apart and above ``floor``.

    Least squares under these constraints, by merging neighbours that meet.

    >>> from graph_bandit.plots.axes import spread
    >>> spread([0.0, 1.0, 50.0], 10.0).tolist()
    [-4.5, 5.5, 50.0]
    """
    return _core.spread(np.array(wanted, np.float64), gap, floor, np.inf)

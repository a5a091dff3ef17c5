"""A walk on paper: one line of text, or a picture of the graph with the walker on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .graphs import Graph
from .needed import needed
from .plots.layout import layout
from .plots.palette import WALKER

if TYPE_CHECKING:
    import numpy.typing as npt

#: What Gymnasium needs to know about rendering.
RENDER_METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 10}


@dataclass(frozen=True)
class Moment:
    """The state of a walk at one moment."""

    #: How much time has passed; the number of steps, if no road takes time.
    time: float = 0.0
    node: int = 0
    reward: float = 0.0
    regret: float = 0.0


def check_render_mode(mode: str | None) -> str | None:
    """The mode itself; refuses an unknown one."""
    if mode is not None and mode not in RENDER_METADATA["render_modes"]:
        known = " and ".join(map(repr, RENDER_METADATA["render_modes"]))
        raise ValueError(f"there is no render_mode {mode!r}; there are {known}")
    return mode


def describe(graph: Graph, moment: Moment, steps: int) -> str:
    """One line: when, where, what was paid, and where one step can go.

    >>> import graph_bandit as gb
    >>> describe(gb.graph([("hall", "attic")]), Moment(3, 1, 0.5, 1.25), 10)
    "step 3 of 10 at 'attic': paid 0.5, regret 1.25; next 'hall' or 'attic'"
    """
    around = [repr(node) for node in graph.neighborhood(graph.label(moment.node))]
    when = "time" if graph.takes_time else "step"
    return (
        f"{when} {moment.time:.10g} of {steps} at {graph.label(moment.node)!r}: "
        f"paid {moment.reward:g}, regret {moment.regret:g}; next {' or '.join(around)}"
    )


class Painter:
    """Draws one graph again and again: nodes darker with visits, the walker in red."""

    def __init__(self, graph: Graph) -> None:
        needed("matplotlib", "plot")
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.collections import LineCollection
        from matplotlib.figure import Figure

        self._places = layout(graph)
        figure = Figure(figsize=(4.8, 4.8), dpi=100, layout="constrained")
        self._canvas: Any = FigureCanvasAgg(figure)
        self._axes = figure.add_subplot()
        self._axes.set_axis_off()
        self._axes.set_aspect("equal")
        size = 9_000 / max(len(graph), 30)
        self._when = "time" if graph.takes_time else "step"
        edges = list(self._places[graph.edge_array()])
        self._axes.add_collection(LineCollection(edges, colors="0.7", linewidths=1.0))
        self._nodes = self._axes.scatter(
            self._places[:, 0],
            self._places[:, 1],
            size,
            np.zeros(len(graph)),
            cmap="Blues",
            vmin=0.0,
            vmax=1.0,
            edgecolors="0.3",
            linewidths=0.5,
            zorder=2,
        )
        self._walker = self._axes.scatter([], [], s=size / 3, color=WALKER, zorder=3)

    def paint(self, moment: Moment, visits: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """The picture as an array of 480 by 480 pixels."""
        shade = np.log1p(visits)
        self._nodes.set_array(shade / max(shade.max(), 1.0))
        self._walker.set_offsets(self._places[[moment.node]])
        self._axes.set_title(
            f"{self._when} {moment.time:.10g}, regret {moment.regret:,.1f}", fontsize=10
        )
        self._canvas.draw()
        return np.array(self._canvas.buffer_rgba())[:, :, :3]

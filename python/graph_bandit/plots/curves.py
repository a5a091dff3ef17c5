"""Regret against steps, and paired differences of regret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from .axes import (
    CURVES,
    LINE_HEIGHT,
    TEXT,
    LineEnd,
    axes_for,
    label_ends,
    number,
    points_per_pixel,
    round_ticks,
    tidy,
)
from .palette import GRID, INK, MUTED, PAPER, Style, styles_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    from ..results import Results
    from ..run_settings import AgentLike

#: Which axes are logarithmic.
Log: TypeAlias = Literal["x", "y", "xy"]


@dataclass(frozen=True)
class Curves:
    """Means over runs with their intervals, by agent and checkpoint."""

    agents: tuple[str, ...]
    #: The steps at which runs were measured; units of time, where there are roads.
    t: npt.NDArray[np.int64]
    mean: npt.NDArray[np.float64]
    #: Half the width of the interval; NaN with a single run.
    half: npt.NDArray[np.float64]

    @property
    def low(self) -> npt.NDArray[np.float64]:
        """The lower ends of the intervals."""
        return self.mean - self.half

    @property
    def high(self) -> npt.NDArray[np.float64]:
        """The upper ends of the intervals."""
        return self.mean + self.half


@dataclass(frozen=True)
class Differences:
    """Differences of regret from a baseline, with the same luck."""

    baseline: str
    curves: Curves
    #: By agent and run, at the last checkpoint.
    last: npt.NDArray[np.float64]


def regret_data(
    results: Results, *, ci: float = 0.95, agents: Sequence[AgentLike] | None = None
) -> Curves:
    """What :func:`regret` draws.

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> results = gb.run(gb.World("line:5"), ["g-ucb", "g-star"], steps=100, runs=4)
    >>> plots.regret_data(results, agents=["g-star"]).mean.shape
    (1, 20)
    """
    chosen = _chosen(results, agents)
    values = results.regret[chosen]
    return Curves(
        agents=tuple(results.agents[i] for i in chosen),
        t=results.t,
        mean=values.mean(axis=1),
        half=results.ci(_level(ci), values),
    )


def difference_data(
    results: Results,
    baseline: AgentLike | None = None,
    *,
    ci: float = 0.95,
    agents: Sequence[AgentLike] | None = None,
) -> Differences:
    """What :func:`differences` and :func:`last_differences` draw."""
    base = 0 if baseline is None else results.index(baseline)
    others = [i for i in _chosen(results, agents) if i != base]
    if not others:
        raise ValueError(f"there is only {results.agents[base]!r}; differences need another agent")
    values = results.regret[others] - results.regret[base]
    curves = Curves(
        agents=tuple(results.agents[i] for i in others),
        t=results.t,
        mean=values.mean(axis=1),
        half=results.ci(_level(ci), values),
    )
    return Differences(results.agents[base], curves, values[:, :, -1])


def regret(
    results: Results,
    *,
    ci: float = 0.95,
    agents: Sequence[AgentLike] | None = None,
    ax: Axes | None = None,
    log: Log | None = None,
) -> Axes:
    """Mean regret against steps, with the confidence interval of level ``ci`` as a band.

    ``agents`` are those to draw (default: all); ``log`` says which axes are logarithmic.

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> results = gb.run(gb.World("line:5"), ["g-ucb", "g-star"], steps=100, runs=4)
    >>> [line.get_label() for line in plots.regret(results).lines]
    ['g-ucb', 'g-star']
    """
    if log not in (None, "x", "y", "xy"):
        raise ValueError(f"log is {log!r}; give 'x', 'y' or 'xy'")
    data = regret_data(results, ci=ci, agents=agents)
    ax = axes_for(ax, CURVES)
    tidy(ax, x=_clock(results), title=_caption("regret", results, ci))
    ends = _draw(ax, data, styles_of(results.agents), results.agents, log)
    if log is None or "y" not in log:
        ax.set_ylim(bottom=min(0.0, float(np.nanmin(data.mean))))
    _name(ax, ends)
    return ax


def differences(
    results: Results,
    baseline: AgentLike | None = None,
    *,
    ci: float = 0.95,
    agents: Sequence[AgentLike] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The regret of each agent minus that of ``baseline``, with the same luck, against steps.

    The baseline is the first agent by default. Bands are confidence intervals of the mean paired
    difference. The numbers beside the lines are the mean differences at the end, with half the
    width of their intervals. Where zero is outside the band, agents differ.

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> results = gb.run(gb.World("line:5"), ["g-ucb", "g-star"], steps=100, runs=4)
    >>> plots.differences(results, "g-star").get_title(loc="left")
    'regret minus that of g-star, mean of 4 runs with 95% intervals'
    """
    data = difference_data(results, baseline, ci=ci, agents=agents)
    ax = axes_for(ax, CURVES)
    tidy(
        ax, x=_clock(results), title=_caption(f"regret minus that of {data.baseline}", results, ci)
    )
    ax.axhline(0.0, color=INK, linewidth=0.8, zorder=1.5, label="_zero")
    ends = _draw(ax, data.curves, styles_of(results.agents), results.agents, None)
    named = [
        LineEnd(end.x, end.y, f"{end.text}  {_signed(end.y, half)}", end.color)
        for end, half in zip(ends, data.curves.half[:, -1].tolist(), strict=True)
    ]
    _name(ax, named)
    return ax


def _clock(results: Results) -> str:
    return "time" if results.on_roads else "step"


def last_differences(
    results: Results,
    baseline: AgentLike | None = None,
    *,
    ci: float = 0.95,
    agents: Sequence[AgentLike] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The regret of each agent minus that of ``baseline`` at the end, run by run.

    Every dot is a run; the bar is the confidence interval of the mean. Dots left of zero are runs
    in which the agent did better than the baseline.
    """
    data = difference_data(results, baseline, ci=ci, agents=agents)
    names = data.curves.agents
    ax = axes_for(ax, (CURVES[0], 0.9 + 0.5 * len(names)))
    tidy(ax, x=_caption(f"regret minus that of {data.baseline}", results, ci))
    ax.grid(visible=False)
    ax.grid(axis="x", color=GRID, linewidth=0.8)
    ax.axvline(0.0, color=INK, linewidth=0.8, zorder=1.5)
    styles = dict(zip(results.agents, styles_of(results.agents), strict=True))
    for row, name in enumerate(names):
        color = styles[name].color
        dots, mean, half = data.last[row], data.curves.mean[row, -1], data.curves.half[row, -1]
        ax.plot(dots, row + _heap(dots), "o", color=color, ms=3.5, mew=0, alpha=0.45, zorder=2)
        ax.errorbar(
            mean, row, xerr=half, color=INK, fmt="D", ms=4.5, mec=PAPER, mew=0.6, lw=1.4, zorder=3
        )
        ax.annotate(
            _signed(float(mean), float(half)),
            (1.0, row),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=color,
            size=TEXT,
            annotation_clip=False,
        )
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    for tick, name in zip(ax.get_yticklabels(), names, strict=True):
        tick.set_color(styles[name].color)
    round_ticks(ax, "x")
    return ax


def _chosen(results: Results, agents: Sequence[AgentLike] | None) -> list[int]:
    if agents is None:
        return list(range(len(results.agents)))
    chosen = [results.index(agent) for agent in agents]
    if not chosen:
        raise ValueError(f"agents is empty; give some of {', '.join(results.agents)}")
    return chosen


def _level(ci: float) -> float:
    if not 0.0 < ci < 1.0:
        raise ValueError(f"ci is {ci!r}; give a level between 0 and 1, such as 0.95")
    return ci


def _caption(what: str, results: Results, ci: float) -> str:
    runs = results.runs
    if runs == 1:
        return f"{what}, one run"
    return f"{what}, mean of {runs:,} runs with {100 * ci:.4g}% intervals"


def _draw(
    ax: Axes, data: Curves, styles: Sequence[Style], order: Sequence[str], log: Log | None
) -> list[LineEnd]:
    """Draws lines and bands; an agent keeps its style, whichever agents are drawn."""
    ends: list[LineEnd] = []
    by_name = dict(zip(order, styles, strict=True))
    # Regret is 0 before the first step, which a logarithmic axis cannot show.
    first = [] if log else [0.0]
    t = np.concatenate([first, data.t])
    for row, name in enumerate(data.agents):
        style = by_name[name]
        mean, low, high = (
            np.concatenate([first, values[row]]) for values in (data.mean, data.low, data.high)
        )
        ax.fill_between(t, low, high, color=style.color, alpha=0.15, linewidth=0, label=f"_{name}")
        ax.plot(
            t,
            mean,
            color=style.color,
            linestyle={"dashed": (0, (4, 1.6)), "dotted": (0, (1.2, 1.2))}.get(style.dash, "-"),
            linewidth=1.8,
            label=name,
        )
        ends.append(LineEnd(float(t[-1]), float(mean[-1]), name, style.color))
    if log is not None and "x" in log:
        ax.set_xscale("log")
    if log is not None and "y" in log:
        ax.set_yscale("log")
    ax.set_xlim(float(t[0]), float(t[-1]))
    round_ticks(ax, "x", "y")
    return ends


def _name(ax: Axes, ends: Sequence[LineEnd]) -> None:
    height = ax.get_window_extent().height * points_per_pixel(ax)
    if len(ends) * LINE_HEIGHT <= height:
        label_ends(ax, ends)
    else:
        ax.legend(frameon=False, fontsize=TEXT, labelcolor=MUTED, ncols=2)


def _signed(mean: float, half: float) -> str:
    sign = "+" if mean > 0 else ""
    return f"{sign}{number(round(mean))}" + ("" if np.isnan(half) else f" ± {number(round(half))}")


def _heap(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Heights that separate dots of nearly the same value, without randomness."""
    width = max(float(np.ptp(values)), 1e-300) / 90
    bins = np.floor((values - values.min()) / width)
    heights = np.zeros(len(values))
    for place in np.unique(bins):
        there = np.flatnonzero(bins == place)
        heights[there] = (np.arange(len(there)) - (len(there) - 1) / 2) * 0.09
    return np.clip(heights, -0.38, 0.38)

"""The paper's bounds on regret with their constants; docs/explanations/theory.md derives them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from .graphs import GraphLike, graph
from .plan import by_number
from .whole import whole

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["gap_bound", "minimax_bound", "regret_floor"]


def minimax_bound(graph_like: GraphLike, steps: int, init_steps: int) -> float:
    """Theorem 1: no world with rewards in [0, 1] costs G-UCB more regret in expectation.

    ``init_steps`` are the visits that cover the graph: ``study.init_steps``. Where roads run one
    way or take time, ``steps`` are units of time, and the time diameter is in place of the
    diameter.

    >>> import graph_bandit as gb
    >>> round(gb.theory.minimax_bound("line:4", steps=96, init_steps=4), 2)
    614.36
    """
    return _core.minimax_bound(
        graph(graph_like), whole("steps", steps, 0), whole("init_steps", init_steps, 0)
    )


def gap_bound(
    graph_like: GraphLike,
    means: Mapping[Any, float] | npt.ArrayLike,
    steps: int,
    init_steps: int,
) -> float | None:
    """Theorem 2: the bound by the gaps of these means; none where several nodes are best.

    On roads as :func:`minimax_bound`.
    """
    made = graph(graph_like)
    steps, init_steps = whole("steps", steps, 0), whole("init_steps", init_steps, 0)
    return _core.gap_bound(made, by_number(made, means), steps, init_steps)


def regret_floor(
    graph_like: GraphLike,
    means: Mapping[Any, float] | npt.ArrayLike,
    steps: int,
    start: Hashable | None = None,
) -> float:
    """What even a walker that knows the means loses on the way to the best node.

    Roads may run one way, and must take no time: ``steps`` are counted.

    >>> import graph_bandit as gb
    >>> gb.theory.regret_floor("line:3", [0.25, 0.5, 1.0], steps=100)
    0.5
    """
    made = graph(graph_like)
    number = 0 if start is None else made.number(start)
    return _core.regret_floor(made, by_number(made, means), number, whole("steps", steps, 0))

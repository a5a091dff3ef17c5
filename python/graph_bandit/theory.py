"""Bounds on regret with their constants; docs/explanations/theory.md derives the paper's."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .former_arguments import takes_graph_like
from .graphs import GraphLike
from .graphs import graph as as_graph
from .plan import by_number
from .whole_numbers import whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["gap_bound", "least_regret_rate", "minimax_bound", "regret_floor"]


@takes_graph_like
def minimax_bound(graph: GraphLike, steps: int, init_steps: int) -> float:
    """Theorem 1: the most regret that G-UCB can expect in any world with rewards in [0, 1].

    ``init_steps`` are the visits that cover the graph: ``results.init_steps``. Where roads run one
    way or take time, ``steps`` are units of time, and the time diameter takes the place of the
    diameter.

    >>> import graph_bandit as gb
    >>> round(gb.theory.minimax_bound("line:4", steps=96, init_steps=4), 2)
    614.36
    """
    return _core.minimax_bound(
        as_graph(graph), whole_number("steps", steps, 0), whole_number("init_steps", init_steps, 0)
    )


@takes_graph_like
def gap_bound(
    graph: GraphLike,
    means: Mapping[Any, float] | npt.ArrayLike,
    steps: int,
    init_steps: int,
) -> float | None:
    """Theorem 2: the bound from the gaps of these means; ``None`` if several nodes are best.

    Roads are treated as in :func:`minimax_bound`.
    """
    made = as_graph(graph)
    steps, init_steps = whole_number("steps", steps, 0), whole_number("init_steps", init_steps, 0)
    return _core.gap_bound(made, by_number(made, means), steps, init_steps)


@takes_graph_like
def regret_floor(
    graph: GraphLike,
    means: Mapping[Any, float] | npt.ArrayLike,
    steps: int,
    start: Hashable | None = None,
) -> float:
    """The regret of a walker that knows the means, on its way to the best node.

    Roads may run one way, but must not take time.

    >>> import graph_bandit as gb
    >>> gb.theory.regret_floor("line:3", [0.25, 0.5, 1.0], steps=100)
    0.5
    """
    made = as_graph(graph)
    number = 0 if start is None else made.number(start)
    return _core.regret_floor(made, by_number(made, means), number, whole_number("steps", steps, 0))


def least_regret_rate(means: npt.ArrayLike, *, variance: float | None = None) -> float:
    """The least regret for each unit of ``ln T`` as ``T`` grows (Lai and Robbins, 1985).

    It is a lower bound for every agent whose regret grows more slowly than every power of ``T``,
    whatever the means. Travel does not enter. Rewards are 0 or 1, or Gaussian if ``variance`` is
    given.

    >>> import graph_bandit as gb
    >>> round(gb.theory.least_regret_rate([0.3, 0.5, 0.2, 0.4, 0.6]), 3)
    10.193
    >>> gb.theory.least_regret_rate([0.0, 0.5], variance=0.25)
    1.0
    """
    row = np.ascontiguousarray(np.asarray(means, np.float64).ravel())
    return _core.least_regret_rate(row, variance)

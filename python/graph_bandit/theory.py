"""Bounds on regret with their constants; docs/explanations/theory.md proves all the theorems."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _core
from .agents import Spec
from .graphs import GraphLike
from .graphs import graph as as_graph
from .plan import by_number
from .teams import ShareLike, team_of
from .whole_numbers import whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "gap_bound",
    "least_regret_rate",
    "minimax_bound",
    "noise_floor",
    "regret_floor",
    "safe_bound",
    "team_bound",
    "travel_floor",
]


def minimax_bound(graph: GraphLike, steps: int, init_steps: int) -> float:
    """Theorem 1: the most regret that G-UCB can expect in any world with rewards in [0, 1].

    ``init_steps`` are the visits that cover the graph: an entry of ``results.init_steps``. Where
    roads run one way or take time, ``steps`` are units of time, and the time diameter takes the
    place of the diameter.

    >>> import graph_bandit as gb
    >>> round(gb.theory.minimax_bound("line:4", steps=96, init_steps=4), 2)
    614.36
    """
    return _core.minimax_bound(
        as_graph(graph), whole_number("steps", steps, 0), whole_number("init_steps", init_steps, 0)
    )


def gap_bound(
    graph: GraphLike,
    means: Mapping[Any, float] | npt.ArrayLike,
    steps: int,
    init_steps: int,
) -> float | None:
    """Theorem 2: the bound from the gaps of these means; ``None`` if several nodes are best.

    The gap of a node is the best mean minus the mean of the node. Roads are treated as in
    :func:`minimax_bound`.
    """
    made = as_graph(graph)
    steps, init_steps = whole_number("steps", steps, 0), whole_number("init_steps", init_steps, 0)
    return _core.gap_bound(made, by_number(made, means), steps, init_steps)


def safe_bound(
    graph: GraphLike,
    agent: Spec | str,
    steps: int,
    init_steps: float,
    *,
    worst_step: float = 1.0,
) -> float:
    """Theorem 10: the most regret that ``g-safe`` or ``g-sweep`` can expect, whatever the means.

    ``agent`` is the agent that you run, with its parameters: ``"g-safe"``,
    ``gb.GSweep(horizon=20_100)``. With a ``horizon``, which counts initialization, too, the bound
    is smaller. The noise of each node must be sub-Gaussian with the agent's ``noise_scale``. For
    rewards in [0, 1], its default is enough.

    ``init_steps`` are the visits that cover the graph: an entry of ``results.init_steps``.
    ``worst_step`` is the largest gap (the best mean minus the lowest), or a bound on it (default:
    1, for means in [0, 1]).

    Where roads run one way or take time, ``steps`` and ``init_steps`` are units of time, visits
    included, and ``worst_step`` is the larger of the largest gap and the best mean. An entry of
    ``results.init_steps`` counts only visits: add the entry of ``results.init_travel`` to it. Their
    sum need not be a whole number.

    >>> import graph_bandit as gb
    >>> round(gb.theory.safe_bound("line:100", "g-safe", steps=20_000, init_steps=100))
    66639
    >>> round(gb.theory.minimax_bound("line:100", steps=20_000, init_steps=100))
    210000
    """
    if isinstance(init_steps, bool) or not isinstance(init_steps, Real):
        raise TypeError(f"init_steps is {init_steps!r}; give a number of at least 0")
    steps, init_time = whole_number("steps", steps, 0), float(init_steps)
    return _core.safe_bound(as_graph(graph), str(agent), float(worst_step), steps, init_time)


def team_bound(
    graph: GraphLike, walkers: int, steps: int, *, share: ShareLike | None = None
) -> float:
    """Theorem 9: the most regret that ``multi-g-ucb`` can expect with rewards in [0, 1].

    It is about regret against the best static allocation, in ``steps`` steps, initialization
    included, with one draw per node and step. The agent's parameter ``until`` must be ``least``,
    its default. ``share`` says how walkers on one node share its reward, as for :func:`run`
    (default: ``"equal"``). Roads may not run one way or take time.

    >>> import graph_bandit as gb
    >>> round(gb.theory.team_bound("line:4", walkers=2, steps=100), 1)
    579.9
    """
    made = as_graph(graph)
    team = team_of(made, whole_number("walkers", walkers), share=share).for_core()
    return _core.team_bound(made, team.walkers, team.share, whole_number("steps", steps, 0))


def noise_floor(
    graph: GraphLike,
    steps: int,
    init_steps: int = 0,
    *,
    noise_scale: float = 0.5,
    noise: Literal["two-values", "gaussian"] = "two-values",
) -> float | None:
    """Theorem L1: whatever the agent, with some means its expected regret is at least this.

    The means are all equal except for one. Regret counts in ``steps`` steps, after ``init_steps``
    earlier ones. The rewards of a node take two values, ``2 * noise_scale`` apart, or they are
    Gaussian with standard deviation ``noise_scale``. ``None`` if there is only one node, or if
    there are fewer than four steps for each node, the earlier ones included.

    >>> import graph_bandit as gb
    >>> round(gb.theory.noise_floor("line:2", steps=200, noise="gaussian"), 9)
    1.25
    """
    steps, init_steps = whole_number("steps", steps, 0), whole_number("init_steps", init_steps, 0)
    return _core.noise_floor(len(as_graph(graph)), noise, float(noise_scale), steps, init_steps)


def travel_floor(
    *, contenders: int, apart: int, gap: float, rate: float, first: int, last: int
) -> float | None:
    """Theorem L2: the least expected regret, by step ``last``, from travel between equal nodes.

    The ``contenders`` are nodes of equal mean, at least ``apart`` hops from one another. All other
    nodes are worse by ``gap`` or more. The bound holds for agents that would also do well if one of
    the contenders were slightly better than the others: whichever it were, their expected regret
    would be at most ``rate * noise_scale * sqrt(t)`` at every step ``t`` from ``first`` to
    ``last``. Here ``noise_scale`` is as in :func:`noise_floor`; the bound does not depend on it.
    ``None`` if there are fewer than two contenders, or if ``first`` is below ``8 * contenders``.

    >>> import graph_bandit as gb
    >>> gb.theory.travel_floor(contenders=2, apart=11, gap=0.5, rate=2, first=16, last=2**40)
    7.5
    """
    return _core.travel_floor(
        whole_number("contenders", contenders, 0),
        whole_number("apart", apart, 0),
        float(gap),
        float(rate),
        whole_number("first", first, 0),
        whole_number("last", last, 0),
    )


def regret_floor(
    graph: GraphLike,
    means: Mapping[Any, float] | npt.ArrayLike,
    steps: int,
    start: Hashable | None = None,
) -> float:
    """The least regret in ``steps`` steps from ``start``: that of a walker that knows the means.

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

"""The Bayes-optimal agent on tiny graphs, as ``gb.plan.bayes``."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from .graphs import GraphLike
from .graphs import graph as as_graph
from .whole_numbers import whole_number

__all__ = ["BayesOptimum", "bayes"]


@dataclass(frozen=True)
class BayesOptimum:
    """The least possible regret under the prior of :func:`bayes`, and how to begin."""

    #: The expected total reward.
    value: float
    #: ``steps`` times the expected mean of the best node, minus the value.
    regret: float
    #: The node to visit first.
    next: Any
    #: Every first visit that there is time for, and the value of the best walk that begins with it.
    first: dict[Any, float]


def bayes(
    graph: GraphLike,
    steps: int,
    start: Hashable | None = None,
    *,
    seen: Mapping[Any, tuple[int, int]] | None = None,
    memory: float = 2.0,
) -> BayesOptimum:
    """The Bayes-optimal walk of ``steps`` units of time, as ``gbandit bayes`` finds it.

    Every node pays 1 with an unknown probability, uniform between 0 and 1, and otherwise 0. The
    walker stands on ``start`` and stays or takes a road; then the node where it is pays. ``seen``
    maps nodes to what they paid before the first step: the number of ones, and of all visits. The
    computed values may take at most ``memory`` GiB. The default is enough for three nodes and some
    80 steps, or two nodes and some 700.

    >>> import graph_bandit as gb
    >>> best = gb.plan.bayes("line:3", 10)
    >>> round(best.value, 6), round(best.regret, 6), best.next
    (6.397348, 1.102652, 0)
    >>> gb.plan.bayes([("a", "b"), ("b", "c")], 4, "b", seen={"b": (0, 3), "c": (9, 10)}).next
    'c'
    """
    made = as_graph(graph)
    number = 0 if start is None else made.number(start)
    counts = [(0, 0)] * len(made)
    for node, (ones, visits) in (seen or {}).items():
        place = made.number(node)
        ones = whole_number(f"the ones of {node!r}", ones, 0)
        visits = whole_number(f"the visits of {node!r}", visits, 0)
        if ones > visits:
            raise ValueError(f"{node!r} has {ones} ones in {visits} visits; give (ones, visits)")
        if visits >= 2**32:
            raise ValueError(f"{node!r} has {visits} visits; give at most 10000")
        counts[place] = (ones, visits - ones)
    if not 0.0 < memory < math.inf:
        raise ValueError(f"memory is {memory}; give a number of GiB above 0")
    value, regret, first, best = _core.bayes(
        made, whole_number("steps", steps), number, counts, min(int(memory * 2**30), 2**63)
    )
    choices = {made.label(node): worth for node, worth in first}
    return BayesOptimum(value, regret, made.label(best), choices)

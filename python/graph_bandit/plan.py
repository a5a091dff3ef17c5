"""Planning when the means are known: ``gb.plan.shortest_path(G, means)`` and others."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .bayes_optimum import BayesOptimum, bayes
from .graphs import Graph, GraphLike
from .graphs import graph as as_graph
from .routes import RouteTimes, route
from .whole_numbers import whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "BayesOptimum",
    "FiniteHorizon",
    "Policy",
    "RouteTimes",
    "bayes",
    "finite_horizon",
    "route",
    "shortest_path",
    "value_iteration",
]


@dataclass(frozen=True)
class Policy:
    """Where to go from every node."""

    graph: Graph
    #: The number of the node to go to next, by node number.
    next: npt.NDArray[np.int64]
    #: By node number: the cost of the way to the best node, or the value of the node.
    values: npt.NDArray[np.float64]
    #: The lower and the upper bound of the best average reward.
    average_reward: tuple[float, float]
    #: Sweeps of value iteration; 0 for a shortest path.
    sweeps: int = 0

    def __getitem__(self, node: Hashable) -> Any:
        """The node to go to from ``node``."""
        return self.graph.label(int(self.next[self.graph.number(node)]))

    def path(self, start: Hashable) -> tuple[Any, ...]:
        """The nodes entered from ``start`` until the policy stays or repeats itself."""
        node = self.graph.number(start)
        seen, path = {node}, []
        while (node := int(self.next[node])) not in seen:
            seen.add(node)
            path.append(self.graph.label(node))
        return tuple(path)


@dataclass(frozen=True)
class FiniteHorizon:
    """The most that a walk of a given number of steps can earn."""

    graph: Graph
    #: ``values[t, s]``: the most that node ``s`` and the best ``t`` steps from it pay.
    values: npt.NDArray[np.float64]
    #: A best walk, including its start.
    path: tuple[Any, ...]


def by_number(made: Graph, means: Mapping[Any, float] | npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The means in the order of node numbers."""
    if isinstance(means, Mapping):
        missing = [label for label in made.nodes if label not in means]
        if missing:
            raise ValueError(f"node {missing[0]!r} has no mean; give one for every node")
        return np.array([means[label] for label in made.nodes], np.float64)
    return np.ascontiguousarray(np.asarray(means, np.float64).ravel())


def shortest_path(graph: GraphLike, means: Mapping[Any, float] | npt.ArrayLike) -> Policy:
    """Algorithm 1 of the paper: the cheapest path from every node to the best node.

    On roads a unit of travel time costs the best mean, or nothing if that is negative.

    >>> import graph_bandit as gb
    >>> way = gb.plan.shortest_path([("a", "b"), ("b", "c")], {"a": 0.1, "b": 0.4, "c": 0.9})
    >>> way["a"], way.path("a"), way.values.tolist()
    ('b', ('b', 'c'), [0.5, 0.0, 0.0])
    """
    made = as_graph(graph)
    row = by_number(made, means)
    following, cost = _core.shortest_path(made, row)
    best = float(row.max())
    return Policy(made, following, cost, (best, best))


def value_iteration(
    graph: GraphLike, means: Mapping[Any, float] | npt.ArrayLike, tolerance: float = 1e-6
) -> Policy:
    """Algorithm 4 of the paper: a policy within ``tolerance`` of the best average reward.

    It refuses roads that run one way or take time; :func:`shortest_path` takes them.
    """
    made = as_graph(graph)
    following, values, sweeps, average = _core.value_iteration(
        made, by_number(made, means), tolerance
    )
    return Policy(made, following, values, average, sweeps)


def finite_horizon(
    graph: GraphLike,
    means: Mapping[Any, float] | npt.ArrayLike,
    horizon: int,
    start: Hashable | None = None,
) -> FiniteHorizon:
    """The most that a visit to ``start`` and ``horizon`` steps after it can earn, and a best walk.

    Roads may run one way, but must not take time.

    >>> import graph_bandit as gb
    >>> best = gb.plan.finite_horizon("line:3", [0.5, 0.0, 1.0], horizon=2, start=0)
    >>> best.path, best.values[2, 0]
    ((0, 0, 0), np.float64(1.5))
    """
    made = as_graph(graph)
    number = 0 if start is None else made.number(start)
    values, path = _core.finite_horizon(
        made, by_number(made, means), whole_number("horizon", horizon, least=0), number
    )
    return FiniteHorizon(made, values, tuple(made.label(int(node)) for node in path))

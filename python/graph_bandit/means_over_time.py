"""Mean rewards that change over time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from .rewards import Means
from .whole_numbers import whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

    from .graphs import Graph

__all__ = [
    "ChangingMeans",
    "changing_means",
    "drifting_means",
    "moving_best_means",
    "one_at_a_time_means",
    "redrawn_means",
    "seasonal_means",
]

#: The most means of a table that a function fills, about a gigabyte.
MOST_MEANS = 100_000_000


def redrawn_means(low: float, high: float, every: float, moments: str = "poisson") -> Means:
    """All means drawn from ``low`` to ``high``, and again every ``every`` steps on average.

    The moments are random, or with ``moments="regular"`` at equal gaps.
    """
    return Means(f"redrawn:{float(low)!r},{float(high)!r},{float(every)!r},{moments}")


def one_at_a_time_means(low: float, high: float, every: float, moments: str = "poisson") -> Means:
    """Means from ``low`` to ``high``; now and then, one random node gets a new mean.

    This happens every ``every`` steps on average.
    """
    return Means(f"one-at-a-time:{float(low)!r},{float(high)!r},{float(every)!r},{moments}")


def moving_best_means(low: float, high: float, every: float, moments: str = "poisson") -> Means:
    """Means from ``low`` to ``high``, except for one random node, whose mean is ``high``.

    That node is drawn again every ``every`` steps on average.
    """
    return Means(f"moving-best:{float(low)!r},{float(high)!r},{float(every)!r},{moments}")


def drifting_means(low: float, high: float, step: float, every: float) -> Means:
    """Random walks in [``low``, ``high``]: every ``every`` steps, each mean moves up or down.

    ``step`` is the standard deviation of one move.
    """
    return Means(f"drift:{float(low)!r},{float(high)!r},{float(step)!r},{float(every)!r}")


def seasonal_means(low: float, high: float, amplitude: float, period: int) -> Means:
    """Means that rise and fall as sine waves around averages from ``low`` to ``high``.

    Each node has its own average and its own phase.
    """
    period = whole_number("period", period)
    return Means(f"seasons:{float(low)!r},{float(high)!r},{float(amplitude)!r},{period}")


@dataclass(frozen=True)
class ChangingMeans:
    """Means that change; see :func:`changing_means`."""

    source: Any
    steps: int | None = None

    def rows(self, graph: Graph) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The moments from which rows hold, and the rows: one mean per node of ``graph``."""
        if callable(self.source):
            pairs = _of_function(self.source, self.steps or 0, graph)
        elif hasattr(self.source, "columns"):
            pairs = _of_frame(self.source)
        elif isinstance(self.source, Mapping):
            pairs = list(self.source.items())
        else:
            pairs = [_pair(pair) for pair in self.source]
        if not pairs:
            raise ValueError("changing means have no rows; give a row of means that holds from 0")
        moments = np.array([float(moment) for moment, _ in pairs])
        return moments, np.stack([_row(moment, means, graph) for moment, means in pairs])


def changing_means(
    source: Mapping[float, Any] | Iterable[tuple[float, Any]] | Callable[[int], Any] | Any,
    *,
    steps: int | None = None,
) -> ChangingMeans:
    """Means that you give yourself, the same in every run.

    ``source`` is a mapping of moments to means, a list of pairs of a moment and its means, a data
    frame with a column ``from`` and one column per node, or a function of the step. Each row holds
    from its moment on, counted in steps from the first one after initialization (for teams, by
    default from the first of all); the first moment is 0. Means are an array in the order of the
    nodes, or a mapping by label. A function is called for every step from 0 to ``steps - 1``; from
    then on its last means hold.

    >>> import graph_bandit as gb
    >>> rush_hour = gb.changing_means({0: [0.3, 0.5, 0.9], 1000: [0.3, 0.8, 0.1]})
    >>> world = gb.World("complete:3", rush_hour, gb.bernoulli_noise())
    >>> results = gb.run(world, "g-star", steps=2000, runs=3, against="causal")
    >>> def day(t):
    ...     return [1.0, 2.0 if t % 24 < 12 else 0.5, 0.7]
    >>> gb.World("line:3", gb.changing_means(day, steps=100))
    World(<Graph of 3 nodes, 2 edges>, means=changing, noise=uniform:0.5)
    """
    if isinstance(source, str | PathLike):
        raise TypeError(
            f"changing_means does not read files; use the text {f'changes:{source}'!r} as means"
        )
    if callable(source):
        if steps is None:
            raise TypeError("changing_means needs steps with a function: how often to call it")
        steps = whole_number("steps", steps)
    elif steps is not None:
        raise TypeError("steps belongs to a function; leave it out for a table")
    return ChangingMeans(source, steps)


def _pair(pair: Any) -> tuple[float, Any]:
    try:
        moment, means = pair
        return float(moment), means
    except (TypeError, ValueError):
        raise TypeError(
            f"{pair!r} is not a moment and its means; write (1000, [0.3, 0.5, 0.9])"
        ) from None


def _of_frame(frame: Any) -> list[tuple[float, Any]]:
    if "from" not in frame.columns:
        if "from" in getattr(getattr(frame, "index", None), "names", ()):
            raise ValueError(
                "the data frame has 'from' as its index, not as a column; call reset_index() on it "
                "first"
            )
        raise ValueError(
            "the data frame has no column 'from'; add one that says from which step each row holds"
        )
    nodes = [column for column in frame.columns if column != "from"]
    rows = zip(frame["from"], *(frame[node] for node in nodes), strict=True)
    return [(row[0], dict(zip(nodes, row[1:], strict=True))) for row in rows]


def _of_function(
    function: Callable[[int], Any], steps: int, graph: Graph
) -> list[tuple[float, Any]]:
    nodes = len(graph)
    if steps * nodes > MOST_MEANS:
        raise ValueError(
            f"{steps} steps on {nodes} nodes do not fit into memory; give fewer steps, or a table "
            "of the moments at which means change"
        )
    pairs: list[tuple[float, Any]] = []
    for step in range(steps):
        row = _row(step, function(step), graph)
        if not pairs or not np.array_equal(pairs[-1][1], row):
            pairs.append((step, row))
    return pairs


def _row(moment: float, means: Any, graph: Graph) -> npt.NDArray[np.float64]:
    if isinstance(means, Mapping):
        row = np.full(len(graph), np.nan)
        for label, mean in means.items():
            row[graph.number(label)] = mean
        missing = [label for label in graph.nodes if label not in means]
        if missing:
            raise ValueError(
                f"node {missing[0]!r} has no mean from {moment} on; give one for every node"
            )
        return row
    row = np.array(means, np.float64)
    if row.shape != (len(graph),):
        raise ValueError(
            f"the means from {moment} on have shape {row.shape} for {len(graph)} nodes; give "
            "exactly one per node"
        )
    return row

"""The hidden truth: a graph, and what its nodes pay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .graphs import Graph, GraphLike
from .graphs import graph as as_graph
from .means_over_time import ChangingMeans
from .rewards import Means, Noise, OwnRewards, uniform_means, uniform_noise

if TYPE_CHECKING:
    import numpy.typing as npt

#: A rule, one mean per node (an array, or a mapping by label), one row of means per run, or means
#: that change.
MeansLike: TypeAlias = "Means | ChangingMeans | str | Mapping[Any, float] | npt.ArrayLike"
#: A reward law around the mean, or a function of your own.
NoiseLike: TypeAlias = Noise | OwnRewards | str

#: How often a road closes and how often it reopens, per unit of time.
Rates: TypeAlias = tuple[float, float]
#: Rates for all roads, as a text of the command line or as numbers, or for single roads.
ClosuresLike: TypeAlias = "str | Rates | Mapping[tuple[Any, Any], Rates]"

__all__ = ["ClosuresLike", "MeansLike", "NoiseLike", "World"]


class World:
    """A graph and what its nodes pay.

    ``means`` is a rule such as :func:`uniform_means`, which draws means again for every run; or an
    array or a mapping, which fixes them. An array of several rows has one row per run; the rows are
    used in turn. Means that change over time are rules such as :func:`redrawn_means`, or given by
    :func:`changing_means`. ``noise`` is a reward law around the mean such as
    :func:`uniform_noise`, or a function of your own by :func:`rewards_from`.

    ``closures`` lets roads close and reopen at random. ``(0.01, 0.1)`` is a closing and a reopening
    rate per unit of time for all roads. ``{("a", "b"): (0.01, 0.1)}`` gives rates for single roads;
    all others are always open. Where edges lead both ways and take no time, an edge closes in both
    directions. With a reopening rate of 0 a road closes for good. ``travel_noise`` is the standard
    deviation of travel times, as a multiple of the average time of the road.

    >>> import graph_bandit as gb
    >>> gb.World("grid:10x10", means=gb.uniform_means(0, 1), noise=gb.bernoulli_noise())
    World(<Graph of 100 nodes, 180 edges>, means=uniform:0.0,1.0, noise=bernoulli)
    """

    graph: Graph
    noise: Noise | OwnRewards
    #: How roads close and reopen; ``None`` if they do not.
    closures: str | Rates | dict[tuple[Any, Any], Rates] | None = None
    #: How much travel times vary; ``None`` if they do not.
    travel_noise: float | None = None

    def __init__(
        self,
        graph: GraphLike,
        means: MeansLike | None = None,
        noise: NoiseLike | None = None,
        *,
        closures: ClosuresLike | None = None,
        travel_noise: float | None = None,
    ) -> None:
        self.graph = as_graph(graph)
        self.closures = _read_closures(closures)
        self.travel_noise = None if travel_noise is None else float(travel_noise)
        self.means: Means | ChangingMeans | npt.NDArray[np.float64] = self._read_means(means)
        if noise is None:
            noise = uniform_noise(0.5)
        self.noise = Noise(noise) if isinstance(noise, str) else noise
        if not isinstance(self.noise, Noise | OwnRewards):
            raise TypeError(
                f"noise is {noise!r}; give a noise such as gb.uniform_noise(0.5), its text, or "
                "gb.rewards_from(function, scale=..)"
            )

    def _read_means(
        self, means: MeansLike | None
    ) -> Means | ChangingMeans | npt.NDArray[np.float64]:
        if means is None:
            return uniform_means(0.5, 9.5)
        if isinstance(means, str):
            return Means(means)
        if isinstance(means, Means | ChangingMeans):
            return means
        if isinstance(means, Mapping):
            row = np.full(len(self.graph), np.nan)
            for label, mean in means.items():
                row[self.graph.number(label)] = mean
            missing = [label for label in self.graph.nodes if label not in means]
            if missing:
                raise ValueError(f"node {missing[0]!r} has no mean; give one for every node")
            means = row
        rows = np.atleast_2d(np.array(means, np.float64))
        nodes = len(self.graph)
        if rows.ndim != 2 or rows.shape[1] != nodes:
            raise ValueError(
                f"means have shape {np.shape(means)} for {nodes} nodes; give exactly one per node, "
                "or one such row per run"
            )
        if not np.isfinite(rows).all():
            run, node = np.argwhere(~np.isfinite(rows))[0]
            raise ValueError(
                f"the mean of node {self.graph.label(int(node))!r} is {rows[run, node]}; give "
                "finite numbers"
            )
        return rows

    def __repr__(self) -> str:
        means: Any = self.means if isinstance(self.means, Means) else "given"
        if isinstance(self.means, ChangingMeans):
            means = "changing"
        noise = self.noise if isinstance(self.noise, Noise) else "given"
        more = "" if self.closures is None else f", closures={self.closures!r}"
        if self.travel_noise is not None:
            more += f", travel_noise={self.travel_noise}"
        return f"World({self.graph!r}, means={means}, noise={noise}{more})"

    def _means_for_core(self) -> Any:
        if isinstance(self.means, ChangingMeans):
            return self.means.rows(self.graph)
        return str(self.means) if isinstance(self.means, Means) else self.means

    def _closures_for_core(self) -> Any:
        if isinstance(self.closures, dict):
            return [(a, b, *rates) for (a, b), rates in self.closures.items()]
        return self.closures


def _read_closures(closures: Any) -> Any:
    """Closures as a world keeps them.

    >>> _read_closures([0.01, 1]), _read_closures({("a", "b"): (0, 1)})
    ((0.01, 1.0), {('a', 'b'): (0.0, 1.0)})
    """
    if closures is None or isinstance(closures, str):
        return closures
    try:
        if isinstance(closures, Mapping):
            return {(a, b): _rates(rates) for (a, b), rates in closures.items()}
        return _rates(closures)
    except (TypeError, ValueError):
        raise TypeError(
            f"closures is {closures!r}; give a closing and a reopening rate per unit of time, as "
            "in (0.01, 0.1), or a mapping of roads to them, as in {('a', 'b'): (0.01, 0.1)}"
        ) from None


def _rates(rates: Any) -> Rates:
    closing, reopening = rates
    return float(closing), float(reopening)

"""What is known about the nodes of a graph, for agents of this process and of a service."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Graph
from .needed import needed

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Estimates", "KnownNode"]


#: The columns of numbers that may be missing.
_NUMBERS = ("estimate", "radius", "bound", "score")


@dataclass(frozen=True)
class KnownNode:
    """What is known about a node; a number that is missing or infinite is ``None``."""

    node: Any
    visits: int
    #: The mean of the rewards that the agent remembers. Most agents for rewards that change forget
    #: old rewards; all other agents remember every reward.
    estimate: float | None = None
    #: How far the true mean may be above the estimate.
    radius: float | None = None
    #: The sum of estimate and radius.
    bound: float | None = None
    #: The agent's own score of the node; for G-UCB, the bound.
    score: float | None = None
    #: Whether it cannot be reached now because edges are blocked.
    set_aside: bool = False
    #: How many of its rewards the agent still remembers, discounted ones in part; ``None`` if it
    #: remembers all of them.
    remembered: float | None = None

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> KnownNode:
        """Reads it from an answer."""
        numbers = {name: shown.get(name) for name in (*_NUMBERS, "remembered")}
        aside = shown.get("set_aside", False)
        return KnownNode(graph.label(shown["node"]), shown["visits"], **numbers, set_aside=aside)


@dataclass(frozen=True)
class Estimates:
    """What is known about all nodes: arrays by node number, and tables of them.

    Missing numbers are NaN.
    """

    graph: Graph
    visits: npt.NDArray[np.int64]
    #: The means of the rewards that the agent remembers.
    estimate: npt.NDArray[np.float64]
    #: How far the true means may be above the estimates.
    radius: npt.NDArray[np.float64]
    #: The sums of estimates and radii.
    bound: npt.NDArray[np.float64]
    #: The agent's own scores; for G-UCB, the bounds.
    score: npt.NDArray[np.float64]
    #: Which nodes cannot be reached now because edges are blocked.
    set_aside: npt.NDArray[np.bool_]
    #: How many rewards the agent still remembers, discounted ones in part; equal to the visits if
    #: it does not forget.
    remembered: npt.NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        if len(self.remembered) == 0:
            object.__setattr__(self, "remembered", self.visits.astype(np.float64))

    @staticmethod
    def read(graph: Graph, shown: list[Mapping[str, Any]]) -> Estimates:
        """Reads them from the pages of an answer."""
        columns = {
            name: np.array([row.get(name, np.nan) for row in shown], np.float64)
            for name in _NUMBERS
        }
        aside = np.array([row.get("set_aside", False) for row in shown], np.bool_)
        visits = np.array([row["visits"] for row in shown], np.int64)
        remembered = np.array([row.get("remembered", row["visits"]) for row in shown], np.float64)
        return Estimates(graph, visits, **columns, set_aside=aside, remembered=remembered)

    def __len__(self) -> int:
        return len(self.visits)

    def __getitem__(self, node: Hashable) -> KnownNode:
        return self._of(self.graph.number(node))

    def __iter__(self) -> Iterator[KnownNode]:
        return map(self._of, range(len(self)))

    def _of(self, number: int) -> KnownNode:
        numbers = {name: self._number(name, number) for name in _NUMBERS}
        aside = bool(self.set_aside[number])
        visits, remembered = int(self.visits[number]), float(self.remembered[number])
        return KnownNode(
            self.graph.label(number),
            visits,
            **numbers,
            set_aside=aside,
            remembered=None if remembered == visits else remembered,
        )

    def _number(self, name: str, number: int) -> float | None:
        value = float(getattr(self, name)[number])
        return None if np.isnan(value) else value

    def columns(self) -> dict[str, Any]:
        """The tidy table: node, visits, estimate, radius, bound, score, set_aside, remembered."""
        names = ("visits", *_NUMBERS, "set_aside", "remembered")
        arrays = {name: getattr(self, name) for name in names}
        return {"node": list(self.graph.nodes), **arrays}

    def to_pandas(self) -> Any:
        """A pandas frame, one row per node."""
        return needed("pandas", "frames").DataFrame(self.columns())

    def to_polars(self) -> Any:
        """A polars frame, one row per node; unless all labels are integers, they become text."""
        columns = self.columns()
        if not all(type(node) is int for node in columns["node"]):
            columns["node"] = [str(node) for node in columns["node"]]
        return needed("polars", "frames").DataFrame(columns)

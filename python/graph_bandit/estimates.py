"""What is known about the nodes of a graph, for agents of this process and of a service."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
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
    #: The mean of its rewards.
    estimate: float | None = None
    #: How far the true mean may be above the estimate.
    radius: float | None = None
    #: The sum of estimate and radius.
    bound: float | None = None
    #: The agent's own score of the node; for G-UCB, the bound.
    score: float | None = None
    #: Whether it cannot be reached now because edges are blocked.
    set_aside: bool = False

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> KnownNode:
        """Reads it from an answer."""
        numbers = {name: shown.get(name) for name in _NUMBERS}
        aside = shown.get("set_aside", False)
        return KnownNode(graph.label(shown["node"]), shown["visits"], **numbers, set_aside=aside)


@dataclass(frozen=True)
class Estimates:
    """What is known about all nodes: arrays by node number, and tables of them.

    Missing numbers are NaN.
    """

    graph: Graph
    visits: npt.NDArray[np.int64]
    #: The means of the rewards.
    estimate: npt.NDArray[np.float64]
    #: How far the true means may be above the estimates.
    radius: npt.NDArray[np.float64]
    #: The sums of estimates and radii.
    bound: npt.NDArray[np.float64]
    #: The agent's own scores; for G-UCB, the bounds.
    score: npt.NDArray[np.float64]
    #: Which nodes cannot be reached now because edges are blocked.
    set_aside: npt.NDArray[np.bool_]

    @staticmethod
    def read(graph: Graph, shown: list[Mapping[str, Any]]) -> Estimates:
        """Reads them from the pages of an answer."""
        columns = {
            name: np.array([row.get(name, np.nan) for row in shown], np.float64)
            for name in _NUMBERS
        }
        aside = np.array([row.get("set_aside", False) for row in shown], np.bool_)
        visits = np.array([row["visits"] for row in shown], np.int64)
        return Estimates(graph, visits, **columns, set_aside=aside)

    def __len__(self) -> int:
        return len(self.visits)

    def __getitem__(self, node: Hashable) -> KnownNode:
        return self._of(self.graph.number(node))

    def __iter__(self) -> Iterator[KnownNode]:
        return map(self._of, range(len(self)))

    def _of(self, number: int) -> KnownNode:
        numbers = {name: self._number(name, number) for name in _NUMBERS}
        aside = bool(self.set_aside[number])
        return KnownNode(
            self.graph.label(number), int(self.visits[number]), **numbers, set_aside=aside
        )

    def _number(self, name: str, number: int) -> float | None:
        value = float(getattr(self, name)[number])
        return None if np.isnan(value) else value

    def columns(self) -> dict[str, Any]:
        """The tidy table: node, visits, estimate, radius, bound, score and set_aside."""
        arrays = {name: getattr(self, name) for name in ("visits", *_NUMBERS, "set_aside")}
        return {"node": list(self.graph.nodes), **arrays}

    def to_pandas(self) -> Any:
        """A pandas frame, one row per node."""
        return needed("pandas", "frames").DataFrame(self.columns())

    def to_polars(self) -> Any:
        """A polars frame, one row per node; labels that are not numbers are written as text."""
        columns = self.columns()
        if not all(type(node) is int for node in columns["node"]):
            columns["node"] = [str(node) for node in columns["node"]]
        return needed("polars", "frames").DataFrame(columns)

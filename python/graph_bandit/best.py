"""The best node so far, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._core import Graph

__all__ = ["Best", "BracketedNode"]


@dataclass(frozen=True)
class BracketedNode:
    """A visited node, the mean of its rewards, and an interval for its true mean.

    Mean and interval come from the rewards that the agent remembers. Most agents for rewards
    that change forget old rewards; all other agents remember every reward.
    """

    node: Any
    visits: int
    estimate: float
    #: The lower and the upper end of the interval for the true mean.
    interval: tuple[float, float]
    #: Whether it cannot be reached now, because edges are blocked.
    set_aside: bool = False
    #: How many of its rewards the agent still remembers, discounted ones in part; ``None`` if it
    #: remembers all of them.
    remembered: float | None = None

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> BracketedNode:
        """Reads it from an answer."""
        low, high = shown["interval"]
        aside = shown.get("set_aside", False)
        node = graph.label(shown["node"])
        return BracketedNode(
            node,
            shown["visits"],
            shown["estimate"],
            (low, high),
            aside,
            remembered=shown.get("remembered"),
        )


@dataclass(frozen=True)
class Best:
    """The best node so far, and how sure that is."""

    #: The visited node with the highest mean; ``None`` before the first visit, and while the agent
    #: remembers no reward.
    best: BracketedNode | None
    #: Of the other visited nodes, the one whose true mean may be the highest.
    runner_up: BracketedNode | None
    #: How many nodes have not been visited.
    unvisited: int
    #: Whether every node has an interval and that of the best lies above all others.
    settled: bool
    #: The probability, for normal noise, that the best is better than the runner-up.
    chance: float | None
    #: The probability that all intervals hold at once, at all times. Not guaranteed for an agent
    #: that forgets: its intervals assume that means have been constant since the first reward that
    #: it remembers.
    confidence: float
    #: The sub-Gaussian scale of the noise that the intervals assume.
    noise_scale: float
    #: How many visited nodes have no interval because the agent remembers none of their rewards.
    forgotten: int = 0

    @property
    def node(self) -> Any:
        """The label of the best node; ``None`` if there is none."""
        return None if self.best is None else self.best.node

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> Best:
        """Reads it from an answer."""
        best, runner_up = (
            BracketedNode.read(graph, shown[name]) if name in shown else None
            for name in ("best", "runner_up")
        )
        return Best(
            best,
            runner_up,
            unvisited=shown["unvisited"],
            settled=shown["settled"],
            chance=shown.get("chance"),
            confidence=shown["confidence"],
            noise_scale=shown["noise_scale"],
            forgotten=shown.get("forgotten", 0),
        )

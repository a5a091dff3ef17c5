"""Changes of rewards that agents and teams found, in this process or in a service."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ._core import Graph

__all__ = ["FoundChange"]


@dataclass(frozen=True)
class FoundChange:
    """A change of rewards that an agent found."""

    #: How many visits of its own the agent had made then, the last of them to the node; in a team,
    #: the visits of all its walkers.
    visits: int
    #: The node whose rewards showed the change.
    node: Any

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> FoundChange:
        """Reads it from an answer."""
        return FoundChange(shown["visits"], graph.label(shown["node"]))

    @staticmethod
    def list_of(graph: Graph, found: Iterable[tuple[int, int]]) -> list[FoundChange]:
        """The changes in ``found``, which has pairs of a number of visits and a node number."""
        return [FoundChange(visits, graph.label(node)) for visits, node in found]

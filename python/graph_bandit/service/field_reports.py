"""Reports about the field. They need no robot: a sensor or a dispatcher makes them, too."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from datetime import datetime
from typing import Any, Literal

from .._core import Graph
from .answers import Receipt
from .told import reward_told


class FieldReports:
    """Reports that robots, agents and teams have in common: observations, and edges."""

    _graph: Graph
    #: Who reports, if that is known.
    _robot: str | None
    #: The number of the agent.
    _number: int

    def observe(
        self,
        node: Hashable | Iterable[tuple[Hashable, float]],
        reward: float | None = None,
        *,
        time: datetime | None = None,
    ) -> Receipt:
        """Reports a reward on ``node`` that came from elsewhere: another robot, or a sensor.

        No walker moves, and legs go on. Give several observations as pairs of nodes and rewards:
        ``observe([("roof", 3.0), ("gate", 2.0)])``.
        """
        if reward is None:
            pairs: Iterable[tuple[Any, Any]] = node  # type: ignore[assignment]
        else:
            pairs = [(node, reward)]
        number = self._graph.number
        seen = [{"at": number(where), "reward": reward_told(paid)} for where, paid in pairs]
        return self._report("observe", {"observations": seen}, time=time)

    def block(
        self,
        a: Hashable,
        b: Hashable,
        *,
        directions: Literal["one", "both"] | None = None,
        time: datetime | None = None,
    ) -> Receipt:
        """Reports that the edge between ``a`` and ``b`` is blocked, in a team for all robots.

        Where roads run one way or take time, only the road from ``a`` to ``b`` is blocked;
        ``directions="both"`` also blocks the road back. Nodes that can no longer be reached are set
        aside until an edge opens.
        """
        return self._block((a, b), directions, {}, time)

    def open(
        self,
        a: Hashable,
        b: Hashable,
        *,
        directions: Literal["one", "both"] | None = None,
        time: datetime | None = None,
    ) -> Receipt:
        """Reports that the edge between ``a`` and ``b`` is open again; see :meth:`block`."""
        return self._report("opened", self._edge((a, b), directions), time=time)

    def _block(
        self,
        ends: tuple[Hashable, Hashable],
        directions: str | None,
        more: Mapping[str, Any],
        time: datetime | None,
    ) -> Receipt:
        return self._report("blocked", {**self._edge(ends, directions), **more}, time=time)

    def _edge(self, ends: tuple[Hashable, Hashable], directions: str | None) -> dict[str, Any]:
        """An edge or a road as a report has it."""
        said: dict[str, Any] = {"edge": [self._graph.number(end) for end in ends]}
        return said if directions is None else {**said, "directions": directions}

    def _sender(self) -> dict[str, Any]:
        """Who reports, and to which agent: not to a later one of the same name."""
        sender: dict[str, Any] = {} if self._robot is None else {"robot": self._robot}
        return {**sender, "number": self._number}

    def _report(self, kind: str, said: dict[str, Any], *, time: datetime | None = None) -> Receipt:
        raise NotImplementedError

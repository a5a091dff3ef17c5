"""What a robot asks and reports, whether it is alone or a walker of a team."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from .._core import Graph, Leg
from .answers import Receipt, ServedLeg
from .field_reports import FieldReports
from .told import moment, remark, reward_told, rewards_told, stamps_told, took_told

if TYPE_CHECKING:
    import numpy.typing as npt


class Reports(FieldReports):
    """The methods of a robot: orders and reports, each with its number."""

    #: Where orders come from.
    _ask_path = "/ask"

    def __init__(self, graph: Graph, sequence: int, number: int, robot: str | None) -> None:
        self._graph = graph
        self._robot = robot
        self._number = number
        self._lock = threading.RLock()
        # Only `ask` and reports of this object increase the number. So the service notices the
        # report of somebody else: it meets a number that is used up.
        self._sequence = sequence
        self._reported = 0
        self._asked: ServedLeg | None = None

    def status(self) -> Any:
        """The state now, in one request."""
        raise NotImplementedError

    def _call(self, method: str, path: str = "", body: Any = None) -> Any:
        raise NotImplementedError

    @property
    def sequence(self) -> int:
        """The number of the next report."""
        return self._sequence

    def ask(self) -> ServedLeg:
        """What to do next.

        The answer stays the same until you tell a visit, move the walker, drop the leg, or block
        or open an edge.
        """
        with self._lock:
            leg = ServedLeg.read(self._graph, self._call("POST", self._ask_path))
            self._sequence, self._asked = leg.sequence, leg
            # A service that was restored from a backup is behind what was reported to it.
            self._reported = min(self._reported, leg.sequence)
            return leg

    def tell(
        self,
        node: Hashable | Leg,
        reward: float | Sequence[float] | npt.NDArray[Any],
        *,
        took: float | Sequence[float | None] | npt.NDArray[Any] | None = None,
        time: datetime | float | Sequence[float] | npt.NDArray[Any] | None = None,
    ) -> Receipt:
        """Reports that a visit to ``node`` paid ``reward``.

        ``node`` may also be the leg that you asked for; ``reward`` then has the rewards of its
        visits, in order. A visit to a node that was not ordered counts as well, and the agent plans
        again. ``took`` is how long the step took, travel and visit together, in units of one visit;
        for a leg, one number for each reward (``None``: not measured). The agent learns from it how
        long roads take. ``time`` is when it happened, a ``datetime`` with a time zone; the history
        keeps it. All reports take such a ``time``.

        An agent that was created with ``clock="stamps"`` takes no ``took``, and needs ``time`` as
        a number: when the visit ended, in units of one visit, counted from any moment; for a leg,
        one number for each reward. Only ``tell``, ``tell_leg`` and ``tell_visits`` take numbers.
        """
        if isinstance(node, Leg):
            rewards = rewards_told(reward)
            said = {"rewards": rewards, **took_told(took), **stamps_told(time)}
            with self._lock:
                return self._report("tell", said, self._meant(node), time=remark(time))
        said = {"at": self._graph.number(node), "reward": reward_told(reward), **took_told(took)}
        return self._report("tell", {**said, **stamps_told(time)}, time=remark(time))

    def tell_leg(
        self,
        rewards: float | Sequence[float] | npt.NDArray[Any],
        *,
        took: float | Sequence[float | None] | npt.NDArray[Any] | None = None,
        time: datetime | float | Sequence[float] | npt.NDArray[Any] | None = None,
    ) -> Receipt:
        """Reports the rewards of the next visits of the leg that you asked for, in order."""
        said = {"rewards": rewards_told(rewards), **took_told(took), **stamps_told(time)}
        return self._report("tell", said, time=remark(time))

    def tell_visits(
        self,
        visits: Iterable[tuple[Hashable, float] | tuple[Hashable, float, float | None]],
        *,
        time: datetime | float | Sequence[float] | npt.NDArray[Any] | None = None,
    ) -> Receipt:
        """Reports several visits, for example those of a robot that was offline.

        Each visit is a node and a reward, and optionally how long the step took (see
        :meth:`tell`). If the agent's clock is ``"stamps"``, ``time`` has one number for each visit.
        """
        number = self._graph.number
        told = [
            {
                "at": number(node),
                "reward": reward_told(reward),
                **took_told(took[0] if took else None),
            }
            for node, reward, *took in visits
        ]
        stamps = stamps_told(time).get("time")
        if stamps is not None:
            each = stamps if isinstance(stamps, list) else [stamps]
            if len(each) != len(told):
                raise ValueError(
                    f"time has {len(each)} numbers for {len(told)} visits; give one for each"
                )
            told = [{**visit, "time": stamp} for visit, stamp in zip(told, each, strict=True)]
        return self._report("tell", {"visits": told}, time=remark(time))

    def failed(
        self,
        *,
        at: Hashable | None = None,
        reason: str | None = None,
        time: datetime | None = None,
    ) -> Receipt:
        """Reports that the leg failed; the walker is ``at`` (default: where it was last)."""
        return self._report("failed", {**self._at(at), "reason": reason}, time=time)

    def block(
        self,
        a: Hashable,
        b: Hashable,
        *,
        at: Hashable | None = None,
        directions: Literal["one", "both"] | None = None,
        reopening_rate: float | None = None,
        time: datetime | None = None,
    ) -> Receipt:
        """Reports that the edge between ``a`` and ``b`` is blocked; the agent plans around it.

        Where roads run one way or take time, only the road from ``a`` to ``b`` is blocked;
        ``directions="both"`` also blocks the road back. Nodes that can no longer be reached are set
        aside until an edge opens.

        ``reopening_rate`` is the rate per unit of time at which you expect it to reopen: with 0.25,
        after 4 units on average. The agent waits if that is cheaper than the way around.
        """
        rate = {} if reopening_rate is None else {"reopening_rate": float(reopening_rate)}
        return self._block((a, b), directions, {**self._at(at), **rate}, time)

    def moved(
        self, at: Hashable, *, reason: str | None = None, time: datetime | None = None
    ) -> Receipt:
        """Reports that the walker is ``at`` another node, or that another robot took over there.

        No reward was collected. The leg is dropped, and the agent plans again from there.
        """
        said = {"at": self._graph.number(at), "reason": reason}
        return self._report("moved", said, time=time)

    def move_to(self, node: Hashable) -> None:
        """Reports that the walker is on ``node``, if it is not there already; see :meth:`moved`."""
        if self._graph.number(node) != self._graph.number(self.status().at):
            self.moved(node)

    def _report(
        self,
        kind: str,
        said: dict[str, Any],
        leg: ServedLeg | None = None,
        *,
        time: datetime | None = None,
    ) -> Receipt:
        with self._lock:
            if leg is None and self._asked is not None and self._asked.sequence == self._sequence:
                leg = self._asked
            number = self._sequence if leg is None else leg.sequence
            body = {"sequence": number, **said, **self._remarks(leg), **moment(time)}
            answer = self._call("POST", f"/{kind}", body)
            receipt = Receipt.read(self._graph, answer)
            self._sequence = max(self._sequence, receipt.next_sequence)
            self._reported = max(self._reported, receipt.next_sequence)
            return receipt

    def _remarks(self, leg: ServedLeg | None) -> dict[str, Any]:
        """Who reports, to which agent, and on which order.

        With these, the service cannot mistake this report for that of another robot or order.
        """
        remarks = self._sender()
        if leg is not None:
            remarks["seal"] = leg.seal
        return remarks

    def _meant(self, leg: Leg) -> ServedLeg:
        """The order behind a leg; refuses a leg that was told already."""
        meant = leg if isinstance(leg, ServedLeg) else self._asked
        if meant is not None and meant == leg and meant.sequence >= self._reported:
            return meant
        raise ValueError("this leg is not the one that you asked for last; ask again")

    def _at(self, node: Hashable | None) -> dict[str, int]:
        return {} if node is None else {"at": self._graph.number(node)}

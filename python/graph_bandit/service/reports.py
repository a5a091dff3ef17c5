"""What a robot asks and reports, whether it is alone or a walker of a team."""

from __future__ import annotations

import math
import threading
from collections.abc import Hashable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from .._core import Graph, Leg
from .answers import Receipt, ServedLeg

if TYPE_CHECKING:
    import numpy.typing as npt


class Reports:
    """The methods of a robot: orders and reports, each with its number."""

    #: Where orders come from.
    _ask_path = "/ask"

    def __init__(self, graph: Graph, sequence: int, number: int | None, robot: str | None) -> None:
        self._graph = graph
        self._robot = robot
        # Services of version 0.1 do not number agents.
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
        """What to do next; the answer stays the same until you tell something."""
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

        An agent that was created with ``clock="stamps"`` needs ``time``, and takes no ``took``: the
        number at which the visit ended, in units of one visit, counted from any moment; for a leg,
        one number for each reward. Only ``tell``, ``tell_leg`` and ``tell_visits`` take numbers.
        """
        if isinstance(node, Leg):
            rewards = _rewards(reward)
            said = {"rewards": rewards, **_took(took), **_stamps(time)}
            with self._lock:
                return self._report("tell", said, self._meant(node), time=_remark(time))
        said = {"at": self._graph.number(node), "reward": _reward(reward), **_took(took)}
        return self._report("tell", {**said, **_stamps(time)}, time=_remark(time))

    def tell_leg(
        self,
        rewards: float | Sequence[float] | npt.NDArray[Any],
        *,
        took: float | Sequence[float | None] | npt.NDArray[Any] | None = None,
        time: datetime | float | Sequence[float] | npt.NDArray[Any] | None = None,
    ) -> Receipt:
        """Reports the rewards of the next visits of the leg that you asked for, in order."""
        said = {"rewards": _rewards(rewards), **_took(took), **_stamps(time)}
        return self._report("tell", said, time=_remark(time))

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
            {"at": number(node), "reward": _reward(reward), **_took(took[0] if took else None)}
            for node, reward, *took in visits
        ]
        stamps = _stamps(time).get("time")
        if stamps is not None:
            each = stamps if isinstance(stamps, list) else [stamps]
            if len(each) != len(told):
                raise ValueError(
                    f"time has {len(each)} numbers for {len(told)} visits; give one for each"
                )
            told = [{**visit, "time": stamp} for visit, stamp in zip(told, each, strict=True)]
        return self._report("tell", {"visits": told}, time=_remark(time))

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
        said = {**edge_said(self._graph, a, b, directions), **self._at(at)}
        if reopening_rate is not None:
            said["reopening_rate"] = float(reopening_rate)
        return self._report("blocked", said, time=time)

    def open(
        self,
        a: Hashable,
        b: Hashable,
        *,
        directions: Literal["one", "both"] | None = None,
        time: datetime | None = None,
    ) -> Receipt:
        """Reports that the edge between ``a`` and ``b`` is open again; see :meth:`block`."""
        said = edge_said(self._graph, a, b, directions)
        return self._report("opened", said, time=time)

    def observe(
        self,
        node: Hashable | Iterable[tuple[Hashable, float]],
        reward: float | None = None,
        *,
        time: datetime | None = None,
    ) -> Receipt:
        """Reports a reward on ``node`` that came from elsewhere: another robot, or a sensor.

        The walker does not move, and its leg goes on. Give several observations as pairs of nodes
        and rewards: ``observe([("roof", 3.0), ("gate", 2.0)])``.
        """
        return self._report("observe", observed(self._graph, node, reward), time=time)

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
        remarks: dict[str, Any] = {} if self._robot is None else {"robot": self._robot}
        if self._number is not None:
            remarks["number"] = self._number
            if leg is not None and leg.seal:
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


def moment(time: Any) -> dict[str, str]:
    """A moment in the format of RFC 3339.

    >>> from datetime import UTC
    >>> moment(datetime(2026, 11, 16, 8, 30, tzinfo=UTC))
    {'time': '2026-11-16T08:30:00+00:00'}
    """
    if time is None:
        return {}
    if not isinstance(time, datetime):
        raise TypeError(
            f"time is {time!r}; this report takes a datetime with a time zone: give one, or leave "
            "time out; only tell, tell_leg and tell_visits take numbers"
        )
    if time.utcoffset() is None:
        raise ValueError(
            f"time {time} has no time zone; write datetime.now(UTC), or time.astimezone()"
        )
    return {"time": time.isoformat()}


def _remark(time: Any) -> datetime | None:
    """The moment that the history keeps; numbers are for the agent's clock."""
    return time if isinstance(time, datetime) else None


def _stamps(time: Any) -> dict[str, Any]:
    """The time of one visit on the agent's clock, or of several.

    >>> _stamps(None), _stamps(2), _stamps([1, 2.5])
    ({}, {'time': 2.0}, {'time': [1.0, 2.5]})
    """
    if time is None or isinstance(time, datetime):
        return {}
    if isinstance(time, Iterable) and not isinstance(time, str):
        return {"time": [_stamp(each) for each in time]}
    return {"time": _stamp(time)}


def _stamp(time: Any) -> float:
    try:
        number = math.nan if isinstance(time, str) else float(time)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(
            f"time is {time!r}; give a datetime with a time zone, or, if the agent's clock is "
            '"stamps", a finite number in units of one visit'
        )
    return number


def edge_said(graph: Graph, a: Hashable, b: Hashable, directions: str | None) -> dict[str, Any]:
    """An edge or a road as a report has it."""
    said: dict[str, Any] = {"edge": [graph.number(a), graph.number(b)]}
    return said if directions is None else {**said, "directions": directions}


def observed(
    graph: Graph, node: Hashable | Iterable[tuple[Hashable, float]], reward: float | None
) -> dict[str, Any]:
    """One observation, or several, as a report has them."""
    if reward is None:
        pairs: Iterable[tuple[Any, Any]] = node  # type: ignore[assignment]
    else:
        pairs = [(node, reward)]
    seen = [{"at": graph.number(where), "reward": _reward(paid)} for where, paid in pairs]
    return {"observations": seen}


def _took(took: Any) -> dict[str, Any]:
    """How long one step took, or several.

    >>> _took(None), _took(2), _took([1, None])
    ({}, {'took': 2.0}, {'took': [1.0, None]})
    """
    if took is None:
        return {}
    if isinstance(took, Iterable) and not isinstance(took, str):
        return {"took": [None if each is None else _time_of_step(each) for each in took]}
    return {"took": _time_of_step(took)}


def _time_of_step(took: Any) -> float:
    try:
        number = math.nan if isinstance(took, str) else float(took)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(
            f"took is {took!r}; give a number of at least 1: travel and visit together, in units"
        )
    return number


def _reward(reward: object) -> float:
    try:
        number = float(reward)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = None
    if number is None or isinstance(reward, str):
        raise TypeError(
            f"reward {reward!r} is not a number; tell several rewards together with their leg"
        )
    if not math.isfinite(number):
        raise ValueError(f"reward {number} is not finite; give a finite number")
    return number


def _rewards(rewards: Any) -> list[float]:
    """One reward or several, as a list.

    >>> _rewards(1), _rewards([0.5, 2])
    ([1.0], [0.5, 2.0])
    """
    if isinstance(rewards, Iterable) and not isinstance(rewards, str):
        return [_reward(reward) for reward in rewards]
    return [_reward(rewards)]

"""A team of a service: one field and many robots, each of which asks and tells on its own."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from .._core import Graph
from ..teams import Walker
from .agent import spec_of
from .answers import Receipt, TeamStatus, TeamUpdate, WalkerStatus
from .errors import SequenceConflictError
from .events import watched
from .field_reports import FieldReports
from .looks import Looks
from .reports import Reports
from .team_said import walker_said
from .told import moment
from .wire import Wire

__all__ = ["ServedTeam", "ServedWalker"]


class ServedWalker(Reports):
    """One robot of a :class:`ServedTeam`.

    It has the methods of a robot: :meth:`ask`, :meth:`tell`, :meth:`tell_leg`, :meth:`tell_visits`,
    :meth:`failed`, :meth:`block`, :meth:`open`, :meth:`observe`, :meth:`moved`, :meth:`move_to`.
    The numbers of its reports are its own, so robots of a team do not wait for each other. A team
    refuses ``took``, ``reopening_rate`` and a ``time`` that is a number.

    If a report of another robot changes the order of this one (an edge of its path was blocked),
    the next report raises :class:`SequenceConflictError`. Ask again, and tell what the robot did
    with :meth:`tell` for one visit, or :meth:`tell_visits` for several.
    """

    def __init__(self, team: ServedTeam, shown: Mapping[str, Any]) -> None:
        super().__init__(team.graph, shown["sequence"], team._number, team._robot)
        self._team = team
        self._walker: int = shown["walker"]
        self._name: str | None = shown.get("name")
        self._ask_path = f"/ask?walker={self._walker}"

    @property
    def number(self) -> int:
        """Its number in the team; no other walker ever has it."""
        return self._walker

    @property
    def name(self) -> str | None:
        """Its name in the team, if it has one."""
        return self._name

    @property
    def team(self) -> ServedTeam:
        """The team."""
        return self._team

    def status(self) -> WalkerStatus:
        """Where it is, and its order, in one request."""
        for walker in self._team.status().walkers:
            if walker.number == self._walker:
                return walker
        raise LookupError(f"walker {self._name or self._walker} has left the team")

    def leave(self, *, reason: str | None = None) -> Receipt:
        """Takes it out of the team. What it told stays; its number and name are not used again."""
        body = {"walker": self._walker, "reason": reason, "number": self._number}
        return Receipt.read(self._graph, self._call("POST", "/left", body))

    def __repr__(self) -> str:
        return f"<walker {self._name or self._walker} of {self._team!r}>"

    def _call(self, method: str, path: str = "", body: Any = None) -> Any:
        return self._team._call(method, path, body)

    def _remarks(self, leg: Any) -> dict[str, Any]:
        return {**super()._remarks(leg), "walker": self._walker}


class ServedTeam(Looks, FieldReports):
    """A team that a service keeps; see :meth:`Fleet.create` with ``walkers``.

    ``team["anna"]`` and ``team[0]`` are its robots (:class:`ServedWalker`). When a method that
    reports something returns, the report is on disk. It counts once, however often it had to be
    sent.
    """

    def __init__(
        self, wire: Wire, graph: Graph, shown: Mapping[str, Any], robot: str | None = None
    ) -> None:
        self._wire = wire
        self._graph = graph
        self._id: str = shown["id"]
        self._spec = spec_of(shown["agent"])
        self._number: int = shown["number"]
        self._robot = robot
        self._lock = threading.RLock()
        self._sequence: int = shown["sequence"]
        self._handles: dict[int, ServedWalker] = {}

    def __repr__(self) -> str:
        return f"<team {self._id!r} led by {self._spec} at {self._wire.address.host}>"

    def status(self) -> TeamStatus:
        """The state of the team and of all its walkers now, in one request."""
        return TeamStatus.read(self._graph, self._call("GET"))

    def walkers(self) -> list[ServedWalker]:
        """The robots in the team now, in the order in which they joined."""
        shown = self._call("GET", "/walkers")["walkers"]
        return [self._handle(walker) for walker in shown]

    def __getitem__(self, walker: int | str) -> ServedWalker:
        shown = self._call("GET", "/walkers")["walkers"]
        for each in shown:
            if walker in (each["walker"], each.get("name")):
                return self._handle(each)
        known = ", ".join(repr(each.get("name", each["walker"])) for each in shown) or "none"
        raise KeyError(f"there is no walker {walker!r} in the team; the walkers are {known}")

    def __iter__(self) -> Iterator[ServedWalker]:
        return iter(self.walkers())

    def join(
        self,
        name: str,
        start: Hashable | None = None,
        *,
        speed: float = 1.0,
        nodes: Iterable[Hashable] | None = None,
    ) -> ServedWalker:
        """Adds a robot, or finds the one that joined with the same name and settings.

        So a robot may begin with this call, however often it is started. ``start`` is where it is
        (default: the start of the team, or else the first node), ``speed`` divides the time of
        roads, ``nodes`` are the nodes where it may be (default: all).
        """
        if not isinstance(name, str):
            raise TypeError(
                f"name is {name!r}; give the robot's name first, as in join('cleo', start)"
            )
        said = {"name": name, **walker_said(self._graph, Walker(start, speed, nodes))}
        receipt = self._call("POST", "/joined", {**said, "number": self._number})
        return self[receipt["walker"]]

    def watch(self) -> Iterator[TeamUpdate]:
        """The state now, and again after every change, until the team is deleted."""
        for shown in watched(self._wire, self._path("/events")):
            yield TeamUpdate.read(self._graph, shown)

    def _handle(self, shown: Mapping[str, Any]) -> ServedWalker:
        with self._lock:
            number = shown["walker"]
            if number not in self._handles:
                self._handles[number] = ServedWalker(self, shown)
            return self._handles[number]

    def _report(self, kind: str, said: dict[str, Any], *, time: datetime | None = None) -> Receipt:
        with self._lock:
            body = {"sequence": self._sequence, **said, **self._sender(), **moment(time)}
            try:
                answer = self._call("POST", f"/{kind}", body)
            except SequenceConflictError as conflict:
                # Somebody else reported. There is no order to ask for: report again.
                self._sequence = conflict.next_sequence
                raise
            receipt = Receipt.read(self._graph, answer)
            self._sequence = max(self._sequence, receipt.next_sequence)
            return receipt

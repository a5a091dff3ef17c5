"""The answers of a service, with the labels of the graph."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from .._core import Graph, Leg
from ..estimates import Estimates, KnownNode
from ..found import FoundChange

__all__ = [
    "Estimates",
    "FoundChange",
    "KnownNode",
    "ListedAgent",
    "Receipt",
    "Record",
    "ServedLeg",
    "Simulations",
    "Status",
    "TakenNode",
    "TeamStatus",
    "TeamUpdate",
    "Update",
    "WalkerStatus",
    "Why",
]


@dataclass(frozen=True)
class TakenNode:
    """A node that other robots of the team have taken, with a higher bound than the destination."""

    #: What is known about it.
    known: KnownNode
    #: The numbers of the robots whose orders end there.
    walkers: tuple[int, ...]

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> TakenNode:
        """Reads it from an answer."""
        return TakenNode(KnownNode.read(graph, shown), tuple(shown["walkers"]))


@dataclass(frozen=True)
class Why:
    """Why the agent chose a leg."""

    #: In a few words.
    reason: str
    #: What is known about the node where the leg ends.
    destination: KnownNode
    #: The sum, over the nodes on the way, of the highest bound minus the bound of the node.
    path_cost: float | None
    #: The most promising of the other nodes within reach. In a team, what counts is how much
    #: this robot would add there.
    runner_up: KnownNode | None
    #: How many nodes were left out because blocked edges cut them off.
    set_aside_nodes: int = 0
    #: In a team: nodes with a higher bound, where this robot would add no more than at its
    #: destination because orders of other robots end there. At most ten, the highest bounds first.
    taken: tuple[TakenNode, ...] = ()


class ServedLeg(Leg):
    """A leg from a service: a :class:`graph_bandit.Leg` with its reasons.

    >>> from graph_bandit import Leg
    >>> why = Why("it is near", KnownNode("yard", 3), path_cost=0.0, runner_up=None)
    >>> leg = ServedLeg(["yard"], stay=2, at="hall", phase="learn", why=why, sequence=7, seal="")
    >>> leg.node, leg.visits, leg.why.reason, leg == Leg(["yard"], stay=2)
    ('yard', 3, 'it is near', True)
    """

    #: Where the walker stands.
    at: Any
    why: Why
    #: The number of the report on this leg.
    sequence: int
    #: The seal (a fingerprint) of the log that the leg comes from.
    seal: str
    #: ``times`` in seconds, where the graph says how long a visit takes.
    times_in_seconds: tuple[float, ...] | None
    _times: tuple[float, ...] | None
    _arrival: float | None
    _phase: Literal["cover", "learn"]

    def __new__(
        cls,
        path: Any = (),
        stay: int = 0,
        *,
        at: Hashable,
        phase: Literal["cover", "learn"],
        why: Why,
        sequence: int,
        seal: str,
        times: tuple[float, ...] | None = None,
        times_in_seconds: tuple[float, ...] | None = None,
        arrival: float | None = None,
    ) -> ServedLeg:
        """Made by the client."""
        self = super().__new__(cls, path, stay)
        self.at, self._phase, self.why, self.sequence = at, phase, why, sequence
        self.seal = seal
        self._times, self.times_in_seconds, self._arrival = times, times_in_seconds, arrival
        return self

    @property
    def times(self) -> tuple[float, ...] | None:
        """How long each step of the path is expected to take, travel and visit together, in units
        of one visit. ``None`` if no road runs one way or takes time (by the map or by reports), and
        no blocked edge is expected to reopen.
        """
        return self._times

    @property
    def node(self) -> Any:
        """The next node to enter; the current one when staying."""
        return self.path[0] if self.path else self.at

    @property
    def phase(self) -> Literal["cover", "learn"]:
        """``"cover"`` during initialization, ``"learn"`` when the agent decides."""
        return self._phase

    @property
    def arrival(self) -> float | None:
        """When the first visit at the end of the path is expected to end, on the agent's clock
        (``status().time``); ``None`` if :attr:`times` is ``None``. If the path is empty, this is
        the present time.
        """
        return self._arrival

    def __reduce__(self) -> tuple[Any, ...]:
        more = {
            "at": self.at,
            "phase": self._phase,
            "why": self.why,
            "sequence": self.sequence,
            "seal": self.seal,
            "times": self._times,
            "times_in_seconds": self.times_in_seconds,
            "arrival": self._arrival,
        }
        return _leg, (self.path, self.stay, more)

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> ServedLeg:
        """Reads it from an answer."""
        path = tuple(graph.label(place["node"]) for place in shown["path"])
        at = graph.label(shown["at"]["node"])
        end = shown["path"][-1]["node"] if path else shown["at"]["node"]
        said = shown["why"]
        runner_up = said.get("runner_up")
        why = Why(
            said["reason"],
            KnownNode.read(graph, {**said, "node": end}),
            said.get("path_cost"),
            None if runner_up is None else KnownNode.read(graph, runner_up),
            said.get("set_aside_nodes", 0),
            tuple(TakenNode.read(graph, node) for node in said.get("taken", ())),
        )
        times, seconds = shown.get("times"), shown.get("times_in_seconds")
        return ServedLeg(
            path,
            shown["stay"],
            at=at,
            phase=shown["phase"],
            why=why,
            sequence=shown["sequence"],
            seal=shown["seal"],
            times=None if times is None else tuple(times),
            times_in_seconds=None if seconds is None else tuple(seconds),
            arrival=shown.get("arrival"),
        )


def _leg(path: tuple[Any, ...], stay: int, more: dict[str, Any]) -> ServedLeg:
    return ServedLeg(path, stay, **more)


@dataclass(frozen=True)
class Receipt:
    """A report that is on disk."""

    sequence: int
    #: The number of the next report.
    next_sequence: int
    #: Where the walker stands after it.
    at: Any
    #: How many rewards are known, including those of others.
    visits: int
    #: Whether the order was dropped and the agent planned again.
    replanned: bool
    #: In a team, the number of the walker that reported, joined or left; ``None`` if nobody did.
    walker: int | None = None

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> Receipt:
        """Reads it from an answer."""
        return Receipt(
            shown["sequence"],
            shown["next_sequence"],
            graph.label(shown["at"]) if "at" in shown else None,
            shown["visits"],
            shown["replanned"],
            shown.get("walker"),
        )


@dataclass(frozen=True)
class Record:
    """One report in the history of an agent."""

    kind: Literal[
        "told",
        "leg-failed",
        "edge-blocked",
        "edge-opened",
        "observed",
        "moved",
        "joined",
        "left",
    ]
    #: The answer to the report.
    receipt: Receipt
    #: Nodes and what they paid, visit by visit.
    visits: tuple[tuple[Any, float], ...] = ()
    edge: tuple[Any, Any] | None = None
    #: Where the walker was when a leg failed or an edge was blocked, or where it was moved.
    at: Any = None
    #: Why a leg failed or the walker was moved, in the robot's words.
    reason: str | None = None
    #: Nodes and what they paid to others.
    observations: tuple[tuple[Any, float], ...] = ()
    #: Which robot reported.
    robot: str | None = None
    #: When it happened by the robot's clock, in the format of RFC 3339; if the agent's clock is
    #: ``"stamps"``, the number at which the last visit ended, as text.
    time: str | None = None
    #: The robot's name for the report.
    id: str | None = None
    #: How long the step of each visit took, travel and visit together, in units of one visit;
    #: ``None`` if not measured.
    took: tuple[float | None, ...] = ()
    #: Whether a road was blocked or opened in ``"one"`` direction or in ``"both"``.
    directions: Literal["one", "both"] = "one"
    #: The rate per unit of time at which a blocked road is expected to reopen; ``None`` if never.
    reopening_rate: float | None = None
    #: In a team, the number of the walker that reported; ``None`` if somebody else did.
    reporter: int | None = None
    #: In a team, the name of the walker that joined; ``None`` if it has none.
    name: str | None = None
    #: In a team, the node where a walker joined.
    start: Any = None

    @property
    def sequence(self) -> int:
        """The number of the report."""
        return self.receipt.sequence

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> Record:
        """Reads it from an answer."""
        edge = shown.get("edge")
        joined = shown["walker"] if shown["kind"] == "joined" else {}
        return Record(
            shown["kind"],
            Receipt.read(graph, shown["receipt"]),
            _paid(graph, shown.get("visits", [])),
            None if edge is None else (graph.label(edge[0]), graph.label(edge[1])),
            graph.label(shown["at"]) if "at" in shown else None,
            shown.get("reason"),
            _paid(graph, shown.get("observations", [])),
            shown.get("robot"),
            shown.get("time"),
            shown.get("id"),
            _took(shown.get("visits", [])),
            shown.get("directions", "one"),
            shown.get("reopening_rate"),
            shown.get("reporter"),
            joined.get("name"),
            graph.label(joined["start"]) if "start" in joined else None,
        )


def _took(runs: list[Mapping[str, Any]]) -> tuple[float | None, ...]:
    """How long steps took, one for each visit.

    >>> _took([{"rewards": [1, 2]}, {"rewards": [3, 4], "took": [None, 2.5]}])
    (None, None, None, 2.5)
    """
    return tuple(took for run in runs for took in run.get("took") or [None] * len(run["rewards"]))


def _paid(graph: Graph, runs: list[Mapping[str, Any]]) -> tuple[tuple[Any, float], ...]:
    return tuple((graph.label(run["node"]), pay) for run in runs for pay in run["rewards"])


@dataclass(frozen=True)
class Status:
    """The state of an agent at one moment."""

    id: str
    #: The number of the next report.
    sequence: int
    at: Any
    #: How many rewards are known, including those of others.
    visits: int
    #: The sum of all rewards of its own visits.
    reward: float
    phase: Literal["cover", "learn"]
    #: The blocked edges; for roads, in the direction in which they run.
    blocked: tuple[tuple[Any, Any], ...]
    #: How many nodes cannot be reached now because edges are blocked.
    set_aside_nodes: int
    #: How many of the rewards are those of others.
    observed: int
    #: The number of the agent; a later agent with the same name has another number.
    number: int
    #: How much time has passed for the walker, in units of one visit; ``None`` if the clock is
    #: ``"count"`` and no road runs one way or takes time.
    time: float | None
    #: What the agent's clock follows: ``"count"`` or ``"stamps"``.
    clock: Literal["count", "stamps"]
    #: When the last visit ended, as it was told; only if the clock is ``"stamps"``.
    last_time: float | None

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> Status:
        """Reads it from an answer."""
        return Status(
            shown["id"],
            shown["sequence"],
            graph.label(shown["at"]["node"]),
            shown["visits"],
            shown["reward"],
            shown["phase"],
            _edges(graph, shown["blocked"]),
            shown["set_aside_nodes"],
            shown["observed"],
            shown["number"],
            shown.get("time"),
            shown["clock"],
            shown.get("last_time"),
        )


def _edges(graph: Graph, shown: list[tuple[int, int]]) -> tuple[tuple[Any, Any], ...]:
    return tuple((graph.label(a), graph.label(b)) for a, b in shown)


@dataclass(frozen=True)
class Update:
    """The state of an agent after a change, from :meth:`ServedAgent.watch`."""

    #: What the walker does next; ``leg.at`` is where it is.
    leg: ServedLeg
    visits: int
    #: The sum of all rewards of its own visits.
    reward: float
    #: The edges that are blocked.
    blocked: tuple[tuple[Any, Any], ...]

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> Update:
        """Reads it from an event."""
        leg = ServedLeg.read(graph, shown)
        return Update(leg, shown["visits"], shown["reward"], _edges(graph, shown["blocked"]))


@dataclass(frozen=True)
class WalkerStatus:
    """A robot of a team at one moment."""

    #: Its number in the team.
    number: int
    #: Its name, if it has one.
    name: str | None
    #: The number of its next report.
    sequence: int
    at: Any
    #: The nodes that its order still leads to, in turn.
    path: tuple[Any, ...]
    #: How many more rewards it collects at the end of the path.
    stay: int
    #: How many visits it has reported.
    visits: int
    #: Its speed: times of roads are divided by it.
    speed: float = 1.0
    #: The nodes where it may be; ``None`` if it may be everywhere.
    nodes: tuple[Any, ...] | None = None
    #: Its clock, in units of one visit: its visits, and the time on roads between them at its
    #: speed; ``None`` if no road runs one way or takes time.
    time: float | None = None

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> WalkerStatus:
        """Reads it from an answer."""
        nodes = shown.get("nodes")
        return WalkerStatus(
            shown["walker"],
            shown.get("name"),
            shown["sequence"],
            graph.label(shown["at"]["node"]),
            tuple(graph.label(node) for node in shown["path"]),
            shown["stay"],
            shown["visits"],
            shown["speed"],
            None if nodes is None else tuple(graph.label(node) for node in nodes),
            shown.get("time"),
        )


@dataclass(frozen=True)
class TeamStatus:
    """The state of a team at one moment."""

    id: str
    #: The number of the next report that is not a robot's.
    sequence: int
    walkers: tuple[WalkerStatus, ...]
    #: How many rewards are known, including those of others.
    visits: int
    #: The sum of all rewards that robots of the team reported.
    reward: float
    #: ``"cover"`` while some node was never visited.
    phase: Literal["cover", "learn"]
    #: The blocked edges; for roads, in the direction in which they run.
    blocked: tuple[tuple[Any, Any], ...]
    #: How many nodes no robot can reach now because edges are blocked.
    set_aside_nodes: int
    #: How many of the rewards are those of others.
    observed: int
    #: The number of the team; a later one with the same name has another number.
    number: int
    #: How many reports there were.
    records: int
    #: The most walkers at the same time; at most 64 while some walker is confined to some of the
    #: nodes.
    most: int

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> TeamStatus:
        """Reads it from an answer."""
        team = shown["team"]
        return TeamStatus(
            shown["id"],
            shown["sequence"],
            tuple(WalkerStatus.read(graph, walker) for walker in team["walkers"]),
            shown["visits"],
            shown["reward"],
            shown["phase"],
            _edges(graph, shown["blocked"]),
            shown["set_aside_nodes"],
            shown["observed"],
            shown["number"],
            team["records"],
            team["most"],
        )


@dataclass(frozen=True)
class TeamUpdate:
    """The state of a team after a change, from :meth:`ServedTeam.watch`."""

    walkers: tuple[WalkerStatus, ...]
    visits: int
    #: The sum of all rewards that robots of the team reported.
    reward: float
    #: The edges that are blocked.
    blocked: tuple[tuple[Any, Any], ...]

    @staticmethod
    def read(graph: Graph, shown: Mapping[str, Any]) -> TeamUpdate:
        """Reads it from an event."""
        walkers = tuple(WalkerStatus.read(graph, walker) for walker in shown["team"]["walkers"])
        blocked = _edges(graph, shown["blocked"])
        return TeamUpdate(walkers, shown["visits"], shown["reward"], blocked)


@dataclass(frozen=True)
class ListedAgent:
    """An agent in the list of a fleet."""

    id: str
    #: The agent, as the command line writes it.
    spec: str
    #: How many reports there were.
    sequence: int
    #: How many walkers it has, if it is a team; ``None`` if it is an agent alone.
    walkers: int | None = None


@dataclass(frozen=True)
class Simulations:
    """The agents that a service simulates."""

    #: Their names, in order.
    agents: tuple[str, ...]
    #: How many there may be at once; 0 if the service does not simulate.
    most: int
    #: How many visits are reported for each of them per second.
    reports_per_second: int

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Self:
        """Reads it from an answer."""
        return cls(tuple(answer["agents"]), answer["most"], answer["reports_per_second"])

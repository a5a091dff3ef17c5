"""Ask and tell for a team: every walker asks and tells on its own."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from .agent_texts import team_text
from .agents import Spec
from .best import Best
from .estimates import Estimates
from .found import FoundChange
from .graphs import Graph, GraphLike
from .graphs import graph as as_graph
from .road_directions import Directions, block_each, meant
from .saved_files import write_saved
from .teams import ShareLike, StartsLike, Walker, WalkersLike, team_of
from .whole_numbers import whole_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Team", "TeamSessionStatus", "TeamWalkerStatus", "team"]

FORMAT = "graph-bandit team"
#: How many walkers a team may have, if you do not say.
MOST_WALKERS = 1_000


@dataclass(frozen=True)
class TeamWalkerStatus:
    """A walker of a team at one moment; that of a served team has all of this, too."""

    #: Its number in the team.
    number: int
    at: Any
    #: The nodes that its order still leads to, in turn; empty if it has not asked yet.
    path: tuple[Any, ...]
    #: How many more rewards it collects at the end of the path; 0 if it has not asked yet.
    stay: int
    #: How many visits it has told.
    visits: int
    #: Its speed: times of roads are divided by it.
    speed: float
    #: The nodes where it may be; ``None`` if it may be everywhere.
    nodes: tuple[Any, ...] | None
    #: Its clock, in units of one visit: its visits, and the time on roads between them at its
    #: speed; ``None`` if no road runs one way or takes time.
    time: float | None


@dataclass(frozen=True)
class TeamSessionStatus:
    """The state of a team at one moment; the status of a served team has all of this, too."""

    walkers: tuple[TeamWalkerStatus, ...]
    #: How many rewards are known, including those of others.
    visits: int
    #: ``"cover"`` while some node was never visited.
    phase: Literal["cover", "learn"]
    #: The blocked edges; for roads, in the direction in which they run.
    blocked: tuple[tuple[Any, Any], ...]
    #: How many nodes no walker can reach now because edges are blocked.
    set_aside_nodes: int
    #: The most walkers at the same time.
    most: int


class Team(_core.TeamSession):
    """A team on a graph; see :func:`team`."""

    def join(
        self,
        start: Hashable | None = None,
        *,
        speed: float = 1.0,
        nodes: Iterable[Hashable] | None = None,
    ) -> int:
        """Adds a walker, and returns its number; the arguments are those of :class:`Walker`.

        Without ``start``, the walker is at the first node of the graph.

        >>> import graph_bandit as gb
        >>> team = gb.team("line:3", walkers=1)
        >>> team.join(start=2)
        1
        """
        first = self.graph.label(0) if start is None else start
        return self._join([_joining(first, Walker(start, speed, nodes))])[0]

    def block(self, a: Hashable, b: Hashable, *, directions: Directions | None = None) -> list[int]:
        """Reports that the edge between ``a`` and ``b`` is blocked, for all walkers.

        Where roads run one way or take time, only the road from ``a`` to ``b`` is blocked;
        ``directions="both"`` also blocks the road back. All walkers plan around it until it opens.
        Orders that would use it are dropped. Returns the walkers that had these orders.

        >>> import graph_bandit as gb
        >>> team = gb.team(gb.graph([("hall", "yard", 2.0)], times="weights"), walkers=1)
        >>> team.block("hall", "yard", directions="both")
        []
        >>> team.blocked
        (('hall', 'yard'), ('yard', 'hall'))
        """
        roads = meant(self.graph, self.blocked, (a, b), directions, blocked=True)
        dropped = block_each(roads, super().block, super().open)
        return [walker for each in dropped for walker in each]

    def open(self, a: Hashable, b: Hashable, *, directions: Directions | None = None) -> list[int]:
        """Reports that the edge between ``a`` and ``b`` is open again; see :meth:`block`.

        Returns the walkers whose orders were dropped because they can now reach more nodes.
        """
        roads = meant(self.graph, self.blocked, (a, b), directions, blocked=False)
        return [walker for road in roads for walker in super(Team, self).open(*road)]

    def estimates(self) -> Estimates:
        """What all walkers together know, as in :meth:`graph_bandit.ServedTeam.estimates`.

        ``score`` is NaN. To a walker, a node is worth what the walker would add there, which
        depends on where the others are. So the team's agent has no score that holds for all
        walkers.

        >>> import graph_bandit as gb
        >>> team = gb.team([("hall", "yard")], walkers=1)
        >>> team.observe("yard", 0.7)
        >>> known = team.estimates()
        >>> known.visits.tolist(), known["yard"].estimate
        ([0, 1], 0.7)
        """
        return Estimates(self.graph, **self._estimates())

    def status(self) -> TeamSessionStatus:
        """The state of the team and of all its walkers now, without planning.

        >>> import graph_bandit as gb
        >>> team = gb.team([("hall", "yard")], walkers=1)
        >>> team.tell(0, reward=0.7)
        >>> status = team.status()
        >>> status.walkers[0].at, status.walkers[0].visits, status.visits, status.phase
        ('hall', 1, 1, 'cover')
        """
        walkers, blocked, (visits, is_covering, set_aside, most) = self._status()
        return TeamSessionStatus(
            tuple(TeamWalkerStatus(*walker) for walker in walkers),
            visits,
            "cover" if is_covering else "learn",
            blocked,
            set_aside,
            most,
        )

    def best(self, *, confidence: float = 0.95, noise_scale: float | None = None) -> Best:
        """The best node so far, by the rewards of all walkers, and how sure that is.

        With probability ``confidence`` the intervals of all nodes hold, at all times, for noise of
        sub-Gaussian scale ``noise_scale`` (default: the agent's own, otherwise 0.5).
        ``"g-drift"`` may forget. Then all of this rests on the rewards that it remembers, and the
        probability is not guaranteed.

        >>> import graph_bandit as gb
        >>> team = gb.team([("hall", "yard")], walkers=2)
        >>> team.tell(0, reward=0.7)
        >>> team.best().node, team.best().unvisited, team.best().settled
        ('hall', 1, False)
        """
        return Best.read(self.graph, self._best(confidence, noise_scale))

    def changes(self) -> list[FoundChange]:
        """The changes of rewards that the team found, in order; at most the newest 256.

        Only ``"g-drift"`` looks for changes.
        """
        return FoundChange.list_of(self.graph, self._changes())

    def ages(self) -> npt.NDArray[np.float64]:
        """How long ago each node was last visited by any walker, by number, in units of one visit.

        A reward that others observed counts as a visit. The time of the team is that of the walker
        that is ahead. NaN for a node that was never visited. Only ``"g-drift"`` remembers it; other
        agents have NaN everywhere.

        >>> import graph_bandit as gb
        >>> team = gb.team([("hall", "yard")], walkers=2, agent="g-drift")
        >>> for _ in range(3):
        ...     team.tell(0, reward=0.7, node="yard")
        >>> team.tell(1, reward=0.2, node="hall")
        >>> team.tell(0, reward=0.7, node="yard")
        >>> team.ages()
        array([1., 0.])
        """
        return self._ages()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the team to a file; :func:`load` resumes it bit for bit.

        The file is written under another name and then renamed, so an earlier file is never lost.
        """
        write_saved(path, FORMAT, self.graph, {"team": json.loads(self._dump())})

    def plot(self, show: str = "estimates", **options: Any) -> Any:
        """Draws ``"estimates"`` or ``"visits"`` on the graph, with all walkers and their orders.

        ``options`` are those of the functions with these names in :mod:`graph_bandit.plots`.
        """
        from . import plots

        shown = {"estimates": plots.estimates, "visits": plots.visits}
        if show not in shown:
            raise ValueError(f"show is {show!r}; give one of {', '.join(map(repr, shown))}")
        return shown[show](self, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return resumed, (self.graph, self._dump())

    def __deepcopy__(self, _memo: object) -> Team:
        return resumed(self.graph, self._dump())

    def __repr__(self) -> str:
        number = len(self.walkers)
        return f"<Team of {number} walker{'s'[: number != 1]} on {len(self.graph)} nodes>"


def resumed(made: Graph, stored: str) -> Team:
    """The team that was dumped on this graph."""
    return Team((made, stored))


def team(
    graph: GraphLike,
    walkers: WalkersLike = 1,
    agent: Spec | str = "g-star",
    *,
    starts: StartsLike | None = None,
    share: ShareLike = "equal",
    seats: int | None = None,
    most: int | None = None,
    seed: int = 0,
    preset: str = "paper",
    **parameters: Any,
) -> Team:
    """A team on a graph: each walker asks what to do, and tells what it got, on its own.

    ``graph`` is whatever :func:`graph_bandit.graph` takes. ``walkers``, ``share`` and ``seats`` are
    as in :func:`run`; ``starts`` is a label for all or a list with one per walker (default: the
    first node). ``agent`` must plan for one walker at a time, such as ``"g-star"``; ``parameters``
    are the agent's own, as in ``noise_scale=0.5``.

    Walkers have the numbers 0, 1 and so on. A number is never used again. ``most`` limits how many
    walkers are in the team at the same time. If ``share`` is a table, the default is its number of
    columns, otherwise 1,000 (or the number of ``walkers``, if that is larger).

    :meth:`~Team.ask` says what a walker is to do next, :meth:`~Team.tell` what a visit paid.
    :meth:`~Team.join`, :meth:`~Team.leave`, :meth:`~Team.failed` and :meth:`~Team.move_to` say what
    else happened to a walker, and :meth:`~Team.observe` is for rewards that nobody in the team
    collected. :meth:`~Team.block` and :meth:`~Team.open` close and open an edge for all walkers.
    :meth:`~Team.status` and :meth:`~Team.estimates` show what is going on and what is known,
    :meth:`~Team.best` the best node so far, and :meth:`~Team.changes` and :meth:`~Team.ages` what
    an agent for rewards that change has noticed.
    :meth:`~Team.save` keeps the team in a file.

    >>> import graph_bandit as gb
    >>> team = gb.team("grid:3x3", walkers=2, starts=[0, 8])
    >>> for _ in range(200):
    ...     for walker in team.walkers:
    ...         node = team.ask(walker).node
    ...         team.tell(walker, reward=1.0 if node in (2, 6) else 0.0)
    >>> sorted(team.ask(walker).node for walker in team.walkers)
    [2, 6]
    """
    made = as_graph(graph)
    if isinstance(starts, str) and starts == "random":
        raise ValueError("starts is 'random'; say where the walkers of your team are")
    described = team_of(made, walkers, starts=starts, share=share, seats=seats).for_core()
    columns = None if isinstance(described.share, str) else described.share.shape[1]
    if columns is not None and columns < described.walkers:
        raise ValueError(
            f"share: the table has {columns} column{'s'[: columns != 1]}, but there are "
            f"{described.walkers} walkers; give f(1) to f({described.walkers})"
        )
    if most is None:
        most = max(MOST_WALKERS, described.walkers) if columns is None else columns
    most = whole_number("most", most)
    if most < described.walkers:
        raise ValueError(
            f"most is {most}, but there are {described.walkers} walkers; allow at least as many"
        )
    # First of all: it refuses a number of walkers that no list could hold.
    session = Team(
        SimpleNamespace(
            graph=made,
            agent=team_text("team", agent, parameters),
            preset=preset,
            walkers=described.walkers,
            share=described.share,
            most=most,
            seats=described.seats,
            seed=whole_number("seed", seed, least=0),
        )
    )
    places = described.starts or [made.label(0)]
    if len(places) == 1:
        places = places * described.walkers
    if len(places) != described.walkers:
        raise ValueError(
            f"{len(places)} starts for {described.walkers} walkers; give one for all, or one for "
            "each"
        )
    speeds = described.speeds or [1.0] * described.walkers
    nodes = described.nodes or [None] * described.walkers
    session._join(list(zip(places, speeds, nodes, strict=True)))
    return session


def _joining(start: Hashable, walker: Walker) -> tuple[Hashable, float, list[Hashable] | None]:
    """A walker as the compiled part takes it."""
    return start, float(walker.speed), None if walker.nodes is None else list(walker.nodes)

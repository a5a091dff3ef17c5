"""Ask and tell for a team: every walker asks and tells on its own."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import _core
from .agent_texts import team_text
from .agents import Spec
from .estimates import Estimates
from .graphs import Graph, GraphLike
from .graphs import graph as as_graph
from .saved_files import write_saved
from .teams import ShareLike, StartsLike, Walker, WalkersLike, team_of
from .whole_numbers import whole_number

__all__ = ["Team", "team"]

FORMAT = "graph-bandit team"
#: How many walkers a team may have, if you do not say.
MOST_WALKERS = 1_000


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

        >>> import graph_bandit as gb
        >>> team = gb.team("line:3", walkers=1)
        >>> team.join(start=2)
        1
        """
        first = self.graph.label(0) if start is None else start
        return self._join([_joining(first, Walker(start, speed, nodes))])[0]

    def estimates(self) -> Estimates:
        """What all walkers together know about the nodes: visits and averages.

        ``radius``, ``bound`` and ``score`` are NaN. To a walker, a node is worth what the walker
        would add there, which depends on where the others are. So the team's agent has no bound and
        no score that hold for all walkers.

        >>> import graph_bandit as gb
        >>> team = gb.team([("hall", "yard")], walkers=1)
        >>> team.observe("yard", 0.7)
        >>> known = team.estimates()
        >>> known.visits.tolist(), known["yard"].estimate
        ([0, 1], 0.7)
        """
        visits, means = self._estimates()
        unknown = np.full(len(visits), np.nan)
        return Estimates(
            self.graph,
            visits=visits,
            estimate=means,
            radius=unknown,
            bound=unknown,
            score=unknown,
            set_aside=np.zeros(len(visits), np.bool_),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the team to a file; :func:`load` resumes it bit for bit.

        The file is written under another name and then renamed, so an earlier file is never lost.
        """
        write_saved(path, (FORMAT, 1), self.graph, {"team": json.loads(self._dump())})

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

    :meth:`~Team.order` says what a walker is to do next, :meth:`~Team.tell` what a visit paid.
    :meth:`~Team.join`, :meth:`~Team.leave`, :meth:`~Team.fail` and :meth:`~Team.move_to` say what
    else happened to a walker, and :meth:`~Team.observe` is for rewards that nobody in the team
    collected. :meth:`~Team.block` and :meth:`~Team.open` close and open an edge for all walkers.
    :meth:`~Team.save` keeps the team in a file.

    >>> import graph_bandit as gb
    >>> team = gb.team("grid:3x3", walkers=2, starts=[0, 8])
    >>> for _ in range(200):
    ...     for walker in team.walkers:
    ...         node = team.order(walker).node
    ...         team.tell(walker, reward=1.0 if node in (2, 6) else 0.0)
    >>> sorted(team.order(walker).node for walker in team.walkers)
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
    places = described.starts or [made.label(0)]
    if len(places) == 1:
        places = places * described.walkers
    if len(places) != described.walkers:
        raise ValueError(
            f"{len(places)} starts for {described.walkers} walkers; give one for all, or one for "
            "each"
        )
    session = Team(
        SimpleNamespace(
            graph=made,
            agent=team_text("team", agent, parameters),
            preset=preset,
            share=described.share,
            most=most,
            seats=described.seats,
            seed=whole_number("seed", seed, least=0),
        )
    )
    speeds = described.speeds or [1.0] * described.walkers
    nodes = described.nodes or [None] * described.walkers
    session._join(list(zip(places, speeds, nodes, strict=True)))
    return session


def _joining(start: Hashable, walker: Walker) -> tuple[Hashable, float, list[Hashable] | None]:
    """A walker as the compiled part takes it."""
    return start, float(walker.speed), None if walker.nodes is None else list(walker.nodes)

"""What an agent has seen and expects, from a session or a trace."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from .. import _core
from ..graphs import Graph
from ..service import ServedAgent
from ..studies import Trace
from ..team_sessions import Team
from ..team_traces import TeamTrace

if TYPE_CHECKING:
    import numpy.typing as npt

#: A session, an agent of a service, a trace, or a team or its trace.
Source: TypeAlias = _core.Session | ServedAgent | Trace | Team | TeamTrace


@dataclass(frozen=True)
class Standing:
    """Where a walker is, and what it does next, by node numbers."""

    #: Where it stands, or which node it left last.
    at: int
    #: The nodes that the rest of its leg enters.
    leg: tuple[int, ...]


@dataclass(frozen=True)
class Beliefs:
    """What an agent has seen and expects after some visits; arrays are by node number."""

    graph: Graph
    agent: str
    counts: npt.NDArray[np.int64]
    #: Average rewards; NaN before the first visit.
    means: npt.NDArray[np.float64]
    #: How promising nodes look; ``None`` if the agent has no scores.
    bounds: npt.NDArray[np.float64] | None
    #: The number of the node where the walker stands.
    at: int
    #: The numbers of the nodes that the rest of the leg enters.
    leg: tuple[int, ...]
    #: All walkers of a team; empty for a walker alone. ``at`` and ``leg`` are those of the first.
    team: tuple[Standing, ...] = ()
    #: The numbers of these walkers, if they are not 0, 1 and so on: some may have left.
    numbers: tuple[int, ...] = ()
    #: The steps of a team, if they are known.
    steps: int | None = None

    @property
    def visits(self) -> int:
        """All visits so far."""
        return int(self.counts.sum())


def beliefs(source: Source, until: int | None = None) -> Beliefs:
    """The beliefs of a session now, or of a trace after ``until`` visits (of a team: steps).

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> walk = gb.trace(gb.World("line:6"), "g-ucb", steps=100, seed=3)
    >>> plots.beliefs(walk, until=20).visits
    20
    """
    if isinstance(source, Trace):
        return _of_trace(source, until)
    if isinstance(source, TeamTrace):
        return _of_team_trace(source, until)
    if not isinstance(source, _core.Session | ServedAgent | Team):
        raise TypeError(
            f"{type(source).__name__!r} has nothing to draw; give a session (gb.agent) or a "
            "trace (gb.trace, results.trace)"
        )
    if until is not None:
        raise ValueError("until is for traces; a session is drawn as it is now")
    if isinstance(source, Team):
        return _of_team(source)
    graph = source.graph
    if isinstance(source, ServedAgent):
        known = source.estimates()
        counts, means, at = known.visits, known.estimate, source.status().at
    else:
        # As a served agent knows them: the means of what is still remembered.
        means = _core.node_estimates(source)["estimate"]
        counts, at = source.counts, source.at
    return Beliefs(
        graph=graph,
        agent=source.spec,
        counts=counts,
        means=means,
        bounds=source.scores(),
        at=graph.number(at),
        leg=tuple(graph.number(node) for node in source.ask().path),
    )


def _of_trace(trace: Trace, until: int | None) -> Beliefs:
    visits = len(trace.nodes) if until is None else int(until)
    if not 1 <= visits <= len(trace.nodes):
        raise ValueError(f"until is {until!r}; give 1 to {len(trace.nodes)}, the trace's visits")
    counts = trace.counts(visits)
    sums = np.bincount(trace.nodes[:visits], trace.rewards[:visits], len(trace.means))
    with np.errstate(invalid="ignore"):
        means = sums / counts
    return Beliefs(
        graph=trace.world.graph,
        agent=trace.agent,
        counts=counts,
        means=means,
        bounds=_replayed(trace, visits),
        at=standing(trace, visits),
        leg=coming(trace, visits),
    )


def _of_team_trace(trace: TeamTrace, until: int | None) -> Beliefs:
    steps = checked_steps(trace, until)
    nodes, draws = trace.seen(steps)
    counts = np.bincount(nodes, minlength=len(trace.means))
    with np.errstate(invalid="ignore"):
        means = np.bincount(nodes, draws, len(trace.means)) / counts
    team = tuple(standing_of(trace, walker, steps) for walker in range(trace.walkers))
    return Beliefs(
        graph=trace.world.graph,
        agent=trace.agent,
        counts=counts,
        means=means,
        bounds=None,
        at=team[0].at,
        leg=team[0].leg,
        team=team,
        steps=steps,
    )


def checked_steps(trace: TeamTrace, until: int | None) -> int:
    """The number of steps to show, or an error."""
    steps = trace.steps if until is None else int(until)
    if not 1 <= steps <= trace.steps:
        raise ValueError(f"until is {until!r}; give 1 to {trace.steps}, the trace's steps")
    return steps


def standing_of(trace: TeamTrace, walker: int, steps: int) -> Standing:
    """Where a walker is after this many steps, and the nodes that its leg under way still enters.

    If that leg is done, these are the nodes of the next one. At the end of the trace there are
    none.
    """
    own, legs = trace.nodes[:, walker], trace.legs[walker]
    leg = int(np.searchsorted(legs, steps, side="right"))
    end = int(legs[leg]) if leg < len(legs) else trace.steps
    path = own[steps - 1 : max(end, steps)].tolist()
    ahead = tuple(node for before, node in pairwise(path) if node != before)
    return Standing(at=path[0], leg=ahead)


def standing(trace: Trace, visits: int) -> int:
    """Where the walker is after this many visits; after covering it may jump to its start."""
    at = int(trace.nodes[visits - 1])
    if visits == trace.init_steps < len(trace.nodes):
        around = trace.world.graph.neighborhood_numbers(at)
        if trace.nodes[visits] not in around:
            return int(trace.nodes[0])
    return at


def coming(trace: Trace, visits: int) -> tuple[int, ...]:
    """The nodes that the leg under way after this many visits still enters.

    If that leg is done, these are the nodes of the next one. At the end of the trace, and while the
    graph is covered, there are none.
    """
    if not trace.init_steps <= visits < len(trace.nodes):
        return ()
    leg = int(np.searchsorted(trace.legs, visits, side="right"))
    end = int(trace.legs[leg]) if leg < len(trace.legs) else len(trace.nodes)
    path = [standing(trace, visits), *trace.nodes[visits:end].tolist()]
    return tuple(node for before, node in pairwise(path) if node != before)


def _replayed(trace: Trace, visits: int) -> npt.NDArray[np.float64] | None:
    """The bounds of a built-in agent, from a session that is told the same visits."""
    if trace.spec is None:
        return None
    graph = trace.world.graph
    labels = graph.nodes
    walk = [labels[node] for node in trace.nodes[:visits].tolist()]
    from ..sessions import agent

    session = agent(graph, trace.spec, start=walk[0], init="none", preset=trace.preset)
    for label, reward in zip(walk, trace.rewards[:visits].tolist(), strict=True):
        try:
            session.tell(label, reward)
        except _core.IllegalMoveError:
            # After covering the graph the walker may have jumped to its start.
            session.move_to(label)
            session.tell(label, reward)
    found: npt.NDArray[np.float64] | None = session.scores()
    return found


def _of_team(team: Team) -> Beliefs:
    graph, known, walkers = team.graph, team.estimates(), team.walkers
    standings = tuple(
        Standing(
            at=graph.number(team.at(walker)),
            leg=tuple(graph.number(node) for node in team.ask(walker).path),
        )
        for walker in walkers
    )
    first = standings[0] if standings else Standing(at=0, leg=())
    return Beliefs(
        graph=graph,
        agent=team.spec,
        counts=known.visits,
        means=known.estimate,
        bounds=None,
        at=first.at,
        leg=first.leg,
        team=standings,
        numbers=tuple(walkers),
    )

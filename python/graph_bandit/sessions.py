"""Ask and tell: ask an agent where to go, tell it what it got, save it and load it again."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from .agent_texts import names_an_agent, spec_text
from .agents import Spec
from .best import Best
from .estimates import Estimates
from .found import FoundChange
from .graphs import Graph, GraphLike
from .graphs import graph as as_graph
from .road_directions import Directions, block_each, meant
from .saved_files import read_saved, write_saved
from .team_sessions import FORMAT as TEAM_FORMAT
from .team_sessions import resumed as resumed_team
from .whole_numbers import whole_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Session", "SessionStatus", "agent", "load"]

_FORMAT = "graph-bandit session"


@dataclass(frozen=True)
class SessionStatus:
    """The state of a session at one moment; the status of a served agent has all of this, too."""

    #: Where the walker stands.
    at: Any
    #: How many rewards are known, including those of others.
    visits: int
    #: The blocked edges; for roads, in the direction in which they run.
    blocked: tuple[tuple[Any, Any], ...]
    #: How many nodes cannot be reached now because edges are blocked.
    set_aside_nodes: int
    #: How much time has passed, in units of one visit.
    time: float


class Session(_core.Session):
    """An agent on a graph; see :func:`agent`."""

    def status(self) -> SessionStatus:
        """The state of the session now; :meth:`graph_bandit.ServedAgent.status` has the same."""
        return SessionStatus(self.at, self.visits, self.blocked, len(self.set_aside), self.time)

    def block(
        self,
        a: Hashable,
        b: Hashable,
        reopening_rate: float | None = None,
        *,
        directions: Directions | None = None,
    ) -> None:
        """Reports that the edge between ``a`` and ``b`` is blocked; the agent plans around it.

        Where roads run one way or take time, only the road from ``a`` to ``b`` is blocked;
        ``directions="both"`` also blocks the road back. Nodes that can no longer be reached are set
        aside until an edge opens. ``reopening_rate`` is the rate per unit of time at which you
        expect it to reopen: with 0.25, after 4 units on average. The agent waits if that is
        cheaper than the way around.

        >>> import graph_bandit as gb
        >>> agent = gb.agent(gb.graph([("hall", "yard", 2.0)], times="weights"), "g-star")
        >>> agent.block("hall", "yard", directions="both")
        >>> agent.blocked
        (('hall', 'yard'), ('yard', 'hall'))
        """
        roads = meant(self.graph, self.blocked, (a, b), directions, blocked=True)
        block = super().block
        block_each(roads, lambda start, end: block(start, end, reopening_rate), super().open)

    def open(self, a: Hashable, b: Hashable, *, directions: Directions | None = None) -> None:
        """Reports that the edge between ``a`` and ``b`` is open again; see :meth:`block`."""
        for road in meant(self.graph, self.blocked, (a, b), directions, blocked=False):
            super().open(*road)

    def estimates(self) -> Estimates:
        """What is known about all nodes now, as in :meth:`graph_bandit.ServedAgent.estimates`.

        >>> import graph_bandit as gb
        >>> agent = gb.agent([("hall", "yard")], "g-ucb")
        >>> agent.tell("hall", reward=0.7)
        >>> known = agent.estimates()
        >>> known.visits.tolist(), known["hall"].estimate, known["yard"].estimate
        ([1, 0], 0.7, None)
        """
        return Estimates(self.graph, **_core.node_estimates(self))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the session to a file; :func:`load` resumes it bit for bit.

        The file is written under another name and then renamed, so an earlier file is never lost.
        """
        write_saved(path, _FORMAT, self.graph, {"session": json.loads(self._dump())})

    def best(self, *, confidence: float = 0.95, noise_scale: float | None = None) -> Best:
        """The best node so far, and how sure that is.

        With probability ``confidence`` the intervals of all nodes hold, at all times, for noise of
        sub-Gaussian scale ``noise_scale`` (default: the agent's own, otherwise 0.5).
        An agent for rewards that change may forget. Then all of this rests on the rewards that it
        remembers, and the probability is not guaranteed.

        >>> import graph_bandit as gb
        >>> agent = gb.agent([("hall", "yard")], "g-star")
        >>> agent.tell("hall", reward=0.7)
        >>> agent.best().node, agent.best().unvisited, agent.best().settled
        ('hall', 1, False)
        """
        return Best.read(self.graph, self._best(confidence, noise_scale))

    def changes(self) -> list[FoundChange]:
        """The changes of rewards that the agent found, in order; at most the newest 256.

        Agents that do not look for changes find none.

        >>> import graph_bandit as gb
        >>> agent = gb.agent([("hall", "yard")], "g-drift")
        >>> for visit in range(60):
        ...     agent.tell("hall", reward=0.9 if visit < 40 else 0.1)
        >>> [change.node for change in agent.changes()]
        ['hall']
        """
        return FoundChange.list_of(self.graph, self._changes())

    def ages(self) -> npt.NDArray[np.float64]:
        """How long ago each node was last visited, by number, in units of one visit.

        A reward that others observed counts as a visit. NaN for a node that was never visited. Only
        agents for rewards that change remember it; all others have NaN everywhere.

        >>> import graph_bandit as gb
        >>> agent = gb.agent([("hall", "yard")], "g-drift")
        >>> agent.tell("hall", reward=0.7)
        >>> agent.tell("yard", reward=0.7)
        >>> agent.ages()
        array([1., 0.])
        """
        return self._ages()

    def plot(self, show: str = "estimates", **options: Any) -> Any:
        """Draws ``"estimates"``, ``"visits"`` or ``"bounds"`` on the graph, with walker and leg.

        ``options`` are those of the functions with these names in :mod:`graph_bandit.plots`.

        >>> import graph_bandit as gb
        >>> agent = gb.agent("grid:3x3", "g-ucb")
        >>> agent.tell(0, reward=0.7)
        >>> agent.plot().get_title(loc="left")
        'estimates, g-ucb after 1 visit'
        """
        from . import plots

        shown = {"estimates": plots.estimates, "visits": plots.visits, "bounds": plots.bounds}
        if show not in shown:
            raise ValueError(f"show is {show!r}; give one of {', '.join(map(repr, shown))}")
        return shown[show](self, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return _resumed, (self.graph, self._dump())

    def __deepcopy__(self, _memo: object) -> Session:
        return _resumed(self.graph, self._dump())


def _resumed(made: Graph, stored: str) -> Session:
    return Session(made, "", stored=stored)


def agent(
    graph: GraphLike,
    spec: Spec | str = "g-star",
    *,
    start: Hashable | None = None,
    seed: int = 0,
    init: str = "lowest",
    preset: str = "paper",
    **parameters: Any,
) -> Session:
    """An agent on a graph: ask it where to go, and tell it what it got.

    ``graph`` is whatever :func:`graph_bandit.graph` takes. ``spec`` is the name of an agent, or an
    agent with parameters such as ``gb.GUcb(bonus=0.5)``; ``parameters`` are the agent's own, as in
    ``noise_scale=0.5``. The agent starts on ``start`` (default: the first node) and covers the
    graph by ordinary legs, in the order that ``init`` says, as in :func:`run`: ``"lowest"``,
    ``"nearest"``, ``"depth-first"``, ``"tour"`` or ``"none"``.

    Where roads run one way or take time, ``leg.times`` says how long each step of the path is
    expected to take, travel and visit together. ``leg.arrival`` says when the last step is expected
    to end, on the agent's clock (``agent.time``). ``agent.tell(node, reward, took=2.5)`` says how
    long a step took, travel and visit together; the agent learns from that how long roads take.

    >>> import graph_bandit as gb
    >>> agent = gb.agent("grid:3x3", "g-star", init="depth-first", seed=1, noise_scale=0.5)
    >>> leg = agent.ask()
    >>> leg.node, leg.path, leg.stay
    (0, (), 1)
    >>> agent.tell(leg.node, reward=0.7)
    >>> leg = agent.ask()
    >>> agent.tell(leg, [0.5] * leg.visits)
    >>> agent.visits
    2
    """
    if names_an_agent(graph):
        raise TypeError(f"{graph} is an agent; the graph comes first, then the agent")
    seed = whole_number("seed", seed, least=0)
    try:
        made = as_graph(graph)
    except (OSError, ValueError) as error:
        if not names_an_agent(spec):
            error.add_note(f"agent() takes the graph first, then the agent, which is {spec!r} here")
        raise
    return Session(made, spec_text(spec, parameters), start, seed, init, preset)


def load(path: str | os.PathLike[str]) -> Any:
    """Loads a session or a team from the file that its ``save`` wrote.

    >>> import graph_bandit as gb
    >>> import pathlib, tempfile
    >>> team = gb.team("grid:3x3", walkers=2)
    >>> team.tell(0, reward=0.7)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "team.json"
    >>> team.save(path)
    >>> gb.load(path)
    <Team of 2 walkers on 9 nodes>
    """
    return read_saved(
        path,
        {
            _FORMAT: lambda graph, stored: _resumed(graph, json.dumps(stored["session"])),
            TEAM_FORMAT: lambda graph, stored: resumed_team(graph, json.dumps(stored["team"])),
        },
    )

"""The agents of one service."""

from __future__ import annotations

import os
import uuid
from collections.abc import Hashable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, overload
from urllib.parse import quote

from ..agent_texts import names_an_agent, spec_text, team_text
from ..agents import Spec
from ..graphs import Graph, GraphLike
from ..graphs import graph as as_graph
from ..teams import ShareLike, Walker, WalkersLike
from ..whole_numbers import whole_number
from . import maps
from .agent import ServedAgent
from .answers import ListedAgent, Simulations
from .errors import UnavailableError, UnknownAgentError
from .team import ServedTeam
from .team_said import refuse_other_arguments, team_said
from .wire import Wire

if TYPE_CHECKING:
    import ssl

_PAGE = 1_000


def connect(
    url: str = "http://127.0.0.1:8080",
    token: str | None = None,
    *,
    deadline: float = 60.0,
    context: ssl.SSLContext | None = None,
    robot: str | None = None,
) -> Fleet:
    """Connects to the service at ``url``; nothing is sent until you use the fleet.

    If a request gets no answer, the logger ``graph_bandit`` warns once, and the request is
    repeated.

    - ``token``: the token for the service (default: the environment variable ``GBANDIT_TOKEN``)
    - ``deadline``: how many seconds to repeat a request that gets no answer, or the answer that
      the service is busy (``math.inf``: no limit)
    - ``context``: an :class:`ssl.SSLContext`, if you use your own certificates
    - ``robot``: who reports. The history keeps it, and the same report from another robot does not
      count as a repeat

    >>> import graph_bandit as gb
    >>> gb.connect("http://127.0.0.1:8080")
    <Fleet of http://127.0.0.1:8080>
    """
    if token is None:
        token = os.environ.get("GBANDIT_TOKEN")
    return Fleet(Wire(url, token, deadline, context), url, robot)


class Fleet:
    """The agents of a service; see :func:`connect`. Threads may share it."""

    def __init__(self, wire: Wire, url: str, robot: str | None = None) -> None:
        self._wire = wire
        self._url = url
        self._robot = robot

    @overload
    def create(
        self,
        graph: GraphLike,
        spec: Spec | str = "g-star",
        *,
        walkers: WalkersLike | Mapping[str, Walker | Mapping[str, Any]],
        share: ShareLike | None = None,
        seats: int | None = None,
        id: str | None = None,
        start: Hashable | None = None,
        seed: int = 0,
        visit_time: float | None = None,
        **parameters: Any,
    ) -> ServedTeam: ...

    @overload
    def create(
        self,
        graph: GraphLike,
        spec: Spec | str = "g-star",
        *,
        id: str | None = None,
        start: Hashable | None = None,
        seed: int = 0,
        init: str | None = None,
        visit_time: float | None = None,
        clock: Literal["count", "stamps"] | None = None,
        **parameters: Any,
    ) -> ServedAgent: ...

    def create(
        self,
        graph: GraphLike,
        spec: Spec | str = "g-star",
        *,
        id: str | None = None,
        start: Hashable | None = None,
        seed: int = 0,
        init: str | None = None,
        visit_time: float | None = None,
        clock: Literal["count", "stamps"] | None = None,
        walkers: WalkersLike | Mapping[str, Walker | Mapping[str, Any]] | None = None,
        share: ShareLike | None = None,
        seats: int | None = None,
        **parameters: Any,
    ) -> ServedAgent | ServedTeam:
        """Creates an agent, or finds the one that was created with the same arguments.

        An agent that is found still has all its reports. So a program may begin with this call, and
        you may start the program as often as you like.

        ``id`` is the name of the agent (default: a new random name). ``visit_time`` is how many
        seconds a visit takes; orders then also give times in seconds. With ``clock="stamps"``, the
        agent's clock follows the ``time`` of every visit that you report
        (:meth:`ServedAgent.tell`). By default (``"count"``), it counts visits and travel times; for
        a step with ``took``, it counts ``took`` instead. The other arguments are those of
        :func:`graph_bandit.agent`, except that ``init`` is ``"nearest"`` by default, so that a
        robot covers the graph on short paths.

        With ``walkers`` it is a team (:class:`ServedTeam`): one field and many robots, each of
        which asks and tells on its own. ``walkers`` is how many there are, a list with one
        :class:`Walker` for each, or a dictionary with a name for each; it may be 0, and robots may
        join later. ``share`` and ``seats`` are as in :func:`graph_bandit.team`, and ``start`` is
        where robots without a start of their own begin. A team has neither ``init`` nor ``clock``.
        """
        if names_an_agent(graph):
            raise TypeError(f"{graph} is an agent; the graph comes first, then the agent")
        refuse_other_arguments(parameters)
        if walkers is None:
            agent = spec_text(spec, parameters)
        else:
            agent = team_text("create", spec, parameters)
        made = as_graph(graph)
        request: dict[str, Any] = {
            "id": _name(id),
            "graph": maps.written(made, visit_time),
            "agent": agent,
            "start": 0 if start is None else made.number(start),
            "seed": whole_number("seed", seed, least=0),
        }
        if init is not None:
            request["init"] = init
        if clock is not None:
            request["clock"] = clock
        if walkers is not None:
            request.update(team_said(made, walkers, share, seats))
        elif share is not None or seats is not None:
            raise TypeError("share and seats are for teams; give walkers, too")
        shown = self._wire.call("POST", "/v1/agents", request)
        return self._served(made, shown)

    def attach(self, id: str, graph: GraphLike | None = None) -> Any:
        """The agent called ``id``: a :class:`ServedAgent`, or a :class:`ServedTeam` if it is one.

        Its nodes have the names that the service knows. To get your own labels back, give
        ``graph``, the graph that the agent was created with.
        """
        path = _path(id)
        shown = self._wire.call("GET", path)
        there = maps.read(self._wire.call("GET", f"{path}/map"))
        if graph is None:
            return self._served(there, shown)
        made = as_graph(graph)
        if not maps.same(made, there):
            raise ValueError(
                f"agent {id!r} walks another graph: it has {len(there)} nodes and "
                f"{there.edge_count} edges, this one {len(made)} and {made.edge_count}; leave "
                "graph out to use the names that the service knows"
            )
        return self._served(made, shown)

    def _served(self, graph: Graph, shown: Mapping[str, Any]) -> ServedAgent | ServedTeam:
        """The agent, or the team if it is one."""
        kind = ServedTeam if "team" in shown else ServedAgent
        return kind(self._wire, graph, shown, self._robot)

    def import_(self, export: Mapping[str, Any], *, id: str | None = None) -> Any:
        """Creates an agent from an export (:meth:`ServedAgent.snapshot`), which goes on from there.

        The numbers of its reports start again at 0.
        """
        request = {"id": _name(id), "export": export}
        shown = self._wire.call("POST", "/v1/import", request)
        return self.attach(shown["id"])

    def agents(self) -> list[ListedAgent]:
        """All agents of the service, in the order of their names."""
        listed: list[ListedAgent] = []
        after: str | None = ""
        while after is not None:
            page = self._wire.call("GET", f"/v1/agents?after={quote(after, safe='')}&limit={_PAGE}")
            listed += [
                ListedAgent(agent["id"], agent["agent"], agent["sequence"], agent.get("walkers"))
                for agent in page["agents"]
            ]
            after = page.get("next")
        return listed

    def simulations(self) -> Simulations:
        """The agents that the service simulates (:meth:`ServedAgent.simulate`)."""
        return Simulations.read(self._wire.call("GET", "/v1/simulations"))

    def ready(self) -> bool:
        """Whether the service can keep reports; waits for that until the deadline."""
        try:
            self._wire.call("GET", "/readyz")
        except UnavailableError:
            return False
        return True

    def close(self) -> None:
        """Closes the connections; they are opened again when needed."""
        self._wire.close()

    def __getitem__(self, id: str) -> Any:
        return self.attach(id)

    def __contains__(self, id: object) -> bool:
        if not isinstance(id, str):
            return False
        try:
            self._wire.call("GET", _path(id))
        except UnknownAgentError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter([agent.id for agent in self.agents()])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Fleet of {self._url}>"


def _path(id: str) -> str:
    return f"/v1/agents/{quote(id, safe='')}"


def _name(id: str | None) -> str:
    """The name of a new agent; chosen here, so that a lost request can be repeated."""
    return uuid.uuid4().hex if id is None else id

"""What a service shows of an agent or a team, and what can be done with it as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import numpy as np

from .._core import Graph
from ..best import Best
from .answers import Estimates, FoundChange, Record, Simulations
from .errors import UnknownAgentError
from .wire import Wire

if TYPE_CHECKING:
    import numpy.typing as npt

_RECORDS = 1_000
#: The most nodes that a graph of a service may have.
_NODES = 100_000


class Looks:
    """What agents and teams of a service have in common."""

    _wire: Wire
    _graph: Graph
    _id: str
    _spec: str

    @property
    def id(self) -> str:
        """Its name in the service."""
        return self._id

    @property
    def graph(self) -> Graph:
        """The graph that it walks, including blocked edges."""
        return self._graph

    @property
    def spec(self) -> str:
        """The agent, as the command line writes it."""
        return self._spec

    def scores(self) -> npt.NDArray[np.float64] | None:
        """How promising every node looks now, by number; ``None`` if the agent has no scores.

        Nodes that are set aside have no score: theirs is NaN. JSON has no infinite numbers, so any
        other score that is missing in the answer of the service is infinite here.
        """
        known = self.estimates()
        missing = np.isnan(known.score)
        infinite = missing & ~known.set_aside
        return None if missing.all() else np.where(infinite, np.inf, known.score)

    def estimates(self) -> Estimates:
        """What is known about all nodes now, in one request."""
        page = self._call("GET", f"/estimates?limit={_NODES}")
        return Estimates.read(self._graph, page["estimates"])

    def best(self, *, confidence: float = 0.95, noise_scale: float | None = None) -> Best:
        """The best node so far, and how sure that is.

        With probability ``confidence`` the intervals of all nodes hold, at all times, for noise of
        sub-Gaussian scale ``noise_scale`` (default: the agent's own, otherwise 0.5).
        An agent for rewards that change may forget. Then all of this rests on the rewards that it
        remembers, and the probability is not guaranteed.
        """
        wanted = {"confidence": confidence, "noise_scale": noise_scale}
        query = urlencode({name: value for name, value in wanted.items() if value is not None})
        return Best.read(self._graph, self._call("GET", f"/best?{query}"))

    def rewards(self) -> npt.NDArray[np.float64]:
        """The growth of the sum of rewards: at most 512 rows of visits and sum, up to now."""
        points = self._call("GET", "/rewards")["points"]
        return np.asarray(points, np.float64).reshape(-1, 2)

    def changes(self) -> list[FoundChange]:
        """The changes of rewards that the agent found, in order; at most the newest 256.

        Agents that do not look for changes find none.
        """
        found = self._call("GET", "/rewards").get("changes", [])
        return [FoundChange.read(self._graph, change) for change in found]

    def ages(self) -> npt.NDArray[np.float64]:
        """How long ago each node was last visited, by number, in units of one visit.

        NaN for a node that was never visited. Only agents for rewards that change and agents whose
        clock is ``"stamps"`` remember it; all others have NaN everywhere.
        """
        page = self._call("GET", f"/estimates?limit={_NODES}")
        return np.array([known.get("age", np.nan) for known in page["estimates"]], np.float64)

    def history(self, start: int = 0) -> Iterator[Record]:
        """All reports in order, from number ``start`` on."""
        following: int | None = start
        while following is not None:
            page = self._call("GET", f"/history?from={following}&limit={_RECORDS}")
            for shown in page["records"]:
                yield Record.read(self._graph, shown)
            following = page.get("next")

    def snapshot(self) -> dict[str, Any]:
        """The agent as JSON, for :meth:`Fleet.import_` of this or another service."""
        export: dict[str, Any] = self._call("GET", "/snapshot")
        return export

    def delete(self) -> None:
        """Deletes the agent and its reports for good."""
        try:
            self._call("DELETE")
        except UnknownAgentError as error:
            # An earlier try deleted it, and its answer was lost.
            if error.attempts == 1:
                raise

    def simulate(self) -> Simulations:
        """Lets the service play the robot in a made-up world, until :meth:`stop_simulating`.

        The reports count like those of any robot; in the history their robot is ``simulation``. If
        the agent is already simulated, nothing changes.
        """
        return Simulations.read(self._call("POST", "/simulation"))

    def stop_simulating(self) -> None:
        """Ends the simulation, and keeps its reports; does nothing if there is none."""
        self._call("DELETE", "/simulation")

    def __repr__(self) -> str:
        return f"<{self._spec} {self._id!r} at {self._wire.address.host}>"

    def _path(self, path: str) -> str:
        return f"/v1/agents/{quote(self._id, safe='')}{path}"

    def _call(self, method: str, path: str = "", body: Any = None) -> Any:
        return self._wire.call(method, self._path(path), body)

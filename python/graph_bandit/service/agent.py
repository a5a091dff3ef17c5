"""An agent of a service, used like an agent of this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .._core import Graph
from ..agents import SPECS
from ..registry import defaults
from .answers import Status, Update
from .events import watched
from .looks import Looks
from .reports import Reports
from .wire import Wire


class ServedAgent(Looks, Reports):
    """An agent that a service keeps; see :func:`graph_bandit.connect`.

    It has the methods of a session (:func:`graph_bandit.agent`) except ``abandon`` and ``save``:
    :meth:`failed` drops the leg, and the service keeps every report. So code that uses the other
    methods, and gives optional arguments by keyword, works with both. In place of the properties of
    a session it has :meth:`status` and :meth:`estimates`.

    When a method that reports something returns, the report is on disk. It counts once, however
    often it had to be sent.
    """

    def __init__(
        self, wire: Wire, graph: Graph, shown: Mapping[str, Any], robot: str | None = None
    ) -> None:
        Reports.__init__(self, graph, shown["sequence"], shown["number"], robot)
        self._wire = wire
        self._id: str = shown["id"]
        self._spec = spec_of(shown["agent"])

    def status(self) -> Status:
        """The state of the agent now, in one request."""
        return Status.read(self._graph, self._call("GET"))

    def watch(self) -> Iterator[Update]:
        """The state now, and again after every change, until the agent is deleted.

        Changes within a tenth of a second of each other arrive as one. A lost connection is made
        again; if that takes longer than the deadline, :class:`UnavailableError` is raised.
        """
        for shown in watched(self._wire, self._path("/events")):
            yield Update.read(self._graph, shown)

    def plot(self, show: str = "estimates", **options: Any) -> Any:
        """Draws ``"estimates"``, ``"visits"`` or ``"bounds"`` on the graph, with walker and leg."""
        from .. import plots

        shown = {"estimates": plots.estimates, "visits": plots.visits, "bounds": plots.bounds}
        if show not in shown:
            raise ValueError(f"show is {show!r}; give one of {', '.join(map(repr, shown))}")
        return shown[show](self, **options)


def spec_of(shown: Mapping[str, Any]) -> str:
    """The agent as the command line writes it, without parameters that have their defaults.

    >>> spec_of({"agent": "g-ucb", "bonus": 0.5, "doubling": "exact", "destinations": "all-best"})
    'g-ucb:bonus=0.5'
    """
    name: str = shown["agent"]
    if name not in SPECS:
        # A newer service may have other agents.
        return name
    usual = defaults(name)
    own = {key: value for key, value in shown.items() if key in usual and value != usual[key]}
    return SPECS[name](**{key.replace("-", "_"): value for key, value in own.items()}).text

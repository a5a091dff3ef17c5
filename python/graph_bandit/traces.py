"""One run, visit by visit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from .run_settings import RunSettings
from .whole_numbers import whole_number
from .world import World

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class Trace:
    """One run, visit by visit, including the visits that cover the graph."""

    world: World
    agent: str
    #: The number of the node of every visit.
    nodes: npt.NDArray[np.int64]
    #: What every visit paid.
    rewards: npt.NDArray[np.float64]
    #: When every visit ended, in units of one visit since the walker set out.
    times: npt.NDArray[np.float64]
    #: The visit at which each leg of the agent begins.
    legs: npt.NDArray[np.int64]
    #: How many visits covered the graph.
    init_steps: int
    #: The mean rewards of the world, by node number; if they change, those at the start.
    means: npt.NDArray[np.float64]
    #: The built-in agent, as the command line writes it; ``None`` for your own.
    spec: str | None
    #: The preset of the parameters that ``spec`` does not give.
    preset: str

    @property
    def travel(self) -> npt.NDArray[np.float64]:
        """The travel time before every visit; 0 for staying and for jumps."""
        return np.diff(self.times, prepend=0.0) - 1.0

    def counts(self, until: int | None = None) -> npt.NDArray[np.int64]:
        """Visits per node, by number, in the first ``until`` visits."""
        return np.bincount(self.nodes[:until], minlength=len(self.means))


def traced(settings: RunSettings, compiled: _core.Study, agent: int, run: int) -> Trace:
    """Makes one run of a study again."""
    made = _core.trace(compiled, agent, whole_number("run", run, least=0))
    entrant = settings.agents[agent]
    return Trace(
        world=settings.world,
        agent=compiled.labels[agent],
        nodes=made.nodes,
        rewards=made.rewards,
        times=made.times,
        legs=made.legs,
        init_steps=made.init_steps,
        means=made.means,
        spec=entrant if isinstance(entrant, str) else None,
        preset=settings.preset,
    )

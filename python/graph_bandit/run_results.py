"""The results of runs that were made here: arrays, best nodes, and every visit on demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .agents import Spec
from .own_agents import Agent, parameters
from .results import Results
from .run_settings import AgentLike, RunSettings
from .team_traces import traced_team
from .traces import traced
from .trajectories import Trajectories
from .whole_numbers import whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["RunBest", "RunResults"]


@dataclass(frozen=True)
class RunBest:
    """The best node at the end of a run, and how sure that is."""

    #: The label of the node with the highest mean; ``None`` if no node was visited.
    node: Any
    #: The mean of its rewards.
    estimate: float
    #: The lower and the upper end of the interval for its true mean. All intervals of a run hold at
    #: once, at all times, with probability 0.95.
    interval: tuple[float, float]
    #: Whether every node was visited and the interval of the best lies above all others.
    settled: bool
    #: Whether it is truly the best: no node of the world has a higher mean.
    right: bool


class RunResults(Results):
    """What :func:`run` returns: the results of all runs, by agent, run and checkpoint."""

    def __init__(self, settings: RunSettings, compiled: _core.Study, records: Any) -> None:
        self.settings = settings
        self.agents = tuple(compiled.labels)
        self.t = compiled.checkpoints
        self.runs, self.steps, self.preset = settings.runs, settings.steps, settings.preset
        self.window, self.on_roads = settings.window, settings.world.graph.has_roads
        shape = (len(self.agents), settings.runs)
        of_points = (*shape, len(self.t))
        self.regret = records.regret.reshape(of_points)
        self.realized_regret = records.realized_regret.reshape(of_points)
        self.reward = records.reward.reshape(of_points)
        self.legs = records.legs.reshape(of_points)
        #: The number of the node where the current leg ends.
        self.destination: npt.NDArray[np.int64] = records.destination.reshape(of_points)
        self.init_steps = records.init_steps.reshape(shape)
        self.init_regret = records.init_regret.reshape(shape)
        #: Time that initialization spent on roads, beyond its visits.
        self.init_travel: npt.NDArray[np.float64] = records.init_travel.reshape(shape)
        #: How many seconds every run took.
        self.seconds: npt.NDArray[np.float64] = records.seconds.reshape(shape)
        #: The number of the node with the highest mean at the end of every run; -1 if none.
        self.best_node: npt.NDArray[np.int64] = records.best_node.reshape(shape)
        #: The mean of its rewards.
        self.best_estimate: npt.NDArray[np.float64] = records.best_estimate.reshape(shape)
        #: How far the true mean may be from the estimate, with confidence 0.95.
        self.best_radius: npt.NDArray[np.float64] = records.best_radius.reshape(shape)
        #: Whether it is settled: no other node is better, with confidence 0.95.
        self.best_settled: npt.NDArray[np.bool_] = records.best_settled.reshape(shape)
        #: Whether it is truly the best.
        self.best_right: npt.NDArray[np.bool_] = records.best_right.reshape(shape)
        self._compiled = compiled

    def summary(self) -> list[dict[str, Any]]:
        """One entry per agent: mean final regret, half its 95% interval, deviation, reward.

        ``best_right`` counts the runs whose best node at the end is truly the best.
        ``best_settled`` counts the runs in which, with confidence 0.95, no other node is better.
        """
        rows = super().summary()
        for i, row in enumerate(rows):
            row["init_travel"] = float(self.init_travel[i].mean())
            row["seconds"] = float(np.median(self.seconds[i]))
            # Teams do not look for one best node.
            if not self._is_team:
                row["best_right"] = int(self.best_right[i].sum())
                row["best_settled"] = int(self.best_settled[i].sum())
        return rows

    def index(self, agent: AgentLike) -> int:
        """The position of an agent among :attr:`agents`."""
        if isinstance(agent, Agent) and agent.name not in self.agents:
            # Several agents have its name: take the one with the same parameters.
            given = (type(agent), str(parameters(agent)))
            for i, entrant in enumerate(self.settings.agents):
                if isinstance(entrant, Agent):
                    there = (type(entrant), str(parameters(entrant)))
                    if there == given:
                        return i
        return super().index(agent)

    def best(self, agent: AgentLike | None = None, run: int = 0) -> RunBest:
        """The best node at the end of a run, and how sure that is (default: of the first agent).

        >>> import graph_bandit as gb
        >>> world = gb.World("line:3", means=[1.0, 0.0, 3.0], noise=gb.no_noise())
        >>> results = gb.run(world, "g-star", steps=100, runs=1, progress=False)
        >>> best = results.best()
        >>> best.node, best.estimate, best.settled
        (2, 3.0, True)
        """
        if not 0 <= run < self.settings.runs:
            raise ValueError(f"there is no run {run}; the runs are 0 to {self.settings.runs - 1}")
        if self._is_team:
            raise ValueError("a team does not look for one best node; use optimum()")
        place = (0 if agent is None else self.index(agent), run)
        number = int(self.best_node[place])
        estimate, radius = float(self.best_estimate[place]), float(self.best_radius[place])
        return RunBest(
            node=None if number < 0 else self.settings.world.graph.label(number),
            estimate=estimate,
            interval=(estimate - radius, estimate + radius),
            settled=bool(self.best_settled[place]),
            right=bool(self.best_right[place]),
        )

    def optimum(self, run: int = 0) -> float:
        """What the best static allocation of the team earns per step in one run, on average.

        If means change, those at the start count.

        >>> import graph_bandit as gb
        >>> world = gb.World("line:3", means=[1.0, 0.0, 3.0])
        >>> gb.run(world, "g-star", walkers=2, steps=100, runs=1, progress=False).optimum()
        4.0
        """
        return self._compiled.optimum(whole_number("run", run, least=0))

    @property
    def _is_team(self) -> bool:
        team = self.settings.team
        return team is not None and team.is_several

    def means(self, run: int = 0) -> npt.NDArray[np.float64]:
        """The mean rewards of one run, by node number; if they change, those at the start."""
        return self._compiled.means(whole_number("run", run, least=0))

    def trace(self, agent: AgentLike, run: int = 0) -> Any:
        """One of the runs again, visit by visit; for a team, a :class:`TeamTrace`, step by step.

        >>> import graph_bandit as gb
        >>> results = gb.run("grid:4x4", "g-star", walkers=3, steps=100, runs=2, progress=False)
        >>> results.trace("g-star", run=1).nodes.shape
        (100, 3)
        """
        if not 0 <= run < self.settings.runs:
            raise ValueError(f"there is no run {run}; the runs are 0 to {self.settings.runs - 1}")
        again = traced_team if self._is_team else traced
        return again(self.settings, self._compiled, self.index(agent), run)

    def trajectories(
        self,
        agents: AgentLike | Sequence[AgentLike] | None = None,
        runs: Iterable[int] | None = None,
    ) -> Trajectories:
        """Every visit of every run, or of the agents and runs given, as a tidy table.

        One row per visit: ``run``, ``agent``, ``t``, ``node`` (its label), ``reward``, ``leg`` and
        ``phase``, which is ``"cover"`` in initialization, then ``"learn"``. ``t`` counts from the
        end of initialization, for teams from the first step that counts. With the defaults of
        ``window`` and ``regret_from``, the visits with ``t > 0`` are those that count in results.
        The runs are made again, bit for bit.

        Teams have two more columns. ``walker`` says whose visit it is, and ``draw`` what its node
        paid; ``reward`` is the walker's part of what the team got. Their phase is ``"cover"`` until
        every node has a draw.

        >>> import graph_bandit as gb
        >>> results = gb.run("line:5", ["g-ucb", "g-star"], steps=50, runs=3, progress=False)
        >>> frame = results.trajectories().to_pandas()
        >>> len(frame[frame.t > 0]) == 2 * 3 * 50
        True
        """
        if agents is None:
            chosen: Sequence[AgentLike] = self.agents
        else:
            chosen = [agents] if isinstance(agents, str | Spec | Agent) else agents
        labels = [self.agents[self.index(agent)] for agent in chosen]
        numbers = (
            range(self.runs) if runs is None else [whole_number("run", r, least=0) for r in runs]
        )
        for run in numbers:
            if run >= self.runs:
                raise ValueError(f"there is no run {run}; the runs are 0 to {self.runs - 1}")
        if not labels or not len(numbers):
            raise ValueError("there are no visits to show; give at least one agent and one run")
        team = self.settings.team
        visits = self.steps * (1 if team is None else team.walkers)
        return Trajectories(self.trace, labels, numbers, visits)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_compiled"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._compiled = self.settings.compile()

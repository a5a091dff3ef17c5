"""Studies: some agents, many runs, one world; every agent meets the same luck."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _core
from .agents import Spec
from .graphs import GraphLike
from .own_agents import Agent, parameters
from .progress import Progress
from .protocols import AgentLike, Protocol, entrants_of
from .results import Results
from .traces import Trace, traced
from .trajectories import Trajectories
from .whole import whole
from .world import ClosuresLike, World

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from .cases import Studies
    from .study_files import StoredStudy

__all__ = ["AgentLike", "Protocol", "RunBest", "Study", "Trace", "run", "trace"]


def run(
    world: World | GraphLike,
    agents: AgentLike | Sequence[AgentLike] = "g-star",
    *,
    steps: int = 20_000,
    runs: int = 100,
    seed: int = 0,
    start: Hashable | None = None,
    init: str = "lowest",
    back: str = "jump",
    window: str = "first",
    tape: str = "one-by-one",
    checkpoints: int | Iterable[int] = 20,
    preset: str = "paper",
    closures: ClosuresLike | None = None,
    travel_noise: float | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    backend: str = "threads",
) -> Study:
    """Lets agents walk a world: ``runs`` walks of ``steps`` steps each, on the same luck.

    The same seed gives the same bits as ``gbandit run`` on the command line, for any ``n_jobs``
    (default: one thread per core) and any ``backend``: ``"threads"`` here, or ``"ray"`` on a Ray
    cluster, where ``n_jobs`` is how many blocks of runs are under way at a time (default:
    as many as fit). ``"paper"``, ``"frontier"`` and ``"baseline"`` among ``agents`` stand for all
    of that kind; ``"oracle"`` is told the means. Ctrl-C ends it within a leg.

    Where roads run one way or take time, steps are units of time: a visit takes one, and entering a
    node takes what its road takes beyond. ``steps``, ``checkpoints`` and the column ``t`` of frames
    count these units, and regret at ``t`` is the best mean times ``t`` less the means of the visits
    that have ended by then.

    - ``start``: the label of the first node (default: the first of the graph)
    - ``init``: how the graph is covered first: ``"lowest"`` (the paper's order), ``"nearest"``,
      ``"depth-first"``, ``"tour"`` (a short way through all nodes), or ``"none"``
    - ``back``: how the agent gets to its start afterwards: ``"jump"`` (the paper) or ``"walk"``;
      ``--return`` on the command line
    - ``window``: which steps count: the ``"first"``, or the ``"last"``, as in the paper's figures
    - ``tape``: rewards drawn ``"one-by-one"``, or by ``"sums"`` of whole legs, for very long ones
    - ``checkpoints``: at how many steps to measure, or at which
    - ``closures``, ``travel_noise``: roads that close, drives that take other times, as in
      :class:`World`, where ``world`` is a graph
    - ``preset``: whose details to follow: the ``"paper"``'s or its authors' ``"program"``'s

    >>> import graph_bandit as gb
    >>> world = gb.World("grid:4x4", means=gb.uniform(0.5, 9.5), noise=gb.uniform_noise(0.5))
    >>> study = gb.run(world, ["g-ucb", gb.GUcb(bonus=0.5)], steps=1000, runs=5, seed=7)
    >>> study.agents
    ('g-ucb', 'g-ucb:bonus=0.5')
    >>> study.regret.shape
    (2, 5, 20)
    """
    if not isinstance(world, World):
        world = World(world, closures=closures, travel_noise=travel_noise)
    elif not (closures is None and travel_noise is None):
        raise TypeError("world is a World, which has closures and travel_noise; give them there")
    if isinstance(agents, str | Spec | Agent):
        agents = [agents]
    if isinstance(checkpoints, int | np.integer):
        checkpoints = whole("checkpoints", checkpoints)
    else:
        checkpoints = tuple(whole("a checkpoint", step) for step in checkpoints)
    if n_jobs == -1:  # joblib's word for all cores
        n_jobs = None
    if n_jobs is not None:
        n_jobs = min(whole("n_jobs", n_jobs), 65_535)
    runs = whole("runs", runs)
    protocol = Protocol(
        world=world,
        agents=tuple(entrants_of(agents, world)),
        steps=steps,
        runs=runs,
        seed=seed,
        start=start,
        init=init,
        back=back,
        window=window,
        tape=tape,
        checkpoints=checkpoints,
        preset=preset,
    )
    compiled = protocol.compile()
    for warning in compiled.warnings():
        warnings.warn(warning, stacklevel=2)
    tasks = [(agent, run) for agent in range(len(protocol.agents)) for run in range(runs)]
    with Progress(len(tasks), progress) as bar:
        if backend == "threads":
            records: Any = compiled.run(tasks, n_jobs, bar)
        elif backend == "ray":
            from . import ray_backend

            records = ray_backend.run(protocol, tasks, bar, n_jobs)
        else:
            raise ValueError(f"there is no backend {backend!r}; there are 'threads' and 'ray'")
    return Study(protocol, compiled, records)


@dataclass(frozen=True)
class RunBest:
    """The best node at the end of a run, and how sure that is."""

    #: The label of the node of highest mean; ``None`` where nothing was visited.
    node: Any
    #: The mean of its rewards.
    estimate: float
    #: The lowest and the highest that the truth may be; all intervals of a run hold at once, at all
    #: times, with probability 0.95.
    interval: tuple[float, float]
    #: Whether every node was visited and no interval reaches into that of the best.
    settled: bool
    #: Whether no node of the world has a higher mean.
    right: bool


class Study(Results):
    """The results of a study: arrays by agent, run and checkpoint."""

    def __init__(self, protocol: Protocol, compiled: _core.Study, records: Any) -> None:
        self.protocol = protocol
        self.agents = tuple(compiled.labels)
        self.t = compiled.checkpoints
        self.runs, self.steps, self.preset = protocol.runs, protocol.steps, protocol.preset
        self.window, self.on_roads = protocol.window, protocol.world.graph.has_roads
        shape = (len(self.agents), protocol.runs)
        of_points = (*shape, len(self.t))
        self.regret = records.regret.reshape(of_points)
        self.realized_regret = records.realized_regret.reshape(of_points)
        self.reward = records.reward.reshape(of_points)
        self.episodes = records.episodes.reshape(of_points)
        #: The number of the node where the current leg ends.
        self.destination: npt.NDArray[np.int64] = records.destination.reshape(of_points)
        self.init_steps = records.init_steps.reshape(shape)
        self.init_regret = records.init_regret.reshape(shape)
        #: Time that initialization spent on roads, beyond its visits.
        self.init_travel: npt.NDArray[np.float64] = records.init_travel.reshape(shape)
        #: How long every run took on the clock.
        self.seconds: npt.NDArray[np.float64] = records.seconds.reshape(shape)
        #: The number of the node of highest mean at the end of every run; -1 where there is none.
        self.best_node: npt.NDArray[np.int64] = records.best_node.reshape(shape)
        #: The mean of its rewards.
        self.best_estimate: npt.NDArray[np.float64] = records.best_estimate.reshape(shape)
        #: How far above or below the estimate the truth may be, with confidence 0.95.
        self.best_radius: npt.NDArray[np.float64] = records.best_radius.reshape(shape)
        #: Whether it is settled: no other node is better, with confidence 0.95.
        self.best_settled: npt.NDArray[np.bool_] = records.best_settled.reshape(shape)
        #: Whether it is truly the best.
        self.best_right: npt.NDArray[np.bool_] = records.best_right.reshape(shape)
        self._compiled = compiled

    def summary(self) -> list[dict[str, Any]]:
        """One entry per agent: mean regret at the end, half its 95% interval, deviation, reward.

        ``best_right`` counts the runs whose best node so far is truly the best, ``best_settled``
        those in which that is settled.
        """
        rows = super().summary()
        for i, row in enumerate(rows):
            row["init_travel"] = float(self.init_travel[i].mean())
            row["seconds"] = float(np.median(self.seconds[i]))
            row["best_right"] = int(self.best_right[i].sum())
            row["best_settled"] = int(self.best_settled[i].sum())
        return rows

    def index(self, agent: AgentLike) -> int:
        """The position of an agent among :attr:`agents`."""
        if isinstance(agent, Agent) and agent.name not in self.agents:
            # Of several of its name, the one with its parameters.
            given = (type(agent), str(parameters(agent)))
            for i, entrant in enumerate(self.protocol.agents):
                if isinstance(entrant, Agent):
                    there = (type(entrant), str(parameters(entrant)))
                    if there == given:
                        return i
        return super().index(agent)

    def best(self, agent: AgentLike | None = None, run: int = 0) -> RunBest:
        """The best node at the end of a run, and how sure that is; the first agent by default.

        >>> import graph_bandit as gb
        >>> world = gb.World("line:3", means=[1.0, 0.0, 3.0], noise=gb.no_noise())
        >>> study = gb.run(world, "g-star", steps=100, runs=1, progress=False)
        >>> best = study.best()
        >>> best.node, best.estimate, best.settled
        (2, 3.0, True)
        """
        if not 0 <= run < self.protocol.runs:
            raise ValueError(f"there is no run {run}; the runs are 0 to {self.protocol.runs - 1}")
        place = (0 if agent is None else self.index(agent), run)
        number = int(self.best_node[place])
        estimate, radius = float(self.best_estimate[place]), float(self.best_radius[place])
        return RunBest(
            node=None if number < 0 else self.protocol.world.graph.label(number),
            estimate=estimate,
            interval=(estimate - radius, estimate + radius),
            settled=bool(self.best_settled[place]),
            right=bool(self.best_right[place]),
        )

    def means(self, run: int = 0) -> npt.NDArray[np.float64]:
        """The mean rewards of the world of one run, by node number."""
        return self._compiled.means(whole("run", run, least=0))

    def trace(self, agent: AgentLike, run: int = 0) -> Trace:
        """One of the runs again, visit by visit."""
        if not 0 <= run < self.protocol.runs:
            raise ValueError(f"there is no run {run}; the runs are 0 to {self.protocol.runs - 1}")
        return traced(self.protocol, self._compiled, self.index(agent), run)

    def trajectories(
        self,
        agents: AgentLike | Sequence[AgentLike] | None = None,
        runs: Iterable[int] | None = None,
    ) -> Trajectories:
        """Every visit of every run, or of the agents and runs given, as a tidy table.

        One row per visit: ``run``, ``agent``, ``t``, ``node`` (its label), ``reward``, ``leg`` and
        ``phase``, which is ``"cover"`` in initialization, then ``"learn"``. ``t`` counts as the
        study does, from the end of initialization, so ``t > 0`` are the visits that count. The runs
        are made again, to the same bits.

        >>> import graph_bandit as gb
        >>> study = gb.run("line:5", ["g-ucb", "g-star"], steps=50, runs=3, progress=False)
        >>> frame = study.trajectories().to_pandas()
        >>> len(frame[frame.t > 0]) == 2 * 3 * 50
        True
        """
        if agents is None:
            chosen: Sequence[AgentLike] = self.agents
        else:
            chosen = [agents] if isinstance(agents, str | Spec | Agent) else agents
        labels = [self.agents[self.index(agent)] for agent in chosen]
        numbers = range(self.runs) if runs is None else [whole("run", r, least=0) for r in runs]
        for run in numbers:
            if run >= self.runs:
                raise ValueError(f"there is no run {run}; the runs are 0 to {self.runs - 1}")
        if not labels or not len(numbers):
            raise ValueError("no visits are asked for; give at least one agent and one run")
        return Trajectories(self.trace, labels, numbers, self.steps)

    @staticmethod
    def load(
        directory: str | os.PathLike[str],
        study: str | None = None,
        *,
        preset: str | None = None,
        window: Literal["first", "last"] | None = None,
    ) -> Studies[StoredStudy]:
        """The results of a complete study in TOML, from its directory; one entry for each case.

        Of a directory of several studies, such as that of ``gbandit reproduce``, ``study`` names
        one. ``preset`` and ``window`` are those that the study's figures show, or others that it
        was measured in; they are never mixed.
        """
        from .study_files import load

        return load(directory, study, preset=preset, window=window)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_compiled"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._compiled = self.protocol.compile()


def trace(
    world: World | GraphLike, agent: AgentLike = "g-star", *, steps: int = 2_000, **options: Any
) -> Trace:
    """One run of one agent, visit by visit; ``options`` as in :func:`run`.

    >>> import graph_bandit as gb
    >>> walk = gb.trace(gb.World("line:6"), "g-ucb", steps=100, seed=3)
    >>> len(walk.nodes) == 100 + walk.init_steps
    True
    """
    return run(world, [agent], steps=steps, runs=1, progress=False, **options).trace(agent)

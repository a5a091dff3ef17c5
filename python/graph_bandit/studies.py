"""Studies: some agents, many runs, one world; every agent meets the same luck."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .agents import Spec
from .graphs import GraphLike
from .needed import needed
from .own_agents import Agent
from .progress import Progress
from .protocols import AgentLike, Protocol, entrants_of
from .traces import Trace, traced
from .whole import whole
from .world import ClosuresLike, World

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["AgentLike", "Protocol", "Study", "Trace", "run", "trace"]


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
    (one thread per core unless said) and any ``backend``: ``"threads"`` here, or ``"ray"`` on a Ray
    cluster, where ``n_jobs`` is how many blocks of runs are under way at a time (as many as fit
    unless said). ``"paper"`` and ``"frontier"`` among ``agents`` stand for all agents of that kind.
    Ctrl-C ends it within a leg.

    Where roads run one way or take time, steps are units of time: a visit takes one, and entering a
    node takes what its road takes beyond. ``steps``, ``checkpoints`` and the column ``t`` of frames
    count these units, and regret at ``t`` is the best mean times ``t`` less the means of the visits
    that have ended by then.

    - ``start``: the label of the first node; the first of the graph unless said
    - ``init``: how the graph is covered first: ``"lowest"`` (the paper's order), ``"nearest"``,
      ``"depth-first"``, ``"tour"`` (a short way through all nodes), or ``"none"``
    - ``back``: how the agent gets to its start afterwards: ``"jump"`` (the paper) or ``"walk"``;
      ``--return`` on the command line
    - ``window``: which steps count: the ``"first"``; the last, as in the paper's figures, are
      measured by ``gbandit run --window last``
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


class Study:
    """The results of a study: arrays by agent, run and checkpoint."""

    def __init__(self, protocol: Protocol, compiled: _core.Study, records: Any) -> None:
        self.protocol = protocol
        #: What the agents are called.
        self.agents: tuple[str, ...] = tuple(compiled.labels)
        #: The steps at which runs were measured; units of time, where there are roads.
        self.t: npt.NDArray[np.int64] = compiled.checkpoints
        shape = (len(self.agents), protocol.runs)
        of_points = (*shape, len(self.t))
        #: Cumulative expected regret, by agent, run and checkpoint.
        self.regret: npt.NDArray[np.float64] = records.regret.reshape(of_points)
        #: ``t`` times the best mean less the rewards collected.
        self.realized_regret: npt.NDArray[np.float64] = records.realized_regret.reshape(of_points)
        #: Rewards collected.
        self.reward: npt.NDArray[np.float64] = records.reward.reshape(of_points)
        #: Legs begun.
        self.episodes: npt.NDArray[np.int64] = records.episodes.reshape(of_points)
        #: The number of the node where the current leg ends.
        self.destination: npt.NDArray[np.int64] = records.destination.reshape(of_points)
        #: Visits of initialization, not part of the above; by agent and run.
        self.init_steps: npt.NDArray[np.int64] = records.init_steps.reshape(shape)
        #: Expected regret of initialization, not part of the above.
        self.init_regret: npt.NDArray[np.float64] = records.init_regret.reshape(shape)
        #: Time that initialization spent on roads, beyond its visits.
        self.init_travel: npt.NDArray[np.float64] = records.init_travel.reshape(shape)
        #: How long every run took on the clock.
        self.seconds: npt.NDArray[np.float64] = records.seconds.reshape(shape)
        self._compiled = compiled

    def __repr__(self) -> str:
        lines = [f"Study of {self.protocol.runs} runs, {self.protocol.steps} {self.unit}"]
        width = max(map(len, self.agents))
        for row in self.summary():
            half = "" if row["ci"] is None else f" ± {row['ci']:,.1f}"
            lines.append(f"  {row['agent']:{width}}  regret {row['regret']:>12,.1f}{half}")
        return "\n".join(lines)

    @property
    def unit(self) -> str:
        """What :attr:`t` counts: ``"steps"``, or ``"units of time"`` where there are roads."""
        return "units of time" if self.protocol.world.graph.has_roads else "steps"

    def _repr_html_(self) -> str:
        from html import escape

        def cell(value: float | None) -> str:
            return "-" if value is None else f"{value:,.1f}"

        rows = "".join(
            f"<tr><td style='text-align:left'>{escape(row['agent'])}</td>"
            + "".join(f"<td>{cell(row[key])}</td>" for key in ("regret", "ci", "sd", "reward"))
            + "</tr>"
            for row in self.summary()
        )
        head = "<tr><th style='text-align:left'>agent</th><th>regret</th><th>± 95%</th>"
        head += "<th>SD</th><th>reward</th></tr>"
        caption = f"{self.protocol.runs} runs of {self.protocol.steps:,} {self.unit}"
        return f"<table><caption>{caption}</caption>{head}{rows}</table>"

    def index(self, agent: AgentLike) -> int:
        """The position of an agent among :attr:`agents`."""
        name = agent.name if isinstance(agent, Agent) else str(agent)
        for wanted in (name, *([] if isinstance(agent, Agent) else [self._label(name)])):
            if wanted in self.agents:
                return self.agents.index(wanted)
        raise ValueError(f"{name!r} is no agent of this study; there are {', '.join(self.agents)}")

    def _label(self, name: str) -> str:
        try:
            return _core.agent_label(name, self.protocol.preset)
        except ValueError:
            return name

    def ci(
        self, level: float = 0.95, values: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[np.float64]:
        """Half the confidence interval of the mean over runs, by Student's t.

        Of :attr:`regret`, by agent and checkpoint, or of ``values``, whose axis 1 are the runs; not
        a number with a single run.
        """
        numbers = self.regret if values is None else values
        runs = numbers.shape[1]
        if runs < 2:
            return np.full(np.delete(numbers.shape, 1), np.nan)
        error = numbers.std(axis=1, ddof=1) / np.sqrt(runs)
        return np.asarray(_core.student(runs - 1, level) * error)

    def summary(self) -> list[dict[str, Any]]:
        """One entry per agent: mean regret at the end, half its 95% interval, deviation, reward."""
        last = self.regret[:, :, -1:]
        half = self.ci()[:, -1]
        many = self.protocol.runs > 1
        return [
            {
                "agent": agent,
                "regret": float(last[i].mean()),
                "ci": float(half[i]) if many else None,
                "sd": float(last[i].std(ddof=1)) if many else None,
                "reward": float(self.reward[i, :, -1].mean()),
                "legs": float(self.episodes[i, :, -1].mean()),
                "init_steps": float(self.init_steps[i].mean()),
                "init_regret": float(self.init_regret[i].mean()),
                "init_travel": float(self.init_travel[i].mean()),
                "seconds": float(np.median(self.seconds[i])),
            }
            for i, agent in enumerate(self.agents)
        ]

    def differences(self, agent: AgentLike, baseline: AgentLike) -> npt.NDArray[np.float64]:
        """Regret of ``agent`` less that of ``baseline`` on the same luck, by run and checkpoint."""
        return np.asarray(self.regret[self.index(agent)] - self.regret[self.index(baseline)])

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """A tidy table, one row per agent, run and checkpoint: what frames are made of."""
        agents, runs, points = self.regret.shape
        rows = agents * runs * points
        return {
            "agent": np.repeat(np.array(self.agents, object), runs * points),
            "run": np.tile(np.repeat(np.arange(runs), points), agents),
            "t": np.tile(self.t, agents * runs),
            "regret": self.regret.reshape(rows),
            "realized_regret": self.realized_regret.reshape(rows),
            "reward": self.reward.reshape(rows),
            "legs": self.episodes.reshape(rows),
        }

    def to_pandas(self) -> Any:
        """A tidy pandas frame: agent, run, t, regret, realized_regret, reward, legs."""
        pandas = needed("pandas", "frames")
        frame = pandas.DataFrame(self.columns(), copy=False)
        frame["agent"] = frame["agent"].astype("category")
        return frame

    def to_polars(self) -> Any:
        """A tidy polars frame."""
        polars = needed("polars", "frames")
        columns: dict[str, Any] = dict(self.columns())
        columns["agent"] = columns["agent"].tolist()
        return polars.DataFrame(columns)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the tidy table as a Parquet file."""
        arrow = needed("pyarrow", "frames")
        parquet = needed("pyarrow.parquet", "frames")
        parquet.write_table(arrow.table(self.columns()), os.fspath(path))

    def plot_regret(self, **options: Any) -> Any:
        """Mean regret against steps with bands; see :func:`graph_bandit.plots.regret`."""
        from . import plots

        return plots.regret(self, **options)

    def plot_differences(self, baseline: AgentLike | None = None, **options: Any) -> Any:
        """Paired differences; see :func:`graph_bandit.plots.differences`."""
        from . import plots

        return plots.differences(self, baseline, **options)

    def means(self, run: int = 0) -> npt.NDArray[np.float64]:
        """The mean rewards of the world of one run, by node number."""
        return self._compiled.means(whole("run", run, least=0))

    def trace(self, agent: AgentLike, run: int = 0) -> Trace:
        """One of the runs again, visit by visit."""
        if not 0 <= run < self.protocol.runs:
            raise ValueError(f"there is no run {run}; the runs are 0 to {self.protocol.runs - 1}")
        return traced(self.protocol, self._compiled, self.index(agent), run)

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

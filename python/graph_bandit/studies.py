"""Studies: some agents, many runs, one world; every agent meets the same luck."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, overload

import numpy as np

from .agents import Spec
from .graphs import GraphLike
from .own_agents import Agent
from .progress import Progress
from .run_results import RunResults
from .run_settings import AgentLike, RunSettings, entrants_of
from .teams import ShareLike, StartsLike, WalkersLike, team_of
from .traces import Trace
from .whole_numbers import whole_number
from .world import ClosuresLike, World

__all__ = ["AgentLike", "RunResults", "RunSettings", "Trace", "run", "trace"]


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
    against: str = "free",
    checkpoints: int | Iterable[int] = 20,
    preset: str = "paper",
    closures: ClosuresLike | None = None,
    travel_noise: float | None = None,
    walkers: WalkersLike | None = None,
    starts: StartsLike | None = None,
    share: ShareLike | None = None,
    draws: str | None = None,
    seats: int | None = None,
    regret_from: str | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    backend: str = "threads",
) -> RunResults:
    """Lets agents walk a world: ``runs`` walks of ``steps`` steps each, with the same luck.

    ``agents`` are names, agents with parameters such as ``gb.GUcb(bonus=0.5)``, and your own.
    ``"paper"``, ``"frontier"``, ``"baseline"`` and ``"changing"`` stand for all agents of that
    group that can walk the graph; ``"oracle"`` is told the means.

    The same seed gives the same bits as ``gbandit run`` on the command line, for any ``n_jobs`` and
    any ``backend``. With ``backend="threads"``, ``n_jobs`` is the number of threads (default: one
    per core). With ``backend="ray"`` the study runs on a Ray cluster, and ``n_jobs`` is the number
    of blocks of runs under way at a time (default: as many as fit). Ctrl-C ends it within a leg.

    Where roads run one way or take time, steps are units of time: a visit takes one unit, and a
    road takes its time beyond that. ``steps``, ``checkpoints`` and the column ``t`` of frames count
    these units. Regret at ``t`` is the best mean times ``t``, minus the means of the visits that
    have ended by then.

    - ``start``: the label of the first node (default: the first of the graph)
    - ``init``: how the graph is covered first: ``"lowest"`` (the lowest node number first, as in
      the paper), ``"nearest"``, ``"depth-first"``, ``"tour"`` (a short way through all nodes), or
      ``"none"``
    - ``back``: how the agent gets back to its start afterwards: ``"jump"`` (as in the paper) or
      ``"walk"``; ``--return`` on the command line
    - ``window``: which steps count: the ``"first"``, or the ``"last"``, as in the paper's figures
    - ``tape``: draw rewards ``"one-by-one"``, or as ``"sums"`` of legs, which is faster if legs are
      very long
    - ``against``: what regret is measured against: ``"free"`` (the best mean of every moment),
      ``"planning"`` (the best walk of an agent that knows all means over time) or ``"causal"`` (the
      walk of an agent that knows only the present means)
    - ``checkpoints``: how many checkpoints to measure at, or the steps of all checkpoints
    - ``closures``, ``travel_noise``: roads that close, and drives whose times vary, as in
      :class:`World`; only if ``world`` is a graph
    - ``preset``: follow the details of the ``"paper"``, or those of its authors' ``"program"``
    - ``regret_from``: which step counts as the first: ``"cover"``, the first after initialization
      (default for one walker), or ``"start"``, the first of all (default for teams)

    With ``walkers`` a team shares the graph. Regret is then measured against the best static
    allocation of walkers to nodes, or with ``against="planning"`` against the best walks. The
    agents ``"g-star"``, ``"multi-g-ucb"``, ``"comb-ucb"`` and ``"g-drift"`` lead a team; with any
    other agent, every walker learns by itself.

    - ``walkers``: how many there are, or a list with a :class:`Walker` for each
    - ``starts``: where they start: ``"random"``, drawn for every run (default), a node's label for
      all, or a list with one label per walker
    - ``share``: what c walkers on one node are worth, as a multiple of one draw: ``"equal"`` (1,
      the default), ``"capacity:ROOM"`` (min(c, ROOM)), ``"power:EXPONENT"`` (c^EXPONENT),
      ``"log:BEND"`` (ln(1 + BEND c) / ln(1 + BEND)), or an array of shape (nodes, walkers) with
      f(1), f(2), ..
    - ``draws``: what walkers on one node draw: ``"one"`` reward for all (default), or each its
      ``"own"``
    - ``seats``: the most walkers that are sent to one node (default: any number)

    >>> import graph_bandit as gb
    >>> world = gb.World("grid:4x4", gb.uniform_means(0.5, 9.5), gb.uniform_noise(0.5))
    >>> results = gb.run(world, ["g-ucb", gb.GUcb(bonus=0.5)], steps=1000, runs=5, seed=7)
    >>> results.agents
    ('g-ucb', 'g-ucb:bonus=0.5')
    >>> results.regret.shape
    (2, 5, 20)

    Five walkers:

    >>> results = gb.run(world, ["g-star", "multi-g-ucb"], walkers=5, share="log:0.05", steps=1000,
    ...     runs=5, seed=7)
    >>> bool(results.regret[0, :, -1].mean() < results.regret[1, :, -1].mean())
    True
    """
    if not isinstance(world, World):
        world = World(world, closures=closures, travel_noise=travel_noise)
    elif not (closures is None and travel_noise is None):
        raise TypeError("closures and travel_noise belong to the World; give them there")
    if isinstance(agents, str | Spec | Agent):
        agents = [agents]
    if isinstance(checkpoints, int | np.integer):
        checkpoints = whole_number("checkpoints", checkpoints)
    else:
        checkpoints = tuple(whole_number("a checkpoint", step) for step in checkpoints)
    if n_jobs == -1:  # joblib's word for all cores
        n_jobs = None
    if n_jobs is not None:
        n_jobs = min(whole_number("n_jobs", n_jobs), 65_535)
    runs = whole_number("runs", runs)
    team = None
    if walkers is not None:
        if start is not None:
            raise TypeError("start is for one walker; say where a team starts with starts")
        team = team_of(world.graph, walkers, starts=starts, share=share, draws=draws, seats=seats)
    else:
        parts = {"starts": starts, "share": share, "draws": draws, "seats": seats}
        given = [name for name, value in parts.items() if value is not None]
        if given:
            raise TypeError(
                f"{given[0]} is for teams; say how many walkers there are, as in walkers=5"
            )
    settings = RunSettings(
        world=world,
        agents=tuple(entrants_of(agents, world, team)),
        steps=steps,
        runs=runs,
        seed=seed,
        start=start,
        init=init,
        back=back,
        window=window,
        tape=tape,
        against=against,
        checkpoints=checkpoints,
        preset=preset,
        team=team,
        regret_from=regret_from,
    )
    compiled = settings.compile()
    for warning in compiled.warnings():
        warnings.warn(warning, stacklevel=2)
    tasks = [(agent, run) for agent in range(len(settings.agents)) for run in range(runs)]
    with Progress(len(tasks), progress) as bar:
        if backend == "threads":
            records: Any = compiled.run(tasks, n_jobs, bar)
        elif backend == "ray":
            from . import ray_backend

            records = ray_backend.run(settings, tasks, bar, n_jobs)
        else:
            raise ValueError(f"backend is {backend!r}; give 'threads' or 'ray'")
    return RunResults(settings, compiled, records)


@overload
def trace(
    world: World | GraphLike,
    agent: AgentLike = ...,
    *,
    steps: int = ...,
    walkers: None = ...,
    **options: Any,
) -> Trace: ...
@overload
def trace(
    world: World | GraphLike,
    agent: AgentLike = ...,
    *,
    steps: int = ...,
    walkers: WalkersLike,
    **options: Any,
) -> Any: ...
def trace(
    world: World | GraphLike,
    agent: AgentLike = "g-star",
    *,
    steps: int = 2_000,
    walkers: WalkersLike | None = None,
    **options: Any,
) -> Any:
    """One run of one agent, visit by visit; ``options`` are those of :func:`run`.

    The answer is a :class:`Trace`, or with several ``walkers`` a :class:`TeamTrace`.

    >>> import graph_bandit as gb
    >>> walk = gb.trace(gb.World("line:6"), "g-ucb", steps=100, seed=3)
    >>> len(walk.nodes) == 100 + walk.init_steps
    True
    """
    made = run(world, [agent], steps=steps, walkers=walkers, runs=1, progress=False, **options)
    return made.trace(agent)

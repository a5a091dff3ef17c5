"""Every visit of every run as one tidy table."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .graphs import Graph
from .needed import needed
from .tables import Tidy
from .team_traces import TeamTrace
from .traces import Trace

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Trajectories"]

#: The most visits that are collected in memory, about 6 GB of columns.
MOST_IN_MEMORY = 100_000_000


class Trajectories(Tidy):
    """The visits of some runs, which are made again on demand; see :meth:`RunResults.trajectories`.

    Columns: ``run``, ``agent``, ``t``, ``node`` (its label), ``reward``, ``leg``, ``phase``; for
    teams also ``walker`` and ``draw``.
    """

    def __init__(
        self,
        trace: Callable[[str, int], Trace | TeamTrace],
        agents: Sequence[str],
        runs: Sequence[int],
        visits: int,
    ) -> None:
        self._trace = trace
        #: The agents whose runs these are.
        self.agents = tuple(agents)
        #: The numbers of the runs.
        self.runs = tuple(runs)
        #: About how many visits each run has.
        self._visits = visits

    def __repr__(self) -> str:
        return f"Trajectories of {len(self.runs)} runs of {', '.join(self.agents)}"

    def __iter__(self) -> Iterator[dict[str, npt.NDArray[Any]]]:
        """The columns of one run after another; only one run is in memory at a time."""
        for agent in self.agents:
            for run in self.runs:
                trace = self._trace(agent, run)
                if isinstance(trace, TeamTrace):
                    yield columns_of_team(trace, run)
                else:
                    yield columns_of(trace, run)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """One row per visit, including the visits that cover the graph."""
        visits = len(self.agents) * len(self.runs) * self._visits
        if visits > MOST_IN_MEMORY:
            raise ValueError(
                f"{visits:,} visits are too many for a frame in memory (the limit is "
                f"{MOST_IN_MEMORY:,}); ask for fewer agents or runs, or write them with to_parquet"
            )
        tables = list(self)
        return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes all visits as a Parquet file, run by run: memory does not grow with runs."""
        arrow = needed("pyarrow", "frames")
        parquet = needed("pyarrow.parquet", "frames")
        writer: Any = None
        # An earlier file stays until the new one is complete.
        aside = pathlib.Path(f"{os.fspath(path)}.part")
        try:
            for columns in self:
                table = arrow.table(columns)
                if writer is None:
                    writer = parquet.ParquetWriter(aside, table.schema)
                writer.write_table(table)
            if writer is not None:
                writer.close()
                aside.replace(path)
        except BaseException:
            if writer is not None:
                writer.close()
                aside.unlink(missing_ok=True)
            raise


def columns_of(trace: Trace, run: int) -> dict[str, npt.NDArray[Any]]:
    """The visits of one run as columns.

    ``t`` counts from the end of initialization, as in results: visits with ``t > 0`` count. ``leg``
    is the number of the agent's leg, from 1; it is 0 in initialization.
    """
    visits = np.arange(len(trace.nodes))
    began = trace.times[trace.init_steps - 1] if trace.init_steps else 0.0
    t = trace.times - began
    return {
        "run": np.full(len(visits), run),
        "agent": np.full(len(visits), trace.agent, object),
        "t": t if trace.world.graph.has_roads else np.rint(t).astype(np.int64),
        "node": _labels(trace.world.graph)[trace.nodes],
        "reward": trace.rewards,
        "leg": np.searchsorted(trace.legs, visits, side="right"),
        "phase": np.where(visits < trace.init_steps, "cover", "learn").astype(object),
    }


def columns_of_team(trace: TeamTrace, run: int) -> dict[str, npt.NDArray[Any]]:
    """The visits of one run of a team as columns, step by step; on a road nobody visits anything.

    ``t`` counts from the first step that counts. ``leg`` is the number of the walker's leg, from 1.
    """
    step, walker = np.nonzero(~trace.on_road)
    place = (step, walker)
    leg = np.empty(trace.nodes.shape, np.int64)
    for own, begun in enumerate(trace.legs):
        leg[:, own] = np.searchsorted(begun, np.arange(trace.steps), side="right")
    return {
        "run": np.full(len(step), run),
        "agent": np.full(len(step), trace.agent, object),
        "walker": walker,
        "t": step + 1 - trace.began,
        "node": _labels(trace.world.graph)[trace.nodes[place]],
        "reward": trace.rewards[place],
        "draw": trace.draws[place],
        "leg": leg[place],
        "phase": np.where(step < trace.cover_steps, "cover", "learn").astype(object),
    }


def _labels(graph: Graph) -> npt.NDArray[Any]:
    """The labels of nodes, by number."""
    if graph.labels is None:
        return np.arange(len(graph), dtype=np.int64)
    labels = np.empty(len(graph), object)
    labels[:] = graph.nodes
    return labels

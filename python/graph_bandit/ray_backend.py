"""Studies on a Ray cluster: the same bits as on threads of one machine.

A run is a pure function of the settings, the number of the agent and the number of the run. So a
study can be cut into blocks of runs in any way that suits the cluster. A block that is lost with
its worker or node is made again, with the same result. A block takes every n-th run instead of
neighbouring ones: this spreads the runs of a slow agent, and all blocks cost about the same.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib
import logging
import os
import tempfile
import time
import traceback
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from . import _core
from .rewards import Means

if TYPE_CHECKING:
    import numpy.typing as npt

    from .run_settings import RunSettings

#: The number of an agent and the number of a run.
Task: TypeAlias = tuple[int, int]
#: What blocks recorded, by the names of :class:`Records`.
Columns: TypeAlias = "dict[str, npt.NDArray[Any]]"

__all__ = ["Records", "run"]

#: Enough blocks for a cluster that has yet to grow.
LEAST_BLOCKS = 64
#: Small blocks keep the wait for the last one short.
BLOCKS_PER_CPU = 8
#: What a lost worker costs: seconds of work, or minutes with the slowest agents.
STEPS_PER_BLOCK = 20_000_000
#: How many blocks Ray is given at a time; more, if it has more processors.
BLOCKS_AHEAD = 1_000
#: How many seconds pass between two checks whether the study was cancelled.
LOOK_EVERY = 1.0

_FILE = "file:"


@dataclass(frozen=True)
class Records:
    """The records of runs: one row for every run, one column for every checkpoint."""

    regret: npt.NDArray[np.float64]
    realized_regret: npt.NDArray[np.float64]
    reward: npt.NDArray[np.float64]
    legs: npt.NDArray[np.int64]
    destination: npt.NDArray[np.int64]
    init_steps: npt.NDArray[np.int64]
    init_regret: npt.NDArray[np.float64]
    init_travel: npt.NDArray[np.float64]
    seconds: npt.NDArray[np.float64]
    best_node: npt.NDArray[np.int64]
    best_estimate: npt.NDArray[np.float64]
    best_radius: npt.NDArray[np.float64]
    best_settled: npt.NDArray[np.bool_]
    best_right: npt.NDArray[np.bool_]


def run(
    settings: RunSettings,
    tasks: Sequence[Task],
    bar: Callable[[int], None],
    n_jobs: int | None = None,
) -> Records:
    """Makes runs on a Ray cluster, at most ``n_jobs`` blocks of them at a time.

    The cluster is the one that this process is connected to; otherwise the one that ``RAY_ADDRESS``
    names; otherwise one on this machine, which is started for this and shut down afterwards.
    """
    if n_jobs is not None and n_jobs < 1:
        raise ValueError(f"n_jobs is {n_jobs}; give at least 1")
    ray = _ray()
    luggage = _packed(ray, settings)
    with _connected(ray):
        cpus = int(ray.cluster_resources().get("CPU", 0))
        blocks = _block_count(len(tasks), len(tasks) * settings.steps, cpus)
        window = n_jobs or max(BLOCKS_AHEAD, 2 * cpus)
        shipped = _Shipped(_core.__version__, uuid.uuid4().hex, ray.put(luggage))
        return _gathered(_Work(ray, shipped, tasks, blocks, window), bar)


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ImportError(
            'backend="ray" needs Ray: pip install "graph-bandit[ray]", here and on every node'
        ) from error


@contextmanager
def _connected(ray: Any) -> Iterator[None]:
    if ray.is_initialized():
        yield
        return
    options: dict[str, Any] = {"address": os.environ.get("RAY_ADDRESS") or "local"}
    if options["address"] == "local":
        options["include_dashboard"] = False
    unset = "RAY_USAGE_STATS_ENABLED" not in os.environ
    if unset:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        ray.init(**options, logging_level=logging.WARNING)
    finally:
        if unset:
            del os.environ["RAY_USAGE_STATS_ENABLED"]
    try:
        yield
    finally:
        ray.shutdown()


def _block_count(tasks: int, steps: int, cpus: int) -> int:
    wanted = max(LEAST_BLOCKS, BLOCKS_PER_CPU * cpus, steps // STEPS_PER_BLOCK)
    return min(tasks, wanted)


def _packed(ray: Any, settings: RunSettings) -> bytes:
    """All that a worker needs, including classes of ``__main__`` and files of this machine.

    They are bytes, because Ray would share arrays, and shared arrays cannot be written to; your own
    agents may want to write to theirs.
    """
    share = settings.team.share if settings.team is not None else ""
    if isinstance(share, str) and share.startswith(_FILE):
        raise ValueError(
            f"share is {share!r}, which other machines cannot read; give the shares as an array"
        )
    means, table = settings.world.means, None
    if isinstance(means, Means) and means.text.startswith(_FILE):
        table = Path(means.text.removeprefix(_FILE)).read_bytes()
    try:
        return bytes(ray.cloudpickle.dumps((settings, table)))
    except Exception as error:
        error.add_note(
            "The study cannot be sent to other machines: your own agent or function holds "
            "something that cannot be pickled. Create it in start() instead."
        )
        raise


@dataclass(frozen=True)
class _Shipped:
    """How workers recognize and fetch a study."""

    version: str
    name: str
    #: Inside this class Ray keeps the reference, so workers fetch the study only once.
    luggage: Any


@dataclass(frozen=True)
class _Work:
    """A study that is running: what Ray was given, and how it is cut."""

    ray: Any
    shipped: _Shipped
    tasks: Sequence[Task]
    blocks: int
    #: How many blocks Ray is given at a time.
    window: int


def _gathered(work: _Work, bar: Callable[[int], None]) -> Records:
    """The records of all tasks, in order; after a failure, the blocks under way end, too."""
    ray = work.ray
    # Retries are unlimited: a lost machine only costs time. Exceptions are answers, see `_Failure`.
    make = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_make)
    places = (slice(first, None, work.blocks) for first in range(work.blocks))
    under_way: dict[Any, slice] = {}
    gathered: Columns = {}
    done = 0
    try:
        while True:
            while len(under_way) < work.window and (place := next(places, None)) is not None:
                under_way[make.remote(work.shipped, list(work.tasks[place]))] = place
            if not under_way:
                break
            ray.wait(list(under_way), num_returns=1)
            ready, _ = ray.wait(list(under_way), num_returns=len(under_way), timeout=0)
            for reference in ready:
                place = under_way.pop(reference)
                done += _filled_in(gathered, place, _answer(ray, reference), len(work.tasks))
            bar(done)
    except BaseException:
        _call_off(work.shipped)
        raise
    return Records(**gathered)


def _answer(ray: Any, reference: Any) -> Columns:
    try:
        answer: Columns | _Failure = ray.get(reference)
    except ray.exceptions.RayError as error:
        if "No module named 'graph_bandit'" not in str(error):
            raise
        raise RuntimeError(
            f"a worker of the Ray cluster has no graph_bandit: pip install "
            f'"graph-bandit[ray]=={_core.__version__}" on every node'
        ) from error
    if isinstance(answer, _Failure):
        raise answer.error(ray)
    return answer


def _filled_in(gathered: Columns, place: slice, block: Columns, rows: int) -> int:
    """Copies a block to its place, and returns how many runs it holds."""
    if not gathered:
        for name, values in block.items():
            gathered[name] = np.empty((rows, *values.shape[1:]), values.dtype)
    for name, values in block.items():
        gathered[name][place] = values
    return len(block["seconds"])


def _call_off(study: _Shipped) -> None:
    """Tells all workers to stop working on a study.

    ``ray.cancel`` is not used: Ray aborts the calling process if a task ends while it is being
    cancelled, and that happens when all tasks fail in the same way.
    """
    _board()._internal_kv_put(_notice(study), b"called off")


def _board() -> Any:
    """A store that all processes of a cluster can read and write."""
    return importlib.import_module("ray.experimental.internal_kv")


def _notice(study: _Shipped) -> str:
    return f"graph_bandit/{study.name}"


class _Watch:
    """Ends a block when its study is cancelled; runs call this from time to time."""

    def __init__(self, study: _Shipped) -> None:
        self._board = _board()
        self._notice = _notice(study)
        self._next = 0.0

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + LOOK_EVERY
        if self._board._internal_kv_get(self._notice) is not None:
            raise InterruptedError("the study was cancelled")


@dataclass(frozen=True)
class _Failure:
    """An exception of a worker; Ray would wrap it, and lose it if it does not pickle."""

    pickled: bytes | None
    told: str
    trace: str

    @classmethod
    def of(cls, ray: Any, error: BaseException) -> _Failure:
        trace = "".join(traceback.format_exception(error))
        told = "".join(traceback.format_exception_only(error)).strip()
        try:
            pickled = bytes(ray.cloudpickle.dumps(error))
            ray.cloudpickle.loads(pickled)
        except Exception:
            return cls(None, told, trace)
        return cls(pickled, told, trace)

    def error(self, ray: Any) -> BaseException:
        """The exception itself if it can be pickled, with a note about where it happened."""
        error: BaseException = RuntimeError(self.told)
        if self.pickled is not None:
            error = ray.cloudpickle.loads(self.pickled)
        error.add_note(f"It happened in a Ray worker:\n{self.trace}")
        return error


def _make(study: _Shipped, tasks: list[Task]) -> Columns | _Failure:
    """Makes one block of runs; workers call this."""
    ray = _ray()
    try:
        if study.version != _core.__version__:
            raise RuntimeError(
                f"a worker of the Ray cluster has graph-bandit {_core.__version__}, not "
                f"{study.version}: install the same version on every node"
            )
        watch = _Watch(study)
        watch(0)
        made = _unpacked(ray, study).run(tasks, 1, watch)
    except (
        BaseException
    ) as error:  # even SystemExit: otherwise the worker ends, and Ray tries again
        return _Failure.of(ray, error)
    return {field.name: getattr(made, field.name) for field in dataclasses.fields(Records)}


#: The study that this process worked on last, with its name.
_latest: tuple[str, _core.Study] | None = None


def _unpacked(ray: Any, study: _Shipped) -> _core.Study:
    """The study, which is compiled once in every process."""
    global _latest
    if _latest is None or _latest[0] != study.name:
        _latest = None
        _latest = study.name, _compiled(*ray.cloudpickle.loads(ray.get(study.luggage)))
    return _latest[1]


def _compiled(settings: RunSettings, table: bytes | None) -> _core.Study:
    if table is None:
        return settings.compile()
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory, "means.csv")
        file.write_bytes(table)
        world = copy.copy(settings.world)
        world.means = Means(f"{_FILE}{file}")
        return dataclasses.replace(settings, world=world).compile()

"""Studies on a real Ray cluster of several nodes: always the bits of a local study, whatever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import ray
from ray_cluster import Cluster, Report, let_go, warden

import graph_bandit as gb
from graph_bandit import ray_backend

#: What a run records; `seconds` are the clock's.
RECORDED = (
    "regret",
    "realized_regret",
    "reward",
    "legs",
    "destination",
    "init_steps",
    "init_regret",
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    started = Cluster()
    ray.init(address=started.address, log_to_driver=False, logging_level="WARNING")
    # Workers see the classes of this file as they would see those of a notebook.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield started
    ray.cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    ray.shutdown()
    started.shutdown()


class Walker(gb.Agent):
    """A random walk that reports half-way, if there is somebody to report to."""

    def __init__(self, warden: str | None = None, after: int = 40) -> None:
        self.warden = warden
        self.after = after

    def next_leg(self, now: gb.Situation) -> Any:
        if self.warden is not None and now.visits >= self.after:
            report(self.warden)
            self.warden = None
        around = now.graph.neighborhood(now.at)
        return around[self.rng.integers(len(around))]


def report(address: str) -> None:
    with Client(address, "AF_UNIX") as connection:
        connection.send((os.getpid(), ray.get_runtime_context().get_node_id()))
        connection.recv()


WORLD = gb.World(
    nx.grid_2d_graph(4, 3), means=gb.uniform_means(0.5, 9.5), noise=gb.uniform_noise(0.5)
)


def study(backend: str, *agents: Any, world: gb.World = WORLD, **options: Any) -> gb.RunResults:
    setting = {"steps": 80, "runs": 12, "seed": 5, "checkpoints": 4, "progress": False, **options}
    return gb.run(world, list(agents), backend=backend, **setting)


def assert_same_bits(found: gb.RunResults, expected: gb.RunResults) -> None:
    assert found.agents == expected.agents
    for name in RECORDED:
        ours, theirs = getattr(found, name), getattr(expected, name)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), name
        assert ours.tobytes() == theirs.tobytes(), name
    assert (found.seconds > 0).all()


OFFSETS = np.zeros(3)


def triangular(node: tuple[int, int], rng: np.random.Generator, size: int) -> Any:
    OFFSETS[:] = -0.5, 0.0, 0.5  # what travels can be written to
    left, mode, right = OFFSETS
    return node[0] + rng.triangular(left, mode, right, size)


OWN_REWARDS = gb.World(
    nx.grid_2d_graph(4, 3),
    means={(i, j): float(i) for i in range(4) for j in range(3)},
    noise=gb.rewards_from(triangular, scale=0.5),
)


@pytest.mark.parametrize(
    "setting",
    [
        {},
        {"runs": 1},
        {"world": OWN_REWARDS},
        {"world": gb.World("star:9"), "preset": "program", "window": "first", "back": "walk"},
        {
            "world": gb.World("grid:3x4", noise=gb.bernoulli_noise(), means="uniform:0,1"),
            "tape": "sums",
        },
        {"start": (2, 1), "checkpoints": (1, 7, 80), "n_jobs": 2},
    ],
    ids=["plain", "one-run", "own-rewards", "program", "sums", "start"],
)
def test_results_are_the_local_ones(cluster: Cluster, setting: dict[str, Any]) -> None:
    agents = ["g-ucb", "ucrl2", "local-ts", gb.GStar(), Walker()]
    assert_same_bits(study("ray", *agents, **setting), study("threads", *agents, **setting))


@pytest.mark.parametrize("blocks", [1, 2, 7, 1000])
def test_the_size_of_blocks_does_not_matter(
    cluster: Cluster, blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_backend, "LEAST_BLOCKS", blocks)
    monkeypatch.setattr(ray_backend, "BLOCKS_PER_CPU", 0)
    agents = ["g-ucb", "local-ts"]
    assert_same_bits(study("ray", *agents), study("threads", *agents))


def test_all_nodes_work_at_once(cluster: Cluster) -> None:
    def decide(heard: list[Report], waiting: list[Connection]) -> None:
        if {report.node for report in heard} == cluster.node_ids():
            let_go(waiting)

    with warden(decide) as guard:
        found = study("ray", Walker(guard.address), runs=3)
        assert len(guard.heard) == 3
    assert_same_bits(found, study("threads", Walker(), runs=3))


def test_a_worker_killed_in_mid_study_loses_nothing(cluster: Cluster) -> None:
    def decide(heard: list[Report], waiting: list[Connection]) -> None:
        if len(heard) == 4:
            os.kill(heard[-1].pid, signal.SIGKILL)
            waiting.clear()
        let_go(waiting)

    with warden(decide) as guard:
        found = study("ray", Walker(guard.address), "g-ucb")
        assert len(guard.heard) == 12 + 1, "the run that was killed, and no other, is made twice"
        killed = guard.heard[3].pid
        assert not Path(f"/proc/{killed}").exists()
    assert_same_bits(found, study("threads", Walker(), "g-ucb"))


def test_a_node_lost_in_mid_study_loses_nothing(cluster: Cluster) -> None:
    lost: list[str] = []

    def decide(heard: list[Report], waiting: list[Connection]) -> None:
        if len(heard) == 4:
            lost.append(heard[-1].node)
            cluster.remove(heard[-1].node)
            waiting.clear()
        let_go(waiting)

    try:
        with warden(decide) as guard:
            found = study("ray", Walker(guard.address), "g-ucb")
            assert len(guard.heard) >= 12 + 1
        alive = {node["NodeID"] for node in ray.nodes() if node["Alive"]}
        assert len(lost) == 1
        assert not alive.intersection(lost)
        assert len(cluster.node_ids() & alive) == 2
        assert_same_bits(found, study("threads", Walker(), "g-ucb"))
    finally:
        cluster.mend()


def test_an_interrupt_ends_all_blocks(cluster: Cluster) -> None:
    def decide(heard: list[Report], waiting: list[Connection]) -> None:
        if len(heard) == 3:
            let_go(waiting)
            os.kill(os.getpid(), signal.SIGINT)

    with warden(decide) as guard:
        with pytest.raises(KeyboardInterrupt):
            study("ray", Walker(guard.address), steps=10**12)
        assert len(guard.heard) == 3
    # All processors were taken, so this comes to an end only if they were given back.
    assert_same_bits(study("ray", "g-ucb"), study("threads", "g-ucb"))


class Refused(ValueError):
    """An exception of one's own."""


class Odd(Exception):
    """It pickles, but does not unpickle."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what} {why}")


class Failing(Walker):
    def __init__(self, warden: str, fail: Callable[[], None]) -> None:
        super().__init__(warden)
        self.fail = fail

    def next_leg(self, now: gb.Situation) -> Any:
        if self.warden is None:
            self.fail()
        return super().next_leg(now)


def refuse() -> None:
    raise Refused("no such luck")


def leave() -> None:
    sys.exit("had enough")


def be_odd() -> None:
    raise Odd("luck", "is odd")


@pytest.mark.parametrize(
    ("fail", "kind", "message"),
    [
        (refuse, Refused, "no such luck"),
        (be_odd, RuntimeError, "Odd: luck is odd"),
        (leave, SystemExit, "had enough"),
    ],
)
def test_exceptions_come_home_and_are_not_tried_again(
    cluster: Cluster, fail: Callable[[], None], kind: type[BaseException], message: str
) -> None:
    with warden(lambda _, waiting: let_go(waiting)) as guard:
        with pytest.raises(kind, match=message) as caught:
            study("ray", Failing(guard.address, fail), runs=1)
        assert len(guard.heard) == 1
    assert caught.type is kind
    assert any("Ray worker" in note for note in caught.value.__notes__)


def test_mistakes_of_agents_are_those_of_local_studies(cluster: Cluster) -> None:
    class Lost(gb.Agent):
        def next_leg(self, now: gb.Situation) -> Any:
            return "nowhere"

    errors = []
    for backend in ("threads", "ray"):
        with pytest.raises(TypeError) as caught:
            study(backend, Lost())
        errors.append(str(caught.value))
    assert errors[0] == errors[1]


def test_what_cannot_travel_is_refused_at_once(cluster: Cluster) -> None:
    class Locked(Walker):
        def __init__(self) -> None:
            super().__init__()
            self.lock = threading.Lock()

    with pytest.raises(TypeError, match="lock") as caught:
        study("ray", Locked())
    assert "create what cannot be copied in start()" in caught.value.__notes__[0]


def test_workers_without_the_package_are_told_of(cluster: Cluster) -> None:
    def bare_worker() -> None:
        raise ModuleNotFoundError("No module named 'graph_bandit'")

    with pytest.raises(RuntimeError, match=r'pip install "graph-bandit\[ray\]==.*on every node'):
        ray_backend._answer(ray, ray.remote(bare_worker).remote())


def test_files_of_means_travel(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where workers are, the relative path leads nowhere.
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(3).uniform(size=(5, 12))
    np.savetxt("means.csv", rows, delimiter=",")
    world = gb.World("line:12", means="file:means.csv")
    found = study("ray", "g-ucb", world=world)
    assert_same_bits(found, study("threads", "g-ucb", world=world))


def test_progress_is_told_to_the_end(cluster: Cluster) -> None:
    told: list[int] = []
    settings = study("threads", "g-ucb", "g-star").settings
    tasks = [(agent, run) for agent in range(2) for run in range(12)]
    ray_backend.run(settings, tasks, told.append)
    assert told == sorted(told)
    assert told[-1] == 24


SCRIPT = """
import hashlib, sys
import graph_bandit as gb

class Mine(gb.Agent):
    def next_leg(self, now):
        around = now.graph.neighborhood(now.at)
        return around[self.rng.integers(len(around))]

def draw(node, rng):
    return 0.1 * node + rng.normal()

def digest(backend):
    world = gb.World("line:5", means=[0, 0.1, 0.2, 0.3, 0.4], noise=gb.rewards_from(draw, scale=1.0))
    study = gb.run(world, [Mine(), "g-ucb"], steps=50, runs=4, backend=backend)
    return hashlib.sha256(study.regret.tobytes() + study.reward.tobytes()).hexdigest()

if __name__ == "__main__":
    local = digest("threads")
    assert "ray" not in sys.modules
    assert digest("ray") == local
    import ray
    assert not ray.is_initialized()
    print("same")
"""


@pytest.mark.parametrize("where", ["RAY_ADDRESS", "local"])
def test_a_script_with_an_agent_of_its_own(cluster: Cluster, where: str, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(SCRIPT)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("RAY_")}
    if where == "RAY_ADDRESS":
        environment["RAY_ADDRESS"] = cluster.address
    ended = subprocess.run(
        [sys.executable, str(script)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.stdout == "same\n", ended.stderr


def test_other_versions_are_refused() -> None:
    answer = ray_backend._make(ray_backend._Shipped("0.0.0", "a study", None), [(0, 0)])
    assert isinstance(answer, ray_backend._Failure)
    error = answer.error(ray)
    assert isinstance(error, RuntimeError)
    assert f"has graph-bandit {gb.__version__}, not 0.0.0" in str(error)


@pytest.mark.parametrize(
    ("tasks", "steps", "cpus", "blocks"),
    [
        (3, 300, 0, 3),
        (1000, 1000 * 100, 0, 64),
        (1000, 1000 * 100, 20, 160),
        (1000, 1000 * 10**6, 0, 64),
        (1000, 1000 * 10**8, 0, 1000),
    ],
)
def test_blocks_suit_work_and_cluster(tasks: int, steps: int, cpus: int, blocks: int) -> None:
    assert ray_backend._block_count(tasks, steps, cpus) == blocks


def test_without_ray_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r'pip install "graph-bandit\[ray\]"'):
        study("ray", "g-ucb")


def test_no_workers_run_nothing() -> None:
    with pytest.raises(ValueError, match="n_jobs is 0"):
        study("ray", "g-ucb", n_jobs=0)

"""Durable tells per second, ours and Optuna's, in one run: `python bench/python/optuna_tells.py`.

Both store everything in a SQLite file. Optuna: ask and tell on RDBStorage with default settings and
a random sampler, without parameters, so that only storage is measured, and with one parameter, the
node to visit. Ours: ask and tell over HTTP. "Alone" is one client with one agent. "Together" is 100
agents of 100 nodes at once; there Optuna gets its best of several threads or processes, each with
its own study. Rounds alternate between the two; the figures are medians over rounds.

Needs optuna, this package, and `cargo build --release` for gbandit.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import re
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import optuna
import sqlalchemy

import graph_bandit as gb

ROOT = Path(__file__).parents[2]
GRAPH = "grid:10x10"
NODES = 100


def optuna_storage(file: Path) -> Any:
    return optuna.storages.RDBStorage(f"sqlite:///{file}")


def optuna_rate(storage: Any, seconds: float, parameters: int) -> float:
    """Trials asked for and told per second, once the study exists."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(storage=storage, sampler=optuna.samplers.RandomSampler(seed=0))
    told, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        try:
            trial = study.ask()
            for number in range(parameters):
                trial.suggest_int(f"node{number}", 0, NODES - 1)
            study.tell(trial, 0.5)
        except optuna.exceptions.StorageInternalError:
            # Locked for too long by others.
            continue
        told += 1
    return told / (time.perf_counter() - begun)


def optuna_alone(directory: Path, seconds: float, parameters: int) -> float:
    return optuna_rate(optuna_storage(directory / "alone.db"), seconds, parameters)


def optuna_threads(directory: Path, seconds: float, workers: int) -> float:
    storage = optuna_storage(directory / "threads.db")
    with ThreadPool(workers) as pool:
        return sum(pool.starmap(optuna_rate, [(storage, seconds, 0)] * workers, chunksize=1))


def _process(file: Path, seconds: float) -> float:
    return optuna_rate(optuna_storage(file), seconds, 0)


def optuna_processes(directory: Path, seconds: float, workers: int) -> float:
    file = directory / "processes.db"
    optuna_storage(file)
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        # They have imported their modules before the clock starts.
        pool.map(time.sleep, [0.1] * workers, chunksize=1)
        return sum(pool.starmap(_process, [(file, seconds)] * workers, chunksize=1))


class Service:
    """`gbandit serve` on its own file."""

    def __init__(self, gbandit: Path, directory: Path) -> None:
        command = [str(gbandit), "serve", "--listen", "127.0.0.1:0", "--log", "error"]
        self.process = subprocess.Popen(
            [*command, "--store", f"sqlite://{directory / 'fleet.db'}"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().removeprefix("listening on ").strip()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()


def ours_alone(gbandit: Path, directory: Path, seconds: float) -> float:
    with Service(gbandit, directory) as service:
        agent = gb.connect(service.url).create(GRAPH, "g-star")
        told, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            agent.tell(agent.ask().node, 0.5)
            told += 1
        rate = told / (time.perf_counter() - begun)
        assert agent.status().visits == told
        return rate


def ours_together(gbandit: Path, directory: Path, reports: int) -> float:
    with Service(gbandit, directory) as service:
        command = [str(gbandit), "drone", "--server", service.url, "--graph", GRAPH]
        command += ["--drones", "100", "--reports", str(reports), "--tell", "reward"]
        shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rate = re.search(r"([\d,.]+) reports/s", shown)
    assert rate is not None, shown
    return float(rate[1].replace(",", ""))


def sync_milliseconds(directory: Path) -> float:
    """How long a synced write of 4 KiB to this disk takes."""
    taken = []
    with (directory / "sync").open("wb") as file:
        for _ in range(100):
            begun = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - begun)
    return 1000 * statistics.median(taken)


def durability(directory: Path) -> str:
    """The durability settings of Optuna's connections, as SQLite reports them."""
    storage = optuna_storage(directory / "asked.db")
    with storage.engine.connect() as connection:
        ask = connection.exec_driver_sql
        journal = ask("PRAGMA journal_mode").scalar()
        synchronous = ask("PRAGMA synchronous").scalar()
    names = {0: "OFF", 1: "NORMAL", 2: "FULL", 3: "EXTRA"}
    return f"journal_mode={journal}, synchronous={names[synchronous]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each loop in each round")
    parser.add_argument("--reports", type=int, default=500, help="of each of the 100 drones")
    parser.add_argument("--gbandit", type=Path, default=ROOT / "target" / "release" / "gbandit")
    parser.add_argument(
        "--directory", type=Path, default=ROOT / "target", help="on the disk to be measured"
    )
    asked = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    rows: dict[str, Callable[[Path], float]] = {
        "optuna, alone, no parameter": lambda place: optuna_alone(place, asked.seconds, 0),
        "optuna, alone, one parameter": lambda place: optuna_alone(place, asked.seconds, 1),
        "ours, alone": lambda place: ours_alone(asked.gbandit, place, asked.seconds),
    }
    for workers in (2, 4, 8):
        shared = {"seconds": asked.seconds, "workers": workers}
        rows[f"optuna, {workers} threads"] = partial(optuna_threads, **shared)
        rows[f"optuna, {workers} processes"] = partial(optuna_processes, **shared)
    rows["ours, 100 agents"] = lambda place: ours_together(asked.gbandit, place, asked.reports)
    rates: dict[str, list[float]] = {name: [] for name in rows}
    with tempfile.TemporaryDirectory(dir=asked.directory) as outer:
        print(
            f"Optuna {optuna.__version__}, SQLAlchemy {sqlalchemy.__version__}, SQLite "
            f"{sqlite3.sqlite_version}, Python {platform.python_version()}, {os.cpu_count()} cores"
        )
        version = subprocess.run(
            [asked.gbandit, "--version"], check=True, capture_output=True, text=True
        ).stdout.strip()
        print(f"{version}, Python client {gb.__version__}")
        print(
            f"Optuna's SQLite: {durability(Path(outer))}; ours: journal_mode=wal, synchronous=FULL"
        )
        print(f"a synced write of 4 KiB takes {sync_milliseconds(Path(outer)):.2f} ms here\n")
        for number in range(asked.rounds):
            for name, measure in rows.items():
                place = Path(outer) / f"{number} {name}"
                place.mkdir()
                rates[name].append(measure(place))
    middle = {name: statistics.median(measured) for name, measured in rates.items()}
    print(f"{'durable tells a second':32}{'median':>10}{'rounds':>28}")
    for name, rate in middle.items():
        each = " ".join(f"{measured:,.0f}" for measured in rates[name])
        print(f"{name:32}{rate:10,.0f}{each:>28}")
    together = max(
        (rate, name)
        for name, rate in middle.items()
        if name.startswith("optuna") and "one parameter" not in name
    )
    alone = middle["ours, alone"] / middle["optuna, alone, no parameter"]
    all_at_once = middle["ours, 100 agents"] / together[0]
    against_alone = middle["ours, 100 agents"] / middle["optuna, alone, no parameter"]
    print(f"\none client against one client: {alone:.1f} times")
    print(f"100 agents against Optuna's best ({together[1]}): {all_at_once:.1f} times")
    print(f"100 agents against one Optuna client: {against_alone:.1f} times")


if __name__ == "__main__":
    main()

"""A Ray cluster of several nodes, and somebody to whom its runs report."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Client, Connection, Listener
from typing import Any, NamedTuple

from ray import cluster_utils


class Cluster:
    """A head that runs nothing and three nodes of one processor, each with processes of its own."""

    def __init__(self) -> None:
        self._all = cluster_utils.Cluster()
        # Waited for before the others join.
        self._add(num_cpus=0, include_dashboard=False)
        self._workers = [self._add(wait=False) for _ in range(3)]
        self._all.wait_for_nodes()
        self.address: str = self._all.address

    def _add(self, num_cpus: int = 1, **options: Any) -> Any:
        return self._all.add_node(num_cpus=num_cpus, object_store_memory=80 * 2**20, **options)

    def node_ids(self) -> set[str]:
        return {node.node_id for node in self._workers}

    def remove(self, node_id: str) -> None:
        """The node and all its processes end at once."""
        (node,) = (node for node in self._workers if node.node_id == node_id)
        self._workers.remove(node)
        self._all.remove_node(node)

    def mend(self) -> None:
        while len(self._workers) < 3:
            self._workers.append(self._add())

    def shutdown(self) -> None:
        self._all.shutdown()


class Report(NamedTuple):
    """From where a run reports."""

    pid: int
    node: str


class Warden:
    """Runs report to it and wait; what becomes of them is decided here, by whoever tests."""

    def __init__(self, decide: Callable[[list[Report], list[Connection]], None]) -> None:
        self.heard: list[Report] = []
        self._waiting: list[Connection] = []
        self._decide = decide
        self._directory = tempfile.mkdtemp()
        self.address = f"{self._directory}/warden"
        self._listener = Listener(self.address, "AF_UNIX", backlog=64)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            while (heard := (connection := self._listener.accept()).recv()) is not None:
                self.heard.append(Report(*heard))
                self._waiting.append(connection)
                self._decide(self.heard, self._waiting)
        finally:
            # A test that fails in here leaves no run waiting without end.
            self._listener.close()
            for connection in self._waiting:
                connection.close()

    def close(self) -> None:
        if self._thread.is_alive():
            with Client(self.address, "AF_UNIX") as connection:
                connection.send(None)
            self._thread.join()
        shutil.rmtree(self._directory)


@contextmanager
def warden(decide: Callable[[list[Report], list[Connection]], None]) -> Iterator[Warden]:
    opened = Warden(decide)
    try:
        yield opened
    finally:
        opened.close()


def let_go(waiting: list[Connection]) -> None:
    while waiting:
        waiting.pop().send("go on")

"""The client of the service when the network, the service or its address fails."""

import math
import re
import threading

import networkx as nx
import pytest
from service_network import Proxy
from service_process import Server
from service_walks import pay, play

import graph_bandit as gb
from graph_bandit import service
from graph_bandit.service import wire

GRID = nx.grid_2d_graph(4, 4)
ROOMS = [("hall", "yard"), ("yard", "roof"), ("roof", "gate"), ("gate", "hall")]


@pytest.fixture
def waits(monkeypatch):
    """Short waits, counted."""
    counted = []

    def wait(number):
        counted.append(number)
        return 0.01

    monkeypatch.setattr(wire, "backoff", wait)
    return counted


FAULTS = ["lost after", None, "lost before", 503, "cut short", 429, None, "lost after", 502, 504]


def test_what_is_lost_is_sent_again_and_counts_once(server, fleet, waits):
    with Proxy(server.url, FAULTS * 30) as proxy:
        robot = gb.connect(proxy.url).create(GRID, "g-ts", id="rover", seed=3)
        twin = gb.agent(GRID, "g-ts", seed=3, init="nearest")
        assert play(robot, 25) == play(twin, 25)
        rewards = [pay for record in robot.history() for _, pay in record.visits]
        assert len(rewards) == robot.status().visits == twin.visits
        told = [body for _, path, body in proxy.seen if path.endswith("/tell")]
        assert len(told) > len(set(told)) == robot.sequence
        assert len(waits) > 20
        proxy.faults = iter(["lost after"])
        robot.delete()
        assert fleet.agents() == []


def test_the_deadline_ends_it():
    with Proxy("http://127.0.0.1:9", [503] * 1000) as proxy:
        with pytest.raises(service.UnavailableError, match="not now") as failed:
            gb.connect(proxy.url, deadline=0.3).agents()
        assert failed.value.status == 503
        assert failed.value.attempts == len(proxy.seen) > 1
        assert not gb.connect(proxy.url, deadline=0.1).ready()
        url = proxy.url
    with pytest.raises(
        service.UnavailableError,
        match=r"no service answers at http://127.0.0.1:\d+ \(\d+ tries: .*",
    ) as failed:
        gb.connect(url, deadline=0.2).agents()
    assert failed.value.status is None


def test_a_request_without_an_answer_warns_once(server, caplog):
    with Proxy("http://127.0.0.1:9", []) as proxy:
        nobody = proxy.url
    with pytest.raises(gb.UnavailableError) as failed:
        gb.connect(nobody, deadline=0.5).agents()
    assert failed.value.attempts > 2
    (warning,) = caplog.records
    assert (warning.name, warning.levelname) == ("graph_bandit", "WARNING")
    assert re.fullmatch(
        rf"no service answers at {nobody} \(.*refused\); trying again for 0\.[345] seconds",
        warning.getMessage(),
    )
    caplog.clear()
    # Each request warns for itself; with no deadline it has another ending.
    with Proxy(server.url, ["lost before", "lost before", None, "lost before", None]) as proxy:
        fleet = gb.connect(proxy.url, deadline=math.inf)
        fleet.agents()
        fleet.close()
        fleet.agents()
    assert [record.getMessage().partition("; ")[2] for record in caplog.records] == [
        "trying again until it answers"
    ] * 2
    caplog.clear()
    # A service that is busy has answered, and the last try has nothing to announce.
    with Proxy(server.url, [503, 429, None]) as proxy:
        gb.connect(proxy.url).agents()
    with pytest.raises(gb.UnavailableError):
        gb.connect(nobody, deadline=0.001).agents()
    assert caplog.records == []


@pytest.mark.parametrize(
    ("status", "message"), [(301, "connect there"), (200, "not one of `gbandit")]
)
def test_what_is_no_service_is_not_taken_for_one(status, message):
    with (
        Proxy("http://127.0.0.1:9", [status]) as proxy,
        pytest.raises(gb.ServiceError, match=message) as failed,
    ):
        gb.connect(proxy.url).agents()
    assert failed.value.status == status


def test_killed_and_started_again_nothing_is_lost_or_doubled(gbandit, tmp_path, waits):
    """Robots fly while the service is killed ten times; they notice nothing."""
    kinds = ["g-star", "g-ts", "ql-eps"]
    done = threading.Event()
    flown, failures = {}, []

    def fly(name, url):
        try:
            robot = gb.connect(url).create(GRID, name, id=name, seed=7)
            walk, legs = [], []
            while not done.is_set() or len(walk) < 60:
                leg = robot.ask()
                legs.append((leg.path, leg.stay, leg.node))
                robot.tell(leg.node, pay(leg.node, len(walk)))
                walk.append(leg.node)
            flown[name] = walk, legs
        except BaseException as error:
            failures.append(error)

    with Server(gbandit, f"sqlite://{tmp_path / 'fleet.db'}") as server:
        threads = [threading.Thread(target=fly, args=[name, server.url]) for name in kinds]
        for thread in threads:
            thread.start()
        looker = gb.connect(server.url)
        reports = 0
        for _ in range(10):
            # Some reports more, and then all at once.
            enough = reports + 20
            while reports < enough and not failures:
                reports = sum(agent.sequence for agent in looker.agents())
            server.kill()
            server.start()
        done.set()
        for thread in threads:
            thread.join()
        assert failures == []
        assert len(waits) >= 10
        for name in kinds:
            walk, legs = flown[name]
            twin = gb.agent(GRID, name, seed=7, init="nearest")
            for visit, (node, leg) in enumerate(zip(walk, legs, strict=True)):
                order = twin.ask()
                assert (order.path, order.stay, order.node) == leg
                twin.tell(node, pay(node, visit))
            robot = looker.attach(name, GRID)
            told = [paid for record in robot.history() for paid in record.visits]
            assert told == [(node, pay(node, visit)) for visit, node in enumerate(walk)]
            assert robot.ask() == twin.ask()
        server.terminate()

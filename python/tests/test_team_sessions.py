"""Ask and tell for teams: who joins, leaves, fails or is elsewhere, and the errors of all that."""

from __future__ import annotations

import threading
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graph_bandit as gb

ROOMS: nx.Graph[Any] = nx.Graph([("hall", "attic"), ("hall", "cellar"), ("cellar", "garden")])
PAYS = {"hall": 0.1, "attic": 0.9, "cellar": 0.2, "garden": 0.8}


def walked(team: gb.Team, rounds: int) -> list[Any]:
    """Lets all walkers tell in turn; where they end."""
    for _ in range(rounds):
        for walker in team.walkers:
            team.tell(walker, PAYS[team.order(walker).node])
    return [team.order(walker).node for walker in team.walkers]


def test_walkers_find_the_best_seats_by_label() -> None:
    team = gb.team(ROOMS, walkers=2, starts="hall")
    assert sorted(walked(team, 300)) == ["attic", "garden"]
    known = team.estimates()
    assert known.visits.sum() == 600
    assert known["attic"].estimate == pytest.approx(0.9)
    assert repr(team) == "<Team of 2 walkers on 4 nodes>"


def test_an_order_stays_the_same_until_something_is_told() -> None:
    team = gb.team(ROOMS, walkers=2, starts=["attic", "garden"])
    order = team.order(0)
    assert isinstance(order, gb.Leg)
    team.tell(1, 0.5, node="garden")
    team.observe("cellar", 0.5)
    assert team.order(0) == order
    team.tell(0, 0.5)
    assert team.estimates()[order.node].visits >= 1


def test_walkers_join_leave_and_keep_what_they_told() -> None:
    team = gb.team(ROOMS, walkers=1)
    walked(team, 50)
    assert team.join("garden") == 1
    assert team.join(nodes=["hall", "attic"]) == 2
    assert team.walkers == [0, 1, 2]
    visits = team.estimates().visits.sum()
    team.leave(1)
    assert team.walkers == [0, 2]
    assert team.estimates().visits.sum() == visits
    # Numbers are never used again.
    assert team.join("attic") == 3
    for _ in range(30):
        walked(team, 1)
        assert team.order(2).node in ("hall", "attic")


def test_who_fails_or_is_carried_gets_an_order_from_there() -> None:
    team = gb.team("line:30", walkers=1, starts=0)
    for node in range(30):
        team.observe(node, 1.0 if node == 29 else 0.0)
    far = team.order(0)
    assert len(far.path) > 1
    team.tell(0, 0.0, node=far.path[0])
    team.fail(0)
    assert team.order(0).path[0] == far.path[0] + 1
    team.move_to(0, 20)
    assert team.order(0).node in (19, 20, 21)
    # A report from elsewhere is believed, and the rest of the order is dropped.
    team.tell(0, 0.0, node=5)
    assert team.order(0).node in (4, 5, 6)


def test_the_same_seed_gives_the_same_orders() -> None:
    def orders(seed: int) -> list[Any]:
        team = gb.team("grid:4x4", walkers=3, share="log:0.05", seed=seed)
        rng = np.random.default_rng(1)
        taken = []
        for _ in range(100):
            for walker in team.walkers:
                taken.append(team.order(walker).node)
                team.tell(walker, float(rng.normal(taken[-1], 1.0)))
        return taken

    assert orders(7) == orders(7)


def test_robots_on_threads_lose_no_reward() -> None:
    team = gb.team("grid:4x4", walkers=4)

    def robot(walker: int) -> None:
        for _ in range(200):
            order = team.order(walker)
            team.tell(walker, float(order.node))

    threads = [threading.Thread(target=robot, args=(walker,)) for walker in team.walkers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert team.estimates().visits.sum() == 800


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"agent": "multi-g-ucb"}, ValueError, "the agent needs all walkers to step together"),
        ({"agent": "g-ucb"}, ValueError, "g-ucb"),
        ({"walkers": 2, "starts": "random"}, ValueError, "say where the walkers of your team are"),
        ({"walkers": 3, "starts": ["hall", "attic"]}, ValueError, "2 starts for 3 walkers"),
        ({"walkers": 2, "starts": "roof"}, gb.UnknownNodeError, "there is no node 'roof'"),
        ({"walkers": 2, "most": 1}, ValueError, "the team has 1 walkers, the most"),
        ({"walkers": [gb.Walker("hall", nodes=["hall", "garden"])]}, ValueError,
         "do not connect node 'garden' with its start 'hall'"),
        ({"walkers": [gb.Walker("hall", nodes=["attic"])]}, ValueError, "node 'hall', where it may"),
        ({"walkers": [gb.Walker("hall", speed=0.0)]}, ValueError, "the walker has speed 0"),
        ({"share": [[1.0, 0.5]] * 4}, ValueError, "must not fall"),
        ({"share": "log"}, ValueError, "share"),
    ],
)  # fmt: skip
def test_mistakes_of_teams_are_named(options: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as raised:
        gb.team(ROOMS, **options)
    assert says in str(raised.value)


def test_refused_reports_change_nothing() -> None:
    team = gb.team(ROOMS, walkers=2, share=np.ones((4, 2)))
    order = team.order(0)
    for report, error, says in (
        (
            lambda: team.tell(7, 0.5),
            ValueError,
            "walker 7 is not in the team; the walkers are 0, 1",
        ),
        (lambda: team.tell(0, float("nan"), node="hall"), ValueError, "reward NaN at node 'hall'"),
        (lambda: team.tell(0, 0.5, node="roof"), gb.UnknownNodeError, "there is no node 'roof'"),
        (lambda: team.observe("hall", float("inf")), ValueError, "out of range"),
        (lambda: team.leave(2), ValueError, "walker 2 is not in the team"),
        (lambda: team.order(2), ValueError, "walker 2 is not in the team"),
        (lambda: team.join("hall"), ValueError, "let one leave first"),
    ):
        with pytest.raises(error) as raised:
            report()
        assert says in str(raised.value)
    assert team.walkers == [0, 1]
    assert team.estimates().visits.sum() == 0
    assert team.order(0) == order

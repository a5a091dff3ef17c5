"""The Bayes-optimal agent: against dynamic programming written here with numpy, and by hand."""

import json
import math
import subprocess

import networkx as nx
import numpy as np
import pytest
from conftest import ROOT

import graph_bandit as gb


def two_arms(steps, time=0):
    """The value on two nodes joined by a road of ``time``, for all counts at once."""
    size = steps + 1
    ones, zeros = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
    chance = (ones + 1) / (ones + zeros + 2)
    chances = [chance[:, :, None, None], chance[None, None, :, :]]
    # value[place][left], for all counts up to the edge; counts beyond it are never reached.
    values = [[np.zeros((size,) * 4)] * (steps + 1) for _ in range(2)]
    for left in range(1, steps + 1):
        visits = []
        for node in range(2):
            by_road = []
            for takes in (1, 1 + time):
                if takes > left:
                    by_road.append(np.full((size,) * 4, -np.inf))
                    continue
                after = np.pad(values[node][left - takes], [(0, 1)] * 4)
                one = after[tuple(slice(1, None) if k == 2 * node else slice(-1) for k in range(4))]
                zero = after[
                    tuple(slice(1, None) if k == 2 * node + 1 else slice(-1) for k in range(4))
                ]
                by_road.append(chances[node] * (1 + one) + (1 - chances[node]) * zero)
            visits.append(by_road)
        for place in range(2):
            values[place] = values[place].copy()
            values[place][left] = np.maximum(visits[place][0], visits[1 - place][1])
    return values[0][steps][0, 0, 0, 0]


@pytest.mark.parametrize("steps", [1, 2, 5, 12])
@pytest.mark.parametrize("time", [0, 1, 2, 5])
def test_two_nodes_are_a_bandit_with_a_cost_of_switching(steps, time):
    road = nx.Graph()
    road.add_edge("a", "b", time=time)
    best = gb.plan.bayes(gb.graph(road, times="time"), steps)
    assert best.value == pytest.approx(two_arms(steps, time), abs=1e-12)
    assert best.regret == pytest.approx(steps * 2 / 3 - best.value, abs=1e-12)


def test_two_arms_as_published():
    # README of github.com/PeterJacko/BinaryBandit: 60 pulls, uniform priors.
    assert gb.plan.bayes("line:2", 60).value == pytest.approx(38.562343246635564, abs=1e-11)


def test_the_first_move_follows_what_was_seen():
    graph = nx.path_graph(["west", "middle", "east"])
    seen = {"west": (9, 10), "middle": (0, 3), "east": (1, 10)}
    best = gb.plan.bayes(graph, 4, "middle", seen=seen)
    assert best.next == "west"
    assert best.value == pytest.approx(4 * 10 / 12)
    assert set(best.first) == {"west", "middle", "east"}
    assert max(best.first.values()) == best.value
    assert min(best.first.values()) < best.value - 0.1


def test_it_is_what_the_command_line_prints():
    command = [ROOT / "target/release/gbandit", "bayes", "--graph", "complete:3", "--steps", "14"]
    printed = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True)
    best = gb.plan.bayes("complete:3", 14)
    assert json.loads(printed.stdout) == {"value": best.value, "regret": best.regret}


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"steps": 0}, "at least 1"),
        ({"steps": 2000}, "states are too many"),
        ({"steps": 60, "memory": 0.01}, "GiB"),
        ({"steps": 5, "memory": 0}, "above 0"),
        ({"steps": 5, "seen": {0: (3, 2)}}, "3 ones in 2 visits"),
        ({"steps": 5, "seen": {0: (0, 20_000)}}, "20000 rewards"),
    ],
)
def test_mistakes_are_refused(arguments, part):
    with pytest.raises(ValueError, match=part):
        gb.plan.bayes("line:3", **arguments)


def test_the_least_rate_by_hand():
    means = [0.3, 0.5, 0.2, 0.4, 0.6]

    def kl(p, q):
        return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))

    rate = sum((0.6 - p) / kl(p, 0.6) for p in means[:-1])
    assert gb.theory.least_regret_rate(means) == pytest.approx(rate)
    gaussian = sum(2 * 0.25 / (0.6 - p) for p in means[:-1])
    assert gb.theory.least_regret_rate(means, variance=0.25) == pytest.approx(gaussian)
    with pytest.raises(ValueError, match="from 0 to 1"):
        gb.theory.least_regret_rate([0.5, 1.5])
    with pytest.raises(ValueError, match="above 0"):
        gb.theory.least_regret_rate([0.5, 1.5], variance=0)

"""Towns of ``scripts/town.py``, and what networkx reads from one."""

import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

TOP = Path(__file__).parents[2]
FIXTURES = TOP / "crates" / "graph-bandit-maps" / "tests" / "fixtures"


def made(*arguments: str) -> str:
    command = [sys.executable, TOP / "scripts" / "town.py", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_the_fixture_is_what_the_script_makes() -> None:
    assert made("--junctions", "40") == (FIXTURES / "town.graphml").read_text()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_town_is_directed_connected_and_timed(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "town.graphml"
    path.write_text(made("--junctions", "1000", "--seed", str(seed)))
    town = nx.read_graphml(path, node_type=int, force_multigraph=True)
    assert abs(len(town) - 1000) < 50
    assert 240109189 in town
    assert town.is_directed()
    assert nx.is_strongly_connected(town)
    roads = set(town.edges())
    one_way = sum((target, source) not in roads for source, target in roads)
    assert 0.2 < one_way / len(roads) < 0.5
    assert town.number_of_edges() > len(roads)
    assert sum(town.degree(node) == 2 for node in town) > 20
    bridges = [ends for *ends, bridge in town.edges(data="bridge") if bridge == "yes"]
    assert len(bridges) == 6
    town.remove_edges_from(bridges)
    assert nx.number_weakly_connected_components(town) == 2
    for *_, data in town.edges(data=True):
        seconds = 3.6 * float(data["length"]) / float(data["speed_kph"])
        assert float(data["travel_time"]) == pytest.approx(seconds, abs=0.051)


def test_the_roads_that_are_tested_against_are_those_of_networkx() -> None:
    town = nx.read_graphml(FIXTURES / "town.graphml", node_type=int, force_multigraph=True)
    fastest: dict[tuple[int, int], float] = {}
    for source, target, time in town.edges(data="travel_time"):
        known = fastest.get((source, target), float("inf"))
        fastest[source, target] = min(known, float(time) / 30)
    _, *lines = (FIXTURES / "town-roads.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines]
    assert {(int(a), int(b)): float(time) for a, b, time in rows} == fastest

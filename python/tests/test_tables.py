"""The scripts that print the tables of pages, on studies of seconds instead of minutes."""

import importlib.util
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"

TEAMS = """
name = "NAME"
title = "Teams"
steps = 200
runs = 2
checkpoints = 2
share = "equal"
regret-from = "start"
baseline = "multi-g-ucb"
agents = ["multi-g-ucb", "comb-ucb", "g-star"]
cases = [
    {title = "Line, 2", graph = "line:6", walkers = 2},
    {title = "Grid, 3", graph = "grid:3x3", walkers = 3},
]
"""
CHANGES = """
name = "NAME"
title = "Changes"
steps = 400
runs = 2
checkpoints = 2
baseline = "BASELINE"
agents = ["g-star", "g-drift", "g-ucb", "g-ucb:restarts=oracle", "sw-ucb", "restarting-klucb"]
cases = [
    {title = "FIRST on line:6, T = 400", graph = "line:6"},
    {title = "SECOND on line:6, T = 400", graph = "line:6", means = "redrawn:0.5,9.5,100,regular"},
    {title = "SECOND on star:6, T = 400", graph = "star:6", means = "redrawn:0.5,9.5,100,regular"},
]
"""

FRONTIER = """
name = "NAME"
title = "Half"
steps = 400
runs = 3
checkpoints = 2
baseline = "g-ucb"
agents = ["g-ucb", "g-star", "g-star:trust=0.9"]
cases = [
    {title = "line:6", graph = "line:6"},
    {title = "star:6", graph = "star:6", noise = "gaussian:0.8", agents = [
        "g-ucb", "g-star:noise-scale=0.8", "g-star:noise-scale=0.8,trust=0.9"
    ]},
]
"""


def without(graph, text):
    """A study without the case of a graph."""
    return "".join(line for line in text.splitlines(keepends=True) if graph not in line)


def study(gbandit, place, text, **words):
    """What the summary says about a study."""
    for word, instead in words.items():
        text = text.replace(word, instead)
    file, out = place / f"{words['NAME']}.toml", place / words["NAME"]
    file.write_text(text)
    subprocess.run([gbandit, "study", file, "--out", out], check=True, capture_output=True)
    (one,) = json.loads((out / "summary.json").read_text())["studies"]
    return one


def tables(script, place, studies):
    """What a script prints about these studies: the cells of each table, by its first heading."""
    (place / "summary.json").write_text(json.dumps({"studies": studies}))
    command = [sys.executable, SCRIPTS / script, place]
    return cells(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def cells(printed):
    """The tables in a text, each with a dictionary of rows by their first cell."""
    lines = [[cell.strip() for cell in line[1:-1].split("|")] for line in printed.splitlines()]
    begins = [k - 1 for k, line in enumerate(lines) if line[0] == "---"]
    found = []
    for begin in begins:
        end = next((k for k in range(begin, len(lines)) if lines[k] == [""]), len(lines))
        found.append({line[0]: line[1:] for line in lines[begin:end]})
    return found


def last_mean(of, case, agent):
    (row,) = [row for row in of["rows"] if (row["case"], row["agent"]) == (case, agent)]
    return row["stats"]["mean"][-1]


def test_tables_of_teams(gbandit, tmp_path):
    ratios, walkers = "teams-five-graphs", "teams-number-of-walkers"
    five = study(gbandit, tmp_path, TEAMS, NAME=ratios)
    one_graph = without("grid:3x3", TEAMS)
    alone = study(gbandit, tmp_path, one_graph, NAME="teams-er100-5")
    studies = [alone, five, {**five, "name": walkers}]
    by_agent, by_case, by_walkers = tables("team_tables.py", tmp_path, studies)
    assert list(by_agent)[2:] == ["`multi-g-ucb`", "`comb-ucb`", "`g-star`"]
    assert by_agent["`multi-g-ucb`"][1] == "1.0000"
    of_baseline = {}
    for case in ["Line, 2", "Grid, 3"]:
        of_baseline[case] = last_mean(five, case, "g-star") / last_mean(five, case, "multi-g-ucb")
        assert by_case[case][3] == f"{of_baseline[case]:.3f}"
    worst, mean = max(of_baseline.values()), math.sqrt(math.prod(of_baseline.values()))
    assert (by_case["worst"][3], by_case["geometric mean"][3]) == (f"{worst:.3f}", f"{mean:.3f}")
    assert by_walkers["Grid"][0] == "3"
    assert by_walkers["Grid"][3] == f"{of_baseline['Grid, 3']:.3f}"


def test_tables_of_changes(gbandit, tmp_path):
    words = {"FIRST": "nothing", "SECOND": "all", "BASELINE": "g-drift"}
    reporting = study(gbandit, tmp_path, CHANGES, NAME="change-reporting", **words)
    choosing = {**reporting, "name": "change-choosing"}
    still = {**words, "BASELINE": "g-star"}
    nothing = study(gbandit, tmp_path, CHANGES, NAME="change-nothing", **still)
    counts = {**words, "FIRST": "1", "SECOND": "3"}
    one_graph = without("star:6", CHANGES)
    numbers = study(gbandit, tmp_path, one_graph, NAME="change-number-of-changes", **counts)
    found = tables("change_tables.py", tmp_path, [nothing, reporting, choosing, numbers])
    where_nothing, by_kind, by_agent, by_case, same, by_number = found
    assert by_kind == same
    assert (by_kind["all"][0], by_kind["**all**"][0]) == ("2", "3")
    case = "nothing on line:6, T = 400"
    star, drift = (last_mean(nothing, case, agent) for agent in ("g-star", "g-drift"))
    assert where_nothing[case][2] == f"{drift / star:.4f}"
    # Agents that are told when means change do not count.
    assert set(by_agent) == {"other agent", "---", "`g-star`", "`g-ucb`", "`sw-ucb`"}
    ratios = [
        last_mean(reporting, title, "g-drift")
        / min(last_mean(reporting, title, agent) for agent in ("g-star", "g-ucb", "sw-ucb"))
        for title in (f"all on {graph}, T = 400" for graph in ("line:6", "star:6"))
    ]
    assert by_kind["all"][1] == f"{math.sqrt(math.prod(ratios)):.3f}"
    assert by_case["all on star:6, T = 400"][5] == f"{ratios[1]:.3f}"
    assert len(by_number["graph"]) == len(by_number["line:6, T = 400"])


def test_tables_of_the_frontier(gbandit, tmp_path):
    half = study(gbandit, tmp_path, FRONTIER, NAME="half")
    others = {**half, "comparison": {"rows": []}}
    (by_agent,) = tables("frontier_tables.py", tmp_path, [half, others])
    assert list(by_agent)[2:] == ["`g-ucb`", "`g-star:trust=0.9`"]
    rows = {(row["case"], row["agent"]): row for row in half["comparison"]["rows"]}
    cases = ["line:6", "star:6"]

    def of_star(key):
        return [rows[case, "g-ucb"][key] / rows[case, "g-star"][key] for case in cases]

    means, p99s = of_star("mean"), of_star("p99")
    assert means[0] != means[1]
    number, mean, p99, worse, least, most, where = by_agent["`g-ucb`"]
    assert (number, worse) == ("2", str(sum(ratio > 1 for ratio in means)))
    assert mean == f"{math.sqrt(math.prod(means)):.3f}"
    assert p99 == f"{math.sqrt(math.prod(p99s)):.3f}"
    assert (least, most) == (f"{min(means):.3f}", f"{max(means):.3f}")
    assert where == cases[means.index(max(means))]


@pytest.fixture
def possible():
    """`possible_tables.py`, with few and small cases."""
    file = importlib.util.spec_from_file_location("possible_tables", SCRIPTS / "possible_tables.py")
    assert file is not None
    assert file.loader is not None
    module = importlib.util.module_from_spec(file)
    sys.modules[file.name] = module
    file.loader.exec_module(module)
    module.AGENTS = ["g-star", "g-horizon:horizon=T", "random"]
    module.LONG = ["g-star", "g-horizon:horizon=T"]
    module.LONG_BY_REWARD = ["g-safe"]
    module.TINY = [module.Tiny("line, 8", "line:3", 8), module.Tiny("road 2, 12", "", 12, 2)]
    module.DECADES = [100, 1000]
    yield module
    del sys.modules[file.name]


def test_tables_of_what_is_possible(gbandit, possible, capsys):
    possible.table_of_optimum(gbandit, 200, 1)
    possible.table_of_rates(gbandit, 3, 2, 1, "bernoulli")
    printed = capsys.readouterr().out
    optimum, rates = cells(printed)
    assert list(optimum)[2:] == [
        "least possible regret",
        "the best after initialization",
        "`g-star`",
        "`g-horizon:horizon=T`",
        "`random`",
    ]
    for k in range(2):
        covered, *agents, random = (float(row[k]) for row in list(optimum.values())[3:])
        assert 1 < covered < min(agents) <= max(agents) < random
    assert list(rates)[2:] == ["`g-star`", "`g-horizon:horizon=T`", "`g-safe`"]
    # By hand: the sum of gap / divergence over the four worse nodes.
    assert "bernoulli: the least rate is 10.19" in printed

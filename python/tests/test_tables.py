"""The script that prints the tables of a page, on studies of seconds instead of minutes."""

import json
import math
import subprocess
import sys
from pathlib import Path

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

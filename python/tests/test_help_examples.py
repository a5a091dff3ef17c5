"""Examples of helps work as they are printed, and fit a terminal of 80 columns."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import help_texts
import networkx as nx
import pytest
from service_process import Server

import graph_bandit as gb

STAND_IN = pathlib.Path(__file__).with_name("example_stand_in.py")
ROADS = """source,target,time,open_probability
0,1,2,1
1,4,2,0.5
0,2,1,1
2,3,5,1
3,4,1,1
"""


def examples(text):
    """The examples of a help text, each with all its lines."""
    # The next line of an example stands further in than its first one.
    return re.findall(r"^  (\S.*\n(?:   +\S.*\n)*)", help_texts.section(text, "Examples"), re.M)


@pytest.fixture(scope="module")
def printed(gbandit):
    """All examples, by command."""
    texts = list(help_texts.all_commands(gbandit))
    return {tuple(command): found for command, text in texts if (found := examples(text))}


@pytest.fixture(scope="module")
def directory(gbandit, server, tmp_path_factory):
    """Where examples run: the files that they name, and `gbandit` as a stand-in."""
    place = tmp_path_factory.mktemp("examples")
    (place / "roads.csv").write_text(ROADS)
    (place / "town.csv").write_text(ROADS.replace("\n0", "\nstation").replace(",4,", ",harbour,"))
    town = nx.cycle_graph(5)
    nx.set_edge_attributes(town, 60.0, "travel_time")
    nx.write_graphml(town, place / "town.graphml")
    with Server(gbandit, f"sqlite://{place / 'fleet.db'}") as service:
        with gb.connect(service.url) as fleet:
            fleet.create("line:3", id="rover")
        service.terminate()
    programs = place / "programs"
    programs.mkdir()
    words = [sys.executable, str(STAND_IN), gbandit, server.url]
    (programs / "gbandit").write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    (programs / "gbandit").chmod(0o755)
    return place


def run(example, directory):
    env = {**os.environ, "PATH": f"{directory / 'programs'}:{os.environ['PATH']}"}
    return subprocess.run(
        ["sh", "-euc", example],
        cwd=directory,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_every_example_works_as_it_is_printed(printed, directory):
    assert set(printed) >= {("run",), ("play",), ("route",), ("serve",), ("store",), ("drone",)}
    for command, found in printed.items():
        for example in found:
            assert " ".join(["gbandit", *command]) in example
            done = run(example, directory)
            assert done.returncode == 0, f"{example}{done.stdout}{done.stderr}"


def test_an_example_that_is_broken_is_noticed(directory):
    for broken in [
        "gbandit run --graph grid:3x3 --no-such-flag",
        "gbandit route town.csv --from station --to harbour --rollouts\n  2000",
        "gbandit serve --listen 0.0.0.0:8080",
        "gbandit play no-link",
        "gbandit drone --graph no-such-town.graphml",
    ]:
        assert run(broken, directory).returncode != 0, broken


def test_examples_fit_a_terminal_of_80_columns(gbandit, printed):
    for command, found in printed.items():
        narrow = help_texts.helped(gbandit, command, columns=80)
        assert examples(narrow) == found, command
        for line in "".join(found).split("\n"):
            assert len(line) + 2 <= 80, line

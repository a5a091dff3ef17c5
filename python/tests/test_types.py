"""Annotations and stubs say what is there."""

import importlib.util
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def run(*arguments):
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_the_package_and_its_examples_are_typed():
    examples = ROOT / "examples" / "python"
    places = [
        "python/graph_bandit",
        *sorted(map(str, [*examples.glob("typed_*.py"), *examples.glob("service_*.py")])),
    ]
    checked = run("-m", "mypy", "--strict", *places)
    assert checked.returncode == 0, checked.stdout


FORMER = """\
import graph_bandit as gb
from graph_bandit.service import Refused, Sight
from graph_bandit.service.answers import Sight as Seen
from graph_bandit.service.errors import NameTaken
from graph_bandit.studies import Protocol, Study

Edges = list[tuple[str, str]]

def drive(rover: gb.ServedAgent, study: gb.Study) -> None:
    print(gb.uniform(0, 1), rover.at, study.episodes)

def keywords(study: Study, fleet: gb.Fleet, edges: Edges) -> gb.World:
    gb.plan.shortest_path(graph_like=edges, means=[1.0, 2.0])
    gb.theory.minimax_bound(graph_like=edges, steps=3, init_steps=2)
    gb.plots.regret(study=study, ci=0.9)
    gb.agent(spec="g-ucb", graph_like=edges)
    gb.agent(gb.GUcb(bonus=0.5), edges, bonus=0.5)
    fleet.create(graph_like=edges, spec="g-ucb").ask()
    fleet.attach("rover", graph_like=edges).ask()
    return gb.World(graph_like=edges, means=[1.0, 2.0])
"""
#: What a type checker is told of it, and how often.
TOLD = {
    "now called graph_bandit.uniform_means": 1,
    "use status().at": 1,
    "now called legs": 1,
    "argument 'graph_like' is now called 'graph'": 2,
    "argument 'study' is now called 'results'": 1,
    "is now graph_bandit.agent(graph, spec)": 2,
    "argument 'graph_like' of graph_bandit.Fleet.create is now": 1,
    "argument 'graph_like' of graph_bandit.Fleet.attach is now": 1,
    "argument 'graph_like' of graph_bandit.World is now": 1,
}


def test_type_checkers_accept_former_names_and_tell_of_them(tmp_path):
    (tmp_path / "former.py").write_text(FORMER)
    checked = run(
        "-m", "mypy", "--strict", "--report-deprecated-as-note", str(tmp_path / "former.py")
    )
    assert checked.returncode == 0, checked.stdout
    for told, times in TOLD.items():
        assert checked.stdout.count(told) == times, (told, checked.stdout)
    assert checked.stdout.count("is deprecated: ") == sum(TOLD.values())


TODAY = """\
import graph_bandit as gb

def today(results: gb.RunResults, fleet: gb.Fleet) -> None:
    gb.World("line:3", means=[1.0, 2.0, 3.0])
    gb.agent("line:3", "g-ucb", bonus=0.5).estimates().to_pandas()
    gb.plan.shortest_path("line:3", [1.0, 2.0, 3.0])
    gb.plots.regret(results, ci=0.9)
    fleet.create("line:3", "g-ucb", visit_time=2.0)

def wrong(results: gb.RunResults) -> None:
    gb.plots.regret(results, level=0.9)
    gb.plan.shortest_path("line:3", mean=[1.0])
    gb.World("line:3", nois="bernoulli")
"""


def test_type_checkers_refuse_what_was_never_an_argument(tmp_path):
    (tmp_path / "today.py").write_text(TODAY)
    checked = run("-m", "mypy", "--strict", str(tmp_path / "today.py"))
    first = TODAY[: TODAY.index("def wrong")].count("\n") + 2
    errors = [line for line in checked.stdout.splitlines() if " error: " in line]
    assert {int(line.split(":")[1]) for line in errors} == {first, first + 1, first + 2}


def test_the_example_for_ros_2_is_typed():
    # What ROS 2 brings along is not installed.
    checked = run("-m", "mypy", "--strict", "--ignore-missing-imports", "examples/ros2")
    assert checked.returncode == 0, checked.stdout


def test_stubs_agree_with_the_module():
    allowed = "python/tests/stubtest-allowlist.txt"
    checked = run(
        "-m", "mypy.stubtest", "--allowlist", allowed, "graph_bandit._core", "graph_bandit.agents"
    )
    assert checked.returncode == 0, checked.stdout


def test_the_stubs_of_agents_are_up_to_date():
    place = ROOT / "python" / "tools" / "write_agent_stubs.py"
    loaded = importlib.util.spec_from_file_location("write_agent_stubs", place)
    tool = importlib.util.module_from_spec(loaded)
    loaded.loader.exec_module(tool)
    assert tool.stubs() == (ROOT / "python" / "graph_bandit" / "agents.pyi").read_text(), (
        "run python python/tools/write_agent_stubs.py"
    )

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

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

def drive(rover: gb.ServedAgent, study: gb.Study) -> None:
    print(gb.uniform(0, 1), rover.at, study.episodes)
"""


def test_type_checkers_are_told_of_former_names(tmp_path):
    (tmp_path / "former.py").write_text(FORMER)
    checked = run("-m", "mypy", str(tmp_path / "former.py"))
    for told in ["now called uniform_means", "use status().at", "now called legs"]:
        assert told in checked.stdout, checked.stdout
    assert "Found 3 errors" in checked.stdout


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

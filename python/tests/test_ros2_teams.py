"""Robots of one team in the example for ROS 2: they work at the same time, and one of them leaves."""

import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest
from service_process import Server

import graph_bandit as gb

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "ros2"
sys.path.insert(0, str(EXAMPLE))

from graph_bandit_nav2 import robot, service, team, two_robots  # noqa: E402
from graph_bandit_nav2.driving import (  # noqa: E402
    SimulatedDriver,
    SimulatedSensor,
    Stuck,
    read_places,
)

PLACES = read_places(robot.MAP)


def member_at(url, tmp_path, name, start):
    served = service.Service(url)
    team.join_team(served, "crew", name, robot.MAP, robot.settings(start))
    return team.TeamRobot(served, "crew", service.Outbox(tmp_path / f"{name}.json"), name)


def works(member, visits, closed=()):
    roads = {frozenset(road) for road in closed}
    driver = SimulatedDriver(robot.SPEED, roads)
    robot.work(member, PLACES, driver, SimulatedSensor(), visits)


def commands_of_the_readme():
    """Each block of commands about teams, and what it shows."""
    page = (EXAMPLE / "README.md").read_text().partition("## A team")[2].partition("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```\n```text\n(.*?)```", page, re.S)
    return [(commands.splitlines(), shown.splitlines()) for commands, shown in blocks]


def test_the_commands_of_the_readme(gbandit, tmp_path):
    two, carts = commands_of_the_readme()
    assert (len(two[0]), len(carts[0])) == (1, 2)
    with Server(gbandit) as server:
        for commands, shown in (two, carts):
            said = []
            for command in commands:
                _, *arguments = shlex.split(command)
                ran = subprocess.run(
                    [sys.executable, *arguments, "--server", server.url],
                    cwd=tmp_path,
                    env={"PYTHONPATH": str(EXAMPLE), "PATH": ""},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                said += ran.stdout.splitlines()
            assert said == shown
        crew = gb.connect(server.url)["warehouse"]
        told = [record for record in crew.history() if record.kind == "told"]
        by_robot = [sum(record.receipt.walker == number for record in told) for number in (0, 1)]
        assert sorted(by_robot) == [30, 60]
        kinds = [record.kind for record in crew.history()]
        assert (kinds.count("joined"), kinds.count("left"), len(kinds)) == (2, 1, 93)
        assert [walker.name for walker in gb.connect(server.url)["fleet"].walkers()] == [
            "cart-1",
            "cart-2",
        ]


def test_a_road_that_one_robot_finds_closed_is_closed_for_all(server, fleet, tmp_path):
    first = member_at(server.url, tmp_path, "robot-1", "7")
    second = member_at(server.url, tmp_path, "robot-2", "7")
    works(first, 1)
    mine, theirs = first.ask(), second.ask()
    assert first.closed(mine, "7", "8") is not None
    # The second was on the same road, and reports it, too.
    assert second.closed(theirs, "7", "8") is None
    works(second, 20, closed=["78"])
    assert set(fleet["crew"].status().blocked) == {("7", "8"), ("8", "7")}
    kinds = [record.kind for record in fleet["crew"].history()]
    assert kinds.count("edge-blocked") == 1
    with pytest.raises(service.Refused, match="there is no"):
        first.closed(first.ask(), "1", "8")


def test_a_robot_that_starts_again_is_in_the_team_and_one_that_left_is_not(server, fleet, tmp_path):
    first = member_at(server.url, tmp_path, "robot-1", "1")
    works(first, 5)
    served = service.Service(server.url)
    at = team.join_team(served, "crew", "robot-1", robot.MAP, robot.settings("1"))
    assert at == fleet["crew"]["robot-1"].status().at
    first.leave("flat battery")
    first.leave("flat battery")
    assert fleet["crew"].status().visits == 5
    with pytest.raises(service.Refused, match="has left the team"):
        first.ask()
    with pytest.raises(service.Refused, match="has left the team"):
        member_at(server.url, tmp_path, "robot-1", "1")


def test_a_robot_that_starts_again_with_a_report_that_another_one_has_made(
    server, fleet, tmp_path, monkeypatch
):
    first = member_at(server.url, tmp_path, "robot-1", "7")
    second = member_at(server.url, tmp_path, "robot-2", "7")
    order = second.ask()
    with monkeypatch.context() as away:
        away.setattr(second, "deliver", lambda: None)
        second.closed(order, "7", "8")
    outbox = tmp_path / "robot-2.json"
    assert outbox.exists(), "it stopped before it could send the report"
    assert first.closed(first.ask(), "7", "8") is not None
    again = team.TeamRobot(service.Service(server.url), "crew", service.Outbox(outbox), "robot-2")
    works(again, 3, closed=["78"])
    assert not outbox.exists()
    kinds = [record.kind for record in fleet["crew"].history()]
    assert (kinds.count("edge-blocked"), kinds.count("told")) == (1, 3)


def two_robots_at(url, *, visits=6, **more):
    """The command, in a process of its own; it writes where the process is."""
    arguments = ["--server", url, "--visits", str(visits)]
    return subprocess.Popen(
        [sys.executable, "-m", "graph_bandit_nav2.two_robots", *arguments],
        env={"PYTHONPATH": str(EXAMPLE), "PATH": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def test_an_error_of_one_robot_reaches_the_command(server, fleet, tmp_path):
    first = two_robots_at(server.url, cwd=tmp_path)
    assert (first.communicate()[1], first.returncode) == ("", 0)
    # The second robot has left, and the first one works all the same.
    second = two_robots_at(server.url, cwd=tmp_path)
    _, said = second.communicate()
    assert second.returncode == 1
    assert re.fullmatch(r"error: robot-2: 422: .*has left the team.*\n", said), said
    assert fleet["warehouse"].status().visits == 6 + 3 + 6


def test_the_errors_of_all_robots_are_shown_and_their_reports_kept(
    server, fleet, tmp_path, monkeypatch
):
    class Away(service.Service):
        """Takes in everything except rewards."""

        def call(self, method, path, body=None):
            if path.endswith("/tell"):
                raise service.Unavailable("nobody answers")
            return super().call(method, path, body)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["two_robots", "--server", server.url, "--visits", "2"])
    with monkeypatch.context() as away:
        away.setattr(two_robots, "Service", Away)
        with pytest.raises(SystemExit) as ended:
            two_robots.main()
    lines = sorted(str(ended.value.code).splitlines())
    assert lines == [f"error: robot-{number}: nobody answers" for number in (1, 2)]
    kept = sorted(file.name for file in tmp_path.iterdir())
    assert kept == ["outbox-warehouse-robot-1.json", "outbox-warehouse-robot-2.json"]
    two_robots.main()
    assert list(tmp_path.iterdir()) == []
    assert fleet["warehouse"].status().visits == (1 + 2) + (1 + 1), "the kept reports count, too"


@pytest.mark.usefixtures("fleet")
def test_an_error_in_the_program_keeps_its_lines(server, tmp_path, monkeypatch):
    def broken(*_arguments):
        raise ZeroDivisionError("a mistake")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["two_robots", "--server", server.url])
    monkeypatch.setattr(two_robots, "work", broken)
    with pytest.raises(ZeroDivisionError, match="a mistake"):
        two_robots.main()


def test_ctrl_c_stops_both_robots(server, fleet, tmp_path):
    working = two_robots_at(server.url, visits=1_000_000, cwd=tmp_path)
    deadline = time.monotonic() + 60
    while "warehouse" not in fleet or fleet["warehouse"].status().visits < 4:
        assert working.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    working.send_signal(signal.SIGINT)
    _, said = working.communicate(timeout=60)
    assert (working.returncode, said) == (130, "")
    assert list(tmp_path.iterdir()) == [], "both reports were answered"


@pytest.mark.usefixtures("fleet")
def test_a_stuck_robot_of_a_team_says_what_to_report(server, tmp_path, monkeypatch):
    class Wedged(SimulatedDriver):
        def drive(self, start, goal):
            return Stuck("wedged")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(robot, "SimulatedDriver", Wedged)
    monkeypatch.setattr(
        sys, "argv", ["robot", "--server", server.url, "--team", "crew", "--robot", "cart"]
    )
    with pytest.raises(SystemExit, match='/v1/agents/crew/moved with "walker": "cart", and start'):
        robot.main()


def robot_main(monkeypatch, server, *arguments):
    monkeypatch.setattr(sys, "argv", ["robot", "--server", server.url, *arguments])
    robot.main()


def test_a_robot_leaves_at_the_end_only_if_asked_to(server, fleet, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    of_team = ["--team", "crew", "--visits", "2"]
    robot_main(monkeypatch, server, *of_team, "--robot", "cart-1")
    robot_main(monkeypatch, server, *of_team, "--robot", "cart-2", "--leave")
    assert [walker.name for walker in fleet["crew"].walkers()] == ["cart-1"]
    assert fleet["crew"].status().visits == 4
    with pytest.raises(SystemExit) as ended:
        robot_main(monkeypatch, server, "--leave")
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (["--team", "crew"], "team crew has a node .* or name another team with --team"),
        (["--robot", "crew"], "agent crew has a node .* or name another agent with --robot"),
    ],
)
def test_a_wrong_map_is_refused_before_the_robot_joins(
    server, fleet, tmp_path, monkeypatch, name, words
):
    monkeypatch.chdir(tmp_path)
    fleet.create([("quay", "crane"), ("crane", "shed")], id="crew", walkers=0)
    with pytest.raises(SystemExit, match=words):
        robot_main(monkeypatch, server, *name)
    assert fleet["crew"].walkers() == []
    assert list(fleet["crew"].history()) == []


def test_an_agent_alone_is_not_a_team_and_a_team_is_not_an_agent_alone(server, fleet, tmp_path):
    served = service.Service(server.url)
    service.create_agent(served, "crew", robot.MAP, robot.settings("1"))
    with pytest.raises(service.Refused, match="is not a team"):
        member_at(server.url, tmp_path, "robot-1", "1")
    fleet["crew"].delete()
    member_at(server.url, tmp_path, "robot-1", "1")
    service.create_agent(served, "crew", robot.MAP, robot.settings("1"))
    alone = service.Agent(served, "crew", service.Outbox(tmp_path / "alone.json"), "alone")
    with pytest.raises(service.Refused, match="say which walker"):
        alone.ask()

"""Robots of one team in the example for ROS 2: they work at the same time, and one of them leaves."""

import pathlib
import re
import shlex
import subprocess
import sys

import pytest
from service_process import Server

import graph_bandit as gb

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "ros2"
sys.path.insert(0, str(EXAMPLE))

from graph_bandit_nav2 import robot, service, team, two_robots  # noqa: E402
from graph_bandit_nav2.driving import SimulatedDriver, SimulatedSensor, read_places  # noqa: E402

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
        crew = gb.connect(server.url)["crew"]
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


def test_an_error_of_a_robot_reaches_the_command(monkeypatch):
    away = service.Service("http://127.0.0.1:9", patience=0.0)
    monkeypatch.setattr(two_robots, "Service", lambda *_args, **_more: away)
    monkeypatch.setattr(sys, "argv", ["two_robots"])
    with pytest.raises(SystemExit, match="does not answer"):
        two_robots.main()


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

"""The example for ROS 2 against the real service: a closed road, a restart, lost answers, Nav2's calls."""

import contextlib
import enum
import functools
import io
import json
import pathlib
import re
import subprocess
import sys
import types

import pytest
from service_process import Server

import graph_bandit as gb

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "ros2"
sys.path.insert(0, str(EXAMPLE))

from graph_bandit_nav2 import robot, service  # noqa: E402
from graph_bandit_nav2.driving import (  # noqa: E402
    Arrived,
    Place,
    RoadClosed,
    SimulatedDriver,
    SimulatedSensor,
    Stuck,
    read_places,
)

PLACES = read_places(robot.MAP)
SETTINGS = {
    "start": "1",
    "noise_scale": 0.1,
    "speed": robot.SPEED,
    "visit_time": robot.VISIT_TIME,
}


def never(_pause):
    raise AssertionError("the service was there, and the robot waited for it")


def agent_at(url, outbox, name="robot-1", wait=never):
    served = service.Service(url, wait=wait)
    service.create_agent(served, name, robot.MAP, SETTINGS)
    return service.Agent(served, name, service.Outbox(outbox), name)


def works(agent, visits, closed=(), driver=None):
    roads = {frozenset(road) for road in closed}
    driver = driver or SimulatedDriver(robot.SPEED, roads)
    robot.work(agent, PLACES, driver, SimulatedSensor(), visits)


def records(url, name="robot-1"):
    """All that the service knows, without what each robot makes up for itself."""
    shown = service.Service(url).call("GET", f"/v1/agents/{name}/history?limit=1000")["records"]
    return [{key: value for key, value in record.items() if key != "id"} for record in shown]


class Interrupting:
    """A driver that does something else in the middle of some drives."""

    def __init__(self, closed, at, action):
        self.inner = SimulatedDriver(robot.SPEED, closed)
        self.left, self.action = at, action

    def drive(self, start, goal):
        self.left -= 1
        if self.left == 0:
            self.action()
        return self.inner.drive(start, goal)


def test_the_command_of_the_readme_finds_the_closed_road_and_goes_around(gbandit, tmp_path):
    page = (EXAMPLE / "README.md").read_text()
    (command, shown) = re.search(
        r"\n(python3 -m [^\n]*)\n```\n```text\n(.*?)```", page, re.S
    ).groups()
    _, *arguments = command.split()
    with Server(gbandit) as server:
        more = ["--server", server.url, "--outbox", str(tmp_path / "outbox.json")]
        said = subprocess.run(
            [sys.executable, *arguments, *more],
            cwd=EXAMPLE,
            capture_output=True,
            text=True,
            check=True,
        )
        assert said.stdout == shown
        served = gb.connect(server.url)["robot-1"]
        assert served.status().visits == 100
        assert set(served.status().blocked) == {("7", "8"), ("8", "7")}
        kinds = [record.kind for record in served.history()]
        assert (kinds.count("told"), kinds.count("edge-blocked"), len(kinds)) == (100, 1, 101)
        assert not (tmp_path / "outbox.json").exists()


def test_a_restart_of_the_service_changes_nothing(gbandit, tmp_path):
    closed = {frozenset("78")}
    with Server(gbandit, f"sqlite://{tmp_path / 'calm.db'}") as calm:
        works(agent_at(calm.url, tmp_path / "calm.json"), 60, closed)
        expected = records(calm.url)
    with Server(gbandit, f"sqlite://{tmp_path / 'fleet.db'}") as server:
        waits = []

        def wait(pause):
            waits.append(pause)
            # The service stays away for some tries.
            if len(waits) == 3:
                server.start()

        agent = agent_at(server.url, tmp_path / "outbox.json", wait=wait)
        works(agent, 60, driver=Interrupting(closed, 20, server.kill))
        assert len(waits) >= 3
        assert records(server.url) == expected


def test_a_robot_that_stops_before_its_report_is_taken_in_repeats_it(gbandit, tmp_path):
    class PowerCut(Exception):
        pass

    def cut(_pause):
        raise PowerCut

    outbox = tmp_path / "outbox.json"
    with Server(gbandit, f"sqlite://{tmp_path / 'fleet.db'}") as server:
        agent = agent_at(server.url, outbox, wait=cut)
        with pytest.raises(PowerCut):
            works(agent, 60, driver=Interrupting(set(), 10, server.kill))
        kept = outbox.read_text()
        assert json.loads(kept)["body"]["sequence"] == 9
        server.start()
        assert gb.connect(server.url)["robot-1"].status().visits == 9
        again = agent_at(server.url, outbox)
        works(again, 5)
        assert gb.connect(server.url)["robot-1"].status().visits == 15
        # Taken in, and the answer lost: the same report once more.
        outbox.write_text(kept)
        assert again.deliver() == 10
        assert gb.connect(server.url)["robot-1"].status().visits == 15
        assert again.deliver() is None


def test_a_report_of_a_sensor_in_between_takes_no_visit_away(server, fleet, tmp_path):
    agent = agent_at(server.url, tmp_path / "outbox.json", "scout")

    def observe():
        fleet["scout"].observe("3", 0.5)

    works(agent, 12, driver=Interrupting(set(), 5, observe))
    kinds = [record.kind for record in fleet["scout"].history()]
    assert (kinds.count("told"), kinds.count("observed"), len(kinds)) == (12, 1, 13)
    assert fleet["scout"].status().visits == 13


def test_what_can_never_be_taken_in_is_an_error_and_not_repeated(server, fleet, tmp_path):
    agent = agent_at(server.url, tmp_path / "outbox.json", "lost")
    order = agent.ask()
    with pytest.raises(service.Refused, match='no node is named "77"'):
        agent.tell(order, "77", 1.0)
    assert agent.deliver() is None
    with pytest.raises(robot.NeedsHelp, match="a stair"):
        robot.work(
            agent,
            PLACES,
            types.SimpleNamespace(drive=lambda *_: Stuck("a stair")),
            SimulatedSensor(),
            1,
        )
    (record,) = fleet["lost"].history()
    assert record.kind == "leg-failed"


def test_a_service_that_stays_away_is_an_error_in_the_end(tmp_path):
    waited = []
    away = service.Service("http://127.0.0.1:9", patience=3.0, wait=waited.append)
    with pytest.raises(service.Unavailable, match="does not answer"):
        away.call("GET", "/healthz")
    assert sum(waited) >= 3.0
    assert waited == sorted(waited)


def starts(monkeypatch, capsys, *flags):
    """Runs the command without patience; gives its exit code or message, and standard error."""
    monkeypatch.setattr(robot, "Service", functools.partial(service.Service, patience=0.0))
    monkeypatch.setattr(sys, "argv", ["robot", *map(str, flags)])
    try:
        robot.main()
        ended = 0
    except SystemExit as end:
        ended = end.code
    return ended, capsys.readouterr().err


def test_every_error_is_one_line_with_its_remedy(server, fleet, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = functools.partial(starts, monkeypatch, capsys)
    ended, said = run("--server", "http://127.0.0.1:9")
    assert ended == (
        "error: http://127.0.0.1:9 does not answer (Connection refused); start it with "
        "`gbandit serve`, or give the right address with --server"
    )
    assert said == "http://127.0.0.1:9 does not answer (Connection refused); trying for 0 s\n"
    assert run("--server", "localhost:8080")[0] == 2
    ended, _ = run("--server", server.url, "--start", "77")
    assert re.fullmatch(r"error: http.* refused a request: 422: .*\"77\".*", ended)
    ended, _ = run("--server", server.url, "--map", "none.geojson")
    assert ended == (
        "error: cannot read none.geojson: No such file or directory; name a route graph with --map"
    )
    (tmp_path / "list.geojson").write_text("[]")
    assert "is not a route graph of Nav2" in run("--map", "list.geojson")[0]
    assert "--nav2 needs ROS 2" in run("--server", server.url, "--nav2")[0]
    ended, _ = run("--server", server.url, "--outbox", "no/such/outbox.json")
    remedy = "name another file with --outbox"
    assert ended == f"error: outbox no/such/outbox.json: No such file or directory; {remedy}"
    (tmp_path / "damaged.json").write_text('{"route": ')
    ended, _ = run("--server", server.url, "--outbox", "damaged.json")
    assert ended == f"error: outbox damaged.json: it does not hold a report; {remedy}"
    assert run("--server", server.url, "--visits", "0")[0] == 2
    monkeypatch.setenv("GBANDIT_TOKEN", "two\nlines")
    assert "GBANDIT_TOKEN has characters" in run("--server", server.url)[0]
    monkeypatch.delenv("GBANDIT_TOKEN")
    fleet.create("line:3", id="other", noise_scale=0.1)
    ended, _ = run("--server", server.url, "--robot", "other")
    assert ended.startswith("error: agent other has a node '0', which ")
    assert ended.endswith("was created with, or name another agent with --robot")


def test_a_report_outlives_an_answer_from_somewhere_else(server, fleet, tmp_path, monkeypatch):
    """A proxy's page is not a refusal: the report still waits."""
    fleet.create("line:3", id="robot-1", noise_scale=0.1)
    agent = agent_at(server.url, tmp_path / "outbox.json")
    order = agent.ask()
    pages = io.BytesIO(b"<html>Log in first</html>")
    with monkeypatch.context() as patched:
        patched.setattr(service, "urlopen", lambda *_, **__: contextlib.closing(pages))
        with pytest.raises(service.Unavailable, match="is not `gbandit serve`"):
            agent.tell(order, order.path[0] if order.path else order.at, 1.0)
    assert agent.deliver() == 1


def test_a_start_that_has_no_effect_is_mentioned(server, fleet, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = functools.partial(starts, monkeypatch, capsys, "--server", server.url, "--visits", 1)
    assert run("--start", "3") == (0, "")
    assert fleet["robot-1"].status().at == "3"
    # It says nothing if the agent is there, or nobody asks for a start.
    assert run("--start", "3") == (0, "")
    assert run() == (0, "")
    at = fleet["robot-1"].status().at
    ended, said = run("--start", "5")
    assert ended == 0
    assert said.startswith(f"--start 5 has no effect: agent robot-1 exists and is at node {at}; ")
    assert said.count("\n") == 1


class TaskResult(enum.Enum):
    """As in nav2_simple_commander."""

    UNKNOWN = 0
    SUCCEEDED = 1
    CANCELED = 2
    FAILED = 3


@pytest.fixture
def nav2(monkeypatch):
    """ROS 2 is not installed: the calls that the driver makes, and a clock that they move."""
    calls = types.SimpleNamespace(goals=[], cancelled=0, seconds=0.0, results={}, slow=set())

    class Navigator:
        def waitUntilNav2Active(self):
            calls.active = True

        def get_clock(self):
            now = types.SimpleNamespace(
                nanoseconds=int(calls.seconds * 1e9), to_msg=lambda: calls.seconds
            )
            return types.SimpleNamespace(now=lambda: now)

        def goToPose(self, pose):
            assert (pose.header.frame_id, pose.pose.orientation.w) == ("map", 1.0)
            self.goal = (pose.pose.position.x, pose.pose.position.y)
            self.result = calls.results.get(self.goal, TaskResult.SUCCEEDED)
            self.polls = 1000 if self.goal in calls.slow else 50
            calls.goals.append(self.goal)
            return self.result is not None

        def isTaskComplete(self):
            calls.seconds += 0.1
            self.polls -= 1
            return self.polls <= 0

        def cancelTask(self):
            calls.cancelled += 1
            self.polls, self.result = 3, TaskResult.CANCELED

        def getResult(self):
            return self.result

    def pose_stamped():
        group = types.SimpleNamespace
        pose = group(position=group(x=0.0, y=0.0), orientation=group(w=0.0))
        return group(header=group(frame_id="", stamp=None), pose=pose)

    modules = {
        "rclpy": {"init": lambda: None},
        "geometry_msgs": {},
        "geometry_msgs.msg": {"PoseStamped": pose_stamped},
        "nav2_simple_commander": {},
        "nav2_simple_commander.robot_navigator": {
            "BasicNavigator": Navigator,
            "TaskResult": TaskResult,
        },
    }
    for name, members in modules.items():
        module = types.ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "graph_bandit_nav2.nav2_driver", raising=False)
    return calls


def test_nav2_drives_gives_up_goes_back_and_asks_for_help(nav2):
    from graph_bandit_nav2.nav2_driver import Nav2Driver

    here, there = Place("1", 0.0, 0.0), Place("2", 4.0, 0.0)
    driver = Nav2Driver(speed=0.5)
    assert nav2.active
    arrived = driver.drive(here, there)
    assert isinstance(arrived, Arrived)
    assert arrived.seconds == pytest.approx(5.0)
    assert driver.drive(here, here) == Arrived(0.0)
    assert nav2.goals == [(4.0, 0.0)]
    # A goal that fails, that is rejected, and that takes far too long: there is no way, and it goes back.
    for result in (TaskResult.FAILED, None):
        nav2.results[4.0, 0.0] = result
        assert driver.drive(here, there) == RoadClosed()
        assert nav2.goals[-2:] == [(4.0, 0.0), (0.0, 0.0)]
    nav2.results.clear()
    nav2.slow.add((4.0, 0.0))
    assert driver.drive(here, there) == RoadClosed()
    assert nav2.cancelled == 1
    nav2.results[0.0, 0.0] = TaskResult.FAILED
    assert driver.drive(here, there) == Stuck("cannot reach 2, and cannot go back to 1")


def test_the_readme_names_what_is_there():
    page = (EXAMPLE / "README.md").read_text()
    for name in re.findall(r"`(\w+\.(?:py|geojson))`", page):
        assert list(EXAMPLE.rglob(name)) or name in ("setup.py",), name
    assert "==== NAV2 ====" in (EXAMPLE / "graph_bandit_nav2" / "nav2_driver.py").read_text()
    assert "==== SENSOR ====" in (EXAMPLE / "graph_bandit_nav2" / "robot.py").read_text()
    assert "==== NAV2 ====" in page
    assert "==== SENSOR ====" in page

"""The robot's loop: ask, drive, tell. A closed road is reported, and the service plans around it.

    gbandit serve                                                       # in another terminal
    python3 -m graph_bandit_nav2.robot --visits 100 --close 7-8         # in examples/ros2

Without `--nav2` the driver is simulated, and `--close` names roads that the robot will find closed.
Stop and start robot or service when you like: the robot goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .driving import (
    Arrived,
    BadMap,
    Driver,
    Place,
    RoadClosed,
    Sensor,
    SimulatedDriver,
    SimulatedSensor,
    Stuck,
    read_places,
)
from .service import (
    Agent,
    BadOutbox,
    Outbox,
    Refused,
    Service,
    Unavailable,
    create_agent,
    node_name,
)
from .team import TeamRobot, join_team

#: What the robot needs to know of itself: metres per second, and seconds of a visit.
SPEED, VISIT_TIME = 0.5, 20.0
MAP = Path(__file__).parents[1] / "warehouse.geojson"


def settings(start: str) -> dict[str, Any]:
    """What the map does not say."""
    return {"start": start, "noise_scale": 0.1, "speed": SPEED, "visit_time": VISIT_TIME}


class NeedsHelp(Exception):
    """The robot cannot go on by itself. The service knows where it stands."""


def work(
    agent: Agent,
    places: Mapping[str, Place],
    driver: Driver,
    sensor: Sensor,
    visits: int,
    is_over: Callable[[], bool] = lambda: False,
) -> None:
    """Makes this many visits, one road at a time; fewer, if it is over before."""
    # What an earlier process could not deliver comes first: the next order depends on it.
    agent.deliver()
    made = 0
    while made < visits and not is_over():
        order = agent.ask()
        start = _place(places, order.at)
        goal = _place(places, order.path[0]) if order.path else start
        ended = driver.drive(start, goal)
        if isinstance(ended, Arrived):
            took = (ended.seconds + VISIT_TIME) / VISIT_TIME
            agent.tell(order, goal.name, sensor.measure(goal), took)
            made += 1
        elif isinstance(ended, RoadClosed):
            print(f"road {start.name} - {goal.name} is closed")
            agent.closed(order, start.name, goal.name)
        elif isinstance(ended, Stuck):
            agent.failed(order, start.name, ended.reason)
            raise NeedsHelp(ended.reason)


def _place(places: Mapping[str, Place], name: str) -> Place:
    if name not in places:
        raise BadMap(
            f"the order leads to node {name!r}, which the map does not have; give --map the map "
            "that the service has"
        )
    return places[name]


def check_map(service: Service, places: Mapping[str, Place], asked: argparse.Namespace) -> None:
    """Refuses a map that lacks nodes of the agent or team that exists, before anything changes."""
    name, kind, flag = (asked.robot, "agent", "--robot")
    if asked.team:
        name, kind, flag = (asked.team, "team", "--team")
    try:
        known = service.call("GET", f"/v1/agents/{quote(name, safe='')}/map")
    except Refused as refused:
        if refused.status != 404:
            raise
        return
    names = known.get("names") or [str(node) for node in range(known["nodes"])]
    missing = [node for node in names if node not in places]
    if missing:
        raise BadMap(
            f"{kind} {name} has a node {missing[0]!r}, which {asked.map} does not have; give --map "
            f"the map that the {kind} was created with, or name another {kind} with {flag}"
        )


def _road(text: str) -> frozenset[str]:
    ends = frozenset(text.split("-"))
    if len(ends) != 2 or "" in ends:
        raise argparse.ArgumentTypeError(f"{text!r} is not a road; write it as 7-8")
    return ends


def count(text: str) -> int:
    """A number of visits."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of visits; give 1 or more")
    return int(text)


def address(text: str) -> str:
    """The address of a service."""
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"{text!r} is not an address; write http://127.0.0.1:8080")
    return text


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--server",
        type=address,
        default="http://127.0.0.1:8080",
        help="the service (default: %(default)s)",
    )
    parser.add_argument(
        "--robot", default="robot-1", help="the robot and its agent (default: %(default)s)"
    )
    parser.add_argument(
        "--team", help="the team that leads the robot (default: none; an agent of its own does)"
    )
    parser.add_argument(
        "--leave",
        action="store_true",
        help="leave the team at the end, for good: the name is not used again (default: the robot "
        "stays in the team, and goes on when it is started again)",
    )
    parser.add_argument("--map", type=Path, default=MAP, help="a route graph of Nav2, in GeoJSON")
    parser.add_argument(
        "--start",
        help="the node where a new agent or robot of a team starts (default: 1); no effect if it "
        "exists",
    )
    parser.add_argument(
        "--visits", type=count, default=100, help="when to stop (default: %(default)s)"
    )
    parser.add_argument(
        "--outbox", type=Path, help="the file of the report on its way (default: outbox-ROBOT.json)"
    )
    parser.add_argument(
        "--nav2", action="store_true", help="drive with Nav2 instead of simulating it"
    )
    parser.add_argument(
        "--close",
        type=_road,
        action="append",
        default=[],
        metavar="A-B",
        help="simulate that the road between these nodes is closed",
    )
    # `ros2 launch` adds its own arguments, after `--ros-args`.
    arguments = sys.argv[1:]
    if "--ros-args" in arguments:
        arguments = arguments[: arguments.index("--ros-args")]
    asked = parser.parse_args(arguments)
    if asked.leave and not asked.team:
        parser.error("--leave is for a robot of a team; name the team with --team")
    return asked


def _driver(asked: argparse.Namespace) -> Driver:
    if not asked.nav2:
        return SimulatedDriver(SPEED, set(asked.close))
    try:
        from .nav2_driver import Nav2Driver
    except ImportError as error:
        sys.exit(
            f"error: --nav2 needs ROS 2 with Nav2 ({error}); source its setup file first, or leave "
            "--nav2 out to simulate the robot"
        )
    return Nav2Driver(SPEED)


def _moved(asked: argparse.Namespace) -> str:
    """Where to report that the robot was carried, and what a team needs besides."""
    if asked.team:
        return f'/v1/agents/{asked.team}/moved with "walker": "{asked.robot}"'
    return f"/v1/agents/{asked.robot}/moved"


def run(asked: argparse.Namespace) -> None:
    """Works as the command line asks."""
    places = read_places(asked.map)
    driver = _driver(asked)
    service = Service(asked.server, token=os.environ.get("GBANDIT_TOKEN"))
    name = asked.team or asked.robot
    check_map(service, places, asked)
    if asked.team:
        at = join_team(service, name, asked.robot, asked.map, settings(asked.start or "1"))
    else:
        at = create_agent(service, name, asked.map, settings(asked.start or "1"))
    if at is not None and asked.start not in (None, at):
        print(
            f"--start {asked.start} has no effect: {'robot' if asked.team else 'agent'} "
            f"{asked.robot} exists and is at node {at}; if the robot was carried, report it to "
            f"{_moved(asked)}",
            file=sys.stderr,
        )
    # ==== SENSOR ==== Put what your robot measures here: anything with a method `measure`.
    sensor = SimulatedSensor()
    # Each robot has its own, so that none sends the report of another.
    outbox = asked.outbox or Path(f"outbox-{asked.robot}.json")
    kind = TeamRobot if asked.team else Agent
    agent = kind(service, name, Outbox(outbox), asked.robot)
    work(agent, places, driver, sensor, asked.visits)
    if asked.leave and isinstance(agent, TeamRobot):
        agent.leave("its visits are made")
    best = service.call("GET", f"/v1/agents/{name}/best")["best"]
    print(f"best node so far: {node_name(best)}, {best['estimate']:.2f} on average")


def main() -> None:
    """Reads the command line and works. An error is one line, and exit code 1."""
    asked = _arguments()
    try:
        run(asked)
    except (BadMap, BadOutbox, Unavailable) as error:
        sys.exit(f"error: {error}")
    except Refused as error:
        sys.exit(f"error: {asked.server} refused a request: {error}")
    except NeedsHelp as error:
        sys.exit(
            f"error: the robot needs help: {error}; bring it to a node, report which one to "
            f"{_moved(asked)}, and start it again"
        )
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

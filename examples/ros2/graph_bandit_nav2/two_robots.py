"""Two simulated robots of one team, each in its own thread. The second one leaves in the middle.

    gbandit serve                                                       # in another terminal
    python3 -m graph_bandit_nav2.two_robots --visits 60                 # in examples/ros2

Real robots do not share a process: start `robot.py` on each of them, with the same `--team`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from pathlib import Path

from .driving import BadMap, SimulatedDriver, SimulatedSensor, read_places
from .robot import MAP, SPEED, NeedsHelp, address, count, settings, work
from .service import BadOutbox, Outbox, Refused, Service, Unavailable, node_name
from .team import TeamRobot, join_team

#: The robots, and where they start.
ROBOTS = {"robot-1": "1", "robot-2": "8"}


class Robots:
    """The threads of the robots, and what went wrong in them."""

    def __init__(self, service: Service, team: str, route_graph: Path, outboxes: Path) -> None:
        self._service, self._team, self._map = service, team, route_graph
        self._outboxes = outboxes
        self._places = read_places(route_graph)
        self.errors: list[Exception] = []

    def work(self, visits: dict[str, int], leaves: str) -> None:
        """Lets every robot make its visits, all at the same time; one of them then leaves."""
        threads = [
            threading.Thread(target=self._robot, args=(robot, number, robot == leaves))
            for robot, number in visits.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.errors:
            raise self.errors[0]

    def _robot(self, robot: str, visits: int, leaves: bool) -> None:
        try:
            join_team(self._service, self._team, robot, self._map, settings(ROBOTS[robot]))
            outbox = Outbox(self._outboxes / f"outbox-{robot}.json")
            member = TeamRobot(self._service, self._team, outbox, robot)
            driver = SimulatedDriver(SPEED, set())
            work(member, self._places, driver, SimulatedSensor(), visits)
            if leaves:
                member.leave("flat battery")
        except Exception as error:  # Shown by the main thread.
            self.errors.append(error)


def run(asked: argparse.Namespace) -> None:
    """Works as the command line asks."""
    service = Service(asked.server, token=os.environ.get("GBANDIT_TOKEN"))
    with tempfile.TemporaryDirectory() as outboxes:
        robots = Robots(service, asked.team, MAP, Path(outboxes))
        half = max(1, asked.visits // 2)
        robots.work({"robot-1": asked.visits, "robot-2": half}, leaves="robot-2")
    shown = service.call("GET", f"/v1/agents/{asked.team}")
    names = ", ".join(walker["name"] for walker in shown["team"]["walkers"])
    best = service.call("GET", f"/v1/agents/{asked.team}/best")["best"]
    print(f"{shown['visits']} visits; in the team now: {names}")
    print(f"best node so far: {node_name(best)}")


def main() -> None:
    """Reads the command line and works. An error is one line, and exit code 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--server",
        type=address,
        default="http://127.0.0.1:8080",
        help="the service (default: %(default)s)",
    )
    parser.add_argument("--team", default="crew", help="their team (default: %(default)s)")
    parser.add_argument(
        "--visits",
        type=count,
        default=60,
        help="visits of the first robot; the second makes half as many (default: %(default)s)",
    )
    asked = parser.parse_args()
    try:
        run(asked)
    except (BadMap, BadOutbox, NeedsHelp, Unavailable) as error:
        sys.exit(f"error: {error}")
    except Refused as error:
        sys.exit(f"error: {asked.server} refused a request: {error}")


if __name__ == "__main__":
    main()

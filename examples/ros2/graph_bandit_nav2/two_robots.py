"""Two simulated robots of one team, each in its own thread. The second one leaves in the middle.

    gbandit serve                                                       # in another terminal
    python3 -m graph_bandit_nav2.two_robots --visits 60                 # in examples/ros2

Real robots do not share a process: start `robot.py` on each of them, with the same `--team`.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from .driving import BadMap, SimulatedDriver, SimulatedSensor, read_places
from .robot import MAP, SPEED, NeedsHelp, address, count, settings, work
from .service import BadOutbox, Outbox, Refused, Service, Unavailable, node_name
from .team import TeamRobot, join_team

#: The robots, and where they start.
ROBOTS = {"robot-1": "1", "robot-2": "8"}
#: What may go wrong without a mistake in this program.
EXPECTED = (BadMap, BadOutbox, NeedsHelp, Refused, Unavailable)


class RobotErrors(Exception):
    """What went wrong with the robots, a line for each."""

    def __init__(self, errors: list[tuple[str, Exception]]) -> None:
        super().__init__("\n".join(f"error: {robot}: {error}" for robot, error in errors))


class Robots:
    """The threads of the robots, and what went wrong in them."""

    def __init__(self, service: Service, team: str, stop: threading.Event) -> None:
        self._service, self._team, self._stop = service, team, stop
        self._places = read_places(MAP)
        self._errors: list[tuple[str, Exception]] = []

    def work(self, visits: dict[str, int], leaves: str) -> None:
        """Lets every robot make its visits, all at the same time; one of them then leaves."""
        with ThreadPoolExecutor(len(visits)) as threads:
            robots = [
                threads.submit(self._robot, robot, number, robot == leaves)
                for robot, number in visits.items()
            ]
            try:
                # Not `Thread.join`: before Python 3.13, Ctrl-C makes it take a thread at work for
                # one that has ended.
                wait(robots)
            except KeyboardInterrupt:
                # Each robot finishes its report first.
                self._stop.set()
        for _, error in self._errors:
            if not isinstance(error, EXPECTED):
                raise error
        if self._errors:
            raise RobotErrors(self._errors)
        if self._stop.is_set():
            raise KeyboardInterrupt

    def _robot(self, robot: str, visits: int, leaves: bool) -> None:
        try:
            join_team(self._service, self._team, robot, MAP, settings(ROBOTS[robot]))
            outbox = Outbox(Path(f"outbox-{self._team}-{robot}.json"))
            member = TeamRobot(self._service, self._team, outbox, robot)
            driver, sensor = SimulatedDriver(SPEED, set()), SimulatedSensor()
            work(member, self._places, driver, sensor, visits, self._stop.is_set)
            if leaves and not self._stop.is_set():
                member.leave("flat battery")
        except Exception as error:  # Shown by the main thread.
            self._errors.append((robot, error))


def run(asked: argparse.Namespace) -> None:
    """Works as the command line asks."""
    stop = threading.Event()
    # Nobody waits for the service any longer after Ctrl-C.
    service = Service(asked.server, token=os.environ.get("GBANDIT_TOKEN"), wait=stop.wait)
    half = max(1, asked.visits // 2)
    visits = {"robot-1": asked.visits, "robot-2": half}
    Robots(service, asked.team, stop).work(visits, leaves="robot-2")
    shown = service.call("GET", f"/v1/agents/{asked.team}")
    names = ", ".join(walker["name"] for walker in shown["team"]["walkers"])
    best = service.call("GET", f"/v1/agents/{asked.team}/best")["best"]
    print(f"{shown['visits']} visits; in the team now: {names}")
    print(f"best node so far: {node_name(best)}")


def main() -> None:
    """Reads the command line and works. Each error is one line, and the exit code is 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--server",
        type=address,
        default="http://127.0.0.1:8080",
        help="the service (default: %(default)s)",
    )
    parser.add_argument("--team", default="warehouse", help="their team (default: %(default)s)")
    parser.add_argument(
        "--visits",
        type=count,
        default=60,
        help="visits of the first robot; the second makes half as many (default: %(default)s)",
    )
    asked = parser.parse_args()
    try:
        run(asked)
    except RobotErrors as errors:
        sys.exit(str(errors))
    except EXPECTED as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

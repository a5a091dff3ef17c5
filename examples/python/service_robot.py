"""A robot that is told where to go by `gbandit serve`, and finds a road closed on its way.

Start the service, `gbandit serve`, then `python examples/python/service_robot.py`. Stop and start
either of them when you like: the robot goes on where it was.
"""

import argparse
import random

import networkx as nx

import graph_bandit as gb

STREETS: list[tuple[str, str]] = [
    ("depot", "market"),
    ("market", "harbour"),
    ("harbour", "mill"),
    ("mill", "depot"),
    ("market", "mill"),
    ("harbour", "lighthouse"),
]
#: What a visit is worth on average; the agent does not know it.
WORTH = {"depot": 0.1, "market": 0.5, "harbour": 0.4, "mill": 0.3, "lighthouse": 0.9}


def drive(robot: gb.ServedAgent, legs: int) -> None:
    """Asks, drives and tells; a closed street is reported, and the service plans around it."""
    dice = random.Random(robot.status().visits)
    for number in range(legs):
        leg = robot.ask()
        closed = ("market", "harbour")
        if number == 20 and closed not in robot.status().blocked:
            robot.block(*closed)
            print("closed:", " - ".join(closed))
            continue
        goal = leg.path[-1] if leg.path else leg.at
        stops = [*leg.path, *[goal] * min(leg.stay, 10)]
        rewards = [WORTH[stop] + dice.uniform(-0.1, 0.1) for stop in stops]
        try:
            robot.tell(leg, rewards)
        except gb.SequenceConflictError:
            # Somebody else reported meanwhile, so the order may have changed; the visits are as
            # they were.
            robot.ask()
            robot.tell_visits(list(zip(stops, rewards, strict=True)))
        if number % 10 == 0:
            print(f"{leg.at} -> {goal}: {leg.why.reason}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default="http://127.0.0.1:8080")
    parser.add_argument("--legs", type=int, default=40)
    asked = parser.parse_args()
    town: nx.Graph = nx.Graph(STREETS)
    with gb.connect(asked.server) as fleet:
        # The same line finds the robot again, with all it has learned.
        robot = fleet.create(town, "g-star", id="town-robot", start="depot", noise_scale=0.1)
        drive(robot, asked.legs)
        for known in robot.estimates():
            print(f"{known.node:12}{known.visits:6}", known.estimate)


if __name__ == "__main__":
    main()

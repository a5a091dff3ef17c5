"""What drives: a small protocol, and a driver for trials without a robot."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Place:
    """A node of the route graph, in metres of the frame `map`."""

    name: str
    x: float
    y: float

    def distance_to(self, other: Place) -> float:
        """Metres, as the crow flies."""
        return math.hypot(self.x - other.x, self.y - other.y)


class BadMap(Exception):
    """The file is not a route graph that this robot can use."""


def read_places(route_graph: Path) -> dict[str, Place]:
    """The nodes of a route graph of Nav2, by the names that the service gives them."""
    try:
        features = json.loads(route_graph.read_text())["features"]
        points = [found for found in features if found["geometry"]["type"] == "Point"]
        places = {}
        for point in points:
            name = str(point["properties"]["id"])
            x, y = point["geometry"]["coordinates"][:2]
            places[name] = Place(name, float(x), float(y))
    except OSError as error:
        raise BadMap(
            f"cannot read {route_graph}: {error.strerror}; name a route graph with --map"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadMap(
            f"{route_graph} is not a route graph of Nav2 ({type(error).__name__}: {error}); it "
            "must be GeoJSON with a Point for each node, and a property `id` in it"
        ) from None
    return places


@dataclass(frozen=True)
class Arrived:
    """The robot stands at its goal."""

    seconds: float


@dataclass(frozen=True)
class RoadClosed:
    """There is no way along this road. The robot is back at the start of it."""


@dataclass(frozen=True)
class Stuck:
    """The robot can neither reach its goal nor go back. Somebody has to help."""

    reason: str


class Driver(Protocol):
    """Drives along one road."""

    def drive(self, start: Place, goal: Place) -> Arrived | RoadClosed | Stuck:
        """Drives to a neighbouring place and says how that ended. Staying put is a drive, too."""


class Sensor(Protocol):
    """Measures what a visit is worth."""

    def measure(self, place: Place) -> float:
        """The reward of one visit: a signal strength, parcels picked up, defects found."""


class SimulatedDriver:
    """Arrives after distance divided by speed, except on closed roads. It does not really wait."""

    def __init__(self, speed: float, closed: set[frozenset[str]]) -> None:
        self._speed = speed
        self._closed = closed

    def drive(self, start: Place, goal: Place) -> Arrived | RoadClosed | Stuck:
        """As :class:`Driver` says."""
        if frozenset((start.name, goal.name)) in self._closed:
            return RoadClosed()
        return Arrived(start.distance_to(goal) / self._speed)


class SimulatedSensor:
    """Pays more the farther a place is from the origin, with some noise of a fixed seed."""

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        self._visits: Counter[str] = Counter()

    def measure(self, place: Place) -> float:
        """As :class:`Sensor` says."""
        self._visits[place.name] += 1
        dice = random.Random(f"{self._seed} {place.name} {self._visits[place.name]}")
        return math.hypot(place.x, place.y) / 10 + dice.uniform(-0.1, 0.1)

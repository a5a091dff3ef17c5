"""Routes on roads that may be closed: the Canadian traveller problem, as ``gb.plan.route``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .whole_numbers import whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["RouteTimes", "route"]


@dataclass(frozen=True)
class RouteTimes:
    """How long a policy travels from start to goal, given that open roads connect them."""

    #: The name of the policy.
    policy: str
    #: The mean travel time; infinite if a traveller got stuck.
    mean: float
    #: The standard error of the mean: 0 if the mean is exact, ``None`` if there is none.
    se: float | None
    #: How many weathers were simulated; 0 if the mean is exact.
    runs: int
    #: One travel time per weather; empty if the mean is exact.
    times: npt.NDArray[np.float64] = field(repr=False, compare=False)


def route(
    roads: Any,
    start: Hashable,
    goal: Hashable,
    policy: str = "exact",
    *,
    directed: bool = False,
    runs: int | None = None,
    seed: int = 0,
    rollouts: int = 10_000,
) -> RouteTimes:
    """The mean travel time of a policy on roads that may be closed, as ``gbandit route`` finds it.

    ``roads`` is a list of ``(a, b, time)`` or ``(a, b, time, open_probability)``, or a networkx
    graph with the edge attributes ``time`` and ``open_probability`` (default: 1). A road keeps its
    state, and the traveller sees it at either end. ``time`` is the whole travel time. Roads lead
    both ways, unless ``directed`` is true or the networkx graph is directed.

    ``policy`` is ``"exact"`` (the optimum, for few uncertain roads), ``"optimistic"`` (takes the
    cheapest route not known to be closed), ``"comparison"`` (turns back when the goal is farther
    from here than from the start) or ``"uct"`` (simulates ``rollouts`` trips for each decision). A
    weather says which roads are open; ``runs`` is how many weathers to simulate. By default, means
    are exact where few roads are uncertain, except those of ``"uct"``, which simulates 1,000
    weathers.

    >>> import graph_bandit as gb
    >>> roads = [("home", "ford", 1), ("ford", "work", 1, 0.5), ("home", "work", 5)]
    >>> gb.plan.route(roads, "home", "work")
    RouteTimes(policy='exact', mean=4.5, se=0.0, runs=0)
    >>> gb.plan.route(roads, "home", "work", "uct", runs=100, rollouts=100).runs
    100
    """
    numbers: dict[Hashable, int] = {}
    parts: list[tuple[int, int, float, float]] = []
    for a, b, time, probability in _listed(roads):
        source = numbers.setdefault(a, len(numbers))
        target = numbers.setdefault(b, len(numbers))
        road = f"the road from {a!r} to {b!r}"
        if a == b:
            raise ValueError(f"the road from {a!r} leads to itself; leave it out")
        if not 0.0 <= time < np.inf:
            raise ValueError(f"{road} takes {time}; a travel time is a finite number of at least 0")
        if not 0.0 <= probability <= 1.0:
            raise ValueError(
                f"{road} is open with probability {probability}; a probability is from 0 to 1"
            )
        parts.append((source, target, time, probability))
    for setting, node in (("start", start), ("goal", goal)):
        if node not in numbers:
            raise _core.UnknownNodeError(
                f"{setting} is {node!r}, and no road leads there; name an end of a road"
            )
    mean, se, times = _core.route(
        len(numbers),
        parts,
        (numbers[start], numbers[goal]),
        policy,
        directed=directed or _is_directed(roads),
        runs=None if runs is None else whole_number("runs", runs),
        seed=whole_number("seed", seed, least=0),
        rollouts=whole_number("rollouts", rollouts),
    )
    return RouteTimes(policy, mean, se, len(times), times)


def _is_directed(roads: Any) -> bool:
    return hasattr(roads, "is_directed") and bool(roads.is_directed())


def _listed(roads: Any) -> Iterable[tuple[Any, Any, float, float]]:
    """Each road as its ends, its time and the probability that it is open."""
    if hasattr(roads, "is_directed"):
        for a, b, attributes in roads.edges(data=True):
            if "time" not in attributes:
                raise ValueError(f"the edge {a!r}, {b!r} has no attribute 'time'; give it one")
            probability = attributes.get("open_probability", 1.0)
            yield a, b, _number(attributes["time"], a, b), _number(probability, a, b)
        return
    for road in roads:
        if isinstance(road, str) or not 3 <= len(road) <= 4:
            raise ValueError(
                f"a road is {road!r}; write (a, b, time) or (a, b, time, open_probability)"
            )
        a, b, time, *probability = road
        yield a, b, _number(time, a, b), _number(probability[0] if probability else 1.0, a, b)


def _number(value: Any, a: Any, b: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"the road from {a!r} to {b!r} has {value!r} for a time or a probability; give a number"
        ) from None

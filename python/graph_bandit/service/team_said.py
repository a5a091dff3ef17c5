"""The walkers and shares of a team to create, as the service reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._core import Graph
from ..teams import ShareLike, Walker, WalkersLike, team_of, walker_of
from ..whole_numbers import whole_number

#: Arguments of simulated teams, and of your own, that a served team does not have.
_INSTEAD = {
    "starts": "give every robot its start, as in walkers={'anna': gb.Walker('hall')}, or start= "
    "for all",
    "draws": "robots report what they draw",
    "most": "the status of the team says how many walkers it may have",
}


def refuse_other_arguments(parameters: Mapping[str, Any]) -> None:
    """Refuses what other kinds of teams have.

    >>> refuse_other_arguments({"starts": ["hall"]})
    Traceback (most recent call last):
    TypeError: create() has no argument 'starts'; give every robot its start, as in \
walkers={'anna': gb.Walker('hall')}, or start= for all
    """
    for key in parameters:
        if key in _INSTEAD:
            raise TypeError(f"create() has no argument {key!r}; {_INSTEAD[key]}")


def team_said(
    graph: Graph,
    walkers: WalkersLike | Mapping[str, Walker | Mapping[str, Any]],
    share: ShareLike | None,
    seats: int | None,
) -> dict[str, Any]:
    """The part of a request that makes it a team's.

    >>> import graph_bandit as gb
    >>> rooms = gb.graph([("hall", "yard")])
    >>> team_said(rooms, {"anna": gb.Walker(start="yard")}, "log:0.5", None)
    {'walkers': [{'name': 'anna', 'start': 1}], 'share': 'log:0.5'}
    >>> team_said(rooms, [{"name": "anna", "start": "yard"}], None, None)
    {'walkers': [{'name': 'anna', 'start': 1}]}
    >>> team_said(rooms, 2, None, 1)
    {'walkers': 2, 'seats': 1}
    """
    said: dict[str, Any]
    if isinstance(walkers, int | np.integer):
        number = whole_number("walkers", walkers, least=0)
        # A team may begin without robots.
        described = team_of(graph, max(number, 1), share=share, seats=seats)
        said = {"walkers": number}
    else:
        named = _named(walkers)
        # The service knows where robots without a start begin.
        placeless = [replace(walker, start=None) for _, walker in named] or 1
        described = team_of(graph, placeless, share=share, seats=seats)
        said = {"walkers": [{**name, **walker_said(graph, walker)} for name, walker in named]}
    if share is not None:
        table = described.share
        said["share"] = table if isinstance(table, str) else [list(row) for row in table]
    if described.seats is not None:
        said["seats"] = described.seats
    return said


def _named(walkers: object) -> list[tuple[dict[str, str], Walker]]:
    """Every walker, with its name if it has one."""
    if isinstance(walkers, Mapping):
        return [({"name": name}, walker_of(name, each)) for name, each in walkers.items()]
    if isinstance(walkers, str) or not isinstance(walkers, Sequence):
        raise TypeError(
            f"walkers is {walkers!r}; give a number, a list with one gb.Walker for each, or a "
            "dictionary with names, as in {'anna': gb.Walker('hall')}"
        )
    named = []
    for number, each in enumerate(walkers):
        if isinstance(each, str):
            raise TypeError(
                f"walker {number} is {each!r}; to give walkers names, give a dictionary: "
                f"walkers={{{each!r}: gb.Walker()}}"
            )
        name = {}
        if isinstance(each, Mapping) and "name" in each:
            name = {"name": each["name"]}
            each = {key: value for key, value in each.items() if key != "name"}
        named.append((name, walker_of(number, each)))
    return named


def walker_said(graph: Graph, walker: Walker) -> dict[str, Any]:
    """A walker as the service reads it."""
    said: dict[str, Any] = {}
    if walker.start is not None:
        said["start"] = graph.number(walker.start)
    if walker.speed != 1.0:
        said["speed"] = float(walker.speed)
    if walker.nodes is not None:
        said["nodes"] = [graph.number(node) for node in walker.nodes]
    return said

"""Which roads a report of a blocked or open road means: one direction, or both."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Literal, TypeVar

from .graphs import Graph

Directions = Literal["one", "both"]
Ends = tuple[Hashable, Hashable]
_T = TypeVar("_T")


def meant(
    graph: Graph, closed: Collection[Ends], ends: Ends, directions: str | None, *, blocked: bool
) -> list[Ends]:
    """The edge or the roads that a report means; with both directions, only those it changes.

    ``closed`` are those blocked so far. ``blocked`` says whether the report blocks or opens roads.
    """
    a, b = ends
    if directions not in (None, "one", "both"):
        raise ValueError(f"directions is {directions!r}; give 'one' or 'both'")
    if directions == "one" and not graph.has_roads:
        raise ValueError(
            f"directions is 'one', but the edge between {a!r} and {b!r} leads both ways and is "
            "blocked or opened in both; leave directions out"
        )
    if directions != "both" or not graph.has_roads:
        return [ends]
    number = graph.number
    numbers = {(number(start), number(end)) for start, end in closed}
    changing = [
        (start, end)
        for start, end in ((a, b), (b, a))
        if graph.travel(start, end) is not None
        and ((number(start), number(end)) in numbers) != blocked
    ]
    # If there is nothing to change, the compiled part says why.
    return changing or [ends]


def block_each(
    roads: Sequence[Ends],
    block: Callable[[Hashable, Hashable], _T],
    open_again: Callable[[Hashable, Hashable], object],
) -> list[_T]:
    """Blocks these roads, or none of them if one cannot be blocked."""
    blocked: list[_T] = []
    for road in roads:
        try:
            blocked.append(block(*road))
        except Exception:
            for before in roads[: len(blocked)]:
                open_again(*before)
            raise
    return blocked

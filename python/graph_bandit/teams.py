"""Teams: several walkers on one graph, who share what they learn."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .graphs import Graph
from .whole_numbers import MOST_WALKERS, whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ShareLike", "StartsLike", "Walker", "WalkersLike"]


@dataclass(frozen=True)
class Walker:
    """One walker of a team.

    ``start`` is the label of its first node. Default: as ``starts`` of :func:`run` or :func:`team`
    says; in a team of a service, the start of the team, or else the first node. The time of a road
    is divided by ``speed``. ``nodes`` are the labels of the nodes where it may be (default: all).

    >>> import graph_bandit as gb
    >>> team = [gb.Walker(start=0), gb.Walker(start=8, nodes=[5, 7, 8])]
    >>> results = gb.run("grid:3x3", "g-star", walkers=team, steps=100, runs=2, progress=False)
    >>> results.regret.shape
    (1, 2, 20)
    """

    start: Hashable | None = None
    speed: float = 1.0
    nodes: Iterable[Hashable] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.speed, bool) or not isinstance(
            self.speed, int | float | np.integer | np.floating
        ):
            raise TypeError(f"speed is {self.speed!r}; give a number above 0, such as 1.5")
        if isinstance(self.nodes, str) or not isinstance(self.nodes, Iterable | None):
            raise TypeError(f"nodes is {self.nodes!r}; give a list of labels")
        if self.nodes is not None:
            object.__setattr__(self, "nodes", tuple(self.nodes))


#: How many walkers there are, or one :class:`Walker` (or a dictionary of its fields) for each.
WalkersLike: TypeAlias = "int | Sequence[Walker | Mapping[str, Any]]"
#: ``"random"``, the label of the start of all, or a list with one label per walker.
StartsLike: TypeAlias = "str | Hashable | Sequence[Hashable]"
#: A text such as ``"log:0.05"``, an array of shape (nodes, walkers), or such a row by label.
ShareLike: TypeAlias = "str | npt.ArrayLike | Mapping[Any, Sequence[float]]"


@dataclass(frozen=True)
class TeamSettings:
    """The team of a study."""

    walkers: int
    #: Labels; ``None`` if starts are drawn for every run.
    starts: tuple[Hashable, ...] | None
    share: str | tuple[tuple[float, ...], ...]
    draws: str
    seats: int | None
    #: One per walker; empty if all have the speed of the map.
    speeds: tuple[float, ...] = ()
    #: One per walker; empty if all may be everywhere.
    nodes: tuple[tuple[Hashable, ...] | None, ...] = ()

    @property
    def is_several(self) -> bool:
        """Whether studies run it as a team, not as one ordinary walker."""
        differs = any(speed != 1.0 for speed in self.speeds) or any(
            nodes is not None for nodes in self.nodes
        )
        return self.walkers > 1 or differs

    def for_core(self) -> SimpleNamespace:
        """The team for the compiled part."""
        share = self.share
        return SimpleNamespace(
            walkers=self.walkers,
            starts=None if self.starts is None else list(self.starts),
            share=share if isinstance(share, str) else np.array(share, np.float64),
            draws=self.draws,
            seats=self.seats,
            speeds=list(self.speeds),
            nodes=[None if nodes is None else list(nodes) for nodes in self.nodes],
        )


def team_of(
    graph: Graph,
    walkers: WalkersLike,
    *,
    starts: StartsLike | None = None,
    share: ShareLike | None = None,
    draws: str | None = None,
    seats: int | None = None,
) -> TeamSettings:
    """The team that the arguments of :func:`run` describe."""
    speeds: tuple[float, ...] = ()
    nodes: tuple[tuple[Hashable, ...] | None, ...] = ()
    places = _starts(starts)
    if isinstance(walkers, int | np.integer):
        number = whole_number("walkers", walkers, most=MOST_WALKERS)
    elif isinstance(walkers, str) or not isinstance(walkers, Sequence):
        raise TypeError(
            f"walkers is {walkers!r}; give a number, or a list with one gb.Walker for each"
        )
    else:
        members = [walker_of(number, walker) for number, walker in enumerate(walkers)]
        number = len(members)
        own = _own_starts(members)
        if own is not None and starts is not None:
            raise TypeError("the walkers have starts of their own; leave out starts")
        places = places if own is None else own
        speeds = tuple(float(walker.speed) for walker in members)
        nodes = tuple(None if w.nodes is None else tuple(w.nodes) for w in members)
    return TeamSettings(
        walkers=number,
        starts=places,
        share=_share(graph, "equal" if share is None else share),
        draws="one" if draws is None else draws,
        seats=None if seats is None else whole_number("seats", seats),
        speeds=speeds,
        nodes=nodes,
    )


def _starts(starts: StartsLike | None) -> tuple[Hashable, ...] | None:
    if starts is None or (isinstance(starts, str) and starts == "random"):
        return None
    if isinstance(starts, list | np.ndarray):
        return tuple(starts)
    # A tuple may be the label of a node, as in grids of networkx.
    return (starts,)


def walker_of(name: int | str, given: Walker | Mapping[str, Any]) -> Walker:
    """The walker with this number or name."""
    if isinstance(given, Walker):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(
            f"walker {name} is {given!r}; give a gb.Walker, or a dictionary with start, speed "
            "and nodes, all optional"
        )
    known = [field.name for field in fields(Walker)]
    for key in given:
        if key not in known:
            near = get_close_matches(str(key), known, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(
                f"walker {name} has {key!r}; the fields are start, speed and nodes{meant}"
            )
    try:
        return Walker(**given)
    except TypeError as error:
        # It may come from a generator that was given as `nodes`: then its own lines are needed.
        raise TypeError(f"walker {name}: {error}") from error


def _own_starts(walkers: Sequence[Walker]) -> tuple[Hashable, ...] | None:
    missing = [number for number, walker in enumerate(walkers) if walker.start is None]
    if len(missing) == len(walkers):
        return None
    if missing:
        raise ValueError(
            f"walker {missing[0]} has no start, but others have one; give one to all or to none"
        )
    return tuple(walker.start for walker in walkers)


def _share(graph: Graph, share: ShareLike) -> str | tuple[tuple[float, ...], ...]:
    if isinstance(share, str):
        return share
    if isinstance(share, Mapping):
        missing = [label for label in graph.nodes if label not in share]
        if missing:
            raise ValueError(f"node {missing[0]!r} has no shares; give a row for every node")
        for label in share:
            graph.number(label)
        share = [share[label] for label in graph.nodes]
    try:
        rows = np.array(share, np.float64)
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.ndim != 2:
        raise ValueError(
            "share is neither a text such as 'log:0.05' nor a table; give one row per node: f(1), "
            "f(2) and so on"
        )
    return tuple(tuple(row) for row in rows.tolist())

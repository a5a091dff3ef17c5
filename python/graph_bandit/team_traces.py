"""One run of a team, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from .run_settings import RunSettings
from .whole_numbers import whole_number
from .world import World

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class TeamTrace:
    """One run of a team, step by step, from the first step on.

    Arrays of steps and walkers have one row per step and one column per walker.

    >>> import graph_bandit as gb
    >>> walk = gb.trace("grid:4x4", "g-star", walkers=3, steps=200, seed=3)
    >>> walk
    <TeamTrace of g-star: 200 steps of 3 walkers>
    >>> bool(walk.rewards[-50:].sum() > 0.8 * 50 * walk.optimum)
    True
    """

    world: World
    agent: str
    #: The number of the node of every walker; the one it left last if it is on a road.
    nodes: npt.NDArray[np.int64]
    #: What every walker drew; NaN on a road. Walkers that share a draw have the same.
    draws: npt.NDArray[np.float64]
    #: Every walker's part of what the team got; 0 on a road.
    rewards: npt.NDArray[np.float64]
    #: What the team got in every step, in expectation.
    expected: npt.NDArray[np.float64]
    #: For every step, what the best static allocation of that step earns, in expectation.
    best: npt.NDArray[np.float64]
    #: For every walker, the steps made when each of its legs began.
    legs: tuple[npt.NDArray[np.int64], ...]
    #: The steps until every node had a draw.
    cover_steps: int
    #: The steps before the first one that counts.
    began: int
    #: The mean rewards of the world, by node number; if they change, those at the start.
    means: npt.NDArray[np.float64]
    #: What the best static allocation earns per step under these means.
    optimum: float
    #: Whether walkers on one node share a draw.
    shared: bool

    def __repr__(self) -> str:
        return f"<TeamTrace of {self.agent}: {self.steps} steps of {self.walkers} walkers>"

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.nodes)

    @property
    def walkers(self) -> int:
        """The number of walkers."""
        return int(self.nodes.shape[1])

    @property
    def on_road(self) -> npt.NDArray[np.bool_]:
        """Which walkers are on a road, by step and walker."""
        return np.isnan(self.draws)

    @property
    def regret(self) -> npt.NDArray[np.float64]:
        """Expected regret against the best static allocation, after every step that counts.

        If means change, it is measured against the best allocation of every step.
        """
        return np.cumsum(self.best[self.began :] - self.expected[self.began :])

    def seen(
        self, until: int | None = None, *, since: int = 0
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The numbers of the nodes drawn in the first ``until`` steps, and what they paid.

        The first ``since`` of these steps are left out. A draw that several walkers shared is there
        once.
        """
        nodes, draws = self.nodes[since:until], self.draws[since:until]
        counted = ~np.isnan(draws)
        if self.shared:
            counted &= _first_of_row(np.where(counted, nodes, -1))
        return nodes[counted], draws[counted]

    def counts(self, until: int | None = None) -> npt.NDArray[np.int64]:
        """Draws per node, by number, in the first ``until`` steps."""
        nodes, _ = self.seen(until)
        return np.bincount(nodes, minlength=len(self.means))


def _first_of_row(values: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether no earlier entry of the row is the same.

    >>> _first_of_row(np.array([[2, 1, 2], [3, 3, 3]])).tolist()
    [[True, True, False], [True, False, False]]
    """
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    new = np.ones_like(ordered, np.bool_)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.empty_like(new)
    np.put_along_axis(first, order, new, axis=1)
    return first


def traced_team(settings: RunSettings, compiled: _core.Study, agent: int, run: int) -> TeamTrace:
    """Makes one run of a study of teams again."""
    made = _core.team_trace(compiled, agent, whole_number("run", run, least=0))
    team = settings.team
    return TeamTrace(
        world=settings.world,
        agent=compiled.labels[agent],
        nodes=made.nodes,
        draws=made.draws,
        rewards=made.rewards,
        expected=made.expected,
        best=made.best,
        legs=tuple(made.legs),
        cover_steps=made.cover_steps,
        began=made.began,
        means=made.means,
        optimum=made.optimum,
        shared=team is not None and team.draws == "one",
    )

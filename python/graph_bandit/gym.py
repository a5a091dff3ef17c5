"""A graph bandit for Gymnasium: ``gym.make("graph_bandit/GraphBandit-v0", graph=G)``."""

from __future__ import annotations

from collections.abc import Hashable
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np

from .graphs import GraphLike
from .gym_needed import gymnasium, spaces
from .gym_observation import Observation, observation_space, walks_of
from .gym_registration import ENV_ID
from .gym_render import RENDER_METADATA, Moment, Painter, check_render_mode, describe
from .whole_numbers import whole_number
from .world import ClosuresLike, MeansLike, NoiseLike

if TYPE_CHECKING:
    import numpy.typing as npt

#: The node's number, or a dictionary with ``node``, ``visits`` and ``means``.
Seen: TypeAlias = "np.int64 | dict[str, Any]"

__all__ = ["ENV_ID", "GraphBanditEnv"]


class GraphBanditEnv(gymnasium.Env["Seen", np.int64]):
    """One walk on a graph of unknown rewards.

    An action is a node's number. ``info["action_mask"]`` is 1 for every node that one step can
    reach: the neighbours and the node itself. If you choose any other node, the walker stays where
    it is, and ``info["illegal"]`` is true; staying is a visit that pays like any other. An episode
    ends (is truncated) after ``steps`` steps. ``info["node"]`` is the node's label,
    ``info["regret"]`` the expected regret so far, ``info["time"]`` how much time has passed, in
    units of one visit.

    Where roads take time, ``steps`` counts units of time: an action takes one unit, plus the travel
    time of its road. The episode is truncated when no further visit can end in time. It is also
    truncated when the visit that you chose would end too late; the walker then stays, and the
    reward is 0. At the end ``info["time"]`` equals ``steps``. So regret is always the best mean
    times ``info["time"]``, minus the means of all visits, as in studies. If means change, it is the
    best mean of every unit of time, added up, minus the means of all visits.

    ``graph``, ``means`` and ``noise`` are as in :class:`graph_bandit.World`; ``graph`` may also be
    a world. ``start`` is a node's label (default: the first node). ``observation`` is ``"node"``,
    the node's number, or ``"estimates"``: a dictionary with the node's number (``node``), and for
    all nodes their visits (``visits``) and average rewards (``means``, 0 before the first visit).

    ``closures`` and ``travel_noise`` are also as in :class:`graph_bandit.World`. A closed road
    cannot be taken: its ``info["action_mask"]`` is 0. Regret is measured against the best node
    within reach, as in studies.

    ``reset(seed=s)`` begins run 0 of a study with seed ``s``, and every further ``reset()`` begins
    the next run: the same worlds and the same luck as in :func:`graph_bandit.run`.

    >>> import gymnasium as gym, graph_bandit as gb
    >>> env = gym.make("graph_bandit/GraphBandit-v0", graph="grid:3x3", steps=100)
    >>> node, info = env.reset(seed=7)
    >>> int(node), info["action_mask"].tolist()
    (0, [1, 1, 0, 1, 0, 0, 0, 0, 0])
    >>> node, reward, terminated, truncated, info = env.step(8)
    >>> int(node), info["illegal"]
    (0, True)
    """

    metadata: dict[str, Any] = RENDER_METADATA

    def __init__(
        self,
        graph: GraphLike = "grid:10x10",
        means: MeansLike | None = None,
        noise: NoiseLike | None = None,
        *,
        steps: int = 1_000,
        start: Hashable | None = None,
        observation: Observation = "node",
        closures: ClosuresLike | None = None,
        travel_noise: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.world, self._walks = walks_of(
            graph,
            means,
            noise,
            steps=steps,
            start=start,
            walkers=1,
            closures=closures,
            travel_noise=travel_noise,
        )
        nodes = len(self.world.graph)
        self.steps = steps
        self.observation = observation
        self.render_mode = check_render_mode(render_mode)
        self.action_space = spaces.Discrete(nodes)
        self.observation_space = observation_space(observation, nodes, steps)
        self._has_begun = False
        self._moment = Moment()
        self._painter: Painter | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begins run 0 of the study with this seed; without a seed, the next run."""
        if seed is not None:
            seed = whole_number("seed", seed, least=0)
        super().reset(seed=seed)
        if seed is None and not self._has_begun:
            seed = int(self.np_random.integers(2**63))
        self._walks.reset([seed])
        self._has_begun = True
        node = int(self._walks.nodes()[0])
        self._moment = Moment(node=node)
        return self._seen(node), self._info(node, illegal=False, regret=0.0, time=0.0)

    def step(self, action: SupportsIndex) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Visits the node with that number; stays if one step cannot reach it."""
        node, reward, over, illegal, regret, time = self._walks.step_one(index(action))
        self._moment = Moment(time, node, reward, regret)
        info = self._info(node, illegal=illegal, regret=regret, time=time)
        return self._seen(node), reward, False, over, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which nodes one step can reach; sb3-contrib's MaskablePPO looks for this name."""
        return np.asarray(self._walks.masks()[0], np.bool_)

    @property
    def means(self) -> npt.NDArray[np.float64]:
        """The true means of the present walk, by node number; if they change, those at the start.

        They are hidden from a learner.
        """
        return self._walks.means(0)

    def render(self) -> Any:
        """A line of text in mode ``"ansi"``, a picture of the graph in mode ``"rgb_array"``."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "without a render mode nothing is drawn; make the environment with "
                f"render_mode='ansi' or 'rgb_array', as in gym.make({ENV_ID!r}, render_mode='ansi')"
            )
            return None
        if self.render_mode == "ansi":
            return describe(self.world.graph, self._moment, self.steps)
        if self._painter is None:
            self._painter = Painter(self.world.graph)
        return self._painter.paint(self._moment, self._walks.estimates()[0][0])

    def close(self) -> None:
        """Frees the picture."""
        self._painter = None

    def _seen(self, node: int) -> Seen:
        if self.observation == "node":
            return np.int64(node)
        visits, means = self._walks.estimates()
        return {"node": np.int64(node), "visits": visits[0], "means": means[0]}

    def _info(self, node: int, *, illegal: bool, regret: float, time: float) -> dict[str, Any]:
        return {
            "action_mask": self._walks.masks()[0],
            "illegal": illegal,
            "node": self.world.graph.label(node),
            "regret": regret,
            "time": time,
        }

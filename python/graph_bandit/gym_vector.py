"""Many graph bandits as one Gymnasium vector environment; one compiled call steps all of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .graphs import GraphLike
from .gym_needed import AutoresetMode, VectorEnv, batch_space, gymnasium, iterate, spaces
from .gym_observation import Observation, labels_by_number, observation_space, walks_of
from .gym_render import RENDER_METADATA, Moment, Painter, check_render_mode, describe
from .whole_numbers import whole_number
from .world import ClosuresLike, MeansLike, NoiseLike

if TYPE_CHECKING:
    import numpy.typing as npt

#: Node numbers, or a dictionary of arrays with ``node``, ``visits`` and ``means``.
AllSeen: TypeAlias = "npt.NDArray[np.int64] | dict[str, Any]"

__all__ = ["GraphBanditVectorEnv"]


class GraphBanditVectorEnv(VectorEnv["AllSeen", "npt.NDArray[np.int64]", "npt.NDArray[Any]"]):
    """``num_envs`` walks at once, each like :class:`graph_bandit.gym.GraphBanditEnv`.

    It behaves exactly as ``gymnasium.vector.SyncVectorEnv`` with single environments, including
    infos. ``seed=s`` gives walk ``i`` the seed ``s + i``. ``autoreset_mode`` says when a walk that
    is over begins its next run.

    >>> import gymnasium as gym, graph_bandit as gb
    >>> envs = gym.make_vec("graph_bandit/GraphBandit-v0", num_envs=3, graph="line:4", steps=50)
    >>> nodes, info = envs.reset(seed=7)
    >>> nodes, rewards, terminations, truncations, info = envs.step([0, 1, 2])
    >>> nodes.tolist(), info["illegal"].tolist()
    ([0, 1, 0], [False, False, True])
    """

    def __init__(
        self,
        num_envs: int = 1,
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.num_envs = whole_number("num_envs", num_envs)
        self.world, self._walks = walks_of(
            graph,
            means,
            noise,
            steps=steps,
            start=start,
            walkers=self.num_envs,
            closures=closures,
            travel_noise=travel_noise,
        )
        nodes = len(self.world.graph)
        self.steps = steps
        self.observation = observation
        self.render_mode = check_render_mode(render_mode)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**RENDER_METADATA, "autoreset_mode": self.autoreset_mode}
        self.single_action_space = spaces.Discrete(nodes)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.single_observation_space = observation_space(observation, nodes, steps)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._labels = labels_by_number(self.world)
        self._has_begun = False
        self._over = np.zeros(self.num_envs, np.bool_)
        self._rewards = np.zeros(self.num_envs)
        self._painter: Painter | None = None

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[AllSeen, dict[str, Any]]:
        """Begins all walks again, or those in ``options["reset_mask"]``."""
        seeds = self._seeds(seed)
        chosen = self._chosen(options)
        self._walks.reset(seeds, chosen)
        self._has_begun = True
        self._over &= ~chosen
        self._rewards = np.where(chosen, 0.0, self._rewards)
        nodes = self._walks.nodes()
        seen = self._seen(nodes)
        legal = np.zeros(self.num_envs, np.bool_)
        return seen, self._info(nodes, illegal=legal, score=self._score(), of=chosen)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        AllSeen,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """One step of every walk; a walk that was over begins again, as ``autoreset_mode`` says."""
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise gymnasium.error.ResetNeeded(
                f"walk {int(self._over.argmax())} is over; reset it: options={{'reset_mask': ..}}"
            )
        targets = np.asarray(actions)
        if not np.issubdtype(targets.dtype, np.integer):
            raise TypeError(
                f"actions have type {targets.dtype}; give node numbers, which are integers"
            )
        nodes, rewards, over, illegal, *score = self._walks.step(targets.astype(np.int64))
        everyone = np.ones(self.num_envs, np.bool_)
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            final = self._final(nodes, illegal=illegal, score=score, of=over)
            self._walks.reset([None] * self.num_envs, over)
            nodes, score = self._walks.nodes(), self._score()
            illegal &= ~over
        else:
            self._over = over
        self._rewards = rewards
        info = self._info(nodes, illegal=illegal, score=score, of=everyone)
        never = np.zeros(self.num_envs, np.bool_)
        return self._seen(nodes), rewards.copy(), never, over.copy(), {**final, **info}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which nodes one step can reach, one row per walk."""
        return np.asarray(self._walks.masks(), np.bool_)

    def means(self, walk: int) -> npt.NDArray[np.float64]:
        """The true means of one walk, by node number; if they change, those at the start.

        They are hidden from a learner.
        """
        return self._walks.means(walk)

    def render(self) -> tuple[Any, ...] | None:
        """What :meth:`GraphBanditEnv.render` gives, for every walk."""
        if self.render_mode is None:
            return None
        visits = self._walks.estimates()[0]
        regret, times = self._score()
        state = (times, self._walks.nodes(), self._rewards, regret)
        moments = [
            Moment(*of_walk) for of_walk in zip(*(each.tolist() for each in state), strict=True)
        ]
        if self.render_mode == "ansi":
            return tuple(describe(self.world.graph, moment, self.steps) for moment in moments)
        painter = self._painter = self._painter or Painter(self.world.graph)
        return tuple(painter.paint(moment, visits[i]) for i, moment in enumerate(moments))

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the picture."""
        self._painter = None

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            if self._has_begun:
                return [None] * self.num_envs
            return [int(drawn) for drawn in self.np_random.integers(2**63, size=self.num_envs)]
        if isinstance(seed, Sequence):
            seeds = [None if one is None else whole_number("seed", one, least=0) for one in seed]
            if not self._has_begun:
                rng = self.np_random
                seeds = [int(rng.integers(2**63)) if one is None else one for one in seeds]
            return seeds
        first = whole_number("seed", seed, least=0)
        super().reset(seed=first)
        return [whole_number("seed", first + i, least=0) for i in range(self.num_envs)]

    def _chosen(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_]:
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options["reset_mask"]
        shape = (self.num_envs,)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != shape:
            raise ValueError(
                f"options['reset_mask'] is {mask!r}; give a numpy array of {self.num_envs} booleans"
            )
        if not self._has_begun:
            raise gymnasium.error.ResetNeeded("no walk has begun yet; reset all of them first")
        return mask

    def _seen(self, nodes: npt.NDArray[np.int64]) -> AllSeen:
        if self.observation == "node":
            return nodes.copy()
        visits, means = self._walks.estimates()
        return {"node": nodes.copy(), "visits": visits, "means": means}

    def _score(self) -> list[npt.NDArray[np.float64]]:
        """Regret, and how much time has passed."""
        return [self._walks.regret(), self._walks.times()]

    def _info(
        self,
        nodes: npt.NDArray[np.int64],
        *,
        illegal: npt.NDArray[np.bool_],
        score: list[npt.NDArray[np.float64]],
        of: npt.NDArray[np.bool_],
    ) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self._walks.masks(),
            "illegal": illegal,
            "node": nodes if self._labels is None else self._labels[nodes],
            "regret": score[0],
            "time": score[1],
        }
        # In Gymnasium, a mask says which walks an entry is for; the others have empty values.
        if not of.all():
            for values in info.values():
                values[~of] = None if values.dtype == object else 0
        return info | {f"_{key}": of.copy() for key in info}

    def _final(
        self,
        nodes: npt.NDArray[np.int64],
        *,
        illegal: npt.NDArray[np.bool_],
        score: list[npt.NDArray[np.float64]],
        of: npt.NDArray[np.bool_],
    ) -> dict[str, Any]:
        last_seen = np.full(self.num_envs, None, object)
        for i, one in enumerate(iterate(self.observation_space, self._seen(nodes))):
            if of[i]:
                last_seen[i] = one
        return {
            "final_obs": last_seen,
            "_final_obs": of.copy(),
            "final_info": self._info(nodes.copy(), illegal=illegal.copy(), score=score, of=of),
            "_final_info": of.copy(),
        }

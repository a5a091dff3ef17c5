"""A team on a graph for PettingZoo: ``GraphTeam("grid:10x10", walkers=5)``."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, TypeAlias

import numpy as np

from . import _core
from .graphs import GraphLike
from .gym_observation import Observation, observation_space
from .pettingzoo_needed import ParallelEnv, spaces
from .run_settings import RunSettings
from .teams import ShareLike, StartsLike, TeamSettings, WalkersLike, team_of
from .whole_numbers import whole_number
from .world import MeansLike, NoiseLike, World

if TYPE_CHECKING:
    import numpy.typing as npt

#: The node's number, or a dictionary with ``node``, ``walkers``, ``visits`` and ``means``.
Seen: TypeAlias = "np.int64 | dict[str, Any]"
#: What a step answers: observations, rewards, terminations, truncations and infos, by agent.
Stepped: TypeAlias = (
    "tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]"
)

__all__ = ["GraphTeam"]


class GraphTeam(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types.
    """Several walkers on one graph of unknown rewards: a parallel environment of PettingZoo.

    The agents are ``"walker_0"``, ``"walker_1"`` and so on. An action is a node's number.
    ``infos[agent]["action_mask"]`` is 1 for every node where one step can send the walker: the
    neighbours and the node itself. If you choose any other node, the walker stays where it is, and
    ``infos[agent]["illegal"]`` is true. All walkers step together. An episode ends (is truncated)
    after ``steps`` steps.

    The reward of a walker is its part of what the team earns: with c walkers on a node, the draw
    times f(c) / c, where f is the ``share``. So the rewards of all walkers add up to the team's.
    ``infos[agent]`` also has the label of the walker's ``node``, and ``regret``: the team's
    expected regret so far, against the best static allocation; if means change, against the best
    allocation of every step. It is the same for all walkers.

    ``graph``, ``means`` and ``noise`` are as in :class:`graph_bandit.World`; ``graph`` may also be
    a world. ``walkers``, ``starts``, ``share`` and ``draws`` are as in :func:`graph_bandit.run`.
    ``observation`` is ``"node"``, the number of the walker's node, or ``"estimates"``: a dictionary
    with that (``node``), how many walkers are on each node (``walkers``), how often each node was
    drawn by anybody (``visits``), and the average of its draws (``means``, 0 before the first).

    Where roads take time, a walker on a road draws nothing and gets 0. Its ``node`` is the one that
    it left, ``infos[agent]["on_road"]`` is true, and its only action is the node where it is going.

    ``reset(seed=s)`` begins run 0 of a study with seed ``s``, and every further ``reset()`` begins
    the next run: the same worlds, starts and luck as in :func:`graph_bandit.run`.

    >>> from graph_bandit.pettingzoo import GraphTeam
    >>> env = GraphTeam("grid:3x3", walkers=2, starts=[0, 8], steps=100)
    >>> seen, infos = env.reset(seed=7)
    >>> infos["walker_1"]["action_mask"].tolist()
    [0, 0, 0, 0, 0, 1, 0, 1, 1]
    >>> seen, rewards, terminated, truncated, infos = env.step({"walker_0": 1, "walker_1": 0})
    >>> int(seen["walker_0"]), int(seen["walker_1"]), infos["walker_1"]["illegal"]
    (1, 8, True)
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "graph_team_v0",
        "render_modes": [],
        "is_parallelizable": True,
    }
    render_mode: str | None = None

    def __init__(
        self,
        graph: World | GraphLike = "grid:10x10",
        means: MeansLike | None = None,
        noise: NoiseLike | None = None,
        *,
        walkers: WalkersLike = 2,
        starts: StartsLike | None = None,
        share: ShareLike | None = None,
        draws: str | None = None,
        steps: int = 1_000,
        observation: Observation = "node",
    ) -> None:
        if not isinstance(graph, World):
            graph = World(graph, means, noise)
        elif not (means is None and noise is None):
            raise TypeError("graph is a World, which has means and noise; give them there")
        self.world = graph
        team = team_of(graph.graph, walkers, starts=starts, share=share, draws=draws)
        self.steps = whole_number("steps", steps)
        self.observation = observation
        self._walks = _core.TeamWalks(_settings(graph, team, self.steps).compile())
        self.possible_agents = [f"walker_{number}" for number in range(team.walkers)]
        self.agents: list[str] = []
        nodes = len(graph.graph)
        self.observation_spaces = {
            agent: _space(observation, nodes, team.walkers, steps) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(nodes) for agent in self.possible_agents}
        #: The space of :meth:`state`.
        self.state_space = spaces.Box(0, nodes - 1, (team.walkers,), np.int64)
        self._has_begun = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may choose: the number of a node."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, Any]]:
        """Begins run 0 of the study with this seed; without a seed, the next run."""
        if seed is not None:
            seed = whole_number("seed", seed, least=0)
        elif not self._has_begun:
            seed = int(np.random.default_rng().integers(2**63))
        self._walks.reset(seed)
        self._has_begun = True
        self.agents = list(self.possible_agents)
        return self._seen(), self._infos([False] * len(self.agents))

    def step(self, actions: Mapping[str, SupportsIndex]) -> Stepped:
        """Sends every walker to the node with that number; one that cannot get there stays."""
        if not self.agents:
            raise RuntimeError("no episode is under way; begin one with reset()")
        for agent in actions:
            if agent not in self.action_spaces:
                raise ValueError(f"there is no agent {agent!r}; see env.agents")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise ValueError(f"{missing[0]} has no action; give one for every agent")
        paid, illegal = self._walks.step([index(actions[agent]) for agent in self.agents])
        _, is_over = self._walks.time()
        seen, infos = self._seen(), self._infos(illegal.tolist())
        rewards = dict(zip(self.agents, paid.tolist(), strict=True))
        terminated = dict.fromkeys(self.agents, False)
        truncated = dict.fromkeys(self.agents, is_over)
        if is_over:
            self.agents = []
        return seen, rewards, terminated, truncated, infos

    def state(self) -> npt.NDArray[np.int64]:
        """The numbers of the nodes of all walkers."""
        return self._walks.nodes()

    def render(self) -> None:
        """Draws nothing; plot the results of :func:`graph_bandit.run` instead."""

    def close(self) -> None:
        """Does nothing: there is nothing to free."""

    @property
    def means(self) -> npt.NDArray[np.float64]:
        """The true means of the next step, by node number; hidden from a learner."""
        return self._walks.means()

    @property
    def optimum(self) -> float:
        """What the best static allocation earns on average in the next step.

        It is hidden from a learner.
        """
        return self._walks.optimum()

    def _seen(self) -> dict[str, Seen]:
        nodes = dict(zip(self.agents, self._walks.nodes(), strict=True))
        if self.observation == "node":
            return nodes
        visits, means = self._walks.estimates()
        counts = self._walks.counts()
        # Each has its own copy, so that no learner changes what another sees.
        return {
            agent: {
                "node": node,
                "walkers": counts.copy(),
                "visits": visits.copy(),
                "means": means.copy(),
            }
            for agent, node in nodes.items()
        }

    def _infos(self, illegal: list[bool]) -> dict[str, Any]:
        nodes, masks, on_road = self._walks.nodes(), self._walks.masks(), self._walks.on_road()
        time, _ = self._walks.time()
        regret = self._walks.regret()
        return {
            agent: {
                "action_mask": masks[number],
                "illegal": illegal[number],
                "node": self.world.graph.label(int(nodes[number])),
                "on_road": bool(on_road[number]),
                "regret": regret,
                "time": time,
            }
            for number, agent in enumerate(self.agents)
        }


def _settings(world: World, team: TeamSettings, steps: int) -> RunSettings:
    # An episode is a run of a study, whoever chooses its steps; the agent named here never walks.
    return RunSettings(
        world=world,
        agents=("g-star",),
        steps=steps,
        runs=1,
        seed=0,
        start=None,
        init="lowest",
        back="jump",
        window="first",
        tape="one-by-one",
        checkpoints=1,
        preset="paper",
        team=team,
        regret_from="start",
    )


def _space(observation: Observation, nodes: int, walkers: int, steps: int) -> spaces.Space[Any]:
    # With draws of their own, all walkers may draw at one node in every step.
    space = observation_space(observation, nodes, steps * walkers)
    if isinstance(space, spaces.Dict):
        space = spaces.Dict({**space, "walkers": spaces.Box(0, walkers, (nodes,), np.int64)})
    return space

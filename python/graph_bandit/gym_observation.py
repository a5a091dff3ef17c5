"""What a learner observes in a Gymnasium environment, and the walks behind it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from . import _core
from .graphs import GraphLike
from .gym_needed import spaces
from .run_settings import RunSettings
from .world import ClosuresLike, MeansLike, NoiseLike, World

if TYPE_CHECKING:
    import numpy.typing as npt

#: ``"node"``: the node's number; ``"estimates"``: that, visits and average rewards of all nodes.
Observation: TypeAlias = Literal["node", "estimates"]


def walks_of(
    graph: GraphLike,
    means: MeansLike | None,
    noise: NoiseLike | None,
    *,
    steps: int,
    start: Hashable | None,
    walkers: int,
    closures: ClosuresLike | None = None,
    travel_noise: float | None = None,
) -> tuple[World, _core.Walks]:
    """A world and its walkers; the parameters are those of :class:`GraphBanditEnv`."""
    of_world = (means, noise, closures, travel_noise)
    if not isinstance(graph, World):
        world = World(graph, means, noise, closures=closures, travel_noise=travel_noise)
    elif all(part is None for part in of_world):
        world = graph
    else:
        raise TypeError(
            "graph is a World, which has means, noise, closures and travel_noise; give them there"
        )
    # A walk is a run of a study, whoever chooses its steps; the agent named here never walks.
    settings = RunSettings(
        world=world,
        agents=("local-ucb",),
        steps=steps,
        runs=1,
        seed=0,
        start=start,
        init="none",
        back="jump",
        window="first",
        tape="one-by-one",
        checkpoints=1,
        preset="paper",
    )
    return world, _core.Walks(settings.compile(), walkers)


def observation_space(observation: Observation, nodes: int, steps: int) -> spaces.Space[Any]:
    """The space of observations; refuses an unknown kind of observation."""
    if observation not in get_args(Observation):
        known = " and ".join(map(repr, get_args(Observation)))
        raise ValueError(f"there is no observation {observation!r}; there are {known}")
    if observation == "node":
        return spaces.Discrete(nodes)
    return spaces.Dict(
        {
            "node": spaces.Discrete(nodes),
            "visits": spaces.Box(0, steps, (nodes,), np.int64),
            # The library allows rewards up to this magnitude, so averages stay within it.
            "means": spaces.Box(-1e100, 1e100, (nodes,), np.float64),
        }
    )


def labels_by_number(world: World) -> npt.NDArray[Any] | None:
    """The labels as an array by node number; ``None`` where the labels are the numbers."""
    own = world.graph.labels
    if own is None:
        return None
    if all(type(label) is int for label in own):
        return np.array(own, np.int64)
    # Filled one by one: numpy would turn labels that are tuples into rows of a table.
    labels = np.empty(len(own), object)
    for number, label in enumerate(own):
        labels[number] = label
    return labels

"""What nodes pay: mean rewards, and the noise around them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from . import _core

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._core import Graph

#: Draws rewards: ``draw(node, rng, size)`` returns ``size`` of them, ``draw(node, rng)`` only one.
#: If it has a parameter ``mean``, it is given the mean of the node.
Draw: TypeAlias = Callable[..., Any]

__all__ = [
    "Draw",
    "Means",
    "Noise",
    "OwnRewards",
    "bernoulli_noise",
    "best_node_noise",
    "beta_noise",
    "empirical_noise",
    "gaussian_noise",
    "mixed_noise",
    "needle_means",
    "no_noise",
    "rewards_from",
    "truncated_gaussian_noise",
    "uniform_means",
    "uniform_noise",
]


@dataclass(frozen=True)
class Means:
    """A rule for mean rewards, as the command line writes it: ``uniform:0.5,9.5``."""

    text: str

    def __post_init__(self) -> None:
        _core.check_means(self.text)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Noise:
    """A reward law around the mean of each node, as the command line writes it: ``uniform:0.5``."""

    text: str

    def __post_init__(self) -> None:
        _core.check_noise(self.text)

    def __str__(self) -> str:
        return self.text


def uniform_means(low: float, high: float) -> Means:
    """Independent means, uniform from ``low`` to ``high``, drawn again for every run."""
    return Means(f"uniform:{float(low)!r},{float(high)!r}")


def needle_means(low: float, high: float) -> Means:
    """``high`` on one node, which is drawn again for every run, and ``low`` on all others."""
    return Means(f"needle:{float(low)!r},{float(high)!r}")


def uniform_noise(half_width: float) -> Noise:
    """Uniform within ``half_width`` of the mean."""
    return Noise(f"uniform:{float(half_width)!r}")


def bernoulli_noise() -> Noise:
    """1 with the mean as its probability, otherwise 0."""
    return Noise("bernoulli")


def beta_noise(concentration: float) -> Noise:
    """Beta on [0, 1], narrower with ``concentration``."""
    return Noise(f"beta:{float(concentration)!r}")


def gaussian_noise(deviation: float) -> Noise:
    """Gaussian, unbounded."""
    return Noise(f"gaussian:{float(deviation)!r}")


def truncated_gaussian_noise(deviation: float, half_width: float) -> Noise:
    """Gaussian, truncated to within ``half_width`` of the mean."""
    return Noise(f"truncated-gaussian:{float(deviation)!r},{float(half_width)!r}")


def empirical_noise(values: Sequence[float]) -> Noise:
    """One of the values at random, shifted so that their average is the mean of the node."""
    return Noise("empirical:" + ",".join(repr(float(value)) for value in values))


def no_noise() -> Noise:
    """Every reward is the mean."""
    return Noise("constant")


def mixed_noise(*noises: Noise) -> Noise:
    """Each node has one of these noises, drawn again for every run."""
    return Noise("|".join(_text(noise, "mixed_noise") for noise in noises))


def best_node_noise(best: Noise, others: Noise) -> Noise:
    """``best`` on the node with the highest mean, ``others`` on all other nodes."""
    best_text, other_text = _text(best, "best_node_noise"), _text(others, "best_node_noise")
    return Noise(f"best={best_text}|{other_text}")


def _text(noise: Noise, function: str) -> str:
    if isinstance(noise, Noise):
        return noise.text
    remedy = f"write gb.Noise({noise!r}), or " if isinstance(noise, str) else ""
    raise TypeError(
        f"{noise!r} is not a noise; {remedy}call it as in "
        f"gb.{function}(gb.uniform_noise(0.1), gb.bernoulli_noise())"
    )


@dataclass(frozen=True)
class OwnRewards:
    """Rewards from a function of your own; see :func:`rewards_from`."""

    draw: Draw
    scale: float


def rewards_from(draw: Draw, *, scale: float) -> OwnRewards:
    """Rewards drawn by ``draw(node, rng, size)``, or ``draw(node, rng)`` for one at a time.

    ``rng`` is a :class:`numpy.random.Generator` seeded by run, node and visit, so that all agents
    meet the same luck; do not draw from anything else. The expected reward of a node must be the
    mean that you give the world, because regret is measured by it. A function with a parameter
    ``mean``, as in ``draw(node, rng, size, mean)``, is given the mean of the node. ``scale`` is a
    sub-Gaussian scale of the noise: half the range of a bounded reward, or the standard deviation
    of a Gaussian.

    >>> import graph_bandit as gb
    >>> level = {"hall": 0.2, "attic": 0.9}
    >>> def draw(node, rng, size):
    ...     return level[node] + rng.triangular(-0.5, 0.0, 0.5, size)
    >>> world = gb.World([("hall", "attic")], means=level, noise=gb.rewards_from(draw, scale=0.5))
    >>> gb.run(world, ["g-star"], steps=100, runs=3, progress=False).agents
    ('g-star',)
    """
    if not callable(draw):
        raise TypeError(f"draw is {draw!r}; give a function draw(node, rng, size)")
    if not 0 <= scale <= 1e100:
        raise ValueError(
            f"scale is {scale}; give a sub-Gaussian scale of the noise, a number of at least 0"
        )
    return OwnRewards(draw, float(scale))


class Drawer:
    """Calls the user's function in a reproducible way; the compiled part calls it."""

    def __init__(self, rewards: OwnRewards, graph: Graph) -> None:
        self._draw = rewards.draw
        self._labels: tuple[Hashable, ...] = graph.nodes
        self._one_by_one = not _takes_size(rewards.draw)
        self._takes_mean = "mean" in _parameters(rewards.draw)

    def __call__(
        self, node: int, seed: int, block: int, size: int, mean: float
    ) -> npt.NDArray[np.float64]:
        label = self._labels[node]
        rng = np.random.Generator(np.random.Philox(key=[seed, block]))
        told = {"mean": mean} if self._takes_mean else {}
        if self._one_by_one:
            drawn = np.array([self._draw(label, rng, **told) for _ in range(size)], np.float64)
        else:
            drawn = np.array(self._draw(label, rng, size, **told), np.float64)
        if drawn.shape != (size,):
            raise ValueError(
                f"the rewards of node {label!r} have shape {drawn.shape}; give {size} of them"
            )
        if not np.all(np.abs(drawn) <= 1e100):
            wrong = drawn[~(np.abs(drawn) <= 1e100)][0]
            raise ValueError(f"a reward of node {label!r} is {wrong}; give finite numbers")
        return drawn


def _parameters(draw: Draw) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(draw).parameters)
    except ValueError:
        return {}


def _takes_size(draw: Draw) -> bool:
    parameters = _parameters(draw)
    if not parameters or any(p.kind is p.VAR_POSITIONAL for p in parameters.values()):
        return True
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [name for name, p in parameters.items() if p.kind in kinds and name != "mean"]
    return len(positional) >= 3

"""Your own agents, in the same studies as the built-in ones."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable
from itertools import chain
from typing import Any

import numpy as np

from ._core import Graph, Leg, Situation, Visit

__all__ = ["Agent"]


class Agent:
    """The base class of your own agents.

    Write one of two pairs of methods:

    - **legs**: :meth:`next_leg` returns a :class:`Leg`, or a node for a single visit;
      :meth:`observe` is told what visits paid
    - **ask and tell**: :meth:`ask` returns the next node, or a :class:`Leg`; :meth:`tell` is told
      every single reward

    An agent in a study is a prototype. Every run works on a deep copy, and calls :meth:`start` with
    the graph and a random generator.

    >>> import graph_bandit as gb
    >>> class Greedy(gb.Agent):
    ...     def next_leg(self, now):
    ...         around = now.graph.neighborhood_numbers(now.at_number)
    ...         return now.graph.label(int(around[now.means[around].argmax()]))
    >>> results = gb.run(gb.World("line:5"), [Greedy(), "g-star"], steps=50, runs=2, progress=False)
    >>> results.agents
    ('Greedy', 'g-star')
    """

    #: Its name in tables and figures (default: the name of the class; if a study has several of the
    #: same name, the attributes in which they differ are added).
    name: str = "Agent"

    graph: Graph
    rng: np.random.Generator

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def start(self, graph: Graph, rng: np.random.Generator) -> None:
        """A run begins on ``graph``; draw everything random from ``rng``."""
        self.graph = graph
        self.rng = rng

    def next_leg(self, now: Situation) -> Leg | Hashable:
        """Decides where to go, leg by leg; ``now`` has the place and the rewards so far."""
        return self.ask()

    def observe(self, visit: Visit) -> None:
        """Receives the rewards of some visits to one node, also during initialization."""
        self.tell(visit.node, visit.sample.sum)

    def ask(self) -> Leg | Hashable:
        """Decides where to go, visit by visit.

        After the graph has been covered, the walker is put back at its start, and :meth:`tell` is
        not called for that. With ``back="walk"`` it walks back, and every step is told.
        """
        raise NotImplementedError(
            f"{type(self).__name__} does not decide yet; write next_leg(self, now) or ask(self)"
        )

    def tell(self, node: Hashable, reward: float) -> None:
        """Receives the reward of one visit."""


def copied(agent: Agent, graph: Graph) -> Agent:
    """A deep copy that keeps the graph's own labels, since a copy of a label may not equal it."""
    labels = graph.labels or []
    try:
        return copy.deepcopy(agent, {id(label): label for label in labels})
    except TypeError as error:
        error.add_note(
            f"every run works on a copy of {agent.name}; create what cannot be copied in start()"
        )
        raise


def parameters(agent: Agent) -> dict[str, Any]:
    """The parameters of your own agent: its public attributes."""
    told = ("name", "graph", "rng")
    return {k: v for k, v in vars(agent).items() if not k.startswith("_") and k not in told}


def label_apart(agents: Iterable[Agent]) -> None:
    """Names agents of the same name by the parameters in which they differ.

    >>> class Lazy(Agent):
    ...     def __init__(self, rate):
    ...         self.rate = rate
    >>> pair = [Lazy(0.1), Lazy(0.5)]
    >>> label_apart(pair)
    >>> [agent.name for agent in pair]
    ['Lazy:rate=0.1', 'Lazy:rate=0.5']
    """
    named: dict[str, list[Agent]] = {}
    for agent in agents:
        named.setdefault(agent.name, []).append(agent)
    for name, group in named.items():
        if len(group) < 2:
            continue
        texts = [{key: str(value) for key, value in parameters(of).items()} for of in group]
        keys = [key for key in dict.fromkeys(chain(*texts)) if len({t.get(key) for t in texts}) > 1]
        for agent, text in zip(group, texts, strict=True):
            given = ",".join(f"{key}={text[key]}" for key in keys if key in text)
            agent.name = f"{name}:{given}" if given else name


class Maker:
    """Makes an agent for every run from a prototype; the compiled part calls it."""

    def __init__(self, prototype: Agent) -> None:
        self.prototype = prototype

    def __call__(self, graph: Graph, seed: int) -> tuple[Agent, str]:
        agent = copied(self.prototype, graph)
        agent.start(graph, np.random.default_rng(seed))
        return agent, hears(type(agent))


def hears(kind: type[Agent]) -> str:
    """What an agent of that class is told: every visit, blocks of visits, or nothing."""
    if kind.observe is Agent.observe and kind.tell is Agent.tell:
        return "nothing"
    tells = kind.observe is Agent.observe or kind.next_leg is Agent.next_leg
    return "every visit" if tells else "blocks"

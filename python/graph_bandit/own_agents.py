"""Agents of your own, in the same studies as the built-in ones."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable
from itertools import chain
from typing import Any

import numpy as np

from ._core import Graph, Leg, Situation, Visit

__all__ = ["Agent"]


class Agent:
    """The base of an agent of your own.

    Write either **legs**: :meth:`next_leg` answers with a :class:`Leg`, or with a node for a single
    visit, and :meth:`observe` hears what visits paid; or **ask and tell**: :meth:`ask` answers with
    the next node (or a :class:`Leg`), and :meth:`tell` hears every single reward.

    An agent in a study is a prototype: every run gets a deep copy of its own, told of the graph and
    its random generator by :meth:`start`.

    >>> import graph_bandit as gb
    >>> class Greedy(gb.Agent):
    ...     def next_leg(self, now):
    ...         around = now.graph.neighborhood_numbers(now.at_number)
    ...         return now.graph.label(int(around[now.means[around].argmax()]))
    >>> study = gb.run(gb.World("line:5"), [Greedy(), "g-star"], steps=50, runs=2, progress=False)
    >>> study.agents
    ('Greedy', 'g-star')
    """

    #: What it is called in tables and figures (default: the class's name; of several such agents in
    #: a study, with the attributes in which they differ).
    name: str = "Agent"

    graph: Graph
    rng: np.random.Generator

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def start(self, graph: Graph, rng: np.random.Generator) -> None:
        """A run begins on ``graph``; what is random in the agent is to be drawn from ``rng``."""
        self.graph = graph
        self.rng = rng

    def next_leg(self, now: Situation) -> Leg | Hashable:
        """Where to go, decided leg by leg; ``now`` has the place and every reward so far."""
        return self.ask()

    def observe(self, visit: Visit) -> None:
        """Hears what some visits to one node paid, those that cover the graph included."""
        self.tell(visit.node, visit.sample.sum)

    def ask(self) -> Leg | Hashable:
        """Where to go, decided visit by visit.

        After the graph has been covered, the walker is put back at its start without a tell; with
        ``back="walk"`` it walks there, and every step is told.
        """
        raise NotImplementedError(
            f"{type(self).__name__} decides nothing yet; write next_leg(self, now) or ask(self)"
        )

    def tell(self, node: Hashable, reward: float) -> None:
        """Hears what one visit paid."""


def copied(agent: Agent, graph: Graph) -> Agent:
    """A deep copy whose labels are the graph's own: they are told apart by who they are."""
    labels = graph.labels or []
    try:
        return copy.deepcopy(agent, {id(label): label for label in labels})
    except TypeError as error:
        error.add_note(f"every run works on a copy of {agent.name}; make in start() what has none")
        raise


def parameters(agent: Agent) -> dict[str, Any]:
    """What an agent of your own was made with: its public attributes."""
    told = ("name", "graph", "rng")
    return {k: v for k, v in vars(agent).items() if not k.startswith("_") and k not in told}


def label_apart(agents: Iterable[Agent]) -> None:
    """Labels agents of one name by the parameters in which they differ.

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
    """Makes an agent for every run from a prototype; what the compiled part asks."""

    def __init__(self, prototype: Agent) -> None:
        self.prototype = prototype

    def __call__(self, graph: Graph, seed: int) -> tuple[Agent, str]:
        agent = copied(self.prototype, graph)
        agent.start(graph, np.random.default_rng(seed))
        return agent, hears(type(agent))


def hears(kind: type[Agent]) -> str:
    """What an agent of that class wants to hear: a tell is about one visit, a leg's may be many."""
    if kind.observe is Agent.observe and kind.tell is Agent.tell:
        return "nothing"
    tells = kind.observe is Agent.observe or kind.next_leg is Agent.next_leg
    return "every visit" if tells else "blocks"

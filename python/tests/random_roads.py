"""Random graphs with roads: strongly connected, some of them with times of zero."""

from __future__ import annotations

import networkx as nx
import numpy as np


def some_roads(rng: np.random.Generator, nodes: int) -> nx.DiGraph:
    """A round way through all nodes and more roads at random; attribute ``tau``."""
    order = rng.permutation(nodes)
    ends = list(zip(order, np.roll(order, -1), strict=True))
    ends += [tuple(rng.integers(nodes, size=2)) for _ in range(rng.integers(0, 3 * nodes))]
    made = nx.DiGraph()
    made.add_nodes_from(range(nodes))
    for a, b in ends:
        if a != b:
            made.add_edge(
                int(a), int(b), tau=float(rng.choice([0.0, rng.random(), 5 * rng.random()]))
            )
    return made

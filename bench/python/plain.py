"""G-UCB as one would write it down with numpy and networkx: the yardstick of speed.py.

One reward at a time, all bounds computed for every leg, networkx's Dijkstra for the path.
"""

from __future__ import annotations

import networkx as nx
import numpy as np


def g_ucb(graph: nx.Graph, means: np.ndarray, steps: int, rng: np.random.Generator) -> float:
    """Expected regret of ``steps`` steps after a cover walk, noise uniform within 0.5."""
    nodes = list(graph)
    number = {node: i for i, node in enumerate(nodes)}
    count = np.zeros(len(nodes))
    total = np.zeros(len(nodes))
    best = means.max()

    def visit(node: object) -> float:
        i = number[node]
        count[i] += 1
        total[i] += means[i] + rng.uniform(-0.5, 0.5)
        return best - means[i]

    at = nodes[0]
    visit(at)
    for target in nodes:
        if count[number[target]] == 0:
            for node in nx.shortest_path(graph, at, target)[1:]:
                visit(node)
            at = target
    at = nodes[0]
    regret, t = 0.0, 0
    while t < steps:
        bound = total / count + np.sqrt(2 * np.log(count.sum()) / count)
        target = nodes[int(bound.argmax())]
        highest = bound.max()
        cost = dict(zip(nodes, highest - bound, strict=True))
        path = nx.dijkstra_path(graph, at, target, lambda _u, v, _d, cost=cost: cost[v])
        for node in path[1:]:
            if t < steps:
                regret += visit(node)
                t += 1
        at = target
        for _ in range(int(count[number[target]])):
            if t < steps:
                regret += visit(target)
                t += 1
    return regret

"""The first minute with the Python package, annotated: compare agents, then ask one."""

import networkx as nx
import numpy as np
import numpy.typing as npt

import graph_bandit as gb

graph: nx.Graph = nx.grid_2d_graph(10, 10)
world = gb.World(graph, means=gb.uniform_means(0.5, 9.5), noise=gb.uniform_noise(0.5))
results: gb.RunResults = gb.run(
    world, ["g-ucb", "g-star", gb.GUcb(bonus=0.5)], steps=5_000, runs=20, seed=7
)
final: npt.NDArray[np.float64] = results.regret[:, :, -1].mean(axis=1)
for name, regret in zip(results.agents, final, strict=True):
    print(f"{name:16} {regret:10,.0f}")


class Explorer(gb.Agent):
    """To the least visited neighbour: an agent of one's own."""

    def next_leg(self, now: gb.Situation) -> gb.Leg:
        around = now.graph.neighborhood_numbers(now.at_number)
        node = int(around[now.counts[around].argmin()])
        return gb.Leg([now.graph.label(node)]) if node != now.at_number else gb.Leg(stay=1)


print(gb.run(world, [Explorer(), "g-star"], steps=1_000, runs=5, seed=7))

agent: gb.Session = gb.agent(graph, "g-star", start=(0, 0), noise_scale=0.5, seed=1)
for _ in range(500):
    leg: gb.Leg = agent.ask()
    agent.tell(leg.node, reward=0.7)
agent.save("session.json")
print(gb.load("session.json"))

"""A world that any agent can be played against, wherever it lives."""

import numpy as np


def pay(node, visit):
    """A pure function, with bits down to the last."""
    return float(np.sin(hash(node) % 1009 + 0.37 * visit) + 2)


def play(agent, visits):
    """Plays a world against an agent, wherever it lives: by legs, by parts of them, by visits."""
    walk, legs = [], []
    while len(walk) < visits:
        leg = agent.ask()
        legs.append((leg.path, leg.stay, leg.node, leg.phase, leg.visits))
        nodes = [*leg.path, *[leg.path[-1] if leg.path else leg.node] * min(leg.stay, 5)]
        rewards = [pay(node, len(walk) + k) for k, node in enumerate(nodes)]
        match len(legs) % 3:
            case 0:
                agent.tell(leg, rewards)
            case 1:
                rewards = rewards[:1]
                agent.tell(leg.node, rewards[0])
            case _:
                rewards = rewards[:2]
                agent.tell_leg(np.array(rewards))
        walk += nodes[: len(rewards)]
    return walk, legs

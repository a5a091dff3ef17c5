"""Makes the environments known to Gymnasium, if it is there.

Gymnasium 1.0 and later do not load plugins: an environment is known once its package is imported,
or if its name says which package to import (``graph_bandit:graph_bandit/GraphBandit-v0``).
"""

from __future__ import annotations

#: What the environment is called in Gymnasium.
ENV_ID = "graph_bandit/GraphBandit-v0"


def register() -> None:
    """Enters the environments into Gymnasium's registry; does nothing without Gymnasium."""
    try:
        import gymnasium
    except ImportError:
        return
    if ENV_ID in gymnasium.registry:
        return
    gymnasium.register(
        ENV_ID,
        entry_point="graph_bandit.gym:GraphBanditEnv",
        vector_entry_point="graph_bandit.gym_vector:GraphBanditVectorEnv",
    )

"""Gymnasium, or a remedy if it is missing."""

from __future__ import annotations

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space, iterate
except ImportError as error:
    raise ImportError(
        "this needs gymnasium: pip install gymnasium, or graph-bandit[gym]"
    ) from error

__all__ = ["AutoresetMode", "VectorEnv", "batch_space", "gymnasium", "iterate", "spaces"]

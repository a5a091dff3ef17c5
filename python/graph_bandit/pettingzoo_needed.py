"""PettingZoo, or a remedy if it is missing."""

from __future__ import annotations

try:
    from gymnasium import spaces
    from pettingzoo import ParallelEnv
except ImportError as error:
    raise ImportError(
        "this needs pettingzoo: pip install pettingzoo, or graph-bandit[pettingzoo]"
    ) from error

__all__ = ["ParallelEnv", "spaces"]

"""Figures, drawn by matplotlib (``pip install graph-bandit[plot]``).

Every figure is data and a drawing of it: :func:`regret_data` gives the arrays that :func:`regret` draws.
Drawing functions take axes and give them back, so that figures can be combined and restyled.
"""

from .curves import (
    Curves,
    Differences,
    difference_data,
    differences,
    last_differences,
    regret,
    regret_data,
)

__all__ = [
    "Curves",
    "Differences",
    "difference_data",
    "differences",
    "last_differences",
    "regret",
    "regret_data",
]

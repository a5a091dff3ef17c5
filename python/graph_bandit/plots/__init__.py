"""Figures, drawn by matplotlib (``pip install graph-bandit[plot]``).

Every figure is data and a drawing of it: :func:`regret_data` returns the arrays that :func:`regret`
draws. Drawing functions take axes and return them, so you can combine and restyle figures.
"""

from .animation import Animation, Film, animate, film
from .beliefs import Beliefs, beliefs
from .curves import (
    Curves,
    Differences,
    difference_data,
    differences,
    last_differences,
    regret,
    regret_data,
)
from .layout import layout
from .network import bounds, estimates, visits

__all__ = [
    "Animation",
    "Beliefs",
    "Curves",
    "Differences",
    "Film",
    "animate",
    "beliefs",
    "bounds",
    "difference_data",
    "differences",
    "estimates",
    "film",
    "last_differences",
    "layout",
    "regret",
    "regret_data",
    "visits",
]

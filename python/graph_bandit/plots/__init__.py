"""Figures, drawn by matplotlib (``pip install graph-bandit[plot]``).

Every figure is data and a drawing of it: :func:`regret_data` returns the arrays that :func:`regret`
draws. Drawing functions take axes and return them, so you can combine and restyle figures.
"""

from .animation import Animation, Film, TeamFilm, animate, film
from .beliefs import Beliefs, Standing, beliefs
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
from .paths import Paths, path_data, paths

__all__ = [
    "Animation",
    "Beliefs",
    "Curves",
    "Differences",
    "Film",
    "Paths",
    "Standing",
    "TeamFilm",
    "animate",
    "beliefs",
    "bounds",
    "difference_data",
    "differences",
    "estimates",
    "film",
    "last_differences",
    "layout",
    "path_data",
    "paths",
    "regret",
    "regret_data",
    "visits",
]

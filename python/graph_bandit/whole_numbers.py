"""Checks whole numbers before they are passed to Rust."""

from __future__ import annotations

import numpy as np

#: The largest number that Rust takes.
LARGEST = 2**64 - 1
#: The most steps: counts stay exact up to there. Rust checks it, too.
MOST_STEPS = 2**53
#: The most walkers of a team. Rust checks it, too.
MOST_WALKERS = 100_000


def whole_number(setting: str, value: int | np.integer, least: int = 1, most: int = LARGEST) -> int:
    """The number as an ``int``; an error names the setting if it is not at least ``least``.

    If it is too large for Rust, the error names ``most``. Rust itself checks all other numbers
    against ``most``.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{setting} is {value!r}; give a whole number")
    if value < least:
        raise ValueError(f"{setting} is {value}; give a whole number of at least {least}")
    if value > LARGEST:
        raise ValueError(f"{setting} is {value}; give a whole number from {least} to {most}")
    return int(value)

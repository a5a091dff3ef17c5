"""Checks whole numbers before they are passed to Rust."""

from __future__ import annotations

import numpy as np


def whole_number(setting: str, value: int | np.integer, least: int = 1) -> int:
    """The number as an ``int``; an error names the setting if it is not at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{setting} is {value!r}; give a whole number")
    if not least <= value < 2**64:
        raise ValueError(f"{setting} is {value}; give a whole number of at least {least}")
    return int(value)

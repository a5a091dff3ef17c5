"""Whole numbers that people give, checked before they cross into Rust."""

from __future__ import annotations

import numpy as np


def whole_number(setting: str, value: int | np.integer, least: int = 1) -> int:
    """The number, if it is one of at least ``least``; else an error that names the setting."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{setting} is {value!r}; give a whole number")
    if not least <= value < 2**64:
        raise ValueError(f"{setting} is {value}; give a whole number of at least {least}")
    return int(value)

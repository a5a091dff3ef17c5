"""Rewards, durations and times as reports have them; refuses what is not a number."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from typing import Any


def moment(time: Any) -> dict[str, str]:
    """A moment in the format of RFC 3339.

    >>> from datetime import UTC
    >>> moment(datetime(2026, 11, 16, 8, 30, tzinfo=UTC))
    {'time': '2026-11-16T08:30:00+00:00'}
    """
    if time is None:
        return {}
    if not isinstance(time, datetime):
        raise TypeError(
            f"time is {time!r}; this report takes a datetime with a time zone: give one, or leave "
            "time out; only tell, tell_leg and tell_visits take numbers"
        )
    if time.utcoffset() is None:
        raise ValueError(
            f"time {time} has no time zone; write datetime.now(UTC), or time.astimezone()"
        )
    return {"time": time.isoformat()}


def remark(time: Any) -> datetime | None:
    """The moment that the history keeps; numbers are for the agent's clock."""
    return time if isinstance(time, datetime) else None


def stamps_told(time: Any) -> dict[str, Any]:
    """The time of one visit on the agent's clock, or of several.

    >>> stamps_told(None), stamps_told(2), stamps_told([1, 2.5])
    ({}, {'time': 2.0}, {'time': [1.0, 2.5]})
    """
    if time is None or isinstance(time, datetime):
        return {}
    if isinstance(time, Iterable) and not isinstance(time, str):
        return {"time": [_stamp(each) for each in time]}
    return {"time": _stamp(time)}


def _stamp(time: Any) -> float:
    try:
        number = math.nan if isinstance(time, str) else float(time)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(
            f"time is {time!r}; give a datetime with a time zone, or, if the agent's clock is "
            '"stamps", a finite number in units of one visit'
        )
    return number


def took_told(took: Any) -> dict[str, Any]:
    """How long one step took, or several.

    >>> took_told(None), took_told(2), took_told([1, None])
    ({}, {'took': 2.0}, {'took': [1.0, None]})
    """
    if took is None:
        return {}
    if isinstance(took, Iterable) and not isinstance(took, str):
        return {"took": [None if each is None else _time_of_step(each) for each in took]}
    return {"took": _time_of_step(took)}


def _time_of_step(took: Any) -> float:
    try:
        number = math.nan if isinstance(took, str) else float(took)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(
            f"took is {took!r}; give a number of at least 1: travel and visit together, in units"
        )
    return number


def reward_told(reward: object) -> float:
    """One reward, a finite number."""
    try:
        number = float(reward)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = None
    if number is None or isinstance(reward, str):
        raise TypeError(
            f"reward {reward!r} is not a number; tell several rewards together with their leg"
        )
    if not math.isfinite(number):
        raise ValueError(f"reward {number} is not finite; give a finite number")
    return number


def rewards_told(rewards: Any) -> list[float]:
    """One reward or several, as a list.

    >>> rewards_told(1), rewards_told([0.5, 2])
    ([1.0], [0.5, 2.0])
    """
    if isinstance(rewards, Iterable) and not isinstance(rewards, str):
        return [reward_told(reward) for reward in rewards]
    return [reward_told(rewards)]

"""Whether a command printed what its page shows."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

_TIME = re.compile(r"(?<![\w.,])[\d.,]+ (?:µs|ms|s)(?!\w)")


def _plain(line: str) -> str:
    """A line without what depends on the machine: measured times and the widths they give tables."""
    line = _TIME.sub("TIME", line)
    return re.sub(r"─+", "─", re.sub(r"\s+", " ", line)).strip()


def same_text(said: str, shown: str) -> bool:
    """Whether these are the lines shown; a line of three dots stands for any lines, three dots inside
    a line for anything there."""
    pattern = ""
    for line in map(_plain, shown.strip("\n").split("\n")):
        if line == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += r"[^\n]*?".join(re.escape(part) for part in line.split("...")) + "\n"
    lines = "".join(_plain(line) + "\n" for line in said.strip("\n").split("\n"))
    return re.fullmatch(pattern, lines) is not None


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, whose names must differ: the last of two would hide the first."""
    names = [name for name, _ in members]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the JSON has {name!r} twice in one object")
    return dict(members)


def _not_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _value(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_object, parse_constant=_not_json)


def _equal(said: Any, shown: Any) -> bool:
    """Whether two values are written alike: `true` is not 1, and 1 is not 1.0."""
    if type(said) is not type(shown):
        return False
    if isinstance(said, dict):
        return said.keys() == shown.keys() and all(_equal(said[key], shown[key]) for key in said)
    if isinstance(said, list):
        return len(said) == len(shown) and all(map(_equal, said, shown))
    return bool(said == shown)


def same_json(said: str, shown: str) -> bool:
    """Whether this is the JSON shown, which the page may break before any space.

    Seals, too: they depend on the reports of the page and on nothing else.
    """
    return _equal(_value(said), _value(shown.replace("\n", "")))

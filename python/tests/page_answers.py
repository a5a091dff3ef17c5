"""Whether a command printed what its page shows."""

from __future__ import annotations

import json
import re
from typing import Any

_TIME = re.compile(r"(?<![\w.,])[\d.,]+ (?:µs|ms|s)(?!\w)")
_SEAL = re.compile(r"[0-9a-f]{16}")


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


def _unsealed(value: Any) -> Any:
    """A seal stands for every byte of a log; a page shows what one looks like."""
    if isinstance(value, list):
        return [_unsealed(entry) for entry in value]
    if isinstance(value, dict):
        return {
            key: "a seal" if key == "seal" and _SEAL.fullmatch(entry) else _unsealed(entry)
            for key, entry in value.items()
        }
    return value


def same_json(said: str, shown: str) -> bool:
    """Whether this is the JSON shown, which the page may break before any space."""
    return bool(_unsealed(json.loads(said)) == _unsealed(json.loads(shown.replace("\n", ""))))

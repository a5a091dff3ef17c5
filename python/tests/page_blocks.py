"""What a page holds for the tests: blocks of code, and hidden notes about them.

CONTRIBUTING.md, "Write a page", has the convention.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

FILE_NAME = re.compile(r"# ([\w./-]+\.(toml|py))\s*$")


@dataclass(frozen=True)
class Note:
    """What a hidden line says about the block right below it."""

    kind: Literal["run by", "not tested", "not printed"]
    said: str


@dataclass(frozen=True)
class Block:
    """Text between two fences, text that is indented, or a hidden command that prepares a page."""

    line: int
    #: The word after the fence, or "indented", or "prepare".
    language: str
    text: str
    #: It shows what the block right above it prints.
    is_answer: bool = False
    #: Nothing that readers see stands between it and the block before it.
    is_next: bool = False
    note: Note | None = None

    @property
    def first_line(self) -> str:
        return self.text.partition("\n")[0]

    @property
    def reason_not_tested(self) -> str | None:
        return self.note.said if self.note and self.note.kind == "not tested" else None

    @property
    def file_name(self) -> str | None:
        """The file that the block is, where its first line says so."""
        named = FILE_NAME.match(self.first_line)
        return named[1] if named and self.language in ("python", "toml") else None


@dataclass(frozen=True)
class Fault:
    """Where a page leaves the convention, and what to write instead."""

    line: int
    said: str

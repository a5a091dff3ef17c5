"""Finds the blocks of a page. A parser of Markdown reads it, so that no way to write a fence hides a block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from page_blocks import Block, Fault, Note

_NOTE = re.compile(r"<!-- (?:(prepare|not tested|not printed): |(run by) )(\S.*) -->")
# Directives that hold no blocks of their own, and the lines that they may have.
_DIRECTIVES = {
    "{toctree}": re.compile(r".*"),
    "{eval-rst}": re.compile(r"|\.\. auto[a-z]+:: .*|   :[\w-]+:.*"),
}
_COMMENTS = (
    "hidden lines are `<!-- prepare: COMMAND -->`, `<!-- run by FILE: CODE -->`, "
    "`<!-- not tested: REASON -->` and `<!-- not printed: WHAT -->`, each on a line of its own"
)


@dataclass
class _Reading:
    """A page, read up to some line."""

    lines: list[str]
    blocks: list[Block] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    #: The line after the last block.
    end: int = -1
    #: Lines of comments: readers do not see them.
    hidden: set[int] = field(default_factory=set)
    #: The last note, and the line after it.
    note: tuple[Note, int] | None = None

    def fault(self, at: int, said: str) -> None:
        self.faults.append(Fault(at + 1, said))

    def html(self, token: Token, at: int, end: int) -> None:
        text = token.content.strip()
        found = _NOTE.fullmatch(text)
        if found is None:
            self.fault(at, f"this HTML is not read; {_COMMENTS}, and all else is Markdown")
            return
        self.hidden.update(range(at, end))
        if found[1] == "prepare":
            self.blocks.append(Block(at + 1, "prepare", found[3]))
            return
        self.drop_note()
        # A blank line may end the token.
        self.note = Note(found[1] or found[2], found[3]), at + 1  # type: ignore[arg-type]

    def drop_note(self) -> None:
        """Complains about a note that was not used."""
        if self.note is not None:
            said = "this note is about no block: put it on the line right above the fence"
            self.fault(self.note[1] - 1, said)
            self.note = None

    def code(self, token: Token, at: int, end: int) -> None:
        language = token.info.strip() if token.type == "fence" else "indented"
        if token.type == "fence":
            last = self.lines[end - 1].strip(" \t>") if end - 1 > at else ""
            if not last or last.strip(token.markup[0]) or len(last) < len(token.markup):
                self.fault(at, f"the fence is not closed: write {token.markup} below the block")
        if language.startswith("{"):
            self.directive(token, language, at)
            return
        note = None
        if self.note is not None and self.note[1] == at:
            note, self.note = self.note[0], None
        between = set(range(self.end, at)) - self.hidden
        self.blocks.append(
            Block(
                at + 1,
                language,
                token.content.removesuffix("\n"),
                is_answer=at == self.end and note is None and language in ("text", "json"),
                is_next=self.end >= 0 and all(not self.lines[line].strip(" >") for line in between),
                note=note,
            )
        )
        self.end = end

    def directive(self, token: Token, language: str, at: int) -> None:
        allowed = _DIRECTIVES.get(language)
        if allowed is None:
            self.fault(
                at,
                f"blocks inside {language} are not run: use one of {sorted(_DIRECTIVES)}, or none",
            )
            return
        for number, line in enumerate(token.content.rstrip("\n").split("\n")):
            if not allowed.fullmatch(line):
                self.fault(
                    at + 1 + number,
                    f"{language} may only name what to document: write {line!r} in Markdown",
                )


def _tokens(text: str) -> Iterator[tuple[Token, int, int]]:
    for token in MarkdownIt("commonmark").parse(text):
        if token.map is not None:
            yield token, token.map[0], token.map[1]


def read_page(page: Path) -> tuple[list[Block], list[Fault]]:
    """All blocks of a page, in order, and what keeps blocks from being found."""
    text = page.read_text()
    reading = _Reading(text.split("\n"))
    for token, at, end in _tokens(text):
        if token.type == "html_block":
            reading.html(token, at, end)
        elif token.type in ("fence", "code_block"):
            reading.code(token, at, end)
        elif token.type == "inline":
            for child in token.children or []:
                if child.type == "html_inline" and child.content.startswith("<!--"):
                    reading.fault(at, f"this comment is not read; {_COMMENTS}")
    reading.drop_note()
    return reading.blocks, reading.faults

"""The fenced blocks of a page. CONTRIBUTING.md, "Write a page", has the convention."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = {"sh", "text", "json", "python", "toml", "rust"}
COMMANDS = re.compile(
    r"(\$ |>>> |(gbandit|cargo|pip|curl|python3?|podman|docker|sbatch|git|sudo) )"
)
FILE_NAME = re.compile(r"# ([\w./-]+\.(toml|py))$")
NOT_TESTED = "# Not tested: "
_FENCE = re.compile(r"( *)```(.*)$")
_PREPARE = re.compile(r"<!-- prepare: (.*) -->$")
_RUN_BY = re.compile(r"<!-- run by (\S+) -->$")


@dataclass(frozen=True)
class Block:
    """Text between two fences, or a hidden command that prepares a page."""

    line: int
    language: str
    text: str
    #: It stands right below the block before it, so it shows what that one prints.
    is_answer: bool = False
    #: The file of another test that reads this block from the page and runs it.
    run_by: str | None = None

    @property
    def first_line(self) -> str:
        return self.text.partition("\n")[0]

    @property
    def reason_not_tested(self) -> str | None:
        if not self.first_line.startswith(NOT_TESTED):
            return None
        return self.first_line.removeprefix(NOT_TESTED)

    @property
    def file_name(self) -> str | None:
        """The file that the block is, where its first line says so."""
        named = FILE_NAME.match(self.first_line)
        return named[1] if named else None


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page, in order; directives of Sphinx are left out."""
    lines = page.read_text().split("\n")
    blocks: list[Block] = []
    at, last_end = 0, -1
    while at < len(lines):
        if prepare := _PREPARE.match(lines[at]):
            blocks.append(Block(at + 1, "prepare", prepare[1]))
        elif fence := _FENCE.match(lines[at]):
            end = lines.index(fence[1] + "```", at + 1)
            text = "\n".join(line.removeprefix(fence[1]) for line in lines[at + 1 : end])
            if not fence[2].startswith("{"):
                run_by = _RUN_BY.match(lines[at - 1].strip())
                blocks.append(
                    Block(at + 1, fence[2], text, at == last_end + 1, run_by[1] if run_by else None)
                )
            at = last_end = end
        at += 1
    return blocks


def faults(blocks: list[Block]) -> list[str]:
    """Where blocks do not follow the convention."""
    found = []
    before = None
    for block in blocks:
        say = f"line {block.line}: "
        if block.language != "prepare" and block.language not in LANGUAGES:
            found.append(f"{say}the language {block.language!r} is not one of {sorted(LANGUAGES)}")
        is_answer = block.is_answer and block.language in ("text", "json")
        if is_answer and (before is None or before.language not in ("sh", "python")):
            found.append(f"{say}an answer must follow a block of sh or python")
        if is_answer and before is not None and before.reason_not_tested:
            found.append(f"{say}shows what an untested block prints; leave a line between them")
        if block.language == "json" and not is_answer:
            found.append(f"{say}JSON must be the answer of the block right above it")
        if block.language == "text" and not is_answer and COMMANDS.match(block.text):
            found.append(f"{say}commands belong in a block of sh")
        before = block
    return found

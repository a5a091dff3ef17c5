"""Where the blocks of a page leave the convention. What breaks a rule would not be tested."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from page_blocks import FILE_NAME, Block, Fault
from page_markdown import read_page
from page_service import service_in
from page_sources import fault_of_named_test

LANGUAGES = {"sh", "text", "json", "python", "toml", "rust"}
COMMANDS = re.compile(
    r"^[ >]*(\$ |>>> |(\w+=\S* +)*(gbandit|cargo|pip|curl|python3?|podman|docker|sbatch|git|sudo) )",
    re.M,
)
# A page may name these, as if it were read in a clone of the repository.
FOLDERS = ("crates", "deploy", "examples", "scripts")
# Help texts of the program, which makes this page.
HELP = "docs/reference/command-line.md"


def page_and_faults(page: Path, name: str) -> tuple[list[Block], list[str]]:
    """The blocks of a page, and what is wrong with it: page, line, and what to write."""
    blocks, faults = read_page(page)
    before = None
    for block in blocks:
        faults.extend(Fault(block.line, said) for said in _of_block(block, before, name))
        before = block
    faults.extend(_of_whole_page(blocks))
    return blocks, [f"{name}:{fault.line}: {fault.said}" for fault in faults]


def _of_block(block: Block, before: Block | None, page: str) -> list[str]:
    found = []
    if block.language not in {*LANGUAGES, "prepare", "indented"}:
        found.append(f"the language {block.language!r} is not one of {sorted(LANGUAGES)}")
    if not block.text.strip():
        found.append("the block is empty: remove it")
    if block.first_line.lower().startswith("# not tested"):
        found.append(
            "readers need not see this: write `<!-- not tested: REASON -->` above the fence"
        )
    if block.note and block.note.kind == "run by":
        if block.language != "sh":
            found.append("only a block of sh can be run by another test")
        elif said := fault_of_named_test(block.note.said, page):
            found.append(said)
    if block.language in ("text", "json"):
        found.extend(_of_shown_text(block, before, page))
    elif block.note and block.note.kind == "not printed":
        found.append("only a block of text can be not printed")
    if block.language == "indented":
        found.extend(_of_indented(block, before))
    if block.language in ("sh", "prepare") and block.note is None:
        try:
            service_in(block.text)
        except ValueError as error:
            found.append(str(error))
    return found + _of_file(block)


def _of_shown_text(block: Block, before: Block | None, page: str) -> list[str]:
    if block.is_answer:
        if before is None or before.language not in ("sh", "python"):
            return ["an answer must follow a block of sh or python"]
        if before.file_name:
            return [
                f"{before.file_name} is only saved; show what it prints below the block that runs it"
            ]
        if before.note:
            return [
                "the block above is not run here: write `<!-- not tested: REASON -->` above this one, too"
            ]
        if not block.text.replace("...", "").strip():
            return ["three dots alone stand for any answer: show a line of it"]
        return []
    if block.note is None and page != HELP:
        return [
            f"{block.language} is compared only right below the block that prints it: remove what stands "
            "between them, or write `<!-- not printed: WHAT -->` above a formula or a drawing"
        ]
    if block.note and block.note.kind == "not printed" and block.language == "json":
        return ["JSON must be the answer of the block right above it"]
    if block.note and block.note.kind == "not printed" and COMMANDS.search(block.text):
        return ["commands belong in a block of sh"]
    return []


def _of_indented(block: Block, before: Block | None) -> list[str]:
    if COMMANDS.search(block.text):
        return ["commands belong in a block of sh, between fences"]
    if block.is_next and before is not None and before.language in ("sh", "python"):
        return ["what a command prints belongs between fences: ```text right below the block"]
    return []


def _of_file(block: Block) -> list[str]:
    named = FILE_NAME.match(block.first_line)
    if named is None or block.language not in ("sh", "python", "toml"):
        return []
    if {"py": "python", "toml": "toml"}[named[2]] != block.language:
        return [
            f"a block of {block.language} cannot be {named[1]}: change its language, or its first line"
        ]
    parts = PurePosixPath(named[1]).parts
    if parts[0] in ("/", *FOLDERS) or ".." in parts:
        return [
            f"{named[1]} is not in the directory of the page, or is in the repository: rename it"
        ]
    return []


def _of_whole_page(blocks: list[Block]) -> list[Fault]:
    faults = []
    seen: set[str] = set()
    for block in blocks:
        for name in (
            block.file_name,
            block.note and block.note.kind == "run by" and block.note.said,
        ):
            if name and name in seen:
                faults.append(Fault(block.line, f"another block of the page is {name!r} already"))
            seen.add(name or "")
    return faults

"""What a page says about the sources of the repository: code that it quotes, tests that it names."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Literals come first, so that an address in a text does not begin a comment.
_LITERAL_OR_COMMENT = re.compile(
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])')|//[^\n]*|/\*.*?\*/""", re.S
)
_MODULE = re.compile(r"^use crate::(\w+)", re.M)
_RUN_BY = re.compile(r"(\S+\.rs): (\S.*)")


def is_rust_of_the_repository(text: str) -> bool:
    """Whether the lines stand, one right after the other, in a file that the tests compile."""
    shown = [line.strip() for line in text.strip("\n").split("\n")]
    for source in [*ROOT.glob("crates/*/examples/**/*.rs"), *ROOT.glob("crates/*/tests/**/*.rs")]:
        lines = [line.strip() for line in source.read_text().split("\n")]
        if any(lines[at : at + len(shown)] == shown for at in range(len(lines))):
            return True
    return False


def without_comments(rust: str) -> str:
    return _LITERAL_OR_COMMENT.sub(lambda found: found[1] or "", rust)


def fault_of_named_test(said: str, page: str) -> str | None:
    """Why a block of this page is not run by the test that its note names, if it is not.

    The note names a Rust file and the code in it that runs the block. The file, or a module that it
    uses, must include the page.
    """
    named = _RUN_BY.fullmatch(said)
    if named is None:
        return f"write `<!-- run by FILE.rs: CODE -->`, with the code that runs the block, not {said!r}"
    file = ROOT / named[1]
    if not file.is_file():
        return f"{named[1]} does not exist"
    code = without_comments(file.read_text())
    if named[2] not in code:
        return f"{named[1]} has no `{named[2]}`: name the code that runs the block"
    modules = [file.with_name(f"{module}.rs") for module in _MODULE.findall(code)]
    codes = [code, *(without_comments(module.read_text()) for module in modules if module.exists())]
    includes = re.compile(rf'include_str!\("[^"]*/{re.escape(page)}"\)')
    if not any(map(includes.search, codes)):
        return f'neither {named[1]} nor a module that it uses has include_str!("../{page}")'
    return None

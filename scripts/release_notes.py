"""Prints the part of CHANGELOG.md about one version, as the notes of its release on GitHub.

    python3 scripts/release_notes.py 0.1.0 https://github.com/OWNER/NAME/blob/v0.1.0

GitHub shows notes outside the repository, and keeps their line breaks. So links to files and to
headings get the address of the repository, and every paragraph becomes one line.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def part_of(version: str, changelog: str) -> str:
    """What the changelog says about a version, without its heading."""
    heading = rf"^## {re.escape(version)} \(([^\n]+)\)\n"
    found = re.search(heading + r"(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if found is None or not found[2].strip():
        raise SystemExit(f"CHANGELOG.md says nothing about version {version}; write what is new")
    if found[1] == "unreleased":
        raise SystemExit(f"CHANGELOG.md calls version {version} unreleased; give it a date")
    return found[2].strip()


def with_addresses(text: str, address: str) -> str:
    """The text, with links that work outside the repository."""
    text = re.sub(r"\]\(#", f"]({address}/CHANGELOG.md#", text)
    return re.sub(r"\]\((?!\w+:)", f"]({address}/", text)


def without_breaks(text: str) -> str:
    """The text, with every paragraph and every item on one line."""
    return re.sub(r"(?<=[^\n|])\n[ \t]*(?=\S)(?![#|>]|[-*] |\d+\. )", " ", text)


def main() -> None:
    """Prints the notes."""
    version, address = sys.argv[1:]
    print(without_breaks(with_addresses(part_of(version, CHANGELOG.read_text()), address)))


if __name__ == "__main__":
    main()

"""Links between files of the repository lead somewhere.

The build of the site checks links from one page of docs/ to another.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from page_links import fault_of_link, links
from page_sources import ROOT

SITE = ROOT / "docs"
# These pages are made with the site, and the pieces stand on them.
MADE = SITE / "reference"
PIECES = ROOT / "scripts" / "reference" / "openings"


def markdown_files() -> list[Path]:
    """The Markdown of the repository, without what builds and runs leave there."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            name
            for name in folders
            if name not in ("target", "node_modules")
            and (name == ".github" or not name.startswith((".", "report")))
            and Path(folder, name) not in (MADE, PIECES)
        ]
        found += [Path(folder, file) for file in files if file.endswith(".md")]
    return sorted(found)


PAGES = markdown_files()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_links_to_what_exists(page):
    faults = []
    for line, link in links(page):
        if (page.parent / link).resolve().is_relative_to(MADE):
            faults.append(f"{link} is in no repository: name the command that prints the same")
        inside = page.is_relative_to(SITE) and (page.parent / link).resolve().is_relative_to(SITE)
        if not inside and (fault := fault_of_link(link, page, ROOT)):
            faults.append(f"{page.relative_to(ROOT)}:{line}: {fault}")
    assert faults == []


def test_the_pages_that_readers_start_from_are_among_them():
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert {"README.md", "ARCHITECTURE.md", "crates/gbandit/README.md", "docs/index.md"} <= names
    assert {
        ".github/pull_request_template.md",
        "bench/README.md",
        "examples/ros2/README.md",
    } <= names
    assert len(list(links(ROOT / "README.md"))) > 20


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("other.md", None),
        ("other.md#two-words", None),
        ("other.md#two-words-1", None),
        ("other.md#code-x_y-and-more", None),
        ("#here", None),
        ("folder", None),
        ("https://example.org/other", None),
        ("never.md", "does not exist"),
        ("other.md#two_words", "no such heading"),
        ("other.md#a-comment", "no such heading"),
        ("#two-words", "no such heading"),
        ("folder#x", "only headings"),
        ("/other.md", "leaves the repository"),
        ("../../other.md", "leaves the repository"),
    ],
)
def test_a_link_that_leads_nowhere_is_noticed(link, said, tmp_path):
    (tmp_path / "folder").mkdir()
    other = "# Two words\n\n## Two words\n\n### Code `x_y`, and more\n\n```sh\n# A comment\n```\n"
    (tmp_path / "other.md").write_text(other)
    page = tmp_path / "page.md"
    page.write_text(f"# Here\n\nWords and\na [link]({link}).\n")
    ((line, found),) = links(page)
    assert (line, found) == (3, link)
    fault = fault_of_link(found, page, tmp_path)
    assert fault is None if said is None else said in (fault or "")


def test_links_are_found_in_tables_pictures_references_and_html(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "| a |\n|---|\n| [x](1.md) |\n\n![y](2.png) [z][r]\n\n[r]: 3.md\n\n<img src='4.png'> `[n](5.md)`\n"
    )
    assert [link for _, link in links(page)] == ["1.md", "2.png", "3.md", "4.png"]

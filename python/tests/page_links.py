"""Links of a Markdown file to files of the repository, and to headings in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_IN_HTML = re.compile(r"""\b(?:href|src)\s*=\s*["']([^"']*)["']""")


def links(page: Path) -> Iterator[tuple[int, str]]:
    """The links and pictures of a page, each with the line on which its paragraph begins."""
    for token in _MARKDOWN.parse(page.read_text()):
        line = token.map[0] + 1 if token.map else 0
        for piece in [token, *(token.children or [])]:
            for name in ("href", "src"):
                if name in piece.attrs:
                    yield line, str(piece.attrs[name])
            if piece.type in ("html_block", "html_inline"):
                yield from ((line, link) for link in _IN_HTML.findall(piece.content))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors that code hosts give to the headings of a page."""
    found: dict[str, int] = {}
    tokens = _MARKDOWN.parse(page.read_text())
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        title = "".join(
            piece.content
            for piece in inline.children or []
            if piece.type in ("text", "code_inline")
        )
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
        if found[name]:
            found[f"{name}-{found[name]}"] = 0
    return frozenset(found)


def fault_of_link(link: str, page: Path, root: Path) -> str | None:
    """Why a link from this page leads nowhere in the repository, if it does."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if parts.path.startswith("/") or not target.is_relative_to(root):
        return f"{link} leaves the repository: write it relative to the page"
    if not target.exists():
        return f"{link} does not exist"
    if parts.fragment:
        if target.suffix != ".md":
            return f"{link}: only headings of Markdown files have anchors that stay"
        if unquote(parts.fragment) not in anchors(target):
            return f"{link}: {target.relative_to(root)} has no such heading"
    return None

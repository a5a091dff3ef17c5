"""Texts of the program as Markdown."""

import re
from pathlib import Path


def opening(page):
    """What a page says before what follows from the program."""
    return (Path(__file__).parent / "openings" / f"{page}.md").read_text()


def prose(text):
    """A text in which nothing but `code` is markup."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        part if part.startswith("`") else re.sub(r"([<*_\[\]])", r"\\\1", part) for part in parts
    )


def sentence(text):
    """The same, with the full stop that help texts leave out."""
    return prose(text) + ("" if text.rstrip().endswith((".", "?")) else ".")


def cell(text):
    """A text that can stand in a table."""
    return text.replace("|", "\\|")


def table(heads, rows):
    """A table; columns in which nothing stands are left out."""
    kept = [column for column in range(len(heads)) if any(row[column] for row in rows)]
    lines = [[heads[column] for column in kept], ["---"] * len(kept)]
    lines += [[cell(row[column]) for column in kept] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def anchor(heading):
    """The anchor that code hosts and the site give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")

"""A page of the reference, cut into the parts below its headings."""

import re
from collections import defaultdict

from page_runner import ROOT

REFERENCE = ROOT / "docs" / "reference"
_CODE = re.compile(r"^```.*?^```", re.M | re.S)
_HEADING = re.compile(r"^#{1,6} (.+)$", re.M)


def parts(name):
    """The text below each heading of a page, by heading; that of equal headings together."""
    # A comment in code is not a heading.
    text = _CODE.sub(lambda code: code[0].replace("\n#", "\n "), text_of(name))
    found = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in found[1:]), len(text)]
    texts = defaultdict(str)
    for heading, end in zip(found, ends, strict=True):
        texts[heading[1]] += text[heading.end() : end]
    return dict(texts)


def text_of(name):
    """The whole text of a page."""
    return (REFERENCE / name).read_text()


def rows_of(part, name):
    """The rows of tables that are about a name; a cell's ``|`` is not the end of it."""
    lines = part.split("\n")
    return [line.replace("\\|", "|") for line in lines if line.startswith(f"| `{name}` |")]

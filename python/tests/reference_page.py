"""The reference, as it is made now, and its pages cut into the parts below their headings."""

import importlib
import re
import sys
from collections import defaultdict
from functools import cache

from page_sources import ROOT

_WRITER = ROOT / "scripts" / "reference"
_CODE = re.compile(r"^```.*?^```", re.M | re.S)
_HEADING = re.compile(r"^#{1,6} (.+)$", re.M)


def writer(module):
    """A module of the writer of the reference."""
    if str(_WRITER) not in sys.path:
        sys.path.append(str(_WRITER))
    return importlib.import_module(module)


@cache
def _facts(gbandit):
    return writer("pages").facts(gbandit)


@cache
def pages(gbandit):
    """The text of every page, by name."""
    return writer("pages").pages(gbandit, _facts(gbandit))


@cache
def surface(gbandit):
    """The list of public names."""
    return writer("surface").surface(gbandit, _facts(gbandit))


def parts(text):
    """The text below each heading of a page, by heading; that of equal headings together."""
    # A comment in code is not a heading.
    text = _CODE.sub(lambda code: code[0].replace("\n#", "\n "), text)
    found = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in found[1:]), len(text)]
    texts = defaultdict(str)
    for heading, end in zip(found, ends, strict=True):
        texts[heading[1]] += text[heading.end() : end]
    return dict(texts)


def rows_of(part, name):
    """The rows of tables that are about a name; a cell's ``|`` is not the end of it."""
    lines = part.split("\n")
    return [line.replace("\\|", "|") for line in lines if line.startswith(f"| `{name}` |")]

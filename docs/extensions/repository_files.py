"""Links from pages to files of the repository that are not pages.

On a code host such a link leads to the file. In the site it leads to the repository, where its
address is known (the environment variable SITE_REPOSITORY), and to a copy of the file otherwise;
folders are then only named. A link to a file that does not exist is a warning, so it fails the
build.
"""

import os
import re
from pathlib import Path

from sphinx.util import logging

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\.?/[^)#\s]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^ *```.*?^ *```", re.M | re.S)
_logger = logging.getLogger(__name__)


def rewritten_outside_code(text, pattern, rewrite):
    """A text in which what matches a pattern is rewritten, except between fences."""
    codes = _FENCE.findall(text)
    parts = [pattern.sub(rewrite, part) for part in _FENCE.split(text)]
    return "".join(part + code for part, code in zip(parts, [*codes, ""], strict=True))


def _rewritten(text, page, app):
    """The text of a page with its links to files of the repository rewritten."""
    site, root = Path(app.srcdir), Path(app.srcdir).parent
    address = app.config.site_repository

    def link(found):
        title, path, place = found[1], found[2], found[3] or ""
        target = (page.parent / path).resolve()
        if target.is_relative_to(site):
            return found[0]
        if not target.exists():
            _logger.warning("%s is not in the repository", path, location=str(page))
            return title
        if address:
            return f"[{title}]({address}/{target.relative_to(root)}{place})"
        if target.is_dir():
            return f"{title} (`{target.relative_to(root)}`)"
        return f"{{download}}`{title.strip('`')} <{path}>`"

    return rewritten_outside_code(text, _LINK, link)


def _read(app, name, source):
    page = Path(app.env.doc2path(name))
    source[0] = _rewritten(source[0], page, app)


def setup(app):
    """Called by Sphinx."""
    app.add_config_value("site_repository", os.environ.get("SITE_REPOSITORY", ""), "env")
    app.connect("source-read", _read)
    return {"version": "1", "parallel_read_safe": True}

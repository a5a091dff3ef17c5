"""Links to docs.rs lead to the crates' own documentation where that is put beside the site.

`cargo doc` makes it, and whoever builds the site copies it to `rustdoc` there and sets the
environment variable SITE_RUSTDOC. Pages of this kind are one folder below the top.
"""

import os
import re

_LINK = re.compile(r"\[[^\]]+\]\(https://docs\.rs/([\w-]+)\)")


def _beside(found):
    name = found[1].replace("-", "_")
    return f'<a href="../rustdoc/{name}/index.html">{found[1]}</a>'


def _read(app, _name, source):
    if app.config.site_rustdoc:
        source[0] = _LINK.sub(_beside, source[0])


def setup(app):
    """Called by Sphinx."""
    app.add_config_value("site_rustdoc", bool(os.environ.get("SITE_RUSTDOC")), "env")
    app.connect("source-read", _read)
    return {"version": "1", "parallel_read_safe": True}

"""How the site is built: `sphinx-build -W -n --keep-going -b html docs target/site`.

Pages are plain Markdown, so that they read well on a code host, too. The built pages ask no other site
for anything.
"""

import os
from importlib.metadata import version as version_of

project = "graph-bandit"
author = "The graph-bandit developers"
copyright = author  # noqa: A001
version = release = version_of("graph-bandit")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["requirements.txt"]

# Anchors of headings are those that code hosts make, so that a link works in both places.
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"graph-bandit {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "monokai"

# Types come from the package and its stubs.
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
# What other packages define is named, not linked: their inventories would have to be fetched.
nitpick_ignore_regex = [("py:.*", r"(?!graph_bandit).*")]


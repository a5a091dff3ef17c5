"""How the site is built: `sphinx-build -W -n --keep-going -b html docs target/site`.

Pages are plain Markdown, so that they read well on a code host, too. The built pages load nothing
from other sites.
"""

import sys
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path

from sphinx.errors import ConfigError

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "graph-bandit"
author = "the authors of graph-bandit"
copyright = author
try:
    version = release = version_of("graph-bandit")
except PackageNotFoundError:
    remedy = "run `pip install '.[gym,pettingzoo]'` at the root of the repository"
    raise ConfigError(f"The reference is made from the installed package: {remedy}.") from None

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "repository_files",
    "program_reference",
    "rustdoc_links",
    "stub_types",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["requirements.txt"]

# Anchors of headings are those of code hosts, so that a link works in both places.
myst_heading_anchors = 4
# Two dashes are a flag here, not a dash.
smartquotes = False

html_theme = "furo"
html_title = f"graph-bandit {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False

# Types come from the package and its stubs.
add_module_names = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
# Types of other packages are named, not linked: their inventories would have to be fetched. So are
# types of ours that nobody makes.
nitpick_ignore_regex = [("py:.*", r"(?!graph_bandit).*"), ("py:.*", r"graph_bandit\.\w+\..*")]

"""Makes docs/reference from the installed program and package, so that it need not be in git.

Pages name the command that prints a part of the reference. In the site such a command leads to that
part; if there is none, the build fails.
"""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "scripts" / "reference"))

from pages import facts, installed_program, pages
from repository_files import rewritten_outside_code

_CODE = re.compile(r"(?<![\[`])`([^`\n]+)`(?![\]`])")
_PLACES = {
    r"gbandit --help": "command-line.md",
    r"gbandit ([a-z ]+) --help": r"command-line.md#gbandit-\1",
    r"gbandit list( --all| NAME)?": "registry.md",
    r"gbandit list ([a-z][\w-]*)": r"registry.md#\1",
    r"gbandit schema": "toml.md",
    r"/openapi\.json": "http.md",
    r"help\(gb[.\w]*\)": "python.md",
}


def _linked(code):
    for command, place in _PLACES.items():
        if found := re.fullmatch(command, code[1]):
            return f"[{code[0]}](/reference/{found.expand(place).replace(' ', '-')})"
    return code[0]


def _read(_app, name, source):
    if not name.startswith("reference/"):
        source[0] = rewritten_outside_code(source[0], _CODE, _linked)


def _make(app):
    program = installed_program()
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    for name, text in pages(program, facts(program)).items():
        (folder / name).write_text(text)


def setup(app):
    """Called by Sphinx."""
    app.connect("builder-inited", _make)
    app.connect("source-read", _read)
    return {"version": "1", "parallel_read_safe": True}

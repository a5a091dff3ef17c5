"""Writes the pages of docs/reference that follow from the program.

    python3 scripts/reference GBANDIT

GBANDIT is the program, such as target/release/gbandit; the Python package must be installed
with its extra `gym`. A test compares the pages with what this writes, so run it after a change of
help texts, study files, requests, the registry or the names of the package.
"""

import sys
from pathlib import Path

from pages import pages

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"

if len(sys.argv) != 2:
    sys.exit(__doc__)
for name, text in pages(sys.argv[1]).items():
    (FOLDER / name).write_text(text)

"""Writes docs/surface.txt: the public names of the program and of the Python package, one a line.

    python3 scripts/reference [GBANDIT]

GBANDIT is the program, such as target/release/gbandit; otherwise it is the one of the installed
package, which must have its extras `gym` and `pettingzoo`. A test compares the file with what this
writes. The pages of the reference are written when the site is built (docs/extensions).
"""

import sys
from pathlib import Path

from pages import facts, installed_program
from surface import surface

if len(sys.argv) > 2:
    sys.exit(__doc__)
program = sys.argv[1] if len(sys.argv) == 2 else installed_program()
file = Path(__file__).resolve().parents[2] / "docs" / "surface.txt"
file.write_text(surface(program, facts(program)))

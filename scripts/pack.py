"""Packs a built program for users who do not build it themselves.

    python3 scripts/pack.py target/release/gbandit x86_64-unknown-linux-gnu dist

Makes `dist/gbandit-VERSION-TARGET.tar.gz` (`.zip` for Windows), with licences, completions and
manual pages, which the program itself writes; and a SHA-256 file for `sha256sum --check`.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The names under which shells look for completions of `gbandit`.
COMPLETIONS = {
    "bash": "gbandit.bash",
    "zsh": "_gbandit",
    "fish": "gbandit.fish",
    "powershell": "_gbandit.ps1",
}


def asked(program, *arguments):
    """The program's output."""
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE).stdout


def fill(folder, program):
    """Fills a folder with the contents of the archive."""
    shutil.copy2(program, folder)
    for name in ["LICENSE-MIT", "LICENSE-APACHE"]:
        shutil.copy(ROOT / name, folder)
    shutil.copy(ROOT / "crates" / "gbandit" / "README.md", folder)
    shutil.copy(ROOT / "CHANGELOG.md", folder)
    (folder / "completions").mkdir()
    for shell, name in COMPLETIONS.items():
        (folder / "completions" / name).write_bytes(asked(program, "completions", shell))
    asked(program, "man", str(folder / "man" / "man1"))


def pack(program, target, out):
    """Makes the archive and its checksum; returns the archive."""
    version = asked(program, "--version").decode().split()[1]
    name = f"gbandit-{version}-{target}"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / name
        folder.mkdir()
        fill(folder, program)
        form = "zip" if "windows" in target else "gztar"
        made = Path(shutil.make_archive(str(out / name), form, scratch, name))
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    # Two spaces and a line feed on every system: `sha256sum --check` requires them.
    made.with_name(f"{made.name}.sha256").write_bytes(f"{digest}  {made.name}\n".encode())
    return made


def main():
    """Prints the archive's path."""
    if len(sys.argv) != 4:
        print("usage: python3 scripts/pack.py PROGRAM TARGET DIRECTORY", file=sys.stderr)
        return 2
    program, target, out = sys.argv[1:]
    print(pack(Path(program).resolve(), target, Path(out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

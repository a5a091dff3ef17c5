"""Makes the source distribution, checks its contents, and unpacks it outside the repository.

    python scripts/sdist.py DIRECTORY

Needs maturin. `pip wheel DIRECTORY` then builds the wheel as a user without the
repository and without Git would. Unchanged files from an earlier run stay untouched, so that
Cargo compiles only what changed. Nothing is compiled here.
"""

import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Needed to redistribute it, to describe it, and to build exactly what was tested.
ALWAYS = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "PKG-INFO", "Cargo.lock", "pyproject.toml"]
NEVER = re.compile(r"^python/tests/|^crates/[^/]+/tests/|(^|/)(target|__pycache__)/|\.so$")
MOST_BYTES = 5_000_000


def problems(names, size):
    """Files that a source distribution lacks, and files it should not have."""
    for name in ALWAYS:
        if name not in names:
            yield f"it does not hold {name}"
    if not any(name.startswith("python/graph_bandit/") for name in names):
        yield "it does not hold the Python package"
    for name in names:
        if NEVER.search(name):
            yield f"it holds {name}, which the build does not need"
    if size > MOST_BYTES:
        yield f"it has {size:,} bytes, more than {MOST_BYTES:,}"


def make(folder):
    """Makes the source distribution in a folder."""
    manifest = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["maturin"]
    command = [sys.executable, "-m", "maturin", "sdist", "--out", str(folder)]
    command += ["--manifest-path", str(ROOT / manifest["manifest-path"])]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (made,) = folder.glob("*.tar.gz")
    return made


def files_in(folder):
    """All files below a folder."""
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def update(made, away):
    """Makes one folder equal to the other; returns how many files changed."""
    away.mkdir(parents=True, exist_ok=True)
    gone = files_in(away) - files_in(made)
    for name in gone:
        (away / name).unlink()
    changed = len(gone)
    for name in files_in(made):
        bytes_now = (made / name).read_bytes()
        if (away / name).is_file() and (away / name).read_bytes() == bytes_now:
            continue
        (away / name).parent.mkdir(parents=True, exist_ok=True)
        # Written, not copied, to get the current time. Cargo treats older files as unchanged.
        (away / name).write_bytes(bytes_now)
        changed += 1
    return changed


def main():
    """Prints the problems; returns 1 if there are any."""
    if len(sys.argv) != 2:
        print("usage: python scripts/sdist.py DIRECTORY", file=sys.stderr)
        return 2
    away = Path(sys.argv[1]).resolve()
    if away.is_relative_to(ROOT):
        print(f"error: {away} is in the repository; name a directory outside", file=sys.stderr)
        return 2
    if away.exists() and any(away.iterdir()) and not (away / "PKG-INFO").is_file():
        print(f"error: {away} holds something else; name another directory", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        made = make(Path(scratch))
        with tarfile.open(made) as archive:
            top = made.name.removesuffix(".tar.gz")
            members = archive.getmembers()
            names = [member.name.removeprefix(f"{top}/") for member in members]
            found = list(problems(names, made.stat().st_size))
            for problem in found:
                print(f"error: {made.name}: {problem}", file=sys.stderr)
            if found:
                return 1
            unpacked = Path(scratch) / "unpacked"
            archive.extractall(unpacked, filter="data")
        changed = update(unpacked / top, away)
    print(f"{made.name} holds {len(names)} files; {changed} changed in {away}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

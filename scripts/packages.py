"""Checks whether every public crate can be published as it is.

    python3 scripts/packages.py

Asks Cargo for the contents of each package, and compiles nothing. `cargo publish --workspace
--dry-run`, which also builds every package from its contents, is a job of the workflow.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# crates.io accepts ten million bytes, compressed; ours have about a million uncompressed.
MOST_BYTES = 3_000_000
ALWAYS = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]
# Rules of crates.io that `cargo publish --dry-run` does not check.
KEYWORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,19}")
# A file that the compiler reads: `include_str!("..")`, `include_str!(concat!("../", $name))`.
READ = re.compile(r"include(?:_str|_bytes)?!\(\s*(concat!\(\s*)?\"([^\"]+)\"")


def cargo(*arguments):
    """The output of Cargo."""
    command = ["cargo", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def files_of(name):
    """The files of a package."""
    listing = ["package", "--package", name, "--list", "--allow-dirty", "--offline"]
    return cargo(*listing).splitlines()


def is_public(package):
    """Whether a package may be published: `publish = false` is an empty list of registries."""
    return package["publish"] is None


def version(text):
    """A version of Rust as numbers."""
    return tuple(int(part) for part in [*text.split("."), "0"][:3])


def wrong_metadata(package):
    """Metadata that crates.io, docs.rs or readers need and the package lacks."""
    for key in ["description", "license", "readme", "documentation", "rust_version"]:
        if not package[key]:
            yield f"has no `{key.replace('_', '-')}`"
    for key in ["keywords", "categories"]:
        if not 1 <= len(package[key]) <= 5:
            yield f"has {len(package[key])} {key}; crates.io takes one to five"
    for keyword in package["keywords"]:
        if not KEYWORD.fullmatch(keyword):
            yield f"has the keyword {keyword!r}; crates.io takes at most 20 of letters, digits, _+-"
    is_library = any("lib" in target["kind"] for target in package["targets"])
    shown = ((package["metadata"] or {}).get("docs") or {}).get("rs", {})
    if is_library and not shown.get("all-features"):
        yield "lacks `[package.metadata.docs.rs] all-features = true`"


def wrong_dependencies(package, members):
    """Dependencies in this repository that users of the package could not get."""
    for dependency in package["dependencies"]:
        name = dependency["name"]
        if name not in members or name == package["name"]:
            continue
        has_version = dependency["req"] != "*"
        if dependency["kind"] == "dev":
            if has_version and not is_public(members[name]):
                yield f"tests with {name}, which is not published; leave its version out"
        elif not is_public(members[name]):
            yield f"needs {name}, which is not published"
        elif dependency["req"] != f"^{members[name]['version']}":
            yield f"needs {name} {dependency['req']}, which is at {members[name]['version']}"


def wrong_files(package, files):
    """Files that a package lacks, and files that make it too large."""
    folder = Path(package["manifest_path"]).parent
    for name in ALWAYS:
        if name not in files:
            yield f"does not hold {name}"
    on_disk = [name for name in files if (folder / name).is_file()]
    size = sum((folder / name).stat().st_size for name in on_disk)
    if size > MOST_BYTES:
        yield f"has {size:,} bytes, more than {MOST_BYTES:,}; see its `include`"
    for name in on_disk:
        if not name.endswith(".rs"):
            continue
        for joined, literal in READ.findall((folder / name).read_text(encoding="utf-8")):
            read = Path(os.path.normpath(Path(name).parent / literal)).as_posix()
            # If a name is composed, its whole folder must be there.
            is_folder = joined and literal.endswith("/")
            if is_folder and (folder / read).is_dir() and not read.startswith(".."):
                inside = [p for p in (folder / read).rglob("*") if p.is_file()]
                wanted = [p.relative_to(folder).as_posix() for p in inside]
            else:
                wanted = [read]
            for missing in sorted(set(wanted) - set(files)):
                yield f"reads {missing} in {name}, and does not hold it"


def late_dependencies(packages, ours):
    """Dependencies that need a newer Rust than we promise."""
    for package in packages:
        needed = package["rust_version"]
        if package["source"] and needed and version(needed) > version(ours):
            named = f"{package['name']} {package['version']}"
            yield f"{named} needs Rust {needed}, and we promise {ours}"


def main():
    """Prints the problems; returns 1 if there are any."""
    metadata = json.loads(cargo("metadata", "--locked", "--all-features", "--format-version", "1"))
    inside = set(metadata["workspace_members"])
    members = {p["name"]: p for p in metadata["packages"] if p["id"] in inside}
    public = {name: package for name, package in sorted(members.items()) if is_public(package)}
    found = list(late_dependencies(metadata["packages"], members["graph-bandit"]["rust_version"]))
    for name, package in public.items():
        wrong = [*wrong_metadata(package), *wrong_dependencies(package, members)]
        found.extend(f"{name} {what}" for what in [*wrong, *wrong_files(package, files_of(name))])
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    if not found:
        print(f"all {len(public)} public crates can be published: {', '.join(public)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

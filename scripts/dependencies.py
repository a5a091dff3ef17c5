"""Checks all dependencies against the licences, sources and bans in `deny.toml`.

    python3 scripts/dependencies.py

Reads `deny.toml` and Cargo's metadata of the locked dependencies. It takes a second, while
`cargo deny`, which also reads the licence texts themselves, first has to be compiled.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def tokens(expression):
    """The parts of an SPDX expression; the old spelling "A/B" means "A OR B"."""
    return re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))


def is_allowed(expression, allowed):
    """Whether the allowed licences satisfy an SPDX expression."""
    rest = tokens(expression)

    def either():
        met = both()
        while rest and rest[0] == "OR":
            rest.pop(0)
            met = both() or met
        return met

    def both():
        met = single()
        while rest and rest[0] == "AND":
            rest.pop(0)
            met = single() and met
        return met

    def single():
        name = rest.pop(0)
        if name == "(":
            met = either()
            rest.pop(0)
            return met
        if rest and rest[0] == "WITH":
            name = f"{name} {rest.pop(0)} {rest.pop(0)}"
        return name in allowed

    return either()


def problems(metadata, rules):
    """One line for every package that is not allowed, and one for every broken rule."""
    licences = rules["licenses"]
    exceptions = defaultdict(set)
    for exception in licences.get("exceptions", []):
        exceptions[exception["name"]].update(exception["allow"])
    for package in metadata["packages"]:
        named = f"{package['name']} {package['version']}"
        allowed = set(licences["allow"]) | exceptions[package["name"]]
        licence = package["license"]
        if not licence:
            yield f"{named} names no licence"
        elif not is_allowed(licence, allowed):
            yield f"{named} has the licence {licence}, which deny.toml does not allow"
        source = package["source"]
        if source not in (None, CRATES_IO):
            yield f"{named} comes from {source}, and not from crates.io"
        if source is None:
            for dependency in package["dependencies"]:
                if dependency["req"] == "*" and not dependency.get("path"):
                    yield f"{named} takes any version of {dependency['name']}; name one"


def duplicates(metadata):
    """Packages with more than one version."""
    versions = defaultdict(set)
    for package in metadata["packages"]:
        versions[package["name"]].add(package["version"])
    return {name: sorted(found) for name, found in versions.items() if len(found) > 1}


def main():
    """Prints the problems; returns 1 if there are any."""
    root = Path(__file__).resolve().parent.parent
    rules = tomllib.loads((root / "deny.toml").read_text())
    command = ["cargo", "metadata", "--locked", "--all-features", "--format-version", "1"]
    answer = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout
    metadata = json.loads(answer)
    for name, versions in sorted(duplicates(metadata).items()):
        print(f"warning: {name} has {len(versions)} versions: {', '.join(versions)}")
    found = list(problems(metadata, rules))
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    if not found:
        print(f"all {len(metadata['packages'])} packages are allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

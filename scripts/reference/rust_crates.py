"""The page of the Rust crates, from their manifests."""

import tomllib
from pathlib import Path

from markdown_text import opening, prose, table

CRATES = Path(__file__).resolve().parents[2] / "crates"


def crates():
    """The name of every crate that is for others, and what it has."""
    for manifest in sorted(CRATES.glob("*/Cargo.toml")):
        package = tomllib.loads(manifest.read_text())["package"]
        if package.get("publish", True):
            yield package["name"], package["description"]


def page():
    """The whole page."""
    listed = [
        [f"`{name}`", prose(said), f"[docs.rs](https://docs.rs/{name})"] for name, said in crates()
    ]
    return f"{opening('rust')}\n{table(['crate', 'what it has', 'docs'], listed)}"

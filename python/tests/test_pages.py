"""Every block of the README and of every page of the site is run, and prints what is shown there."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tomllib

import pytest
import reference_page
from page_markdown import read_page
from page_rules import page_and_faults
from page_runner import PageRun
from page_sources import ROOT

# The reference is made from the program, for this test as for the site.
MADE = "docs/reference/"
PAGES = [
    "README.md",
    *(
        name
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if not (name := str(page.relative_to(ROOT))).startswith(MADE)
    ),
    *(
        f"{MADE}{name}.md"
        for name in ("command-line", "http", "python", "registry", "rust", "toml")
    ),
]

# What no test can run, by page, in the words of its hidden notes.
NOT_TESTED: dict[str, list[str]] = {
    "README.md": [
        "takes minutes. test_pages.py checks what the two commands are.",
        "installs programs.",
    ],
    "docs/explanations/attack.md": [
        "takes an hour and more.",
    ],
    "docs/explanations/changing-frontier.md": [
        "takes about ten minutes, or a few with --quick.",
    ],
    "docs/explanations/conformance.md": [
        "takes a minute. The test `reference` of graph-bandit-paper compares the same numbers.",
    ],
    "docs/explanations/frontier.md": [
        "takes an hour, or a few minutes with --quick.",
    ],
    "docs/explanations/paper-vs-program.md": [
        "takes half a minute. Other tests reproduce the paper with fewer runs.",
    ],
    "docs/explanations/service.md": [
        "measures for half a minute, and prints other figures on every machine.",
        "other figures on every machine.",
        "takes a minute, and prints other figures on every machine.",
        "needs the service above.",
        "other figures on every machine.",
        "installs Optuna and measures.",
        "what the script above printed.",
    ],
    "docs/explanations/teams.md": [
        "takes a few minutes, or less with --quick.",
    ],
    "docs/guides/canadian-traveller.md": [
        "each takes three minutes.",
    ],
    "docs/guides/cluster.md": [
        "wants a Slurm cluster. python/tests/test_slurm.py runs the scripts with a stand-in for sbatch.",
        "installs packages.",
        "wants Ray. python/tests/test_ray.py runs such studies.",
    ],
    "docs/guides/roads.md": [
        "compiles a benchmark of the repository and runs it.",
    ],
    "docs/tutorial.md": ["installs programs."],
    "docs/guides/service-in-production.md": [
        "wants podman. The workflow of pull requests builds and starts the image.",
    ],
}


def file_of(name, gbandit, directory):
    """A page as a file; those that are made, in this directory."""
    if not name.startswith(MADE):
        return ROOT / name
    made = directory / name.removeprefix(MADE)
    made.write_text(reference_page.pages(gbandit)[made.name])
    return made


def test_the_reference_has_no_other_pages(gbandit):
    made = {f"{MADE}{name}" for name in reference_page.pages(gbandit)}
    assert made == {page for page in PAGES if page.startswith(MADE)}


def test_the_readme_begins_with_the_commands_that_reproduce_and_test_everything(gbandit, tmp_path):
    blocks, _ = read_page(ROOT / "README.md")
    assert blocks[0].text == "cargo run --release\n./test"
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]
    assert workspace["default-members"] == ["crates/gbandit"]
    # Both reproduce the paper, and stop at once, since there is no room for the report.
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "full").touch()
    for command in ([gbandit], [gbandit, "reproduce"]):
        refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "report is not empty" in refused.stderr
    assert (ROOT / ".ci" / "run").read_text().split("\n")[-2] == "./test"
    assert all(os.access(ROOT / script, os.X_OK) for script in ("test", ".ci/run"))


@pytest.mark.usefixtures("no_windows")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_happens(name, tmp_path, gbandit, monkeypatch):
    page = file_of(name, gbandit, tmp_path)
    blocks, faults = page_and_faults(page, name)
    assert faults == []
    untested = [block.reason_not_tested for block in blocks if block.reason_not_tested]
    assert untested == NOT_TESTED.get(name, [])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(sys.modules)
    run = PageRun(page, tmp_path, gbandit)
    try:
        run.run(blocks)
    finally:
        run.close()
        # Modules that the page wrote: another page may have others of the same names.
        for module in set(sys.modules) - known:
            if (getattr(sys.modules[module], "__file__", None) or "").startswith(str(tmp_path)):
                del sys.modules[module]
        importlib.invalidate_caches()

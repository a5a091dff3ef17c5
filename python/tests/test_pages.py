"""Every block of every page of the site is run, and prints what the page shows."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from page_answers import same_json, same_text
from page_blocks import Block, blocks_of, faults
from page_runner import ROOT, PageRun

PAGES = sorted((ROOT / "docs").rglob("*.md"))

# What no test can run, by page, in the words of the page.
NOT_TESTED: dict[str, list[str]] = {
    "docs/explanations/attack.md": [
        "takes an hour and more.",
    ],
    "docs/explanations/conformance.md": [
        "takes a minute. The test `reference` of graph-bandit-paper compares the same numbers.",
    ],
    "docs/explanations/frontier.md": [
        "takes an hour, or a few minutes with --quick.",
    ],
    "docs/explanations/paper-vs-program.md": [
        "takes some minutes. Other tests reproduce the paper with fewer runs.",
    ],
    "docs/explanations/service.md": [
        "measures for half a minute, and prints other figures on every machine.",
        "installs Optuna and measures.",
    ],
    "docs/explanations/theory.md": [
        "compiles an example of the repository.",
    ],
    "docs/guides/canadian-traveller.md": [
        "each takes three minutes.",
    ],
    "docs/guides/cluster.md": [
        "wants a Slurm cluster. python/tests/test_slurm.py runs the scripts with a stand-in for sbatch.",
        "installs packages.",
    ],
    "docs/guides/roads.md": [
        "compiles a benchmark of the repository and runs it.",
    ],
    "docs/tutorial.md": ["installs programs."],
    "docs/guides/service-in-production.md": [
        "wants podman. The workflow of pull requests builds and starts the image.",
        "wants your PostgreSQL.",
        "wants your PostgreSQL.",
        "wants your PostgreSQL.",
    ],
}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.usefixtures("no_windows")
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_says_what_happens(page, tmp_path, gbandit, monkeypatch):
    blocks = blocks_of(page)
    assert faults(blocks) == []
    untested = [block.reason_not_tested for block in blocks if block.reason_not_tested]
    assert untested == NOT_TESTED.get(name_of(page), [])
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


def test_blocks_are_found_where_they_are(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- prepare: touch a -->\n```sh\nls\n```\n```text\na\n```\n\n- x\n\n  ```sh\n  ls\n  ```\n"
        "```{toctree}\na\n```\n"
    )
    assert blocks_of(page) == [
        Block(1, "prepare", "touch a"),
        Block(2, "sh", "ls"),
        Block(5, "text", "a", is_answer=True),
        Block(11, "sh", "ls"),
    ]


@pytest.mark.parametrize(
    ("blocks", "fault"),
    [
        ([Block(1, "", "ls")], "language ''"),
        ([Block(1, "bash", "ls")], "language 'bash'"),
        ([Block(1, "text", "gbandit run")], "commands belong"),
        ([Block(1, "json", "{}")], "JSON must be the answer"),
        ([Block(1, "toml", ""), Block(2, "text", "x", is_answer=True)], "must follow"),
        (
            [Block(1, "sh", "# Not tested: x\nls"), Block(2, "text", "x", is_answer=True)],
            "untested block",
        ),
    ],
)
def test_what_is_outside_the_convention_is_a_fault(blocks, fault):
    (found,) = faults(blocks)
    assert fault in found


def test_three_dots_stand_for_anything():
    assert same_text("a\nb\nc\nd", "a\n...\nc\n...")
    assert same_text("g-star  1  2.5 ms\n", "g-star 1 31 ms")
    assert same_text("id 7f31 made\n", "id ... made")
    for said, shown in [
        ("a\nb", "a"),
        ("b\na", "a\n..."),
        ("a\nb", "a\n...\nc\n..."),
        ("x 1", "x 2"),
    ]:
        assert not same_text(said, shown), (said, shown)


def test_json_is_compared_as_json_and_seals_only_by_their_looks():
    assert same_json(
        '{"a":[1,2],"seal":"0123456789abcdef"}', '{"seal": "fedcba9876543210",\n "a": [1, 2]}'
    )
    assert not same_json('{"a": 1}', '{"a": 2}')
    assert not same_json('{"seal": "short"}', '{"seal": "fedcba9876543210"}')


def test_a_block_that_fails_or_prints_something_else_is_noticed(tmp_path, gbandit):
    run = PageRun(tmp_path / "page.md", tmp_path, gbandit)
    assert run.run([Block(1, "sh", "echo a"), Block(4, "text", "a", is_answer=True)]) == 1
    with pytest.raises(AssertionError, match="printed"):
        run.run([Block(1, "sh", "echo a"), Block(4, "text", "b", is_answer=True)])
    with pytest.raises(AssertionError, match=r"page.md:1"):
        run.run([Block(1, "sh", "false")])
    with pytest.raises(ZeroDivisionError):
        run.run([Block(1, "python", "1 / 0")])
    with pytest.raises(AssertionError):
        run.run([Block(1, "rust", "let never = written;")])
    with pytest.raises(ValueError, match="agnets"):
        run.run([Block(1, "toml", "agnets = ['g-ucb']")])

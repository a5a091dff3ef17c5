"""Pages that would not be tested are refused, with page, line and remedy."""

from __future__ import annotations

import pytest
from page_blocks import Block, Note
from page_markdown import read_page
from page_rules import page_and_faults

BACKUPS = "crates/gbandit/tests/service/backups.rs"
PRODUCTION = "docs/guides/service-in-production.md"


def blocks_of(text, tmp_path):
    (tmp_path / "page.md").write_text(text)
    blocks, faults = read_page(tmp_path / "page.md")
    assert faults == []
    return blocks


def faults_of(text, tmp_path, name="page.md"):
    (tmp_path / "page.md").write_text(text)
    return page_and_faults(tmp_path / "page.md", name)[1]


def test_blocks_are_found_where_they_are(tmp_path):
    text = (
        "<!-- prepare: touch a -->\n```sh\nls\n```\n```text\na\n```\n\n- x\n\n  ```sh\n  ls\n  ```\n"
        "```{toctree}\na\n```\n\n<!-- not tested: slow. -->\n```sh\nls\n```\n"
    )
    assert blocks_of(text, tmp_path) == [
        Block(1, "prepare", "touch a"),
        Block(2, "sh", "ls"),
        Block(5, "text", "a", is_answer=True, is_next=True),
        Block(11, "sh", "ls"),
        Block(19, "sh", "ls", note=Note("not tested", "slow.")),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "~~~sh\nls\n~~~\n",
        "````sh\nls\n````\n",
        "> ```sh\n> ls\n> ```\n",
        "```sh\nls\n```  \n",
        "``` sh\nls\n```\n",
        "1. x\n\n\t```sh\n\tls\n\t```\n",
        ":::{tab} A\n```sh\nls\n```\n:::\n",
        "words\n```sh\nls\n```\nwords\n",
    ],
)
def test_a_fence_of_any_form_is_found(text, tmp_path):
    (block,) = blocks_of(text, tmp_path)
    assert (block.language, block.text) == ("sh", "ls")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        # Answers that nothing would compare.
        ("```sh\nls\n```\n\n```text\nwrong\n```\n", 5, "right below"),
        ("```sh\nls\n```\n<!-- prepare: true -->\n```text\nwrong\n```\n", 5, "right below"),
        ("```sh\nls\n```\nIt prints:\n```text\nwrong\n```\n", 5, "right below"),
        ("```sh\nls\n```\n\n    wrong\n", 5, "between fences"),
        ("```sh\nls\n```\n\n```json\n{}\n```\n", 5, "right below"),
        ("<!-- not printed: x. -->\n```json\n{}\n```\n", 2, "JSON must be"),
        ("```toml\nruns = 1\n```\n```text\nx\n```\n", 4, "must follow"),
        ("```python\n# a.py\n1\n```\n```text\nx\n```\n", 5, "a.py is only saved"),
        ("<!-- not tested: x. -->\n```sh\nls\n```\n```text\nx\n```\n", 5, "not run here"),
        ("```sh\nls\n```\n```text\n...\n```\n", 4, "three dots"),
        # Languages and files.
        ("```\nls\n```\n", 1, "language ''"),
        ("```bash\nls\n```\n", 1, "language 'bash'"),
        ("```sh\n\n```\n", 1, "empty"),
        ("```sh\n# a.py\nls\n```\n", 1, "cannot be a.py"),
        ("```python\n# a.toml\n1\n```\n", 1, "cannot be a.toml"),
        ("```python\n# ../a.py\n1\n```\n", 1, "rename it"),
        ("```python\n# scripts/a.py\n1\n```\n", 1, "rename it"),
        ("```python\n# a.py\n1\n```\n\n```python\n# a.py\n2\n```\n", 6, "already"),
        # Commands elsewhere.
        ("<!-- not printed: x. -->\n```text\na\n  gbandit run\n```\n", 2, "commands belong"),
        ("<!-- not printed: x. -->\n```text\nA=b gbandit run\n```\n", 2, "commands belong"),
        ("    $ ls\n", 1, "commands belong"),
        # A service and more.
        ("```sh\ngbandit serve\nfalse\n```\n", 1, "a block of its own"),
        ("```sh\ngbandit serve && false\n```\n", 1, "a block of its own"),
        ("```sh\ngbandit serve &\n```\n```sh\nfalse; gbandit play\n```\n", 4, "a block of its own"),
        ("```sh\nA=b gbandit serve\n```\n", 1, "a block of its own"),
        ("<!-- prepare: gbandit serve; false -->\n", 1, "a block of its own"),
        # Directives, HTML, notes.
        ("```{code-block} sh\nls\n```\n", 1, "not run"),
        ("````{note}\n```sh\nls\n```\n````\n", 1, "not run"),
        ("```{eval-rst}\n.. autoclass:: a\n.. code-block:: sh\n```\n", 3, "in Markdown"),
        ("<pre>\nls\n</pre>\n", 1, "not read"),
        ("<details>\n```sh\nls\n```\n</details>\n", 1, "not read"),
        ("<!-- prepair: ls -->\n", 1, "not read"),
        ("Words <!-- prepare: ls -->\n", 1, "not read"),
        ("<!-- not tested: x. -->\n\n```sh\nls\n```\n", 1, "about no block"),
        ("```sh\n# Not tested: x.\nls\n```\n", 1, "<!-- not tested"),
        ("<!-- not printed: x. -->\n```sh\nls\n```\n", 2, "only a block of text"),
        ("```sh\nls\n", 1, "not closed"),
        ("- ```sh\n  ls\n\nwords\n", 1, "not closed"),
    ],
)
def test_what_is_outside_the_convention_is_refused(text, line, said, tmp_path):
    faults = faults_of(text, tmp_path)
    assert faults != []
    assert faults[-1].startswith(f"page.md:{line}: ")
    assert said in faults[-1]


@pytest.mark.parametrize(
    "text",
    [
        "```sh\ngbandit serve --log warn \\\n  --store memory:\n```\n",
        "```sh\ngbandit play 'http://127.0.0.1:7353/#agent=a&agent=b'\n```\n",
        "```sh\ngbandit serve --check\nls\n```\n",
        "<!-- not printed: a formula. -->\n```text\na = b\n```\n",
        "Words\n\n    a = b\n",
    ],
)
def test_what_is_inside_it_is_not(text, tmp_path):
    assert faults_of(text, tmp_path) == []


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (BACKUPS, "with the code that runs"),
        ("crates/gbandit/tests/service/never.rs: shell(", "does not exist"),
        # It stands in a comment there.
        (f"{BACKUPS}: Backups made while robots report", "has no `Backups made"),
        (f"{BACKUPS}: shell(&chapter[7]", "has no `shell("),
        ("crates/gbandit/tests/service/limits.rs: Server", "include_str!"),
    ],
)
def test_the_test_that_a_note_names_must_run_the_block(note, said, tmp_path):
    text = "<!-- run by {} -->\n```sh\nls\n```\n"
    (fault,) = faults_of(text.format(note), tmp_path, PRODUCTION)
    assert fault.startswith(f"{PRODUCTION}:2: ")
    assert said in fault
    once = text.format(f"{BACKUPS}: shell(&chapter[0]")
    assert faults_of(once, tmp_path, PRODUCTION) == []
    (fault,) = faults_of(once + once, tmp_path, PRODUCTION)
    assert "already" in fault
    (fault,) = faults_of(once, tmp_path, "docs/guides/other.md")
    assert "include_str!" in fault

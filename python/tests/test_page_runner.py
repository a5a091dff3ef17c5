"""Blocks that fail, or print something else than their page shows, are noticed."""

from __future__ import annotations

import importlib
import sys

import pytest
from page_answers import same_json, same_text
from page_blocks import Block
from page_runner import PageRun
from page_sources import is_rust_of_the_repository, without_comments


@pytest.fixture
def run(tmp_path, gbandit):
    run = PageRun(tmp_path / "page.md", tmp_path, gbandit)
    yield run
    run.close()


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


def test_json_is_compared_as_json():
    assert same_json('{"a":[1,2.0],"b":"x y"}', '{"b": "x\n y",\n "a": [1, 2.0]}')
    for said, shown in [
        ('{"a": 1}', '{"a": 2}'),
        ('{"a": true}', '{"a": 1}'),
        ('{"a": [0]}', '{"a": [false]}'),
        ('{"a": 1.0}', '{"a": 1}'),
        ('{"a": 1}', '{"a": 1, "b": 2}'),
        ("[1, 2]", "[1]"),
        ('{"seal": "0123456789abcdef"}', '{"seal": "fedcba9876543210"}'),
    ]:
        assert not same_json(said, shown), (said, shown)
    with pytest.raises(ValueError, match="'a' twice"):
        same_json('{"a": 2}', '{"a": 1, "a": 2}')
    with pytest.raises(ValueError, match="NaN"):
        same_json("1", "NaN")


def test_a_block_that_fails_or_prints_something_else_is_noticed(run):
    assert run.run([Block(1, "sh", "echo a"), Block(4, "text", "a", is_answer=True)]) == 1
    with pytest.raises(AssertionError, match=r"page.md:1 printed"):
        run.run([Block(1, "sh", "echo a"), Block(4, "text", "b", is_answer=True)])
    with pytest.raises(AssertionError, match=r"page.md:4: .*it printed"):
        run.run([Block(1, "sh", "echo a"), Block(4, "json", "{}", is_answer=True)])
    with pytest.raises(AssertionError, match=r"page.md:1"):
        run.run([Block(1, "sh", "false")])
    with pytest.raises(ZeroDivisionError):
        run.run([Block(1, "python", "1 / 0")])
    with pytest.raises(AssertionError, match=r"page.md:1"):
        run.run([Block(1, "rust", "let never = written;")])
    with pytest.raises(ValueError, match="agnets"):
        run.run([Block(1, "toml", "agnets = ['g-ucb']")])


def test_a_file_that_nothing_imports_or_runs_is_noticed(run, tmp_path, monkeypatch):
    file = Block(1, "python", "# shown/by_a_page.py\nprint('here')")
    with pytest.raises(AssertionError, match=r"page.md:1: nothing imports or runs shown/by_a_page"):
        run.run([file, Block(4, "sh", "true # shown/by_a_page.py")])
    started = Block(4, "sh", "python3 shown/by_a_page.py")
    assert run.run([file, started, Block(7, "text", "here", is_answer=True)]) == 2
    (tmp_path / "shown" / "by_a_page.py.ran").unlink()
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    try:
        assert run.run([file, Block(4, "python", "import shown.by_a_page")]) == 2
    finally:
        for module in ("shown.by_a_page", "shown"):
            sys.modules.pop(module, None)


def test_a_service_runs_until_the_page_ends(run):
    asked = Block(4, "sh", "curl -sf localhost:8080/healthz")
    run.run([Block(1, "sh", "gbandit serve --store memory: \\\n  --log warn"), asked])
    with pytest.raises(AssertionError, match=r"page.md:4"):
        run.run([Block(1, "prepare", "stop the service"), asked])


def test_rust_must_stand_together_in_one_file():
    lines = [
        'let graph = "arkansas".parse::<GraphSpec>()?.build(Seed(0))?;',
        'let agent = AgentSpec::parse("g-star", Preset::Paper)?.build(&graph)?;',
        "let mut session = AskTell::new(graph, agent, SessionPlan::default())?;",
    ]
    assert is_rust_of_the_repository("\n".join(lines))
    assert not is_rust_of_the_repository("\n".join([lines[0], lines[2]]))
    assert not is_rust_of_the_repository("\n".join(reversed(lines)))


def test_comments_of_rust_are_left_out():
    code = 'let a = "http://b"; // c\n/* d\n */ let e = \'"\'; // "f"\n'
    assert without_comments(code) == 'let a = "http://b"; \n let e = \'"\'; \n'

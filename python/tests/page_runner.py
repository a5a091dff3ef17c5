"""Runs the blocks of a page in order, in a directory of its own, and compares what they print."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tomllib
from itertools import zip_longest
from pathlib import Path
from typing import Any

from page_answers import same_json, same_text
from page_blocks import Block
from page_rules import FOLDERS
from page_service import STOP, Service, service_in
from page_sources import ROOT, is_rust_of_the_repository

import graph_bandit as gb

# A command that takes longer than this hangs.
SECONDS = 120
# What a study needs and a page may leave out.
USUAL = {"name": "page", "title": "A page", "steps": 500, "runs": 1, "agents": ["g-ucb"]}
# The last line of every Python file of a page: it leaves a trace when the file is imported or run.
TRACE = "__import__('pathlib').Path(__file__ + '.ran').touch()\n"


class PageRun:
    """What the blocks of one page share: a directory, Python's names, at most one service."""

    def __init__(self, page: Path, directory: Path, gbandit: str) -> None:
        self.page, self.directory = page, directory
        self.names: dict[str, Any] = {"__name__": "__main__"}
        for folder in FOLDERS:
            (directory / folder).symlink_to(ROOT / folder)
        programs = directory / ".programs"
        programs.mkdir()
        (programs / "gbandit").symlink_to(gbandit)
        # A link would leave the virtual environment.
        (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (programs / "python3").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        self.environment.pop("GBANDIT_TOKEN", None)
        self.service = Service(directory, self.environment)

    def run(self, blocks: list[Block]) -> int:
        """Runs all blocks, and answers how many there were to run."""
        ran = 0
        for block, after in zip_longest(blocks, blocks[1:]):
            if block.note is not None or block.language in ("text", "json", "indented"):
                continue
            if block.file_name:
                self._save(block, block.file_name)
            if block.language == "toml":
                self._carry_out(block)
            elif block.language == "rust":
                assert is_rust_of_the_repository(block.text), (
                    f"{self._place(block)}: these lines do not stand together in an example or a test"
                )
            elif not block.file_name:
                said = self._python(block) if block.language == "python" else self._shell(block)
                if after is not None and after.is_answer:
                    self._compare(block, self.service.shown(said), after)
            ran += 1
        for block in blocks:
            self._check_use(block)
        return ran

    def close(self) -> None:
        """Stops the service that is running, if there is one."""
        self.service.stop()

    def _place(self, block: Block) -> str:
        return f"{self.page.name}:{block.line}"

    def _compare(self, block: Block, said: str, answer: Block) -> None:
        same = same_json if answer.language == "json" else same_text
        try:
            assert same(said, answer.text), f"{self._place(block)} printed\n{said}"
        except ValueError as error:
            raise AssertionError(f"{self._place(answer)}: {error}; it printed\n{said}") from error

    def _save(self, block: Block, name: str) -> None:
        target = self.directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"{block.text}\n{TRACE if block.language == 'python' else ''}")

    def _check_use(self, block: Block) -> None:
        """A file that no later block imports or runs could hold anything."""
        if block.language == "python" and block.note is None and block.file_name:
            trace = self.directory / f"{block.file_name}.ran"
            assert trace.exists(), (
                f"{self._place(block)}: nothing imports or runs {block.file_name}: let a later block do "
                "so, or remove the first line to run it here"
            )

    def _shell(self, block: Block) -> str:
        if block.text == STOP:
            self.close()
            return ""
        if kind := service_in(block.text):
            self.service.start(kind, self.service.real(block.text))
            return ""
        done = subprocess.run(
            ["bash", "-euc", self.service.real(block.text)],
            cwd=self.directory,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert done.returncode == 0, f"{self._place(block)}: {done.stdout}{done.stderr}"
        return done.stdout or done.stderr

    def _python(self, block: Block) -> str:
        code = "\n" * block.line + self.service.real(block.text)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            exec(compile(code, str(self.page), "exec"), self.names)
        return said.getvalue()

    def _carry_out(self, block: Block) -> None:
        """Carries out a study, or a piece of one with what it lacks."""
        given = tomllib.loads(block.text)
        lacking = [f"{key} = {value!r}" for key, value in USUAL.items() if key not in given]
        cases = "" if "cases" in given else "[[cases]]\ngraph = 'grid:4x4'\ntitle = 'Grid'\n"
        file = self.directory / f"block-{block.line}.toml"
        file.write_text("\n".join([*lacking, block.text, cases]))
        results = gb.run_study(
            file, out=self.directory / f"block-{block.line}", runs=1, progress=False
        )
        assert len(results) == len(given.get("cases", [0])), self._place(block)

"""Runs the blocks of a page in order, in a directory of its own, and compares what they print."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from page_answers import same_json, same_text
from page_blocks import Block

import graph_bandit as gb

ROOT = Path(__file__).resolve().parents[2]
# A page may name these, as if it were read in a clone of the repository.
FOLDERS = ("crates", "deploy", "examples", "scripts")
# A hidden line that stops the service that a page started.
STOP = "stop the service"
# A command that takes longer than this hangs.
SECONDS = 120
# What a study needs and a page may leave out.
USUAL = {"name": "page", "title": "A page", "steps": 500, "runs": 1, "agents": ["g-ucb"]}
_SERVICE = re.compile(r"gbandit (serve|play)\b(?!.* --check)")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class PageRun:
    """What the blocks of one page share: a directory, Python's names, at most one service."""

    def __init__(self, page: Path, directory: Path, gbandit: str) -> None:
        self.page, self.directory = page, directory
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.ports = {port: str(free_port()) for port in ("8080", "7353")}
        self.service: subprocess.Popen[str] | None = None
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

    def run(self, blocks: list[Block]) -> int:
        """Runs all blocks, and answers how many there were to run."""
        ran = 0
        for number, block in enumerate(blocks):
            answer = next(
                (after for after in blocks[number + 1 : number + 2] if after.is_answer), None
            )
            if block.file_name:
                target = self.directory / block.file_name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(block.text + "\n")
            if block.language == "toml":
                self._carry_out(block)
            elif block.language == "rust":
                assert _is_rust_of_the_repository(block.text), self._place(block)
            elif block.language in ("sh", "prepare", "python"):
                if block.run_by:
                    assert self.page.name in (ROOT / block.run_by).read_text(), self._place(block)
                    continue
                if block.reason_not_tested or block.file_name:
                    continue
                said = self._python(block) if block.language == "python" else self._shell(block)
                if answer is not None and answer.language in ("text", "json"):
                    same = same_json if answer.language == "json" else same_text
                    # The port is the page's again.
                    for shown, real in self.ports.items():
                        said = said.replace(f":{real}", f":{shown}")
                    assert same(said, answer.text), f"{self._place(block)} printed\n{said}"
            else:
                continue
            ran += 1
        return ran

    def close(self) -> None:
        """Stops the service that is running, if there is one."""
        if self.service is not None:
            self.service.send_signal(signal.SIGTERM)
            self.service.communicate(timeout=60)
            self.service = None

    def _place(self, block: Block) -> str:
        return f"{self.page.name}:{block.line}"

    def _here(self, text: str) -> str:
        """A text with the ports of this run."""
        for shown, real in self.ports.items():
            text = text.replace(f":{shown}", f":{real}")
        return text

    def _shell(self, block: Block) -> str:
        if block.text == STOP:
            self.close()
            return ""
        if started := _SERVICE.match(block.text):
            self._start(started[1], self._here(block.text))
            return ""
        done = subprocess.run(
            ["bash", "-euc", self._here(block.text)],
            cwd=self.directory,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert done.returncode == 0, f"{self._place(block)}: {done.stdout}{done.stderr}"
        return done.stdout or done.stderr

    def _start(self, kind: str, command: str) -> None:
        """Starts a service and waits until it listens; the one before it stops first."""
        self.close()
        flags = {
            "serve": f"--listen 127.0.0.1:{self.ports['8080']}",
            "play": f"--no-open --port {self.ports['7353']}",
        }[kind]
        if "--listen" not in command:
            command = re.sub(rf"^gbandit {kind}", rf"\g<0> {flags}", command)
        self.service = subprocess.Popen(
            ["bash", "-c", f"exec {command}"],
            cwd=self.directory,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.service.stdout is not None
        line = self.service.stdout.readline()
        assert "http://" in line, f"{self.page.name}: {command} said {line!r}"

    def _python(self, block: Block) -> str:
        code = "\n" * block.line + self._here(block.text)
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


def _is_rust_of_the_repository(text: str) -> bool:
    """Whether the lines stand, in this order, in one file that the tests compile."""
    sources = [*ROOT.glob("crates/*/examples/**/*.rs"), *ROOT.glob("crates/*/tests/**/*.rs")]
    shown = [line.strip() for line in text.split("\n")]
    for source in sources:
        lines = (line.strip() for line in source.read_text().split("\n"))
        if all(line in lines for line in shown):
            return True
    return False

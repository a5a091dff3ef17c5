"""The scripts of `examples/slurm`, carried out by a stand-in for `sbatch` that runs jobs at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "examples" / "slurm"

STUDY = """
name = 'small'
title = 'A small study'
steps = 500
runs = 60
checkpoints = 5
agents = ['g-ucb', 'local-ts']
[[cases]]
graph = 'grid:4x4'
title = 'Grid'
[[cases]]
graph = 'star:9'
title = 'Star'
[[figures]]
kind = 'curves'
"""

SBATCH = '''
"""Runs a job at once, every task of an array in turn, with the environment that Slurm gives it."""
import os, re, subprocess, sys

options, words = {}, sys.argv[1:]
while words and words[0].startswith("--"):
    name, _, value = words.pop(0).partition("=")
    options[name] = value
script, *arguments = words
head = dict(re.findall(r"^#SBATCH (--[a-z-]+)=?(.*)$", open(script).read(), re.M))
jobs = os.environ["STAND_IN_JOBS"]
number = str(len(os.listdir(jobs)) + 1)
state = "ok"
kind, _, needed = options.get("--dependency", "").partition(":")
if kind:
    assert kind == "afterok", kind
    if open(f"{jobs}/{needed}").read() != "ok":
        state = "never started"
first, _, last = options.get("--array", "0").partition("-")
for task in range(int(first), int(last or first) + 1):
    if state == "never started":
        break
    given = {"SLURM_JOB_ID": number, "SLURM_CPUS_PER_TASK": head["--cpus-per-task"]}
    if "--array" in options:
        given["SLURM_ARRAY_TASK_ID"] = str(task)
        given["SLURM_ARRAY_TASK_COUNT"] = str(int(last or first) - int(first) + 1)
    output = options.get("--output", "slurm.log").replace("%a", str(task))
    with open(output, "w") as log:
        # Slurm runs a copy of the script, somewhere else.
        code = subprocess.run(
            ["bash", "-s", *arguments], stdin=open(script), stdout=log, stderr=log,
            env={**os.environ, **given},
        ).returncode
    if code:
        state = "failed"
with open(f"{jobs}/{number}", "w") as record:
    record.write(state)
assert "--parsable" in options
print(number + ";cluster")
'''


class Site:
    """A directory with a study in it, and a `PATH` with `sbatch` and `gbandit`."""

    def __init__(self, directory: Path, gbandit: str) -> None:
        self.directory = directory
        (directory / "mine.toml").write_text(STUDY)
        programs = directory / "programs"
        programs.mkdir()
        (programs / "gbandit").symlink_to(gbandit)
        sbatch = programs / "sbatch"
        sbatch.write_text(f"#!{sys.executable}\n{SBATCH}")
        sbatch.chmod(0o755)
        self.jobs = directory / "jobs"
        self.jobs.mkdir()
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "STAND_IN_JOBS": str(self.jobs),
        }

    def __call__(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.directory,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
        )

    def states(self) -> list[str]:
        return [job.read_text() for job in sorted(self.jobs.iterdir())]

    def contents(self, name: str) -> dict[str, bytes]:
        top = self.directory / name
        files = (file for file in top.rglob("*") if file.is_file())
        return {str(file.relative_to(top)): file.read_bytes() for file in files}


@pytest.fixture
def site(tmp_path: Path, gbandit: str) -> Site:
    return Site(tmp_path, gbandit)


@pytest.mark.parametrize("script", ["submit", "study.sbatch", "merge.sbatch"])
def test_the_scripts_are_bash(script: str) -> None:
    subprocess.run(["bash", "-n", SCRIPTS / script], check=True)


def test_merged_parts_are_the_bytes_of_the_whole(site: Site) -> None:
    whole = site("gbandit", "study", "mine.toml", "--out", "whole")
    assert whole.returncode == 0, whole.stderr
    submitted = site(SCRIPTS / "submit", "mine.toml", "3", "out", "--partition=short")
    assert submitted.returncode == 0, submitted.stderr
    assert submitted.stdout.startswith("parts: job 1, merge: job 2;")
    assert site.states() == ["ok", "ok"]
    assert "manifest.json" in site.contents("whole")
    assert site.contents("out/report") == site.contents("whole")


def test_a_lost_part_is_made_again_alone(site: Site) -> None:
    site(SCRIPTS / "submit", "mine.toml", "3", "out")
    before = site.contents("out/report")
    shutil.rmtree(site.directory / "out/report")
    shutil.rmtree(site.directory / "out/parts/2/runs")
    merge = ("sbatch", "--parsable", SCRIPTS / "merge.sbatch", "3", "out")
    site(*merge)
    assert site.states() == ["ok", "ok", "failed"]
    study = SCRIPTS / "study.sbatch"
    made = site("sbatch", "--parsable", "--array=2", study, "mine.toml", "3", "out")
    assert made.returncode == 0, made.stderr
    site(*merge)
    assert site.states() == ["ok", "ok", "failed", "ok", "ok"]
    assert site.contents("out/report") == before


def test_nothing_is_merged_when_a_part_fails(site: Site) -> None:
    (site.directory / "mine.toml").write_text(STUDY.replace("g-ucb", "g-ucbb"))
    site(SCRIPTS / "submit", "mine.toml", "2", "out")
    assert site.states() == ["failed", "never started"]
    assert "g-ucbb" in (site.directory / "out/log/part-1.log").read_text()

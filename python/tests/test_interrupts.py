"""Ctrl-C keeps what is finished: a child process says when it is to be interrupted."""

import hashlib
import signal
import subprocess
import sys

import numpy as np
import pytest

import graph_bandit as gb

#: An agent that, where it is held, says so and waits for Ctrl-C before its first leg.
WAITING = """
import graph_bandit as gb

HOLD = None


class Waiting(gb.Agent):
    def next_leg(self, now):
        if HOLD is not None and len(now.graph) > 3 and not HOLD.is_set():
            print("begun", flush=True)
            HOLD.wait()
        return gb.Leg([], stay=1)
"""

HELD = """
import signal, sys, threading
import numpy as np
import graph_bandit as gb
import waiting

def ctrl_c(*_):
    waiting.HOLD.set()
    raise KeyboardInterrupt

waiting.HOLD = threading.Event()
signal.signal(signal.SIGINT, ctrl_c)
"""


def interrupted(script: str, cwd) -> subprocess.CompletedProcess[str]:
    """Runs a script, and interrupts it as soon as its agent says that it has begun."""
    (cwd / "waiting.py").write_text(WAITING)
    child = subprocess.Popen(
        [sys.executable, "-c", HELD + script],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    return subprocess.CompletedProcess(child.args, child.returncode, first + out, err)


CASES = """
try:
    gb.run_cases(
        {"short": "line:3", "held": "line:4", "never": "line:5"},
        waiting.Waiting(), steps=5_000, runs=20, checkpoints=1, progress=False,
    )
except KeyboardInterrupt as error:
    np.save("kept.npy", error.results["short"].regret)
    print(list(error.results), error, *error.__notes__, sep="; ")
    sys.exit(77)
"""


def test_finished_cases_are_kept(tmp_path):
    ended = interrupted(CASES, tmp_path)
    assert ended.returncode == 77, ended.stderr
    assert (
        "['short']; 1 of 3 cases are finished; their results are in the attribute `results`"
        in ended.stdout
    )
    kept = np.load(tmp_path / "kept.npy")
    # Whoever stays on node 0 loses the same in every step.
    made = gb.run("line:3", "random", steps=5_000, runs=20, checkpoints=1, progress=False)
    lost = np.array([made.means(run).max() - made.means(run)[0] for run in range(20)])
    assert kept[0, :, 0] == pytest.approx(5_000 * lost)


def test_finished_and_later_cases_are_put_together():
    options = {"agents": "g-star", "steps": 50, "runs": 2, "progress": False}
    worlds = {"line": "line:4", "star": "star:5"}
    whole = gb.run_cases(worlds, **options)
    some = gb.run_cases({"line": "line:4"}, **options)
    others = gb.run_cases({k: w for k, w in worlds.items() if k not in some}, **options)
    together = gb.ResultsByCase({**some, **others})
    for name, values in whole.columns().items():
        assert np.array_equal(together.columns()[name], values), name


STUDY = """
name = "mine"
title = "Mine"
steps = 300
runs = 45
checkpoints = 6
agents = ["g-ucb", "g-star"]
[[cases]]
graph = "line:3"
[[cases]]
graph = "line:4"
agents = ["waiting:Waiting"]
steps = 2000
"""

RUN_STUDY = """
try:
    gb.run_study("mine.toml", out="out", n_jobs=1, progress=False)
except KeyboardInterrupt as error:
    print(*error.__notes__)
    sys.exit(77)
"""


def test_finished_blocks_of_a_study_are_kept_and_the_next_call_goes_on(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text(STUDY)
    ended = interrupted(RUN_STUDY, tmp_path)
    assert ended.returncode == 77, ended.stderr
    assert "what is finished is in out; call again to resume it" in ended.stdout
    out = tmp_path / "out"
    # All blocks of the first case: 45 runs of two agents, 20 in a block.
    kept = sorted((out / "runs").glob("cell*.bin"))
    assert len(kept) == 2 * 3
    with pytest.raises(OSError, match="does not hold a complete result"):
        gb.load_results(out)
    # What is kept is not made again: a finished block with other numbers, sealed anew, shows in the result.
    numbers = np.frombuffer(kept[0].read_bytes()[:-32], "<f8").copy()
    numbers[3] = 12345.0
    plan = hashlib.sha256((out / "runs" / "plan.json").read_bytes()).digest()
    seal = hashlib.sha256(plan + kept[0].name.encode() + numbers.tobytes()).digest()
    kept[0].write_bytes(numbers.tobytes() + seal)
    # A damaged one is.
    kept[1].write_bytes(kept[1].read_bytes()[:-1])
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(UserWarning, match="1 damaged block; its runs are made again"):
        resumed = gb.run_study(tmp_path / "mine.toml", out=out, progress=False)
    assert resumed["line:3"].regret[0, 0, 0] == 12345.0
    whole = gb.run_study(tmp_path / "mine.toml", out=tmp_path / "whole", progress=False)
    assert np.array_equal(resumed["line:3"].regret[:, 1:], whole["line:3"].regret[:, 1:])
    assert np.array_equal(resumed["line:4"].regret, whole["line:4"].regret)
    sys.modules.pop("waiting", None)

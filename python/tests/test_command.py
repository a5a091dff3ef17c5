"""The command line that the package installs: the same program as the one that cargo builds."""

import pathlib
import re
import signal
import subprocess
import sys
import sysconfig
import urllib.request

import pytest
from service_process import Server

INSTALLED = str(pathlib.Path(sysconfig.get_path("scripts")) / "gbandit")
RUN = ["run", "--graph", "grid:4x4", "--steps", "300", "--runs", "5", "--seed", "7", "--json"]
# About four hundred blocks of work: enough to be interrupted anywhere.
STUDY = """
name = 'small'
title = 'A small study'
steps = 2000
runs = 800
checkpoints = 10
agents = ['g-ucb', 'ucrl2', 'local-ts', 'ql-eps']
[[cases]]
graph = 'grid:5x5'
title = 'Grid'
"""


def done(*command):
    return subprocess.run(command, capture_output=True, text=True)


def untimed(shown):
    """What was shown, without how long it took."""
    return re.sub(r'"seconds_per_run_median":[^,}]*', "", shown)


@pytest.mark.parametrize("command", [[INSTALLED], [sys.executable, "-m", "graph_bandit"]])
def test_it_is_the_same_program(gbandit, command):
    for arguments in (RUN, ["--help"], ["--version"], ["list"], ["run", "--steps", "x"]):
        ours, theirs = done(*command, *arguments), done(gbandit, *arguments)
        assert untimed(ours.stdout) == untimed(theirs.stdout)
        assert ours.stderr == theirs.stderr
        assert ours.returncode == theirs.returncode


def test_output_that_ends_without_a_new_line_is_written_out(gbandit):
    arguments = ["completions", "bash"]
    assert done(INSTALLED, *arguments).stdout == done(gbandit, *arguments).stdout


def test_the_service_and_its_dashboard_are_in_it():
    with Server(INSTALLED, "memory:") as server:
        with urllib.request.urlopen(server.url) as page:
            assert "<title>" in page.read().decode()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=30) == 0
        server.process.stdout.close()


def test_own_code_is_found_where_the_command_is_given(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import graph_bandit as gb\n\n\nclass Still(gb.Agent):\n    def next_leg(self, now):\n"
        "        return gb.Leg([], stay=1)\n"
    )
    study = STUDY.replace("'g-ucb', 'ucrl2', 'local-ts', 'ql-eps'", "'mine:Still'")
    (tmp_path / "own.toml").write_text(study.replace("800", "2"))
    command = [INSTALLED, "study", "own.toml", "--out", "out"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert "mine:Still" in (tmp_path / "out" / "index.html").read_text()


def test_an_interrupt_keeps_what_is_finished(tmp_path):
    file, out = tmp_path / "small.toml", tmp_path / "out"
    file.write_text(STUDY)
    command = [INSTALLED, "study", str(file), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as child:
        while len(list(out.glob("runs/*.bin"))) < 5:
            assert child.poll() is None, "it ended before it could be interrupted"
        child.send_signal(signal.SIGINT)
        said = child.stderr.read()
        assert child.wait() == 130
    assert "--resume" in said
    assert "Traceback" not in said
    again = done(*command, "--resume")
    assert again.returncode == 0, again.stderr


# Says when Ctrl-C has been given to the compiled program.
BEGINNING = """
import signal
import graph_bandit.__main__
give = signal.signal
signal.signal = lambda *handler: (give(*handler), print("begun", flush=True))
graph_bandit.__main__.main()
"""


def test_an_interrupt_ends_what_keeps_nothing():
    endless = ["run", "--graph", "grid:30x30", "--steps", "100000000", "--agents", "ucrl2"]
    command = [sys.executable, "-c", BEGINNING, *endless]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        # The header of the table may come first.
        assert "begun\n" in iter(child.stdout.readline, "")
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=60) == -signal.SIGINT

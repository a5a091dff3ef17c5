"""Agents and rewards of your own in studies in TOML, by import path."""

import filecmp
import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import graph_bandit as gb
from graph_bandit import imported

MODULE = """
import graph_bandit as gb


class Lazy(gb.Agent):
    def __init__(self, rate=0.5, node=None):
        self.rate = rate
        self.node = node

    def next_leg(self, now):
        if self.rng.random() < self.rate:
            return gb.Leg([], stay=1)
        around = now.graph.neighbors(now.at)
        return around[int(self.rng.integers(len(around)))]


def lazy_by_half(times=1):
    return Lazy(0.5**times)


class Broken(gb.Agent):
    def __init__(self):
        raise RuntimeError("out of order")


class Failing(gb.Agent):
    def next_leg(self, now):
        raise LookupError("lost")


def draw(node, rng, size, mean):
    return mean + rng.triangular(-0.5, 0.0, 0.5, size)


triangular = gb.rewards_from(draw, scale=0.5)


def wide(scale):
    return gb.rewards_from(lambda node, rng, mean: mean + rng.uniform(-scale, scale), scale=scale)
"""

STUDY = """
name = "mine"
title = "Mine"
steps = 200
runs = 45
checkpoints = 5
agents = ["{module}:Lazy", "{module}:Lazy:rate=0.9", "{module}:lazy_by_half:times=2", "g-star"]
noise = "{module}:triangular"

[[cases]]
graph = "line:6"

[[cases]]
graph = "grid:3x3"
noise = "{module}:wide:scale=0.25"
agents = ["g-ucb", "{module}:Lazy:rate=0.9"]
"""


@pytest.fixture
def module(tmp_path, monkeypatch, request):
    """A module of its own for every test: Python keeps what it has imported."""
    name = "mine_" + request.node.name.split("[")[0]
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


@pytest.fixture
def file(tmp_path, module):
    path = tmp_path / "mine.toml"
    path.write_text(STUDY.replace("{module}", module))
    return path


def tables_of(directory: Path) -> list[Path]:
    return [directory / name for name in ("curves.parquet", "runs.parquet", "summary.json")]


def test_they_are_the_agents_and_rewards_of_a_run(module, file, tmp_path):
    studies = gb.run_study(file, out=tmp_path / "out", progress=False)
    line = studies["line:6"]
    assert line.agents == (
        f"{module}:Lazy",
        f"{module}:Lazy:rate=0.9",
        f"{module}:lazy_by_half:times=2",
        "g-star",
    )
    mine = importlib.import_module(module)
    options = {"steps": 200, "runs": 45, "checkpoints": 5, "progress": False}
    made = gb.run(
        gb.World("line:6", noise=mine.triangular),
        [mine.Lazy(), mine.Lazy(0.9), mine.Lazy(0.25), "g-star"],
        **options,
    )
    assert np.array_equal(line.regret, made.regret)
    assert np.array_equal(line.reward, made.reward)
    made = gb.run(
        gb.World("grid:3x3", noise=mine.wide(0.25)), ["g-ucb", mine.Lazy(rate=0.9)], **options
    )
    assert np.array_equal(studies["grid:3x3"].reward, made.reward)
    assert not np.array_equal(line.regret[0], line.regret[1])


def test_threads_and_parts_give_the_same_bytes(file, tmp_path):
    gb.run_study(file, out=tmp_path / "one", n_jobs=1, progress=False)
    gb.run_study(file, out=tmp_path / "three", n_jobs=3, progress=False)
    parts = [
        gb.run_study(file, out=tmp_path / f"part{k}", shard=(k, 2), progress=False) for k in (1, 2)
    ]
    gb.merge(parts, tmp_path / "joined")
    for other in ("three", "joined"):
        for ours, theirs in zip(
            tables_of(tmp_path / "one"), tables_of(tmp_path / other), strict=True
        ):
            assert filecmp.cmp(ours, theirs, shallow=False), (other, ours.name)


def test_an_interrupted_study_goes_on_to_the_same_bytes(file, tmp_path):
    whole = gb.run_study(file, out=tmp_path / "whole", progress=False)
    out = tmp_path / "out"
    gb.run_study(file, out=out, shard=(2, 3), progress=False)
    kept = {path: path.stat().st_mtime_ns for path in (out / "runs").glob("cell*.bin")}
    assert kept
    resumed = gb.run_study(file, out=out, progress=False)
    assert np.array_equal(resumed["line:6"].regret, whole["line:6"].regret)
    assert filecmp.cmp(*(of / "curves.parquet" for of in (out, tmp_path / "whole")), shallow=False)


def test_edited_code_is_another_study_and_stale_code_is_refused(module, file, tmp_path):
    out = tmp_path / "out"
    gb.run_study(file, out=out, runs=3, progress=False)
    place = tmp_path / f"{module}.py"
    place.write_text(MODULE.replace("< self.rate", "<= self.rate"))
    with pytest.raises(ValueError, match=r"was edited after it was imported; restart Python"):
        gb.run_study(file, out=out, runs=3, progress=False)
    importlib.reload(sys.modules[module])
    with pytest.raises(ValueError, match=r"holds the result of another study.*force=True"):
        gb.run_study(file, out=out, runs=3, progress=False)
    gb.run_study(file, out=out, runs=3, force=True, progress=False)
    # No function says so, but what runs is not what the file says.
    place.write_text(MODULE + "\nRATE = 0.75\n")
    with pytest.raises(ValueError, match=r"was edited after it was imported"):
        gb.run_study(file, out=out, runs=3, progress=False)
    # What is stored can be read without the code.
    place.unlink()
    sys.modules.pop(module)
    assert gb.load_results(out)["line:6"].agents[0] == f"{module}:Lazy"


def test_an_agent_s_exception_is_raised_as_it_is(module, file, tmp_path):
    text = file.read_text().replace("Lazy:rate=0.9", "Failing")
    file.write_text(text)
    with pytest.raises(LookupError, match="lost"):
        gb.run_study(file, out=tmp_path / "out", progress=False)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere_at_all.agents:Lazy", "there is no module 'nowhere_at_all'; install it, or start"),
        ("{module}:Lzay", "has no 'Lzay'; it has Broken, Failing, Lazy, triangular"),
        ("{module}:Lazy:speed=3", "cannot be made: TypeError: .*'speed'"),
        ("{module}:Lazy:speed", '"speed" is not a parameter; write module:Name:key=value'),
        ("{module}:Lazy:rate=1,rate=2", "has a parameter twice"),
        ("{module}:Broken", r"cannot be made: RuntimeError: out of order \(.*\.py:\d+\)"),
        ("{module}:triangular", "not an agent; name a subclass of graph_bandit.Agent"),
        ("{module}:gb", "not an agent"),
    ],
)
def test_bad_paths_are_named(module, tmp_path, path, message):
    file = tmp_path / "mine.toml"
    path = path.replace("{module}", module)
    text = f'name = "a"\ntitle = "A"\nagents = ["{path}"]\n[[cases]]\ngraph = "line:3"\n'
    file.write_text(text)
    with pytest.raises(ValueError, match=message) as raised:
        gb.run_study(file, out=tmp_path / "out", progress=False)
    assert path.split(",")[0] in str(raised.value)
    assert str(raised.value).startswith(f"{file}: agents: ") or "parameter" in str(raised.value)


def test_a_bad_law_and_a_module_with_a_mistake_are_named(module, tmp_path):
    (tmp_path / "with_a_mistake.py").write_text("import graph_bandit\nundefined\n")
    file = tmp_path / "mine.toml"
    study = 'name = "a"\ntitle = "A"\nnoise = "{path}"\n[[cases]]\ngraph = "line:3"\n'
    for path, message in (
        (f"{module}:draw", "cannot be made: TypeError"),
        (f"{module}:Lazy", "not a reward law; name what graph_bandit.rewards_from"),
        (f"{module}:triangular:scale=2", "has its parameters already; leave out 'scale'"),
        ("with_a_mistake:law", r"cannot be imported: NameError: .*with_a_mistake\.py:2"),
    ):
        file.write_text(study.replace("{path}", path))
        with pytest.raises(ValueError, match=message) as raised:
            gb.run_study(file, out=tmp_path / "out", progress=False)
        assert str(raised.value).startswith(f"{file}: noise: {path}")


def test_the_command_line_names_the_entry_and_the_remedy(gbandit, module, file, tmp_path):
    ended = subprocess.run(
        [gbandit, "study", str(file), "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 3
    assert f"{module}:Lazy is Python code" in ended.stderr
    assert "graph_bandit.run_study(FILE)" in ended.stderr


@pytest.mark.parametrize("made", ["Lazy({})", "functools.partial(Lazy, {})"])
def test_an_edit_where_an_object_is_made_is_noticed(module, tmp_path, monkeypatch, made):
    other = tmp_path / "setups_of_mine.py"
    monkeypatch.syspath_prepend(tmp_path)
    prints = set()
    for rate in ["0.25", "0.75"]:
        other.write_text(
            f"import functools\nfrom {module} import Lazy\n\n\nchosen = {made.format(rate)}\n"
        )
        sys.modules.pop("setups_of_mine", None)
        importlib.invalidate_caches()
        prints.add(imported.fingerprint("setups_of_mine:chosen", "setups_of_mine", "chosen", []))
    assert len(prints) == 2

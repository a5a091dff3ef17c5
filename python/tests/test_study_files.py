"""Studies in TOML from Python, beside the command line's."""

import filecmp
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graph_bandit as gb

STUDY = """
name = "mine"
title = "Mine"
steps = 300
runs = 45
checkpoints = 6
agents = ["g-ucb", "g-star"]

[[cases]]
graph = "line:6"
title = "A line"

[[cases]]
graph = "grid:3x3"
steps = 150
runs = 21
noise = "bernoulli"
means = "uniform:0,1"
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(STUDY)
    return path


def files_of(directory: Path) -> dict[str, Path]:
    """All that must be the same bytes: measured times, and what shows or hashes them, apart."""
    found = {str(p.relative_to(directory)): p for p in directory.rglob("*") if p.is_file()}
    apart = ("timings.json", "index.html", "manifest.json")
    return {name: p for name, p in found.items() if name not in apart}


def manifest_of(directory: Path) -> dict[str, Any]:
    """What a result says of its making."""
    manifest = json.loads((directory / "manifest.json").read_text())
    assert manifest.pop("files").keys() >= files_of(directory).keys()
    return manifest


def assert_same_files(one: Path, other: Path) -> None:
    first, second = files_of(one), files_of(other)
    assert first.keys() == second.keys()
    assert {"curves.parquet", "runs.parquet", "summary.json"} <= first.keys()
    assert manifest_of(one) == manifest_of(other)
    differ = [n for n in first if not filecmp.cmp(first[n], second[n], shallow=False)]
    # A measured time is drawn as a figure of its own.
    assert [name for name in differ if "time" not in name] == []


@pytest.mark.parametrize("name", ["curves.parquet", "index.html"])
def test_a_damaged_result_is_made_again(name, file, tmp_path):
    gb.run_study(file, out=tmp_path / "whole", progress=False)
    gb.run_study(file, out=tmp_path / "out", progress=False)
    (tmp_path / "out" / name).write_bytes(b"")
    with pytest.warns(UserWarning, match=f"{name} has 0 bytes instead of .* made again"):
        gb.run_study(file, out=tmp_path / "out", progress=False)
    assert_same_files(tmp_path / "out", tmp_path / "whole")


def test_the_same_bytes_as_the_command_line_and_the_same_numbers_as_a_run(gbandit, file, tmp_path):
    subprocess.run(
        [gbandit, "study", str(file), "--out", str(tmp_path / "cli")],
        check=True,
        capture_output=True,
    )
    studies = gb.run_study(file, out=tmp_path / "py", n_jobs=1, progress=False)
    assert_same_files(tmp_path / "cli", tmp_path / "py")
    assert list(studies) == ["A line", "grid:3x3"]
    worlds = {
        "A line": gb.World("line:6"),
        "grid:3x3": gb.World("grid:3x3", means="uniform:0,1", noise="bernoulli"),
    }
    for (name, world), steps, runs in zip(worlds.items(), (300, 150), (45, 21), strict=True):
        made = gb.run(
            world, ["g-ucb", "g-star"], steps=steps, runs=runs, checkpoints=6, progress=False
        )
        stored = studies[name]
        assert stored.agents == made.agents
        for values in (
            "t",
            "regret",
            "realized_regret",
            "reward",
            "legs",
            "init_steps",
            "init_regret",
        ):
            assert np.array_equal(getattr(stored, values), getattr(made, values)), values
    assert studies.page is not None
    assert "Mine" in studies.page.read_text()


def test_a_directory_is_loaded_again_and_other_results_are_refused(file, tmp_path):
    out = tmp_path / "out"
    first = gb.run_study(file, out=out, runs=3, progress=False)
    before = {name: path.stat().st_mtime_ns for name, path in files_of(out).items()}
    again = gb.run_study(file, out=out, runs=3, progress=False)
    loaded = gb.load_results(out)
    assert before == {name: path.stat().st_mtime_ns for name, path in files_of(out).items()}
    for case in first:
        assert np.array_equal(first[case].regret, again[case].regret)
        assert np.array_equal(first[case].regret, loaded[case].regret)
    with pytest.raises(ValueError, match=r"holds the result of another study.*force=True"):
        gb.run_study(file, out=out, runs=4, progress=False)
    assert gb.run_study(file, out=out, runs=4, force=True, progress=False)["A line"].runs == 4
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("Dear")
    with pytest.raises(ValueError, match="is not empty; give another directory"):
        gb.run_study(file, out=tmp_path / "letters", force=True, progress=False)


def test_parts_are_joined_to_the_same_bytes(file, tmp_path):
    whole = gb.run_study(file, out=tmp_path / "whole", progress=False)
    parts = [
        gb.run_study(file, out=tmp_path / f"part{k}", shard=(k, 3), progress=False)
        for k in (1, 2, 3)
    ]
    assert parts[0] == tmp_path / "part1"
    with pytest.raises(OSError, match="missing from the parts"):
        gb.merge(parts[:2], tmp_path / "joined")
    joined = gb.merge(parts, tmp_path / "joined")
    assert_same_files(tmp_path / "whole", tmp_path / "joined")
    assert np.array_equal(joined["A line"].regret, whole["A line"].regret)
    for wrong in ((0, 3), (4, 3)):
        with pytest.raises(ValueError, match=f"shard is \\({wrong[0]}, 3\\)"):
            gb.run_study(file, out=tmp_path / "wrong", shard=wrong, progress=False)


def test_windows_are_never_mixed(file, tmp_path):
    file.write_text(STUDY.replace('title = "Mine"', 'title = "Mine"\nwindows = ["first", "last"]'))
    studies = gb.run_study(file, out=tmp_path / "both", runs=5, progress=False)
    last = gb.load_results(tmp_path / "both", window="last")
    assert studies["A line"].window == "first"
    for window, stored in (("first", studies), ("last", last)):
        made = gb.run(
            "line:6",
            ["g-ucb", "g-star"],
            steps=300,
            runs=5,
            checkpoints=6,
            window=window,
            progress=False,
        )
        assert np.array_equal(stored["A line"].regret, made.regret)
    assert not np.array_equal(studies["A line"].regret, last["A line"].regret)
    with pytest.raises(ValueError, match=r"one table needs one window, but 'a' has window 'first'"):
        gb.ResultsByCase({"a": studies["A line"], "b": last["A line"]}).to_pandas()
    assert "300 steps\n" in repr(studies["A line"])
    assert "300 steps, window last\n" in repr(last["A line"])
    assert "300 steps, window last<" in last["A line"]._repr_html_()
    gb.run_study(file, out=tmp_path / "one", runs=5, window="last", progress=False)
    with pytest.raises(
        ValueError, match="was not measured with preset='program', window='last'; there is"
    ):
        gb.load_results(tmp_path / "both", preset="program", window="last")


def test_mistakes_name_the_file_and_the_value(file, tmp_path):
    with pytest.raises(OSError, match=r"nowhere\.toml"):
        gb.run_study(tmp_path / "nowhere.toml")
    file.write_text(STUDY + "titel = 'x'\n")
    with pytest.raises(ValueError, match=r"mine\.toml:\d+: .*did you mean `title`"):
        gb.run_study(file)
    file.write_text(STUDY.replace("g-star", "g-stra"))
    with pytest.raises(ValueError, match=r"mine\.toml: .*\"g-stra\"; did you mean g-star\?"):
        gb.run_study(file)
    file.write_text(STUDY)
    for wrong, message in (
        ({"runs": 0}, "runs is 0"),
        ({"preset": "mine"}, "preset: there is no"),
        ({"window": "x"}, "window: there is no"),
        ({"n_jobs": 0}, "n_jobs is 0"),
    ):
        with pytest.raises(ValueError, match=message):
            gb.run_study(file, out=tmp_path / "out", progress=False, **wrong)
    with pytest.raises(OSError, match="does not hold a complete result"):
        gb.load_results(tmp_path)


def test_damaged_tables_are_refused(file, tmp_path):
    gb.run_study(file, out=tmp_path / "few", runs=2, progress=False)
    gb.run_study(file, out=tmp_path / "more", runs=3, progress=False)
    (tmp_path / "few" / "curves.parquet").write_bytes(
        (tmp_path / "more" / "curves.parquet").read_bytes()
    )
    with pytest.raises(
        OSError, match=r"curves\.parquet: it has \d+ rows instead of \d+; the file is damaged"
    ):
        gb.load_results(tmp_path / "few")
    (tmp_path / "few" / "curves.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(OSError, match=r"curves\.parquet"):
        gb.load_results(tmp_path / "few")


@pytest.mark.usefixtures("no_windows")
def test_loaded_results_are_drawn_and_tabulated(file, tmp_path):
    studies = gb.run_study(file, out=tmp_path / "out", runs=4, progress=False)
    assert studies["A line"].plot_regret() is not None
    frame = studies.to_pandas()
    assert list(frame.columns) == [
        "case",
        "agent",
        "run",
        "t",
        "regret",
        "realized_regret",
        "reward",
        "legs",
    ]
    assert len(frame) == 2 * 2 * 4 * 6
    at_end = frame[(frame.case == "grid:3x3") & (frame.agent == "g-star") & (frame.t == 150)]
    assert np.array_equal(at_end.regret, studies["grid:3x3"].regret[1, :, -1])
    with pytest.raises(KeyError, match="there is no case 'line'; there are 'A line', 'grid:3x3'"):
        studies["line"]

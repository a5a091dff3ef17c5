"""What ``scripts/sdist.py`` says of source distributions that lack something or hold too much."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "sdist.py"
spec = importlib.util.spec_from_file_location("sdist", SCRIPT)
assert spec is not None
assert spec.loader is not None
sdist = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sdist)

WHOLE = [*sdist.ALWAYS, "python/graph_bandit/__init__.py", "crates/a/src/tests/b.rs"]


def test_what_is_missing_or_too_much_is_named() -> None:
    assert list(sdist.problems(WHOLE, 1000)) == []
    without = [name for name in WHOLE if name != "LICENSE-MIT"]
    assert list(sdist.problems(without, 1000)) == ["it does not hold LICENSE-MIT"]
    (library,) = sdist.problems([*WHOLE, "python/graph_bandit/_core.so"], 1000)
    assert "_core.so" in library
    (test,) = sdist.problems([*WHOLE, "crates/a/tests/b.rs"], 1000)
    assert "crates/a/tests/b.rs" in test
    (size,) = sdist.problems(WHOLE, 6_000_000)
    assert "6,000,000 bytes" in size


def test_a_directory_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("kept")
    command = [sys.executable, str(SCRIPT)]
    other = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True)
    assert other.returncode == 2
    assert "holds something else" in other.stderr
    assert (tmp_path / "mine.txt").read_text() == "kept"
    inside = str(SCRIPT.parents[1] / "target" / "sdist")
    inside_it = subprocess.run([*command, inside], capture_output=True, text=True)
    assert inside_it.returncode == 2
    assert "is in the repository" in inside_it.stderr


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    made, away = tmp_path / "made", tmp_path / "away"
    for name, text in {"same": "a", "inside/other": "b", "new/new": "c"}.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text)
    (away / "inside").mkdir(parents=True)
    for name, text in {"same": "a", "inside/other": "before", "gone": "d"}.items():
        (away / name).write_text(text)
    for name in ["same", "inside/other"]:
        os.utime(away / name, (1, 1))
    assert sdist.update(made, away) == 3
    assert sdist.files_in(away) == sdist.files_in(made)
    assert (away / "inside/other").read_text() == "b"
    assert (away / "same").stat().st_mtime == 1
    assert (away / "inside/other").stat().st_mtime > 1
    assert sdist.update(made, away) == 0

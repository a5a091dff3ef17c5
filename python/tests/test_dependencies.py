"""What ``scripts/dependencies.py`` lets in."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("dependencies", TOP / "scripts" / "dependencies.py")
assert spec is not None
assert spec.loader is not None
dependencies = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dependencies)

RULES = {"licenses": {"allow": ["MIT", "Apache-2.0"], "exceptions": []}}


@pytest.mark.parametrize(
    ("expression", "is_met"),
    [
        ("MIT", True),
        ("GPL-3.0", False),
        ("MIT OR GPL-3.0", True),
        ("GPL-3.0/MIT", True),
        ("MIT AND GPL-3.0", False),
        ("MIT AND Apache-2.0 OR GPL-3.0", True),
        ("GPL-3.0 OR MIT AND Zlib", False),
        ("(MIT OR GPL-3.0) AND (Zlib OR Apache-2.0)", True),
        ("(MIT OR GPL-3.0) AND Zlib", False),
        ("Apache-2.0 WITH LLVM-exception", False),
        ("Apache-2.0 WITH LLVM-exception OR MIT", True),
    ],
)
def test_licences(expression: str, is_met: bool) -> None:
    assert dependencies.is_allowed(expression, {"MIT", "Apache-2.0"}) is is_met


def package(**changes: Any) -> dict[str, Any]:
    made = {"name": "a", "version": "1.0.0", "license": "MIT", "source": dependencies.CRATES_IO}
    return made | {"dependencies": []} | changes


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"license": "GPL-3.0"}, "GPL-3.0"),
        ({"license": None}, "no licence"),
        ({"source": "git+https://example.org/a"}, "git+https://example.org/a"),
        ({"source": None, "dependencies": [{"name": "b", "req": "*"}]}, "any version of b"),
    ],
)
def test_what_may_not_come_in_is_named(changes: dict[str, Any], problem: str) -> None:
    assert list(dependencies.problems({"packages": [package()]}, RULES)) == []
    found = list(dependencies.problems({"packages": [package(), package(**changes)]}, RULES))
    assert len(found) == 1
    assert problem in found[0]
    assert "a 1.0.0" in found[0]

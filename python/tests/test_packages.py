"""What ``scripts/packages.py`` says of crates that could not be published."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("packages", TOP / "scripts" / "packages.py")
assert spec is not None
assert spec.loader is not None
packages = importlib.util.module_from_spec(spec)
spec.loader.exec_module(packages)


def package(**changes: Any) -> dict[str, Any]:
    whole = {
        "name": "a",
        "version": "1.2.0",
        "publish": None,
        "description": "A crate",
        "license": "MIT",
        "readme": "README.md",
        "documentation": "https://docs.rs/a",
        "rust_version": "1.89",
        "keywords": ["graph"],
        "categories": ["science"],
        "targets": [{"kind": ["lib"]}],
        "metadata": {"docs": {"rs": {"all-features": True}}},
        "dependencies": [],
    }
    return whole | changes


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"description": None}, "`description`"),
        ({"readme": None}, "`readme`"),
        ({"rust_version": None}, "`rust-version`"),
        ({"keywords": ["reinforcement-learning"]}, "'reinforcement-learning'"),
        ({"keywords": list("abcdef")}, "6 keywords"),
        ({"categories": []}, "0 categories"),
        ({"metadata": None}, "all-features"),
    ],
)
def test_missing_metadata_is_named(changes: dict[str, Any], problem: str) -> None:
    assert list(packages.wrong_metadata(package())) == []
    found = list(packages.wrong_metadata(package(**changes)))
    assert len(found) == 1
    assert problem in found[0]


@pytest.mark.parametrize(
    ("other", "dependency", "problem"),
    [
        ({}, {"kind": None, "req": "^1.2.0"}, None),
        ({"publish": []}, {"kind": None, "req": "^1.2.0"}, "needs b, which is not published"),
        ({}, {"kind": None, "req": "*"}, "at 1.2.0"),
        ({}, {"kind": "build", "req": "^1.1.0"}, "at 1.2.0"),
        ({"publish": []}, {"kind": "dev", "req": "*"}, None),
        ({"publish": []}, {"kind": "dev", "req": "^1.2.0"}, "leave its version out"),
    ],
)
def test_dependencies_that_nobody_could_get_are_named(
    other: dict[str, Any], dependency: dict[str, Any], problem: str | None
) -> None:
    members = {"b": package(name="b", **other)}
    depending = package(dependencies=[{"name": "b"} | dependency])
    found = list(packages.wrong_dependencies(depending, members))
    assert len(found) == (problem is not None)
    assert problem is None or problem in found[0]


def test_files_that_are_read_must_be_in_the_package(tmp_path: Path) -> None:
    texts = {
        "Cargo.toml": "",
        "src/lib.rs": 'const A: &str = include_str!("../a.txt");\n',
        "src/page.rs": 'include_str!(concat!("../page/", $name))',
        "a.txt": "",
        "page/one.js": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    crate = package(manifest_path=str(tmp_path / "Cargo.toml"))
    whole = [*texts, *packages.ALWAYS]
    assert list(packages.wrong_files(crate, whole)) == []

    def found_without(name: str) -> list[str]:
        return list(packages.wrong_files(crate, [file for file in whole if file != name]))

    assert found_without("LICENSE-MIT") == ["does not hold LICENSE-MIT"]
    assert found_without("a.txt") == ["reads a.txt in src/lib.rs, and does not hold it"]
    assert found_without("page/one.js") == [
        "reads page/one.js in src/page.rs, and does not hold it"
    ]
    (tmp_path / "src/lib.rs").write_text('include_str!("../../outside.txt")')
    assert list(packages.wrong_files(crate, whole)) == [
        "reads ../outside.txt in src/lib.rs, and does not hold it"
    ]
    (tmp_path / "src/page.rs").write_text('include_str!(concat!("../../outside/", $name))')
    assert any("../outside" in problem for problem in packages.wrong_files(crate, whole))


def test_dependencies_that_need_a_later_rust_are_named() -> None:
    late = package(name="late", rust_version="1.90.0", source="registry")
    early = package(name="early", rust_version="1.89", source="registry")
    found = list(packages.late_dependencies([late, early], "1.89"))
    assert found == ["late 1.2.0 needs Rust 1.90.0, and we promise 1.89"]

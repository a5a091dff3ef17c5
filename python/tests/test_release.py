"""What names the version of a release says the same."""

import pathlib
import re
import tomllib

import graph_bandit as gb

ROOT = pathlib.Path(__file__).parents[2]
WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]
VERSION = WORKSPACE["package"]["version"]


def test_the_package_and_the_crates_have_one_version():
    assert gb.__version__ == VERSION
    dependencies = WORKSPACE["dependencies"].values()
    ours = [found for found in dependencies if isinstance(found, dict) and "path" in found]
    # Crates for tests only are not published, and have no version.
    assert {found.get("version", VERSION) for found in ours} == {VERSION}


def test_the_citation_is_of_the_release_in_the_changelog():
    release = re.search(r"^## (\d\S+) \((.+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    citation = (ROOT / "CITATION.cff").read_text()
    cited = dict(re.findall(r"^(version|date-released): (.+)$", citation, re.M))
    assert release
    assert cited == {"version": release[1], "date-released": release[2]}
    assert release[1] == VERSION

"""What names the version of a release says the same."""

import pathlib
import re
import subprocess
import sys
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


def notes(version):
    script = [sys.executable, ROOT / "scripts" / "release_notes.py", version, "https://x.org/blob"]
    return subprocess.run(script, capture_output=True, text=True, check=False)


def test_the_notes_of_a_release_are_its_part_of_the_changelog():
    now, before = notes(VERSION).stdout, notes("0.1.0").stdout
    page = (ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^###.*$", page, re.M)
    assert re.findall(r"^###.*$", now, re.M) == headings
    rows = re.findall(r"^(?:\||- ).{12}", page, re.M)
    assert re.findall(r"^(?:\||- ).{12}", now + before, re.M) == rows
    assert " ".join(page.split()).count(" ".join(before.split())) == 1
    # Outside the repository, links need addresses; GitHub keeps the line breaks of notes.
    assert set(re.findall(r"\]\((\w*)", now)) == {"https"}
    assert "(https://x.org/blob/CHANGELOG.md#trajectory-changes)" in now
    assert not re.search(r"^[ ]*[a-z(]", now, re.M)
    unknown = notes("9.9.9")
    assert unknown.returncode == 1
    assert "says nothing about version 9.9.9; write what is new" in unknown.stderr

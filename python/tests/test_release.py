"""What names the version of a release says the same."""

import pathlib
import re
import shutil
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
    assert cited.pop("version") == release[1] == VERSION
    assert cited == ({} if release[2] == "unreleased" else {"date-released": release[2]})


def notes(folder, changelog, version):
    (folder / "scripts").mkdir(exist_ok=True)
    (folder / "CHANGELOG.md").write_text(changelog)
    script = folder / "scripts" / "release_notes.py"
    shutil.copy(ROOT / "scripts" / "release_notes.py", script)
    command = [sys.executable, script, version, "https://x.org/blob"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_notes_of_a_release_are_its_part_of_the_changelog(tmp_path):
    page = (ROOT / "CHANGELOG.md").read_text()
    released = re.sub(r"\(unreleased\)", "(2030-01-31)", page)
    earlier = (
        f"{released}\n## 0.0.9 (2029-01-31)\n\n- [The log](#trajectory-changes) of\n  {'x' * 12}\n"
    )
    now, before = (notes(tmp_path, earlier, version).stdout for version in (VERSION, "0.0.9"))
    assert re.findall(r"^###.*$", now, re.M) == re.findall(r"^###.*$", page, re.M)
    assert re.findall(r"^- .{12}", now, re.M) == re.findall(r"^- .{12}", page, re.M)
    # Outside the repository, links need addresses; GitHub keeps the line breaks of notes.
    assert set(re.findall(r"\]\((\w*)", now)) == {"https"}
    assert (
        before == f"- [The log](https://x.org/blob/CHANGELOG.md#trajectory-changes) of {'x' * 12}\n"
    )
    assert not re.search(r"^[ ]*[a-z(]", now, re.M)


def test_what_the_changelog_does_not_date_has_no_notes(tmp_path):
    dated = "## 1.0.0 (2030-01-31)\n\n- new\n"
    unknown = notes(tmp_path, dated, "9.9.9")
    assert unknown.returncode == 1
    assert "says nothing about version 9.9.9; write what is new" in unknown.stderr
    undated = notes(tmp_path, dated.replace("2030-01-31", "unreleased"), "1.0.0")
    assert undated.returncode == 1
    assert "calls version 1.0.0 unreleased; give it a date" in undated.stderr

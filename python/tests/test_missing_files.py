"""Files that cannot be read raise what Python's own ``open`` raises."""

import os

import pytest

import graph_bandit as gb

READERS = [
    gb.graph,
    gb.read_map,
    gb.agent,
    gb.World,
    gb.run_study,
    gb.load,
    gb.load_results,
    lambda path: gb.merge([path]),
    lambda path: gb.Means(f"file:{path}"),
]


def raised_by_open(path):
    with pytest.raises(OSError, match=r"\[Errno") as refused, open(path, "rb") as file:
        file.read()
    return refused.value


@pytest.mark.parametrize("reader", READERS)
def test_a_missing_file(reader, tmp_path):
    path = str(tmp_path / "town.csv")
    with pytest.raises(FileNotFoundError) as refused:
        reader(path)
    expected = raised_by_open(path)
    assert (refused.value.errno, refused.value.filename) == (expected.errno, path)
    assert str(refused.value) == str(expected)


@pytest.mark.parametrize("reader", [gb.graph, gb.read_map, gb.run_study, gb.load])
def test_a_directory_in_place_of_a_file(reader, tmp_path):
    with pytest.raises(type(raised_by_open(tmp_path))) as refused:
        reader(str(tmp_path))
    assert refused.value.filename == str(tmp_path)


@pytest.mark.parametrize("reader", READERS)
def test_a_file_in_place_of_a_directory(reader, tmp_path):
    (tmp_path / "town").write_text("0 1\n")
    path = str(tmp_path / "town" / "roads.csv")
    with pytest.raises(type(raised_by_open(path))) as refused:
        reader(path)
    assert refused.value.filename == path


if hasattr(os, "seteuid"):

    @pytest.fixture
    def unreadable(tmp_path):
        """A file that this process may not read. The superuser may, so it becomes somebody else."""
        path = tmp_path / "town.csv"
        path.write_text("0 1\n")
        path.chmod(0)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        yield path
        os.seteuid(user)

    @pytest.mark.parametrize("reader", [gb.graph, gb.read_map, gb.run_study, gb.load])
    def test_a_file_that_is_not_ours(reader, unreadable):
        with pytest.raises(PermissionError) as refused:
            reader(str(unreadable))
        assert refused.value.filename == str(unreadable)


def test_a_note_lists_the_families(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError) as refused:
        gb.graph("town.csv")
    assert str(refused.value).endswith("'town.csv'")
    (note,) = refused.value.__notes__
    assert note.startswith("give a file, or a family: line:NODES ")


def test_wrong_contents_are_still_value_errors(tmp_path):
    path = tmp_path / "town.csv"
    path.write_text("a,b\nc,d\n")
    with pytest.raises(ValueError, match=r"town\.csv"):
        gb.read_map(path)

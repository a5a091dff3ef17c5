"""What ``scripts/pack.py`` packs for people who build nothing."""

import importlib.util
import subprocess
import tarfile
import zipfile
from pathlib import Path

TOP = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("pack", TOP / "scripts" / "pack.py")
assert spec is not None
assert spec.loader is not None
pack = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pack)


def test_the_archive_has_the_program_and_all_that_belongs_to_it(
    gbandit: str, tmp_path: Path
) -> None:
    made = pack.pack(Path(gbandit), "x86_64-unknown-linux-gnu", tmp_path / "dist")
    checked = ["sha256sum", "--check", "--strict", f"{made.name}.sha256"]
    subprocess.run(checked, cwd=made.parent, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(made) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / made.name.removesuffix(".tar.gz")
    answer = subprocess.run([folder / "gbandit", "--version"], capture_output=True, check=True)
    assert folder.name == f"gbandit-{answer.stdout.decode().split()[1]}-x86_64-unknown-linux-gnu"
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"]:
        assert (folder / name).stat().st_size > 0
    assert "_gbandit" in (folder / "completions" / "gbandit.bash").read_text()
    assert (folder / "completions" / "_gbandit").read_text().startswith("#compdef gbandit")
    assert "gbandit" in (folder / "completions" / "gbandit.fish").read_text()
    assert "'gbandit'" in (folder / "completions" / "_gbandit.ps1").read_text()
    assert ".SH SYNOPSIS" in (folder / "man" / "man1" / "gbandit-serve.1").read_text()


def test_windows_gets_a_zip(gbandit: str, tmp_path: Path) -> None:
    made = pack.pack(Path(gbandit), "x86_64-pc-windows-msvc", tmp_path)
    assert made.suffix == ".zip"
    with zipfile.ZipFile(made) as archive:
        assert f"{made.stem}/man/man1/gbandit.1" in archive.namelist()

"""The list of public names is what the program and the package have now; the reference can be made."""

import sysconfig

import pytest
import reference_page
from page_runner import ROOT


def test_the_surface_is_the_one_in_git(gbandit):
    kept, now = (ROOT / "docs" / "surface.txt").read_text(), reference_page.surface(gbandit)
    changed = sorted({*kept.splitlines()} ^ {*now.splitlines()})
    said = "run `python3 scripts/reference target/release/gbandit` and commit docs/surface.txt"
    assert kept == now, f"{said}, if these names are to change: {changed}"


def test_the_surface_has_names_of_every_kind(gbandit):
    lines = set(reference_page.surface(gbandit).splitlines())
    assert {
        "command gbandit run --steps",
        "command gbandit graph info <FILE|FAMILY:SIZE>",
        "toml steps",
        "toml cases.graph",
        "toml figures.curves.scale",
        "agents g-star trust",
        "families grid columns",
        "http POST /v1/agents/{id}/tell",
        "http GET /v1/agents limit",
        "http AgentRequest.walkers",
        "http urn:graph-bandit:unknown-agent",
        "python run(steps)",
        "python Results.plot_regret(options)",
        "python Leg.path",
        "python plan.Policy",
        "rust graph-bandit",
    } <= lines


def test_a_missing_program_is_named_with_the_remedy(monkeypatch, tmp_path):
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(FileNotFoundError, match="pip install"):
        reference_page.writer("pages").installed_program()

"""The Python of the README and of the service's quick start, run as it stands."""

import pathlib
import re

import pytest

import graph_bandit as gb

ROOT = pathlib.Path(__file__).parents[2]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)


@pytest.mark.usefixtures("no_windows")
def test_the_readme_gives_the_regrets_of_its_table(capsys, monkeypatch, tmp_path):
    (block,) = blocks("README.md")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(block, names)
    printed = dict(re.findall(r"([\w-]+) +regret +([\d,.]+)", capsys.readouterr().out))
    page, _, _ = (ROOT / "README.md").read_text().partition("## Rewards that change")
    table = dict(re.findall(r"^([\w-]+) +([\d,]+) +[\d,]+ \.\. ", page, re.M))
    assert set(printed) == {"g-star", "g-ucb"}
    for agent, regret in printed.items():
        assert f"{float(regret.replace(',', '')):,.0f}" == table[agent]
    assert names["agent"].visits == 1
    assert (tmp_path / "regret.png").stat().st_size > 0


def test_the_quick_start_finds_the_agent_that_curl_made(server, fleet):
    (block,) = blocks("docs/guides/service-quick-start.md")
    rooms = [("hall", "yard"), ("yard", "roof")]
    fleet.create(gb.graph(rooms), "g-ucb", id="scout")
    address = "http://127.0.0.1:8080"
    assert address in block
    exec(block.replace(address, server.url), {})
    assert fleet["scout"].status().visits == 1

"""Calls that people get wrong: the exception names the value and the right call."""

import pytest

import graph_bandit as gb


@pytest.mark.parametrize("made", [gb.mixed_noise, gb.best_node_noise])
def test_noises_that_are_texts(made):
    with pytest.raises(TypeError) as refused:
        made("uniform:0.1", gb.bernoulli_noise())
    message = str(refused.value)
    assert message.startswith("'uniform:0.1' is not a noise; write gb.Noise('uniform:0.1'), or ")
    call = message.partition("as in ")[2]
    assert call.startswith(f"gb.{made.__name__}(")
    assert isinstance(eval(call), gb.Noise)
    made(gb.Noise("uniform:0.1"), gb.bernoulli_noise())


@pytest.mark.parametrize("wrong", [0.5, None, [gb.bernoulli_noise()]])
def test_noises_that_are_something_else(wrong):
    with pytest.raises(TypeError, match="is not a noise; call it as in gb") as refused:
        gb.mixed_noise(gb.bernoulli_noise(), wrong)
    assert str(refused.value).startswith(repr(wrong))


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"name": "g-ucb"}, "'name'; .* write spec='g-ucb'"),
        ({"agent": "gucb"}, "'agent'; .* write spec='gucb'"),
        ({"agents": gb.GUcb(bonus=0.5)}, r"'agents'; .* write spec=GUcb\(bonus=0\.5\)"),
        ({"policy": "g-ucb:bonus=0.5"}, "'policy'; .* write spec='g-ucb:bonus=0.5'"),
    ],
)
def test_other_keywords_for_the_agent(given, shown):
    with pytest.raises(TypeError, match=f"there is no argument {shown}"):
        gb.agent("line:3", **given)
    with pytest.raises(TypeError, match=f"there is no argument {shown}"):
        gb.connect("http://127.0.0.1:9").create("line:3", **given)


def test_the_agent_before_the_graph():
    for made in (gb.agent, gb.connect("http://127.0.0.1:9").create):
        with pytest.raises(TypeError, match="g-ucb is an agent; the graph comes first"):
            made("g-ucb", "line:4")
    with pytest.raises(FileNotFoundError, match="'ucb'") as refused:
        gb.agent("ucb", "line:4")
    assert refused.value.__notes__[1:] == [
        "agent() takes the graph first, then the agent, which is 'line:4' here"
    ]
    with pytest.raises(FileNotFoundError, match=r"'town\.csv'") as refused:
        gb.agent("town.csv", "g-ucb")
    assert len(refused.value.__notes__) == 1


@pytest.mark.parametrize("key", ["walkers", "starts", "share", "seats"])
def test_teams_are_not_agents_alone(key):
    with pytest.raises(TypeError, match=f"there is no argument '{key}': .* use gb.team"):
        gb.agent("line:3", **{key: 2})


@pytest.mark.parametrize(
    ("walkers", "why"),
    [
        (["anna"], "walker 0 is 'anna'; give a gb.Walker, or a dictionary"),
        ({"anna": gb.Walker()}, "walkers is .*; give a number, or a list"),
        ([{"sped": 1}], "walker 0 has 'sped'; .*did you mean 'speed'"),
        ([{"speed": None}], "walker 0: speed is None; give a number above 0"),
        ([{"nodes": 7}], "walker 0: nodes is 7; give a list of labels"),
    ],
)
def test_walkers_that_are_something_else(walkers, why):
    for made in (gb.team, lambda graph, walkers: gb.run(graph, "g-star", walkers=walkers)):
        with pytest.raises(TypeError, match=why):
            made("line:3", walkers)


def test_agents_that_lead_teams_have_classes():
    assert str(gb.MultiGUcb(until="median")) == "multi-g-ucb:until=median"
    assert str(gb.CombUcb()) == "comb-ucb"
    assert "multi-g-ucb" not in gb.SPECS
    results = gb.run("line:4", [gb.MultiGUcb(), gb.CombUcb()], walkers=2, steps=20, runs=1)
    assert results.agents == ("multi-g-ucb", "comb-ucb")
    with pytest.raises(TypeError, match="agent multi-g-ucb has no parameter 'untl'; it has"):
        gb.MultiGUcb(untl="median")
    with pytest.raises(ValueError, match="until"):
        gb.MultiGUcb(until="never")
    with pytest.raises(ValueError, match="multi-g-ucb leads a team"):
        gb.run("line:4", gb.MultiGUcb(), steps=20, runs=1)


def test_parameters_of_agents_are_still_parameters():
    assert gb.agent("line:3", "g-ts", rewards="bernoulli").spec == "g-ts:rewards=bernoulli"
    with pytest.raises(TypeError, match="agent g-star has no parameter 'bonus'"):
        gb.agent("line:3", bonus=0.5)

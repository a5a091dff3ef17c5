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


def test_parameters_of_agents_are_still_parameters():
    assert gb.agent("line:3", "g-ts", rewards="bernoulli").spec == "g-ts:rewards=bernoulli"
    with pytest.raises(TypeError, match="agent g-star has no parameter 'bonus'"):
        gb.agent("line:3", bonus=0.5)

"""Agents that the service simulates, from Python."""

import pytest
from service_process import Server, tokens

import graph_bandit as gb
from graph_bandit import service


def test_an_agent_is_simulated_until_it_is_told_to_stop(fleet):
    rover = fleet.create("grid:4x4", id="rover", seed=3)
    assert fleet.simulations().agents == ()
    for _ in range(2):
        # An agent that is simulated already stays so.
        started = rover.simulate()
        assert started.agents == ("rover",)
    assert started.most == 8
    for sight in rover.watch():
        if sight.visits >= 5:
            break
    assert fleet.simulations() == started
    rover.stop_simulating()
    rover.stop_simulating()
    assert fleet.simulations().agents == ()
    history = list(rover.history())
    assert len(history) >= 5
    assert {record.robot for record in history} == {"simulation"}
    # A robot goes on where the simulation stood.
    assert rover.ask().sequence >= len(history)


def test_too_many_and_unknown_agents_are_refused(fleet):
    most = fleet.simulations().most
    agents = [fleet.create("line:3", id=f"a{k}") for k in range(most + 1)]
    for agent in agents[:most]:
        agent.simulate()
    with pytest.raises(service.RefusedError, match=r"8") as refused:
        agents[most].simulate()
    assert (refused.value.status, refused.value.kind) == (409, "simulations")
    agents[0].delete()
    with pytest.raises(service.UnknownAgentError):
        agents[0].stop_simulating()
    with pytest.raises(service.UnknownAgentError):
        agents[0].simulate()


def test_a_service_may_simulate_nothing_and_tokens_count(gbandit, tmp_path):
    with Server(gbandit, "memory:", "--no-demo") as server, gb.connect(server.url) as fleet:
        assert fleet.simulations().most == 0
        with pytest.raises(service.NotAllowedError, match="--no-demo"):
            fleet.create("line:3").simulate()
    made = tokens(gbandit, tmp_path / "tokens", "read", "decide", "admin")
    with Server(gbandit, "memory:", "--token-file", str(tmp_path / "tokens")) as server:
        gb.connect(server.url, made["admin"]).create("line:3", id="rover")
        with pytest.raises(service.NotAllowedError):
            gb.connect(server.url, made["read"])["rover"].simulate()
        assert gb.connect(server.url, made["decide"])["rover"].simulate().agents == ("rover",)

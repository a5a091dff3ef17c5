"""A service whose clock follows the times of reports, and the changes that its agents find."""

from datetime import UTC, datetime

import numpy as np
import pytest

from graph_bandit import service

LINE = [("hall", "yard"), ("yard", "roof"), ("roof", "gate")]


def test_times_are_told_one_by_one_by_leg_and_by_visit(fleet):
    made = {"init": "none", "id": "timed", "clock": "stamps"}
    agent = fleet.create(LINE, "g-drift", **made)
    assert fleet.create(LINE, "g-drift", **made).id == "timed"
    assert (agent.status().clock, agent.status().last_time) == ("stamps", None)
    agent.tell("hall", 0.5, time=100)
    agent.tell("yard", 0.25, time=np.float64(103.5))
    agent.tell_visits([("roof", 1.0), ("roof", 2.0)], time=[105, 106])
    leg = agent.ask()
    agent.tell(leg, [0.5], time=[110.0])
    agent.tell_leg([0.5], time=111.0)
    # Reports without visits have no such time; a moment is a remark.
    agent.failed(time=datetime(2026, 11, 16, tzinfo=UTC))
    took = [record.took for record in agent.history()]
    assert took == [(None,), (3.5,), (1.5, 1.0), (4.0,), (1.0,), ()]
    assert [record.time for record in agent.history()][:3] == ["100", "103.5", "106"]
    assert agent.status().last_time == 111
    assert agent.status().time == 1 + 3.5 + 1.5 + 1 + 4 + 1


def test_impossible_times_are_refused(fleet):
    agent = fleet.create(LINE, "g-drift", clock="stamps")
    agent.tell("hall", 0.5, time=10)
    refused = [
        ({"time": 10.5}, "last time was 10.*at least 11"),
        ({"time": -3}, "last time was 10"),
        ({}, "last time was 10"),
        ({"time": datetime(2026, 11, 16, tzinfo=UTC)}, "the text .2026-11-16.*needs a number"),
        ({"took": 2}, "`time` instead"),
        ({"took": 2, "time": 12}, "only `time`"),
    ]
    for said, why in refused:
        with pytest.raises(service.RefusedError, match=why):
            agent.tell("hall", 0.5, **said)
    for time in [float("nan"), "noon", [None]]:
        with pytest.raises(ValueError, match="a finite number in units of one visit"):
            agent.tell("hall", 0.5, time=time)
    with pytest.raises(ValueError, match="2 numbers for 1 visits"):
        agent.tell_visits([("hall", 1.0)], time=[11, 12])
    # Reports without visits take no numbers.
    for report in [
        lambda time: agent.failed(time=time),
        lambda time: agent.block("hall", "yard", time=time),
        lambda time: agent.open("hall", "yard", time=time),
        lambda time: agent.observe("roof", 1.0, time=time),
        lambda time: agent.moved("hall", time=time),
    ]:
        for time in [12, np.float64(12.5), [12.0]]:
            with pytest.raises(TypeError, match="takes a datetime with a time zone"):
                report(time)
    assert agent.status().sequence == 1
    counted = fleet.create(LINE, "g-drift", clock="count")
    assert (counted.status().clock, counted.status().time) == ("count", None)
    with pytest.raises(service.RefusedError, match="counts visits"):
        counted.tell("hall", 0.5, time=3)
    with pytest.raises(service.RefusedError, match=r"`sundial`.*`stamps`"):
        fleet.create(LINE, clock="sundial")


def test_changes_and_ages_are_those_of_the_visits(fleet):
    agent = fleet.create(LINE, "g-drift", init="none")
    assert agent.changes() == []
    assert np.isnan(agent.ages()).all()
    rewards = [1.0] * 40 + [0.0] * 10
    agent.tell_visits([("hall", 0.5), *[("yard", reward) for reward in rewards]])
    first, *_ = agent.changes()
    assert isinstance(first, service.FoundChange)
    assert first.node == "yard"
    assert 42 <= first.visits <= 51
    ages = agent.ages()
    assert ages[:2].tolist() == [50, 0]
    assert np.isnan(ages[2:]).all()
    still = fleet.create(LINE, "g-star", init="none")
    still.tell_visits([("yard", reward) for reward in rewards])
    assert still.changes() == []

"""Sessions that earlier versions saved go on as they would have gone on there, bit for bit."""

import json
import pathlib

import pytest

import graph_bandit as gb

FIXTURES = pathlib.Path(__file__).parents[2] / "tests" / "fixtures"
KEPT = sorted(FIXTURES.glob("*/sessions/answers.json"))


def cases():
    for file in KEPT:
        for name, answers in json.loads(file.read_text(encoding="utf-8")).items():
            saved = file.parent / f"{name}.json"
            yield pytest.param(saved, answers, id=f"{file.parts[-3]}-{name}")


def numbers(found):
    """As they were written: what is no number, or infinite, is a text."""
    return [float(x) if abs(x) < float("inf") else str(x) for x in found]


def seen(session):
    leg, scores = session.ask(), session.scores()
    return {
        "path": [session.graph.number(node) for node in leg.path],
        "stay": leg.stay,
        "phase": leg.phase,
        "at": session.graph.number(session.at),
        "visits": session.visits,
        "counts": session.counts.tolist(),
        "means": numbers(session.means),
        "scores": None if scores is None else numbers(scores),
    }


def tell(session, step):
    label = session.graph.label
    if "leg" in step:
        session.tell_leg(step["leg"])
    elif "moved" in step:
        session.move_to(label(step["moved"]))
    else:
        session.tell(label(step["node"]), step["reward"])


def test_there_are_sessions_of_every_agent():
    assert KEPT
    for file in KEPT:
        names = set(json.loads(file.read_text(encoding="utf-8")))
        assert names == {saved.stem for saved in file.parent.glob("*.json")} - {"answers"}
    specs = {gb.load(saved.values[0]).spec.partition(":")[0] for saved in cases()}
    assert specs >= {name for name in gb.SPECS if (KEPT[0].parent / f"{name}-paper.json").exists()}


@pytest.mark.parametrize(("saved", "answers"), cases())
def test_a_saved_session_goes_on(saved, answers, tmp_path):
    session = gb.load(saved)
    assert seen(session) == answers["first"]
    for number, step in enumerate(answers["steps"]):
        tell(session, step["tell"])
        expected = {key: value for key, value in step.items() if key != "tell"}
        assert seen(session) == expected, f"after step {number}"
    session.save(tmp_path / "again.json")
    assert seen(gb.load(tmp_path / "again.json")) == seen(session)

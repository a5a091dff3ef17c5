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
    """As in the file, where NaN and infinities are texts."""
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


def same(found, kept):
    """By their text: exact, the sign of a zero included."""
    assert json.dumps(found, sort_keys=True) == json.dumps(kept, sort_keys=True)


def test_every_session_has_its_answers():
    assert KEPT
    for file in KEPT:
        names = set(json.loads(file.read_text(encoding="utf-8")))
        assert names == {saved.stem for saved in file.parent.glob("*.json")} - {"answers"}


@pytest.mark.parametrize(("saved", "answers"), list(cases()))
def test_a_saved_session_goes_on(saved, answers, tmp_path):
    session = gb.load(saved)
    same(seen(session), answers["first"])
    for step in answers["steps"]:
        tell(session, step["tell"])
        same(seen(session), {key: value for key, value in step.items() if key != "tell"})
    session.save(tmp_path / "again.json")
    same(seen(gb.load(tmp_path / "again.json")), seen(session))

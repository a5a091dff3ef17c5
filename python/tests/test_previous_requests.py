"""Whoever talks to the service as earlier versions documented it is answered as before.

A request of 0.1 has the status that it had, and its answer has every member that it had, of the
same type. Members may be added.
"""

import importlib.util
import json
import pathlib
import re
import sys

import pytest
from service_process import Server

FIXTURES = pathlib.Path(__file__).parents[2] / "tests" / "fixtures"
KEPT = {
    version: json.loads((FIXTURES / version / "exchanges.json").read_text(encoding="utf-8"))
    for version in ["0.1"]
}

#: What is answered otherwise on purpose, by request: what is gone, and why a client goes on.
CHANGED = {
    # 0.1 refused an edge without which nodes are cut off (422). Now it is accepted, and the nodes are
    # set aside: a client of 0.1 goes on, one of today reads `set_aside_nodes`.
    "POST /v1/agents/bridge/blocked": ["status 200", "/type", "/title", "/status", "/detail"],
}


def sender():
    """The code that recorded the exchanges sends them again."""
    make = FIXTURES / "make"
    loaded = importlib.util.spec_from_file_location("exchanges", make / "exchanges.py")
    module = importlib.util.module_from_spec(loaded)
    sys.modules["exchanges"] = module
    sys.path.insert(0, str(make))
    try:
        loaded.loader.exec_module(module)
    finally:
        sys.path.remove(str(make))
        del sys.modules["exchanges"]
    return module


def missing(before, now, place=""):
    """Every member of ``before`` that is not in ``now``, or is of another type."""
    if isinstance(before, dict):
        if not isinstance(now, dict):
            return [place]
        return [
            gone
            for key, of in before.items()
            for gone in (
                missing(of, now[key], f"{place}/{key}") if key in now else [f"{place}/{key}"]
            )
        ]
    if isinstance(before, list):
        if not isinstance(now, list):
            return [place]
        # Of an empty list nothing is known.
        return missing(before[0], now[0], f"{place}/0") if before and now else []
    return [] if before == now else [place]


def test_what_is_missing_is_found():
    before = {"a": "number", "b": [{"c": "text"}], "d": {"e": "null"}}
    assert missing(before, {**before, "new": "text"}) == []
    assert missing(before, {"a": "text", "b": [{}], "d": "text"}) == ["/a", "/b/0/c", "/d"]


@pytest.mark.parametrize("version", KEPT)
def test_every_operation_is_among_the_requests(version):
    exchanges = KEPT[version]
    described = next(of["answer"]["paths"] for of in exchanges if of["path"] == "/openapi.json")
    operations = {(method, path) for path, methods in described.items() for method in methods}
    names = re.compile("/(rover|nobody|bridge)")
    sent = {
        (of["method"].lower(), names.sub("/{id}", of["path"].partition("?")[0])) for of in exchanges
    }
    # Files of the dashboard are those of the page that names them.
    assert operations - sent == {("get", "/dashboard/{file}")}


@pytest.mark.parametrize("version", KEPT)
def test_requests_of_earlier_versions_are_answered_as_before(gbandit, version):
    again = sender()
    wrong = {}
    with Server(gbandit) as server:
        snapshot = None
        for kept in KEPT[version]:
            body = kept.get("body")
            if isinstance(body, dict) and body.get("export") == again.LAST_SNAPSHOT:
                body = {**body, "export": snapshot}
            method, path = kept["method"], kept["path"]
            status, answer = again.answered(server.url, method, path, body, kept.get("text"))
            if path.endswith("/snapshot"):
                snapshot = answer
            gone = [] if status == kept["status"] else [f"status {status}"]
            gone += missing(kept["answer"], again.shape(answer))
            if gone != CHANGED.get(f"{method} {path}", []):
                wrong[f"{method} {path} {json.dumps(kept.get('body'))}"] = gone
    assert wrong == {}

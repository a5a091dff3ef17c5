"""Helps schemathesis to reach the code behind the first checks of the service.

The service refuses made-up names and numbers at once. So every other valid request for an agent that
does not exist is sent to one that exists, on a known graph. Every other one of these also gets the right
sequence number; requests about edges always do. Every other request that only teams accept goes to a team
that exists. Requests for agents that schemathesis created, which it makes by following the links of the
description, stay as they are; of reports every other one does.

Every answer is written to a file, so that the test sees what was reached.
"""

import functools
import itertools
import json
import os
import re
import urllib.request

import schemathesis
from schemathesis import GenerationMode
from schemathesis.openapi.checks import RejectedPositiveData

URL = os.environ["GBANDIT_URL"]
ANSWERS = os.environ["GBANDIT_ANSWERS"]
STANDING = {"id": "standing", "graph": "circle:6", "agent": "g-ucb", "seed": 1}
# It reports by itself, so nobody else's report has the number that it needs.
SIMULATED = {"id": "simulated", "graph": "circle:6", "agent": "g-ucb", "seed": 1}
TEAM = {"id": "team", "graph": "circle:6", "agent": "g-star", "seed": 1, "walkers": 1}
REPORTS = {"tell", "observe", "legFailed", "moved", "edgeBlocked", "edgeOpened"}
created = set()
turns = {}
names = (f"walker-{number}" for number in itertools.count())


def turn(what):
    """Every other time."""
    turns[what] = not turns.get(what, False)
    return turns[what]


def service(path, body=None):
    headers = {"Content-Type": "application/json"}
    if token := os.environ.get("GBANDIT_TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def standing():
    """The existing agent, in its present state."""
    return service("/v1/agents", STANDING)


@functools.cache
def page_files():
    """The files of the page."""
    with urllib.request.urlopen(URL) as answer:
        return re.findall(r"/dashboard/([\w.-]+)", answer.read().decode())


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    operation = case.operation.definition.raw["operationId"]
    if operation == "createAgent" and turn(operation):
        make_possible(case.body)
    elif operation == "importAgent" and turn(operation):
        standing()
        case.body["export"] = service("/v1/agents/standing/snapshot")
    elif operation == "readMap" and turn(operation):
        case.body, case.query = b"hall,yard\nyard,roof\n", {"name": "rooms.csv"}
    elif operation == "pageFile" and page_files() and turn(operation):
        case.path_parameters["file"] = page_files()[0]
    elif operation in {"simulate", "stopSimulation"}:
        if turn(operation):
            case.path_parameters["id"] = service("/v1/agents", SIMULATED)["id"]
    elif operation in {"joined", "left", "walkers"}:
        if turn(operation):
            team = service("/v1/agents", TEAM)
            case.path_parameters["id"] = team["id"]
            make_known(operation, case.body, team)
    elif case.path_parameters.get("id") not in {None, *created} or (
        operation in REPORTS and turn(operation + " to an agent that exists")
    ):
        # A made-up edge hardly ever exists and is open or blocked as the report needs it.
        of_edge = isinstance(case.body, dict) and "edge" in case.body
        if of_edge or turn(operation):
            agent = standing()
            case.path_parameters["id"] = agent["id"]
            if of_edge or (isinstance(case.body, dict) and turn(operation + " report")):
                make_real(operation, case.body, agent)
                # A report with two ids is refused at once.
                if turn("one name") and "Idempotency-Key" in (case.headers or {}):
                    case.body.pop("id", None)


def make_possible(definition):
    """A graph, an agent and a start that exist; made-up walkers hardly ever fit the graph."""
    definition["graph"] = "grid:3x3"
    definition["agent"] = "g-star"
    for field in ["start", "noise_scale", "walkers", "share", "seats"]:
        definition.pop(field, None)


def make_known(operation, change, team):
    """A new walker joins this team; only a walker who has joined can leave."""
    name = next(names)
    if operation != "walkers" and change.get("number") is not None:
        change["number"] = team["number"]
    if operation == "joined":
        change.update(name=name, start=2)
        change.pop("nodes", None)
    elif operation == "left":
        service("/v1/agents/team/joined", {"name": name, "start": 2})
        change["walker"] = name


def make_real(operation, report, agent):
    """The numbers that this agent expects next, nodes and edges of its graph, and no walker of a team."""
    sequence = agent["sequence"]
    if report.get("number") is not None:
        report["number"] = agent["number"]
    report.pop("seal", None)
    report.pop("walker", None)
    if report.get("at") is not None:
        report["at"] = 2
    for visit in [*(report.get("visits") or []), *(report.get("observations") or [])]:
        visit["at"] = 3
    if "edge" in report:
        report["edge"] = ["1", 0]
        wanted = [] if operation == "edgeBlocked" else [[0, 1]]
        if agent["blocked"] != wanted:
            undo = "opened" if operation == "edgeBlocked" else "blocked"
            service(f"/v1/agents/standing/{undo}", {"sequence": sequence, "edge": [0, 1]})
            sequence += 1
    report["sequence"] = sequence


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """A valid request may still ask for the impossible, such as a family that does not exist.

    But what the service refuses for its form must not be valid by the description. Only an exported
    agent has a form that the description does not define.
    """
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 422:
        return True
    kind = response.json()["type"].removeprefix("urn:graph-bandit:")
    operation = case.operation.definition.raw["operationId"]
    possible = ("no-such-agent", "impossible", "no-order", "map")
    return kind not in possible and operation != "importAgent"


@schemathesis.hook
def after_call(context, case, response):
    operation = case.operation.definition.raw["operationId"]
    if operation in ("createAgent", "importAgent") and response.status_code in (200, 201):
        created.add(response.json()["id"])
    with open(ANSWERS, "a") as file:
        file.write(f"{operation} {response.status_code}\n")

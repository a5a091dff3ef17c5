"""What schemathesis is told of the service beside its description.

Made-up names and numbers are refused early on, and what lies behind would hardly be reached. So every
other request that is valid and names an agent that there is not goes to one that there is, on a graph
that is known here, and with every other of these the number of the report is real; of those that speak of
edges, all. Requests for agents that there are, as the links of the description lead to them, are left alone.

Every answer is written down, for the test to see what was reached.
"""

import functools
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
created = set()
turns = {}


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
    """The agent that there is, as it stands now."""
    return service("/v1/agents", STANDING)


@functools.cache
def page_files():
    """What the page is made of."""
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
    elif case.path_parameters.get("id") not in {None, *created}:
        # An edge that there is by luck, and open or blocked as the report needs it, is rare.
        of_edge = isinstance(case.body, dict) and "edge" in case.body
        if of_edge or turn(operation):
            agent = standing()
            case.path_parameters["id"] = agent["id"]
            if of_edge or (isinstance(case.body, dict) and turn(operation + " report")):
                make_real(operation, case.body, agent)
                # Two names for one report are refused, and what lies behind is not reached.
                if turn("one name") and "Idempotency-Key" in (case.headers or {}):
                    case.body.pop("id", None)


def make_possible(wish):
    """A graph, an agent and a start that there are."""
    wish["graph"] = "grid:3x3"
    wish["agent"] = "g-star"
    wish.pop("start", None)
    wish.pop("noise_scale", None)


def make_real(operation, report, agent):
    """The numbers of this agent and of what comes next, and nodes and edges that there are."""
    sequence = agent["sequence"]
    if report.get("number") is not None:
        report["number"] = agent["number"]
    report.pop("seal", None)
    if report.get("at") is not None:
        report["at"] = 2
    for visit in report.get("visits") or []:
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
    """A request of the right form may still ask for what cannot be: a family that there is not.

    What is refused for its form, though, must not be valid in the description. An exported agent has
    a form that the description leaves to the service.
    """
    if not isinstance(failure, RejectedPositiveData) or response.status_code != 422:
        return True
    kind = response.json()["type"].removeprefix("urn:graph-bandit:")
    operation = case.operation.definition.raw["operationId"]
    possible = ("no-such-agent", "impossible", "map")
    return kind not in possible and operation != "importAgent"


@schemathesis.hook
def after_call(context, case, response):
    operation = case.operation.definition.raw["operationId"]
    if operation in ("createAgent", "importAgent") and response.status_code in (200, 201):
        created.add(response.json()["id"])
    with open(ANSWERS, "a") as file:
        file.write(f"{operation} {response.status_code}\n")

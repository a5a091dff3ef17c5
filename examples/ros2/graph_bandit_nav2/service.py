"""The decision service as a robot sees it: ask, and report until the report is taken in.

Only Python's standard library is used, so this runs with the Python of any ROS 2 distribution. The
rules are those of docs/guides/service.md, "Rules for robots".
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

#: The service cannot answer now; the same request may succeed later.
LATER = {429, 502, 503, 504}
#: Somebody else's report has the number of this one, or the service was restored from a backup.
RENUMBER = {"urn:graph-bandit:sequence", "urn:graph-bandit:other-past"}
#: What to do when the service does not accept the token, by status.
REMEDIES = {
    401: "set GBANDIT_TOKEN to a token that the service knows",
    403: "use a token of scope decide; creating the agent needs scope admin",
}


class Refused(Exception):
    """The service will not take this request, however often it is sent."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        detail = problem.get("detail", problem.get("title", "refused"))
        super().__init__("; ".join(filter(None, [f"{status}: {detail}", REMEDIES.get(status)])))
        self.status = status
        self.kind: str = problem.get("type", "")
        self.next_sequence: int | None = problem.get("next_sequence")


class Unavailable(Exception):
    """The service did not answer for as long as we wait. A report stays in the outbox."""


class Service:
    """Sends requests, and sends them again while the service cannot be reached."""

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        patience: float = 60.0,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        if token is not None and not (token.isascii() and token.isprintable()):
            raise Unavailable("GBANDIT_TOKEN has characters that a token cannot have; set it again")
        self._url = url.rstrip("/")
        self._token = token
        self._patience = patience
        self._wait = wait

    def call(self, method: str, path: str, body: bytes | dict[str, Any] | None = None) -> Any:
        """The answer to a request, as JSON."""
        waited, pause = 0.0, 0.1
        while True:
            try:
                return self._send(method, path, body)
            except HTTPError as answer:
                if answer.code not in LATER:
                    raise Refused(answer.code, _problem(answer)) from None
                reason = f"{answer.code} {answer.reason}"
            except (OSError, http.client.HTTPException) as broken:
                cause = getattr(broken, "reason", broken)
                reason = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
            if waited == 0.0:
                print(
                    f"{self._url} does not answer ({reason}); trying for {self._patience:.0f} s",
                    file=sys.stderr,
                )
            if waited >= self._patience:
                raise Unavailable(
                    f"{self._url} does not answer ({reason}); start it with `gbandit serve`, or "
                    "give the right address with --server"
                )
            self._wait(pause)
            waited, pause = waited + pause, min(2 * pause, 5.0)

    def _send(self, method: str, path: str, body: bytes | dict[str, Any] | None) -> Any:
        request = Request(self._url + path, method=method)
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if self._token is not None:
            request.add_header("Authorization", f"Bearer {self._token}")
        with urlopen(request, body, timeout=30) as answer:
            said = answer.read()
        try:
            return json.loads(said)
        except ValueError:
            # Not a refusal: a report that waits must not be dropped for it.
            raise Unavailable(
                f"what answers at {self._url} is not `gbandit serve`; check the address"
            ) from None


def _problem(answer: HTTPError) -> dict[str, Any]:
    try:
        problem = json.load(answer)
    except ValueError:
        return {"detail": answer.reason}
    return problem if isinstance(problem, dict) else {}


def node_name(place: dict[str, Any]) -> str:
    """What a node is called; its number if the map has no names."""
    return str(place.get("name", place["node"]))


class BadOutbox(Exception):
    """The file of pending reports cannot be read or written."""


class Outbox:
    """The report that the service has not answered yet, in a file.

    A report is written before it is sent, and removed when it is answered. So it is not lost when
    the robot's computer stops in between.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def put(self, route: str, body: dict[str, Any]) -> None:
        """Keeps a report, in the place of the one before."""
        aside = self._file.with_suffix(".part")
        try:
            with aside.open("w") as out:
                json.dump({"route": route, "body": body}, out)
                out.flush()
                os.fsync(out.fileno())
            aside.replace(self._file)
        except OSError as error:
            raise self._bad(error.strerror) from None

    def pending(self) -> tuple[str, dict[str, Any]] | None:
        """The report that waits for its answer, if there is one."""
        try:
            kept = json.loads(self._file.read_text())
            return kept["route"], kept["body"]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._bad(error.strerror) from None
        except (ValueError, KeyError, TypeError):
            raise self._bad("it does not hold a report") from None

    def clear(self) -> None:
        """The report was answered."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            raise self._bad(error.strerror) from None

    def _bad(self, reason: str | None) -> BadOutbox:
        return BadOutbox(f"outbox {self._file}: {reason}; name another file with --outbox")


@dataclass(frozen=True)
class Order:
    """What to do next: drive along `path`, one visit at each node, then stay for `stay` more."""

    sequence: int
    at: str
    path: tuple[str, ...]
    stay: int
    why: str
    number: int
    seal: str


class Agent:
    """The agent that decides for one robot."""

    def __init__(self, service: Service, name: str, outbox: Outbox, robot: str) -> None:
        self._service = service
        self._path = f"/v1/agents/{quote(name, safe='')}"
        self._outbox = outbox
        self._robot = robot
        #: How it asks, and what every report says besides; a robot of a team names itself.
        self._asking = "/ask"
        self._walker: dict[str, Any] = {}

    def ask(self) -> Order:
        """The next order. It is the same until something is reported."""
        said = self._service.call("POST", f"{self._path}{self._asking}")
        return Order(
            sequence=said["sequence"],
            at=node_name(said["at"]),
            path=tuple(node_name(stop) for stop in said["path"]),
            stay=said["stay"],
            why=said["why"]["reason"],
            number=said["number"],
            seal=said["seal"],
        )

    def tell(self, order: Order, node: str, reward: float, took: float | None = None) -> int:
        """A visit to a node paid a reward; the answer is how many visits the agent knows of.

        `took` is how long driving and visiting took, in units of one visit.
        """
        said = {"at": node, "reward": reward}
        return _counted(
            self._report("tell", order, said if took is None else {**said, "took": took})
        )

    def closed(self, order: Order, start: str, goal: str) -> int | None:
        """The road between two nodes is closed, both ways; the robot stands at its start."""
        said = {"edge": [start, goal], "directions": "both", "at": start}
        return self._report("blocked", order, said)

    def failed(self, order: Order, at: str, reason: str) -> int:
        """The order could not be carried out, for another reason than a closed road."""
        return _counted(self._report("failed", order, {"at": at, "reason": reason}))

    def _report(self, route: str, order: Order, said: dict[str, Any]) -> int | None:
        remarks = {
            "sequence": order.sequence,
            "number": order.number,
            "seal": order.seal,
            "robot": self._robot,
            **self._walker,
            # Tells a repeat of this report from the same words of another robot.
            "id": uuid.uuid4().hex,
        }
        self._outbox.put(route, {**remarks, **said})
        return self.deliver()

    def deliver(self) -> int | None:
        """Sends the pending report until it is answered; `None` if there is none.

        Sent twice, it counts once: the service knows the number and the words of a repeat, and
        answers with the same receipt.
        """
        while (waiting := self._outbox.pending()) is not None:
            route, body = waiting
            try:
                receipt = self._service.call("POST", f"{self._path}/{route}", body)
            except Refused as refused:
                if refused.kind not in RENUMBER or refused.next_sequence is None:
                    # It can never be taken in, so it must not stand in the way of the next one.
                    self._outbox.clear()
                    raise
                # A sensor or an operator reported while we drove. What we saw is still true, so it
                # goes under the next number. The seal belongs to the order of before.
                body = {name: value for name, value in body.items() if name != "seal"}
                self._outbox.put(route, {**body, "sequence": refused.next_sequence})
                continue
            self._outbox.clear()
            visits: int = receipt["visits"]
            return visits
        return None


def _counted(visits: int | None) -> int:
    """How many visits the agent knows of, after a report that cannot go without an answer."""
    assert visits is not None
    return visits


def create_agent(
    service: Service,
    name: str,
    route_graph: Path,
    settings: dict[str, Any],
    walkers: int | None = None,
) -> str | None:
    """Creates the agent if there is none. This needs a token of scope `admin`; the robot does not.

    `settings` has what the map does not say: `start`, `noise_scale`, and `speed` and `visit_time`
    of the robot, in metres per second and seconds. If the agent exists, they have no effect, and
    the answer is the node where it stands. With `walkers` it is a team, which begins with this
    many robots; a team is not at any node.
    """
    try:
        shown = service.call("GET", f"/v1/agents/{quote(name, safe='')}")
        return node_name(shown["at"]) if "at" in shown else None
    except Refused as refused:
        if refused.status != 404:
            raise
    wanted = f"speed={settings['speed']}&visit_time={settings['visit_time']}"
    query = f"name={quote(route_graph.name)}&directed=true&{wanted}"
    read = service.call("POST", f"/v1/maps?{query}", route_graph.read_bytes())
    definition = {"noise_scale": settings["noise_scale"]}
    if walkers is None:
        definition["start"] = settings["start"]
    else:
        definition["walkers"] = walkers
    service.call("POST", "/v1/agents", {"id": name, "graph": read["graph"], **definition})
    return None

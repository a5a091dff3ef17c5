"""One robot of a team. All robots of a team learn from every reward, and each works on its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from .service import Agent, Order, Outbox, Refused, Service, create_agent, node_name


class TeamRobot(Agent):
    """Asks and tells as one robot of a team.

    The numbers of its reports are its own, so that no robot waits for another.
    """

    def __init__(self, service: Service, team: str, outbox: Outbox, robot: str) -> None:
        super().__init__(service, team, outbox, robot)
        self._asking = f"/ask?walker={quote(robot, safe='')}"
        self._walker = {"walker": robot}

    def tell(self, order: Order, node: str, reward: float, took: float | None = None) -> int:
        """A visit to a node paid a reward. A team does not learn how long roads take."""
        return super().tell(order, node, reward)

    def deliver(self) -> int | None:
        """Sends the pending report; `None` if there is none, or another robot has said the same.

        That is so for a road that another one has found closed, also while this one was away.
        """
        try:
            return super().deliver()
        except Refused as refused:
            if refused.status != 422 or "is blocked already" not in str(refused):
                raise
            # The report of the other robot has changed the order of this one, too.
            return None

    def leave(self, reason: str) -> None:
        """Takes the robot out of the team. What it told stays; its name is not used again."""
        self._service.call("POST", f"{self._path}/left", {**self._walker, "reason": reason})


def join_team(
    service: Service, team: str, robot: str, route_graph: Path, settings: dict[str, Any]
) -> str | None:
    """Creates the team if there is none, and lets the robot join it. You may repeat this.

    `settings` are those of `create_agent`; `start` is where the robot is. If the robot is in the
    team already, they have no effect, and the answer is the node where the team knows it to be.
    """
    create_agent(service, team, route_graph, settings, walkers=0)
    path = f"/v1/agents/{quote(team, safe='')}"
    for there in service.call("GET", f"{path}/walkers")["walkers"]:
        if there.get("name") == robot:
            return node_name(there["at"])
    service.call("POST", f"{path}/joined", {"name": robot, "start": settings["start"]})
    return None

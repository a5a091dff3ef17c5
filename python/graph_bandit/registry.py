"""The registry of the core: agents, families, noises and means, with their parameters."""

from __future__ import annotations

import json
from typing import Any

from . import _core

#: The same as ``GET /v1/registry`` of the service.
REGISTRY: dict[str, Any] = json.loads(_core.registry())

#: The entry of each agent, by name.
AGENTS: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in REGISTRY["agents"]}

#: The entry of each agent that leads teams, by name.
LEADERS: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in REGISTRY["teams"]}


def defaults(agent: str) -> dict[str, float | str]:
    """The parameters of an agent with the values of preset ``paper``, by name.

    >>> from graph_bandit.registry import defaults
    >>> defaults("local-ucb")
    {'bonus': 1.0}
    """
    entry = AGENTS.get(agent) or LEADERS[agent]
    parameters = {p["name"]: p["default"] for p in entry["parameters"]}
    return dict(sorted(parameters.items()))

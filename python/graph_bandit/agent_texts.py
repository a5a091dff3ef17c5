"""Agents as the command line writes them: ``g-ucb:bonus=0.5``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _core
from .agents import _CLASSES, Spec
from .registry import AGENTS, LEADERS, defaults

#: Keywords that people write for ``spec``.
_MEAN_SPEC = ("agent", "agents", "name")
#: Keywords of teams.
_OF_TEAMS = ("walkers", "starts", "share", "seats")


def names_an_agent(value: object) -> bool:
    """Whether it is an agent, by name or with parameters.

    >>> names_an_agent("g-ucb:bonus=0.5"), names_an_agent("grid:3x3")
    (True, False)
    """
    return isinstance(value, Spec) or (
        isinstance(value, str) and value.partition(":")[0] in _CLASSES
    )


def spec_text(spec: Spec | str, parameters: Mapping[str, Any]) -> str:
    """The agent with these parameters besides its own, as the command line writes it.

    >>> spec_text("g-ucb:bonus=0.5", {"doubling": "exact"})
    'g-ucb:bonus=0.5,doubling=exact'
    """
    text = str(spec)
    if not parameters:
        return text
    name = text.partition(":")[0]
    if name not in AGENTS:
        _core.agent_label(name)
    _refuse_other_names_of_spec(name, parameters)
    given = str(_CLASSES[name](**parameters)).partition(":")[2]
    return ",".join([text, given]) if ":" in text else f"{text}:{given}"


def _refuse_other_names_of_spec(name: str, parameters: Mapping[str, Any]) -> None:
    known = defaults(name)
    for key, value in parameters.items():
        is_parameter = key.replace("_", "-") in known
        if not is_parameter and key in _OF_TEAMS:
            raise TypeError(
                f"there is no argument {key!r}: an agent alone leads one walker; for several, use "
                "gb.team(graph, walkers=2), or create(graph, walkers=2) of a service"
            )
        if not is_parameter and (key in _MEAN_SPEC or names_an_agent(value)):
            raise TypeError(
                f"there is no argument {key!r}; the agent is the argument 'spec', the second one: "
                f"write spec={value!r}"
            )


def team_text(caller: str, agent: Spec | str, parameters: Mapping[str, Any]) -> str:
    """The agent of a team with these parameters besides its own.

    ``caller`` is the name of the function that was given them, for error messages.

    >>> team_text("team", "g-star", {"noise_scale": 1})
    'g-star:noise-scale=1.0'
    """
    text = str(agent)
    name = text.partition(":")[0]
    if not parameters or name not in LEADERS:
        # The core names the agents that lead teams.
        return text
    known = [parameter["name"] for parameter in LEADERS[name]["parameters"]]
    for key in parameters:
        if key.replace("_", "-") not in known:
            names = ", ".join(sorted(parameter.replace("-", "_") for parameter in known))
            raise TypeError(
                f"{caller}() has no argument {key!r}, and agent {name} has no such parameter; its "
                f"parameters are {names}"
            )
    given = ",".join(f"{key.replace('_', '-')}={_written(v)}" for key, v in parameters.items())
    return ",".join([text, given]) if ":" in text else f"{text}:{given}"


def _written(value: Any) -> str:
    return value if isinstance(value, str) else repr(float(value))

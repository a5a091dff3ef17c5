"""Calls of :func:`graph_bandit.agent` as in version 0.1, where the agent came before the graph."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from .agent_texts import names_an_agent
from .deprecation import warn_deprecated

R = TypeVar("R")

_NAME = "graph_bandit.agent"


def graph_first(function: Callable[..., R]) -> Callable[..., R]:
    """Also takes the agent before the graph, and the graph as ``graph_like``."""

    @functools.wraps(function)
    def accepting(*args: Any, **kwargs: Any) -> R:
        given = list(args)
        agent_first = bool(given) and names_an_agent(given[0])
        by_keyword = [name for name in ("graph", "graph_like") if name in kwargs]
        by_position = len(given) > (1 if agent_first else 0)
        if "graph_like" in by_keyword and (by_position or len(by_keyword) == 2):
            raise TypeError(f"{_NAME} got graph_like and graph; give only graph")
        if agent_first:
            if not (by_position or by_keyword):
                raise TypeError(f"{given[0]} is an agent; the graph comes first, then the agent")
            if not by_position:
                given.append(kwargs.pop(by_keyword[0]))
            warn_deprecated(f"{_NAME}(spec, graph) is now {_NAME}(graph, spec): the graph is first")
            given[:2] = given[1::-1]
        elif "graph_like" in kwargs:
            warn_deprecated(f"argument 'graph_like' of {_NAME} is now called 'graph'")
            kwargs["graph"] = kwargs.pop("graph_like")
        return function(*given, **kwargs)

    accepting.__dict__["former_arguments"] = {"graph_like": "graph"}
    return accepting

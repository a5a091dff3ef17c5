"""Agents and rewards that studies in TOML name by import path: ``mine.agents:Lazy:rate=0.5``."""

from __future__ import annotations

import ast
import importlib
import traceback
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from .code_fingerprint import fingerprint_of
from .own_agents import Agent, Maker
from .rewards import Drawer, OwnRewards

if TYPE_CHECKING:
    from ._core import Graph

#: Names and values, as they are written in the text.
Parameters = Sequence[tuple[str, str]]

_BOOLEANS = {"true": True, "false": False}


def agent(text: str, module: str, name: str, parameters: Parameters) -> Maker:
    """Makes agents from an import path; the compiled part calls this."""
    made = _made(text, _find(text, module, name), parameters, Agent)
    if not isinstance(made, Agent):
        raise ValueError(
            f"{text} is {made!r}, not an agent; name a subclass of graph_bandit.Agent, or a "
            "function that returns one"
        )
    return Maker(made)


def rewards(
    text: str, module: str, name: str, parameters: Parameters
) -> Callable[[Graph], tuple[Drawer, float]]:
    """Draws rewards from an import path on a graph; the compiled part calls this."""
    made = _made(text, _find(text, module, name), parameters, OwnRewards)
    if not isinstance(made, OwnRewards):
        raise ValueError(
            f"{text} is {made!r}, not a reward law; name what graph_bandit.rewards_from(draw, "
            "scale=..) returns, or a function that returns it"
        )
    return lambda graph: (Drawer(made, graph), made.scale)


def fingerprint(text: str, module: str, name: str, parameters: Parameters) -> str:
    """A fingerprint of the code behind an import path: an edit changes it."""
    return fingerprint_of(text, _find(text, module, name))


def _find(text: str, module: str, name: str) -> Any:
    """The object that an import path names."""
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not (module + ".").startswith(error.name + "."):
            raise ValueError(f"{text} cannot be imported: {_in_words(error)}") from error
        raise ValueError(
            f"{text}: there is no module {error.name!r}; install it, or start Python in the "
            "directory that contains it"
        ) from error
    except Exception as error:
        raise ValueError(f"{text} cannot be imported: {_in_words(error)}") from error
    try:
        return reduce(getattr, name.split("."), found)
    except AttributeError:
        own = (key for key, of in vars(found).items() if _may_be_meant(key, of))
        there = ", ".join(sorted(own)) or "nothing"
        raise ValueError(f"{text}: module {module!r} has no {name!r}; it has {there}") from None


def _may_be_meant(key: str, value: Any) -> bool:
    is_agent = isinstance(value, type) and issubclass(value, Agent) and value is not Agent
    return not key.startswith("_") and (is_agent or isinstance(value, Agent | OwnRewards))


def _made(text: str, found: Any, parameters: Parameters, kind: type) -> Any:
    """An instance as it is; otherwise what the class or function returns for the parameters."""
    if isinstance(found, kind):
        if parameters:
            raise ValueError(
                f"{text} has its parameters already; leave out {parameters[0][0]!r}, or name its "
                "class"
            )
        return found
    if not callable(found):
        return found
    values = {key: _value(value) for key, value in parameters}
    if len(values) < len(parameters):
        raise ValueError(f"{text} has a parameter twice; give each of them once")
    try:
        return found(**values)
    except Exception as error:
        raise ValueError(f"{text} cannot be made: {_in_words(error)}") from error


def _value(text: str) -> Any:
    """A value as Python writes it, or the text itself.

    >>> [_value(text) for text in ("3", "0.5", "false", "'3'", "barn")]
    [3, 0.5, False, '3', 'barn']
    """
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _in_words(error: Exception) -> str:
    """The exception, and the line that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f" ({last.filename}:{last.lineno})" if last.filename != __file__ else ""
    return f"{type(error).__name__}: {error}{place}"

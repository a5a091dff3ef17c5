"""The built-in agents, with their parameters as keyword arguments.

There is one class for every agent of the registry, with the agent's name: ``g-ucb`` is
:class:`GUcb`, ``ql-ucb-h`` is :class:`QlUcbH`. The classes are made from the registry, so none is
ever missing here. Agents that only lead teams have classes, too, such as :class:`MultiGUcb`.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from . import _core
from .registry import AGENTS, LEADERS, defaults


class Spec:
    """A built-in agent with parameters.

    Those that you leave out come from the ``preset`` of :func:`run`, :func:`agent` or :func:`team`.
    """

    #: The agent's name on the command line.
    name: ClassVar[str]

    def __init__(self, **parameters: Any) -> None:
        known = defaults(self.name)
        given: dict[str, Any] = {}
        for key, value in parameters.items():
            if value is None:
                continue
            if key.replace("_", "-") not in known:
                names = ", ".join(name.replace("-", "_") for name in known) or "none"
                raise TypeError(f"agent {self.name} has no parameter {key!r}; it has {names}")
            given[key] = value
        self.parameters = given
        (_core.agent_label if self.name in AGENTS else _core.team_label)(self.text)

    @property
    def text(self) -> str:
        """The agent as the command line writes it: ``g-ucb:bonus=0.5``."""
        parts = [f"{key.replace('_', '-')}={_write(v)}" for key, v in self.parameters.items()]
        return ":".join([self.name, ",".join(parts)]) if parts else self.name

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={value!r}" for key, value in self.parameters.items())
        return f"{type(self).__name__}({inner})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spec) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


def _write(value: Any) -> str:
    return value if isinstance(value, str) else repr(float(value))


def class_name(name: str) -> str:
    """The name of an agent's class: ``g-ucb`` becomes ``GUcb``."""
    return "".join(part.capitalize() for part in name.split("-"))


def _make(name: str) -> type[Spec]:
    parameters = defaults(name)
    lines = [(AGENTS.get(name) or LEADERS[name])["summary"] + ".", ""]
    if parameters:
        lines += ["Parameters with the values of preset ``paper``: "]
        lines[-1] += ", ".join(f"``{k.replace('-', '_')}={v!r}``" for k, v in parameters.items())
        lines[-1] += "."
    made = type(class_name(name), (Spec,), {"name": name, "__doc__": "\n".join(lines)})
    made.__module__ = __name__
    keyword = inspect.Parameter.KEYWORD_ONLY
    made.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(k.replace("-", "_"), keyword, default=None) for k in parameters]
    )
    return made


_CLASSES: dict[str, type[Spec]] = {name: _make(name) for name in {**AGENTS, **LEADERS}}
# One needs a complete graph; the other is told when means change, which only a simulation knows.
_LIMITED = {"exp3s", "restarting-klucb"}
#: The class of every agent for one walker that works on any graph, also outside simulations, by the
#: agent's name.
SPECS: dict[str, type[Spec]] = {
    name: made for name, made in _CLASSES.items() if name in AGENTS and name not in _LIMITED
}
globals().update({made.__name__: made for made in _CLASSES.values()})
__all__ = ["SPECS", "Spec", "class_name", *(made.__name__ for made in _CLASSES.values())]

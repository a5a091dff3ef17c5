"""Writes python/graph_bandit/agents.pyi from the registry of agents.

The classes of agents are made when the package is imported, so that a new agent in Rust is there at
once; type checkers do not run imports, and read this instead. A test tells when it is out of date.
"""

from __future__ import annotations

from pathlib import Path

from graph_bandit.agents import _CLASSES
from graph_bandit.registry import defaults

HEAD = """\
# Written by python/tools/write_agent_stubs.py; do not edit.
from typing import Any, ClassVar

class Spec:
    name: ClassVar[str]
    parameters: dict[str, Any]
    def __init__(self, **parameters: Any) -> None: ...
    @property
    def text(self) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def class_name(name: str) -> str: ...

SPECS: dict[str, type[Spec]]
_CLASSES: dict[str, type[Spec]]
"""


def stubs() -> str:
    """The text of agents.pyi."""
    text = HEAD
    for name, kind in _CLASSES.items():
        text += f"\nclass {kind.__name__}(Spec):\n"
        parameters = defaults(name)
        if not parameters:
            text += "    def __init__(self) -> None: ...\n"
            continue
        text += "    def __init__(\n        self,\n        *,\n"
        for key, value in parameters.items():
            kind_name = "str" if isinstance(value, str) else "float"
            text += f"        {key.replace('-', '_')}: {kind_name} | None = None,\n"
        text += "    ) -> None: ...\n"
    kinds = sorted(["Spec", *(kind.__name__ for kind in _CLASSES.values())])
    lines = "".join(f'    "{name}",\n' for name in ["SPECS", *kinds, "class_name"])
    return text + f"\n__all__ = [\n{lines}]\n"


if __name__ == "__main__":
    place = Path(__file__).parents[1] / "graph_bandit" / "agents.pyi"
    place.write_text(stubs(), encoding="utf-8")
    print(f"wrote {place}")

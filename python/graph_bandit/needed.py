"""What is installed apart, or the remedy where it is missing."""

from __future__ import annotations

from typing import Any


def needed(module: str, extra: str) -> Any:
    """A module that the package does not bring itself; ``extra`` is what brings it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"this needs {module}: pip install {module.partition('.')[0]}, or graph-bandit[{extra}]"
        ) from error

"""Optional packages: imported when needed, with a remedy if one is missing."""

from __future__ import annotations

from typing import Any


def needed(module: str, extra: str) -> Any:
    """Imports an optional module; ``extra`` is the extra of this package that installs it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"this needs {module}: pip install {module.partition('.')[0]}, or graph-bandit[{extra}]"
        ) from error

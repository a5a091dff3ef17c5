"""Names and calls of earlier versions: they go on working for one release, with a warning."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

__all__ = [
    "GraphBanditDeprecationWarning",
    "deprecated",
    "former_names",
    "warn_deprecated",
]

#: The version in which what is deprecated now is gone.
REMOVED_IN = "0.3"


class GraphBanditDeprecationWarning(FutureWarning):
    """A name or a call of an earlier version, which the next release removes.

    It is a ``FutureWarning``, so Python shows it in your own modules, too.
    """


def warn_deprecated(change: str) -> None:
    """Warns the code that called the caller of this function; ``change`` says what is new."""
    warnings.warn(_with_end(change), GraphBanditDeprecationWarning, stacklevel=3)


def _with_end(change: str) -> str:
    return f"{change}; graph-bandit {REMOVED_IN} drops the old form"


if TYPE_CHECKING:
    # Type checkers know this one: they report every use with its message.
    from typing_extensions import deprecated
else:

    def deprecated(change: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """A function or a property that warns when it is called; ``change`` says what is new.

        Its documentation says the same, so that ``help`` and the reference do, too.
        """

        def mark(function: Callable[P, R]) -> Callable[P, R]:
            @functools.wraps(function)
            def warning(*args: P.args, **kwargs: P.kwargs) -> R:
                warn_deprecated(change)
                return function(*args, **kwargs)

            warning.__deprecated__ = change
            about = inspect.cleandoc(function.__doc__ or "")
            warning.__doc__ = f"{about}\n\nDeprecated: {_with_end(change)}.".lstrip()
            return warning

        return mark


def former_names(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """A ``__getattr__`` of a module that answers to former names of classes.

    ``names`` maps each of them to the full name that it has now. Pickles find classes this way too.
    """

    def look_up(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, attribute = names[name].rpartition(".")
        # ``from graph_bandit import Study`` looks twice: the import system checks that the name is
        # there, then the statement reads it. Only the second look is the user's.
        if sys._getframe(1).f_code.co_name != "_handle_fromlist":
            warn_deprecated(f"{module}.{name} is now called {names[name]}")
        return getattr(importlib.import_module(home), attribute)

    look_up.__dict__["former_names"] = dict(names)
    return look_up

"""Arguments that had other names in earlier versions: the old keywords still work, with a warning.

Type checkers accept the old keywords, too, and report them as deprecated. Functions get this from
:func:`takes_graph_like` and :func:`takes_study`. A method has an overload for its old keyword.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, cast, overload

from .deprecation import deprecated, warn_deprecated

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

__all__ = ["renamed_argument", "takes_graph_like", "takes_study"]


def renamed_argument(
    old: str, new: str, *, of: str | None = None
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """A function that still takes the keyword ``old`` for its argument ``new``.

    ``of`` is the function as users write it (default: its module and name).
    """

    def mark(function: Callable[..., R]) -> Callable[..., R]:
        name = of or f"{function.__module__}.{function.__qualname__}"
        position = list(inspect.signature(function).parameters).index(new)

        @functools.wraps(function)
        def accepting(*args: Any, **kwargs: Any) -> R:
            if old in kwargs:
                if new in kwargs or len(args) > position:
                    raise TypeError(f"{name} got {old} and {new}; give only {new}")
                warn_deprecated(f"argument {old!r} of {name} is now called {new!r}")
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        accepting.__dict__["former_arguments"] = {old: new}
        return accepting

    return mark


if TYPE_CHECKING:

    class TakesGraphLike(Protocol[P, R_co]):
        """A function that can also be called as in version 0.1."""

        @overload
        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...

        @overload
        @deprecated("argument 'graph_like' is now called 'graph'")
        def __call__(self, *, graph_like: Any, **kwargs: Any) -> R_co: ...

    class TakesStudy(Protocol[P, R_co]):
        """A function that can also be called as in version 0.1."""

        @overload
        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...

        @overload
        @deprecated("argument 'study' is now called 'results'")
        def __call__(self, *, study: Any, **kwargs: Any) -> R_co: ...


def takes_graph_like(function: Callable[P, R]) -> TakesGraphLike[P, R]:
    """A function that still takes ``graph_like`` for its argument ``graph``."""
    return cast("TakesGraphLike[P, R]", renamed_argument("graph_like", "graph")(function))


def takes_study(function: Callable[P, R]) -> TakesStudy[P, R]:
    """A function of :mod:`graph_bandit.plots` that still takes ``study`` for ``results``."""
    name = f"graph_bandit.plots.{function.__name__}"
    return cast("TakesStudy[P, R]", renamed_argument("study", "results", of=name)(function))

"""Properties of version 0.1 that sent a request every time they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..deprecation import deprecated

if TYPE_CHECKING:
    import numpy.typing as npt

    from .answers import Estimates, Status


class _Served(Protocol):
    def status(self) -> Status: ...

    def estimates(self) -> Estimates: ...


class FormerProperties:
    """What :class:`ServedAgent` keeps of them for one release."""

    @property
    @deprecated("ServedAgent.at sends a request each time; use status().at")
    def at(self: _Served) -> Any:
        """Where the walker stands."""
        return self.status().at

    @property
    @deprecated("ServedAgent.visits sends a request each time; use status().visits")
    def visits(self: _Served) -> int:
        """How many rewards are known, including those of others."""
        return self.status().visits

    @property
    @deprecated("ServedAgent.blocked sends a request each time; use status().blocked")
    def blocked(self: _Served) -> tuple[tuple[Any, Any], ...]:
        """The edges that are blocked."""
        return self.status().blocked

    @property
    @deprecated("ServedAgent.counts sends a request each time; use estimates().visits")
    def counts(self: _Served) -> npt.NDArray[np.int64]:
        """How many rewards of each node are known, by number, including those of others."""
        return self.estimates().visits

    @property
    @deprecated("ServedAgent.means sends a request each time; use estimates().estimate")
    def means(self: _Served) -> npt.NDArray[np.float64]:
        """The average reward of every node, by number; NaN before its first reward is known."""
        return self.estimates().estimate

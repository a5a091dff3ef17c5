"""The exceptions of the client, with the messages of the service."""

from __future__ import annotations

from typing import Any

_URN = "urn:graph-bandit:"


class ServiceError(Exception):
    """The service did not do what you asked for.

    >>> error = problem(422, {"type": "urn:graph-bandit:impossible", "detail": "nothing was told"})
    >>> error
    RefusedError('nothing was told')
    >>> error.status, error.kind, isinstance(error, ValueError)
    (422, 'impossible', True)
    """

    #: The HTTP status; ``None`` when there was no answer.
    status: int | None
    #: The kind of problem, the last part of its URN: ``"impossible"``, ``"store"``.
    kind: str
    #: What is wrong and what helps, in the words of the service.
    detail: str
    #: How often the request was sent.
    attempts: int

    def __init__(
        self, detail: str, *, status: int | None = None, kind: str = "", attempts: int = 1
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
        self.attempts = attempts

    def __str__(self) -> str:
        return self.detail


class RefusedError(ServiceError, ValueError):
    """The request cannot be fulfilled; nothing changed."""


class SequenceConflictError(ServiceError):
    """Somebody else reported for this agent, or the service lost reports; nothing was stored.

    Somebody else may have closed a road, for example. The service loses reports if a backup is
    restored. In both cases, ask again, and then report the same visit.
    """

    #: The number that the next report must have.
    next_sequence: int


class NameTakenError(ServiceError):
    """Another agent has this name."""


class UnknownAgentError(ServiceError, KeyError):
    """There is no such agent."""


class NotAllowedError(ServiceError):
    """The token is missing, or does not allow the request."""


class UnavailableError(ServiceError):
    """The service did not answer, or was not ready, before the deadline.

    It may have stored your report all the same. If you send the same report again, it counts once.
    """


def problem(status: int, body: Any, attempts: int = 1) -> ServiceError:
    """The exception for a refusal; ``body`` is a problem of RFC 9457, or any other text."""
    body = body if isinstance(body, dict) else {"detail": str(body)[:500]}
    kind = str(body.get("type", "")).removeprefix(_URN)
    detail = str(body.get("detail") or body.get("title") or f"the service answered {status}")
    made = _class(status, kind)(detail, status=status, kind=kind, attempts=attempts)
    if isinstance(made, SequenceConflictError):
        made.next_sequence = int(body.get("next_sequence", -1))
    return made


#: If the service lost an order, or somebody else reported on it, the robot must ask again. An agent
#: that was deleted is unknown, even if another agent has its name.
_CONFLICTS: dict[str, type[ServiceError]] = {
    "sequence": SequenceConflictError,
    "other-past": SequenceConflictError,
    "other-agent": UnknownAgentError,
    "simulations": RefusedError,
}


def _class(status: int, kind: str) -> type[ServiceError]:
    if status == 409:
        return _CONFLICTS.get(kind, NameTakenError)
    if status == 404 and kind == "unknown-agent":
        return UnknownAgentError
    if status in (401, 403):
        return NotAllowedError
    if status in (429, 502, 503, 504):
        return UnavailableError
    return RefusedError if 400 <= status < 500 else ServiceError

"""A client of the decision service, ``gbandit serve``, whose agents outlive this process.

:func:`connect` returns a :class:`Fleet`. Ask and tell its agents as you would an agent of
:func:`graph_bandit.agent`. The client needs no further packages.
"""

from .agent import ServedAgent
from .answers import (
    Estimates,
    FoundChange,
    KnownNode,
    ListedAgent,
    Receipt,
    Record,
    ServedLeg,
    Simulations,
    Status,
    TakenNode,
    TeamStatus,
    TeamUpdate,
    Update,
    WalkerStatus,
    Why,
)
from .errors import (
    NameTakenError,
    NotAllowedError,
    RefusedError,
    SequenceConflictError,
    ServiceError,
    UnavailableError,
    UnknownAgentError,
)
from .fleet import Fleet, connect
from .team import ServedTeam, ServedWalker

__all__ = [
    "Estimates",
    "Fleet",
    "FoundChange",
    "KnownNode",
    "ListedAgent",
    "NameTakenError",
    "NotAllowedError",
    "Receipt",
    "Record",
    "RefusedError",
    "SequenceConflictError",
    "ServedAgent",
    "ServedLeg",
    "ServedTeam",
    "ServedWalker",
    "ServiceError",
    "Simulations",
    "Status",
    "TakenNode",
    "TeamStatus",
    "TeamUpdate",
    "UnavailableError",
    "UnknownAgentError",
    "Update",
    "WalkerStatus",
    "Why",
    "connect",
]

"""A client of the decision service, ``gbandit serve``: agents that outlive this process.

:func:`connect` leads to a :class:`Fleet`, whose agents are asked and told as those of
:func:`graph_bandit.agent` are. It needs nothing beyond Python's own library.
"""

from .agent import ServedAgent
from .answers import (
    Estimates,
    KnownNode,
    ListedAgent,
    Receipt,
    Record,
    ServedLeg,
    Sight,
    Simulations,
    Status,
    Why,
)
from .errors import (
    NameTaken,
    NotAllowed,
    Refused,
    SequenceConflict,
    ServiceError,
    Unavailable,
    UnknownAgent,
)
from .fleet import Fleet, connect

__all__ = [
    "Estimates",
    "Fleet",
    "KnownNode",
    "ListedAgent",
    "NameTaken",
    "NotAllowed",
    "Receipt",
    "Record",
    "Refused",
    "SequenceConflict",
    "ServedAgent",
    "ServedLeg",
    "ServiceError",
    "Sight",
    "Simulations",
    "Status",
    "Unavailable",
    "UnknownAgent",
    "Why",
    "connect",
]

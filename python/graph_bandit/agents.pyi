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

class GUcb(Spec):
    def __init__(
        self,
        *,
        bonus: float | None = None,
        destinations: str | None = None,
        doubling: str | None = None,
        period: float | None = None,
        restarts: str | None = None,
    ) -> None: ...

class DirectSp(Spec):
    def __init__(
        self,
        *,
        bonus: float | None = None,
        destinations: str | None = None,
        doubling: str | None = None,
    ) -> None: ...

class Ucrl2(Spec):
    def __init__(
        self,
        *,
        counting: str | None = None,
        delta: float | None = None,
        policy_values: str | None = None,
        sweep_cap: str | None = None,
        union_factor: str | None = None,
    ) -> None: ...

class GUcbUcrl2Bound(Spec):
    def __init__(
        self,
        *,
        delta: float | None = None,
        destinations: str | None = None,
        doubling: str | None = None,
        union_factor: str | None = None,
    ) -> None: ...

class GUcbUcrl2Doubling(Spec):
    def __init__(
        self,
        *,
        bonus: float | None = None,
        counting: str | None = None,
        destinations: str | None = None,
    ) -> None: ...

class LocalUcb(Spec):
    def __init__(
        self,
        *,
        bonus: float | None = None,
    ) -> None: ...

class LocalTs(Spec):
    def __init__(self) -> None: ...

class QlEps(Spec):
    def __init__(
        self,
        *,
        alpha: float | None = None,
        epsilon: float | None = None,
        gamma: float | None = None,
        warmup: float | None = None,
    ) -> None: ...

class QlUcbH(Spec):
    def __init__(
        self,
        *,
        c: float | None = None,
        epsilon: float | None = None,
        gamma: float | None = None,
        warmup: float | None = None,
    ) -> None: ...

class GStar(Spec):
    def __init__(
        self,
        *,
        caution: float | None = None,
        doubt: float | None = None,
        foresight: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        trust: float | None = None,
        variance: str | None = None,
    ) -> None: ...

class GTs(Spec):
    def __init__(
        self,
        *,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rewards: str | None = None,
        travel: str | None = None,
        variance: str | None = None,
    ) -> None: ...

class GMoss(Spec):
    def __init__(
        self,
        *,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        travel: str | None = None,
        variance: str | None = None,
    ) -> None: ...

class GImed(Spec):
    def __init__(
        self,
        *,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        travel: str | None = None,
        variance: str | None = None,
    ) -> None: ...

class GKlucb(Spec):
    def __init__(
        self,
        *,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rewards: str | None = None,
        travel: str | None = None,
        variance: str | None = None,
    ) -> None: ...

class GSafe(Spec):
    def __init__(
        self,
        *,
        budget: float | None = None,
        caution: float | None = None,
        doubt: float | None = None,
        foresight: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        resolution: float | None = None,
        trust: float | None = None,
        variance: str | None = None,
    ) -> None: ...

class GSweep(Spec):
    def __init__(
        self,
        *,
        horizon: float | None = None,
        noise_scale: float | None = None,
        resolution: float | None = None,
    ) -> None: ...

class GHorizon(Spec):
    def __init__(
        self,
        *,
        caution: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        steady: float | None = None,
        variance: str | None = None,
    ) -> None: ...

class Random(Spec):
    def __init__(self) -> None: ...

class EpsilonGreedy(Spec):
    def __init__(
        self,
        *,
        epsilon: float | None = None,
        warmup: float | None = None,
    ) -> None: ...

class GDrift(Spec):
    def __init__(
        self,
        *,
        caution: float | None = None,
        delta: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rate: float | None = None,
        restarts: str | None = None,
        variance: str | None = None,
    ) -> None: ...

class Klucb(Spec):
    def __init__(
        self,
        *,
        growth: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rewards: str | None = None,
    ) -> None: ...

class GlrKlucb(Spec):
    def __init__(
        self,
        *,
        changes: float | None = None,
        delta: float | None = None,
        exploration: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        restarts: str | None = None,
        rewards: str | None = None,
    ) -> None: ...

class SwKlucb(Spec):
    def __init__(
        self,
        *,
        changes: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rewards: str | None = None,
        window: float | None = None,
    ) -> None: ...

class CusumKlucb(Spec):
    def __init__(
        self,
        *,
        changes: float | None = None,
        delta: float | None = None,
        exploration: float | None = None,
        first: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        restarts: str | None = None,
        rewards: str | None = None,
        tolerance: float | None = None,
    ) -> None: ...

class MKlucb(Spec):
    def __init__(
        self,
        *,
        changes: float | None = None,
        delta: float | None = None,
        exploration: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        restarts: str | None = None,
        rewards: str | None = None,
        window: float | None = None,
    ) -> None: ...

class DiscountedKlucb(Spec):
    def __init__(
        self,
        *,
        changes: float | None = None,
        gamma: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rewards: str | None = None,
    ) -> None: ...

class DiscountedTs(Spec):
    def __init__(
        self,
        *,
        changes: float | None = None,
        gamma: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rewards: str | None = None,
    ) -> None: ...

class DiscountedUcb(Spec):
    def __init__(
        self,
        *,
        bonus: float | None = None,
        changes: float | None = None,
        gamma: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        per_hop: float | None = None,
    ) -> None: ...

class SwUcb(Spec):
    def __init__(
        self,
        *,
        bonus: float | None = None,
        changes: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        per_hop: float | None = None,
        window: float | None = None,
    ) -> None: ...

class SwTs(Spec):
    def __init__(
        self,
        *,
        changes: float | None = None,
        growth: float | None = None,
        horizon: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rewards: str | None = None,
        window: float | None = None,
    ) -> None: ...

class Exp3s(Spec):
    def __init__(
        self,
        *,
        alpha: float | None = None,
        changes: float | None = None,
        gamma: float | None = None,
        high: float | None = None,
        horizon: float | None = None,
        low: float | None = None,
    ) -> None: ...

class RestartingKlucb(Spec):
    def __init__(
        self,
        *,
        growth: float | None = None,
        noise_scale: float | None = None,
        per_hop: float | None = None,
        rewards: str | None = None,
    ) -> None: ...

class MultiGUcb(Spec):
    def __init__(
        self,
        *,
        bonus: float | None = None,
        departure: str | None = None,
        hops: str | None = None,
        marks: str | None = None,
        prices: str | None = None,
        refresh: str | None = None,
        until: str | None = None,
    ) -> None: ...

class CombUcb(Spec):
    def __init__(
        self,
        *,
        bonus: float | None = None,
    ) -> None: ...

__all__ = [
    "SPECS",
    "CombUcb",
    "CusumKlucb",
    "DirectSp",
    "DiscountedKlucb",
    "DiscountedTs",
    "DiscountedUcb",
    "EpsilonGreedy",
    "Exp3s",
    "GDrift",
    "GHorizon",
    "GImed",
    "GKlucb",
    "GMoss",
    "GSafe",
    "GStar",
    "GSweep",
    "GTs",
    "GUcb",
    "GUcbUcrl2Bound",
    "GUcbUcrl2Doubling",
    "GlrKlucb",
    "Klucb",
    "LocalTs",
    "LocalUcb",
    "MKlucb",
    "MultiGUcb",
    "QlEps",
    "QlUcbH",
    "Random",
    "RestartingKlucb",
    "Spec",
    "SwKlucb",
    "SwTs",
    "SwUcb",
    "Ucrl2",
    "class_name",
]

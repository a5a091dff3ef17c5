"""Progress bars: tqdm's if it is installed, in notebooks and terminals; otherwise a line."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any


class Progress:
    """A bar for ``total`` runs; ``shown=None`` shows it in a terminal and in a notebook."""

    def __init__(self, total: int, shown: bool | None, what: str = "runs") -> None:
        self._total = total
        self._what = what
        self._begun = time.monotonic()
        self._bar: Any = None
        if shown is None:
            shown = sys.stderr.isatty() or "ipykernel" in sys.modules
        self._plain = False
        if not shown:
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._plain = True
        else:
            self._bar = tqdm(total=total, unit=" " + what, leave=False)

    def __call__(self, done: int, of: int | None = None) -> None:
        """Shows that ``done`` runs are made; ``of`` is a new total."""
        if of is not None and of != self._total:
            self._total = of
            if self._bar is not None:
                self._bar.total = of
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
        elif self._plain:
            seconds = time.monotonic() - self._begun
            left = seconds * (self._total - done) / done if done else float("nan")
            width = 30 * done // max(self._total, 1)
            line = f"\r{'#' * width:.<30} {done}/{self._total} {self._what}, {left:.0f} s left "
            print(line, end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._plain:
            print("\r" + " " * 79 + "\r", end="", file=sys.stderr, flush=True)

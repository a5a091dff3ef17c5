"""Studies of several cases: the same agents on several worlds, in one tidy table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from .graphs import GraphLike
from .results import Results
from .run_results import RunResults
from .run_settings import AgentLike
from .studies import run
from .tables import Tidy
from .world import World

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Interrupted", "ResultsByCase", "run_cases"]

R_co = TypeVar("R_co", bound=Results, covariant=True)


class ResultsByCase(Tidy, Mapping[str, R_co], Generic[R_co]):
    """The results of several cases, by name and in order; together they are one tidy table."""

    #: The directory of a study in TOML, with its tables, figures and page; ``None`` for others.
    directory: Path | None

    def __init__(self, cases: Mapping[str, R_co], directory: Path | None = None) -> None:
        self._cases = dict(cases)
        self.directory = directory

    def __getitem__(self, case: str) -> R_co:
        try:
            return self._cases[case]
        except KeyError:
            known = ", ".join(map(repr, self._cases))
            raise KeyError(f"there is no case {case!r}; there are {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._cases)

    def __len__(self) -> int:
        return len(self._cases)

    def __repr__(self) -> str:
        return "\n".join(f"{case}: {results!r}" for case, results in self.items())

    @property
    def page(self) -> Path | None:
        """The page of a study in TOML, to open in a browser; ``None`` for others."""
        return None if self.directory is None else self.directory / "index.html"

    def summary(self) -> list[dict[str, Any]]:
        """One entry per case and agent: the summaries of all cases, each with its ``case``."""
        return [{"case": case, **row} for case, of in self.items() for row in of.summary()]

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns of a tidy table with one row per case, agent, run and checkpoint.

        Cases with different windows are refused: an average over both would mean nothing.
        """
        by_window = {results.window: case for case, results in self.items()}
        if len(by_window) > 1:
            shown = ", ".join(f"{case!r} has window {name!r}" for name, case in by_window.items())
            raise ValueError(f"one table needs one window, but {shown}; make a table for each")
        tables = [(case, results.columns()) for case, results in self.items()]
        names = tables[0][1] if tables else {}
        rows = [len(table["t"]) for _, table in tables]
        cases = np.repeat(np.array([case for case, _ in tables], object), rows)
        together = {name: np.concatenate([table[name] for _, table in tables]) for name in names}
        return {"case": cases, **together}


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in :func:`run_cases`; ``results`` has the cases that were finished."""

    #: The finished cases.
    results: ResultsByCase[RunResults]

    def __init__(self, results: ResultsByCase[RunResults], cases: int) -> None:
        super().__init__(f"{len(results)} of {cases} cases are finished")
        self.results = results
        if results:
            self.add_note(
                "their results are in the attribute `results` of this exception; in a notebook: "
                "sys.last_value.results"
            )


def run_cases(
    worlds: Mapping[str, World | GraphLike] | Iterable[World | GraphLike],
    agents: AgentLike | Sequence[AgentLike] = "g-star",
    *,
    start: Hashable | Mapping[str, Hashable] | None = None,
    **options: Any,
) -> ResultsByCase[RunResults]:
    """Lets agents walk several worlds; each case is one call of :func:`run`.

    ``worlds`` maps names to worlds, or to whatever :func:`graph` takes. In a list, a text such as
    ``"grid:3x3"`` is its own name, and the others are called ``"case 1"``, ``"case 2"`` and so on.
    ``start`` is the label of the first node in all cases, or a mapping from case to label; a case
    that is not in it starts on its first node. ``options`` are those of :func:`run`.

    Ctrl-C raises :class:`Interrupted`, a ``KeyboardInterrupt`` whose ``results`` are those of the
    cases that were finished. Run the others later, and join both:
    ``gb.ResultsByCase({**some, **others})``.

    >>> import graph_bandit as gb
    >>> results = gb.run_cases(["line:5", "grid:3x3"], ["g-ucb", "g-star"], steps=100, runs=3)
    >>> list(results), results["grid:3x3"].agents
    (['line:5', 'grid:3x3'], ('g-ucb', 'g-star'))
    >>> len(results.columns()["case"]) == 2 * 2 * 3 * 20
    True
    """
    named = _named(worlds)
    if not named:
        raise ValueError("there are no worlds; give at least one")
    starts = start if isinstance(start, Mapping) else dict.fromkeys(named, start)
    unknown = [name for name in starts if name not in named]
    if unknown:
        known = ", ".join(map(repr, named))
        raise ValueError(
            f"start has the case {unknown[0]!r}, which is not among the worlds: {known}"
        )
    made: dict[str, RunResults] = {}
    try:
        for name, of in named.items():
            made[name] = run(of, agents, start=starts.get(name), **options)
    except KeyboardInterrupt as interrupt:
        raise Interrupted(ResultsByCase(made), len(named)) from interrupt
    return ResultsByCase(made)


def _named(worlds: Any) -> dict[str, Any]:
    if isinstance(worlds, World | str):
        raise TypeError(
            f"worlds is {worlds!r}; give a mapping of names to worlds or a list of them, or call "
            "gb.run for a single one"
        )
    if isinstance(worlds, Mapping):
        return {str(name): world for name, world in worlds.items()}
    named: dict[str, Any] = {}
    for number, world in enumerate(worlds, 1):
        name = world if isinstance(world, str) else f"case {number}"
        if name in named:
            raise ValueError(f"{name!r} is twice among the worlds; give them names in a mapping")
        named[name] = world
    return named

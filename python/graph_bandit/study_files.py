"""Studies in TOML: run, resume, split, merge and load them, as ``gbandit study`` does."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Literal, overload

import numpy as np

from . import _core
from .cases import ResultsByCase
from .progress import Progress
from .results import Results
from .whole_numbers import whole_number

__all__ = ["StoredResults", "load_results", "merge", "run_study"]

#: The path of a file or directory.
PathLike = str | os.PathLike[str]


class StoredResults(Results):
    """The results of one case of a study in TOML, loaded from the directory of the study."""

    #: The graph, as it is written in the file.
    graph: str

    def __init__(self, curves: list[_core.StoredCurves]) -> None:
        first = curves[0]
        self.agents = tuple(of.agent for of in curves)
        self.t = first.t
        self.runs, self.steps = first.regret.shape[0], first.steps
        self.preset, self.window = first.preset, first.window
        self.graph, self.on_roads = first.graph, first.on_roads
        self.regret = np.stack([of.regret for of in curves])
        self.realized_regret = np.stack([of.realized_regret for of in curves])
        self.reward = np.stack([of.reward for of in curves])
        self.legs = np.stack([of.legs for of in curves])
        self.init_steps = np.stack([of.init_steps for of in curves])
        self.init_regret = np.stack([of.init_regret for of in curves])


@overload
def run_study(
    file: PathLike,
    *,
    out: PathLike | None = None,
    runs: int | None = None,
    seed: int | None = None,
    preset: str | None = None,
    window: str | None = None,
    shard: None = None,
    force: bool = False,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> ResultsByCase[StoredResults]: ...


@overload
def run_study(
    file: PathLike,
    *,
    out: PathLike | None = None,
    runs: int | None = None,
    seed: int | None = None,
    preset: str | None = None,
    window: str | None = None,
    shard: tuple[int, int],
    force: bool = False,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Path: ...


def run_study(
    file: PathLike,
    *,
    out: PathLike | None = None,
    runs: int | None = None,
    seed: int | None = None,
    preset: str | None = None,
    window: str | None = None,
    shard: tuple[int, int] | None = None,
    force: bool = False,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> ResultsByCase[StoredResults] | Path:
    """Runs a study in TOML and loads its results, one entry for each case.

    It does what ``gbandit study FILE`` does, and writes the same directory, with the same bytes of
    tables, figures and page; only measured times differ. Ctrl-C keeps what is finished, and the
    next call resumes it. If the directory holds the complete result, it is loaded at once. If it
    holds another result, the call is refused.

    - ``out``: the directory for the results (default: ``report-NAME``, with the study's name)
    - ``runs``, ``seed``, ``preset``, ``window``: replace what the file says
    - ``shard``: ``(2, 8)`` makes only part 2 of 8, and returns the directory; :func:`merge` joins
      the parts
    - ``force``: start over, whatever is in the directory
    """
    if n_jobs == -1:  # joblib's word for all cores
        n_jobs = None
    campaign = _core.Campaign(
        SimpleNamespace(
            file=os.fspath(file),
            out=None if out is None else os.fspath(out),
            runs=None if runs is None else whole_number("runs", runs),
            seed=None if seed is None else whole_number("seed", seed, least=0),
            preset=preset,
            window=window,
            force=force,
        )
    )
    directory = Path(campaign.out)
    for warning in campaign.warnings():
        warnings.warn(warning, stacklevel=2)
    jobs = None if n_jobs is None else min(whole_number("n_jobs", n_jobs), 65_535)
    with Progress(campaign.runs, progress) as bar:
        try:
            campaign.carry_out(jobs, shard, lambda done, of: bar(done, of))
        except KeyboardInterrupt as interrupt:
            interrupt.add_note(f"what is finished is in {directory}; call again to resume it")
            raise
    return directory if shard is not None else load_results(directory)


def merge(
    parts: Iterable[PathLike], out: PathLike = "report", *, force: bool = False
) -> ResultsByCase[StoredResults]:
    """Joins the parts that :func:`run_study` made with ``shard``, as ``gbandit merge`` does."""
    places = [os.fspath(part) for part in parts]
    for place in places:
        os.stat(place)  # raises FileNotFoundError if there is nothing
    _core.merge(places, os.fspath(out), force)
    return load_results(out)


def load_results(
    directory: PathLike,
    study: str | None = None,
    *,
    preset: str | None = None,
    window: Literal["first", "last"] | None = None,
) -> ResultsByCase[StoredResults]:
    """Loads the results of a complete study from its directory, one entry for each case.

    If the directory has several studies, as that of ``gbandit reproduce`` does, ``study`` names
    one. ``preset`` and ``window`` choose among those that were measured (default: what the figures
    of the study show); results never mix them.
    """
    os.stat(directory)  # raises FileNotFoundError if there is nothing
    curves = _core.read_back(os.fspath(directory))
    names = list(dict.fromkeys(of.study for of in curves))
    if study is None and len(names) > 1:
        raise ValueError(f"{directory} holds several studies; name one: {', '.join(names)}")
    if study is not None and study not in names:
        raise ValueError(f"{directory} has no study {study!r}; it has {', '.join(names)}")
    chosen = [of for of in curves if study is None or of.study == study]
    shown = next(of for of in chosen if of.shown)
    wanted = (preset or shown.preset, window or shown.window)
    cases: dict[str, list[_core.StoredCurves]] = {}
    for of in chosen:
        if (of.preset, of.window) == wanted:
            cases.setdefault(of.case, []).append(of)
    if not cases:
        there = sorted({f"preset={of.preset!r}, window={of.window!r}" for of in chosen})
        raise ValueError(
            f"{directory} was not measured with preset={wanted[0]!r}, window={wanted[1]!r}; there "
            f"is {'; '.join(there)}"
        )
    made = {case: StoredResults(of) for case, of in cases.items()}
    return ResultsByCase(made, Path(directory))

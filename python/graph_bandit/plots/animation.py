"""A run as a film: the walkers, their next legs, their estimates, and their regret below."""

from __future__ import annotations

import base64
import io
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..studies import Trace
from ..team_traces import TeamTrace
from .axes import pyplot, round_ticks, tidy
from .beliefs import Standing, coming, standing, standing_of
from .layout import Places
from .network import Network, norm_of
from .palette import GRID, styles_of
from .team import Walkers, name_walkers

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.animation import FuncAnimation
    from matplotlib.figure import Figure

#: Width and height of a film in inches.
SIZE = (5.0, 5.8)


@dataclass(frozen=True)
class Film:
    """What an animation shows, frame by frame."""

    trace: Trace
    #: Visits made, by frame.
    visits: npt.NDArray[np.int64]
    #: The walker's node, by frame.
    at: npt.NDArray[np.int64]
    #: The nodes that the rest of the leg enters, by frame.
    legs: tuple[tuple[int, ...], ...]
    #: Average rewards by frame and node; NaN before the first visit.
    means: npt.NDArray[np.float64]
    #: Expected regret after every visit that counts, that is after the graph was covered; by
    #: ``trace.means``, even if means change.
    regret: npt.NDArray[np.float64]


@dataclass(frozen=True)
class TeamFilm:
    """What an animation of a team shows, frame by frame."""

    trace: TeamTrace
    #: Steps made, by frame.
    steps: npt.NDArray[np.int64]
    #: Where each walker is and where it goes next, by frame.
    walkers: tuple[tuple[Standing, ...], ...]
    #: Average rewards by frame and node; NaN before the first draw.
    means: npt.NDArray[np.float64]
    #: Expected regret after every step that counts.
    regret: npt.NDArray[np.float64]


#: A picture inside a page.
_PICTURE = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\\\n]+)")


class Animation:
    """A film that plays in a notebook and can be saved; see :func:`animate`."""

    def __init__(
        self, film: Film | TeamFilm, animation: FuncAnimation, figure: Figure, dpi: float
    ) -> None:
        #: What is shown.
        self.film = film
        #: matplotlib's own object.
        self.animation = animation
        self.figure = figure
        self._dpi = dpi
        self._html: str | None = None

    def __repr__(self) -> str:
        return f"<Animation of {self.film.trace.agent}, {len(self.film.means)} frames>"

    def to_html(self) -> str:
        """An HTML player that contains all frames and needs no network."""
        if self._html is None:
            from matplotlib import rc_context

            # A page with some pictures missing is worse than a large one.
            with rc_context({"savefig.dpi": self._dpi, "animation.embed_limit": 200.0}):
                page = self.animation.to_jshtml(default_mode="once")
            self._html = _PICTURE.sub(_smaller, page)
        return self._html

    def _repr_html_(self) -> str:
        return self.to_html()

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Writes the film to a file: ``.gif``, ``.html``, or what matplotlib can write."""
        name = os.fspath(path)
        if name.endswith((".html", ".htm")):
            with open(name, "w", encoding="utf-8") as file:
                file.write(self.to_html())
            return
        if name.endswith(".gif"):
            options.setdefault("writer", "pillow")
        options.setdefault("dpi", self._dpi)
        self.animation.save(name, **options)


def _smaller(picture: re.Match[str]) -> str:
    """The picture in 256 colours, a fraction of its bytes."""
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(picture[1].replace("\\", "")))) as image:
        file = io.BytesIO()
        # With fewer colours the rare colour of the walker would be lost.
        image.convert("RGB").quantize(256).save(file, "png", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


@overload
def film(trace: Trace, frames: int | Sequence[int] = ...) -> Film: ...
@overload
def film(trace: TeamTrace, frames: int | Sequence[int] = ...) -> TeamFilm: ...
def film(trace: Trace | TeamTrace, frames: int | Sequence[int] = 60) -> Film | TeamFilm:
    """What :func:`animate` shows: at most ``frames`` frames, or frames after the given visits.

    Frames are taken where a walker moves; a stay of thousands of visits is one frame. For a team,
    give steps instead of visits.

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> walk = gb.trace(gb.World("grid:4x4"), "g-star", steps=300, seed=3)
    >>> plots.film(walk, frames=10).visits.tolist()[-1]
    325
    """
    if isinstance(trace, TeamTrace):
        return _film_of_team(trace, frames)
    visits = _chosen(trace.nodes[:, None], max(trace.init_steps, 1), frames, "visits")
    best = trace.means.max()
    lost = best - trace.means[trace.nodes[trace.init_steps :]]
    lost = lost + best * trace.travel[trace.init_steps :]
    parts = (
        (trace.nodes[before:until], trace.rewards[before:until])
        for before, until in pairwise([0, *visits.tolist()])
    )
    return Film(
        trace=trace,
        visits=visits,
        at=np.array([standing(trace, until) for until in visits.tolist()]),
        legs=tuple(coming(trace, until) for until in visits.tolist()),
        means=_running_means(parts, len(trace.means)),
        regret=np.cumsum(lost),
    )


def _film_of_team(trace: TeamTrace, frames: int | Sequence[int]) -> TeamFilm:
    steps = _chosen(trace.nodes, 1, frames, "steps")
    parts = (trace.seen(until, since=before) for before, until in pairwise([0, *steps.tolist()]))
    return TeamFilm(
        trace=trace,
        steps=steps,
        walkers=tuple(
            tuple(standing_of(trace, walker, until) for walker in range(trace.walkers))
            for until in steps.tolist()
        ),
        means=_running_means(parts, len(trace.means)),
        regret=trace.regret,
    )


def _running_means(
    parts: Iterable[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]], nodes: int
) -> npt.NDArray[np.float64]:
    """Average rewards by node after each part, which is some nodes and what they paid."""
    counts, sums, means = np.zeros(nodes), np.zeros(nodes), []
    for visited, rewards in parts:
        counts += np.bincount(visited, minlength=nodes)
        sums += np.bincount(visited, rewards, nodes)
        with np.errstate(invalid="ignore"):
            means.append(sums / counts)
    return np.array(means)


def _chosen(
    nodes: npt.NDArray[np.int64], first: int, frames: int | Sequence[int], what: str
) -> npt.NDArray[np.int64]:
    """After which visits or steps frames are taken; ``nodes`` has one column per walker."""
    if not isinstance(frames, int):
        return _checked(len(nodes), frames, what)
    if frames < 1:
        raise ValueError(f"frames is {frames}; give at least 1")
    moved = 1 + np.flatnonzero(np.diff(nodes, axis=0).any(axis=1)) + 1
    chosen = np.unique([first, *moved[moved > first], len(nodes)])
    if len(chosen) <= frames:
        return chosen
    return chosen[np.unique(np.linspace(0, len(chosen) - 1, frames).round().astype(np.int64))]


def _checked(most: int, frames: Sequence[int], what: str) -> npt.NDArray[np.int64]:
    chosen = np.asarray(frames, np.int64)
    within = len(chosen) and chosen[0] >= 1 and chosen[-1] <= most
    if not within or np.any(np.diff(chosen) <= 0):
        raise ValueError(
            f"frames are {list(frames)}; give ascending numbers of {what}, 1 to {most}"
        )
    return chosen


def animate(
    trace: Trace | TeamTrace,
    *,
    frames: int | Sequence[int] = 60,
    seconds: float = 12.0,
    places: Places | None = None,
    dpi: float = 80.0,
) -> Animation:
    """A run as a film, which plays in a notebook without a network.

    Nodes are coloured by their average rewards, a ring marks the walker, a line shows its next leg,
    and its regret is drawn below. Every walker of a team has its own colour; walkers on the same
    node share a ring. The film takes ``seconds``; ``frames`` is as in :func:`film`.

    >>> import graph_bandit as gb
    >>> from graph_bandit import plots
    >>> walk = gb.trace(gb.World("grid:4x4"), "g-star", steps=300, seed=3)
    >>> plots.animate(walk, frames=5)
    <Animation of g-star, 5 frames>
    """
    if not seconds > 0:
        raise ValueError(f"seconds is {seconds!r}; give more than 0")
    shown: Film | TeamFilm = film(trace, frames)
    plt = pyplot()
    from matplotlib.animation import FuncAnimation

    figure, (above, below) = plt.subplots(
        2, 1, figsize=SIZE, layout="constrained", height_ratios=(4.2, 1)
    )
    # Otherwise the notebook would show the figure once more at the end of the cell.
    plt.close(figure)
    network = Network(trace.world.graph, places, above)
    norm = norm_of(shown.means)
    discs = network.nodes(shown.means[0], norm)
    network.scale(norm)
    moving = _Moving(network, shown)
    title = network.title("")

    on_roads = isinstance(trace, Trace) and trace.world.graph.has_roads
    what = "visit" if on_roads else "step"
    tidy(below, x=what, title="regret")
    t = np.arange(len(shown.regret) + 1)
    curve = np.concatenate([[0.0], shown.regret])
    color = styles_of([trace.agent])[0].color
    below.plot(t, curve, color=GRID, linewidth=2, label="all")
    (done,) = below.plot([], [], color=color, linewidth=2, label="done")
    (point,) = below.plot([], [], "o", color=color, ms=5, clip_on=False, label="now")
    below.set_xlim(0, max(1, len(shown.regret)))
    below.set_ylim(bottom=0)
    round_ticks(below, "x", "y")

    def draw(frame: int) -> list[Any]:
        step = moving.counted(frame)
        discs.set_array(np.ma.masked_invalid(shown.means[frame]))
        marks = moving.show(frame)
        title.set_text(f"{trace.agent}, {what} {step:,}")
        done.set_data(t[: step + 1], curve[: step + 1])
        point.set_data([step], [curve[step]])
        return [discs, *marks, title, done, point]

    many = len(shown.means)
    animation = FuncAnimation(
        figure, draw, frames=many, interval=1000 * seconds / many, blit=False, repeat=False
    )
    # No frame moves the axes, so they can be laid out once.
    draw(many - 1)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    # matplotlib warns of animations that were never drawn; this one may just be saved.
    animation._draw_was_started = True  # type: ignore[attr-defined]
    return Animation(shown, animation, figure, dpi)


class _Moving:
    """The marks of the walker of a film, or of all walkers of a team."""

    def __init__(self, network: Network, shown: Film | TeamFilm) -> None:
        self._network, self._shown = network, shown
        if isinstance(shown, TeamFilm):
            numbers = range(shown.trace.walkers)
            self._walkers = Walkers(network, shown.walkers[0], numbers)
            name_walkers(network.ax, numbers)
        else:
            self._marks = network.walker(int(shown.at[0]), shown.legs[0])

    def counted(self, frame: int) -> int:
        """How many of the visits or steps until this frame count."""
        if isinstance(self._shown, TeamFilm):
            return max(0, int(self._shown.steps[frame]) - self._shown.trace.began)
        return max(0, int(self._shown.visits[frame]) - self._shown.trace.init_steps)

    def show(self, frame: int) -> list[Any]:
        """Moves the marks to where they are in a frame, and returns them."""
        if isinstance(self._shown, TeamFilm):
            self._walkers.move(self._shown.walkers[frame])
            return [*self._walkers.artists()]
        self._network.move(self._marks, int(self._shown.at[frame]), self._shown.legs[frame])
        return [self._marks.ring, self._marks.leg, self._marks.goal]

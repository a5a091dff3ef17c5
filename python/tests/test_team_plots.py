"""What figures and films of teams show, read back from the drawn objects."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from matplotlib.colors import to_hex

import graph_bandit as gb
from graph_bandit import plots
from graph_bandit.plots import team as team_marks


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def walk() -> Any:
    """Four walkers; share log, so that some of them meet."""
    world = gb.World(nx.grid_2d_graph(5, 5), means=gb.uniform_means(0.5, 9.5))
    return gb.trace(world, "g-star", walkers=4, share="log:0.02", steps=400, seed=2)


def lines(ax: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in ax.lines}


def discs(ax: Any) -> list[Any]:
    return [c.get_array() for c in ax.collections if c.get_array() is not None]


def ring_of(ax: Any, walker: int) -> Any:
    return np.array(lines(ax)[f"walker {walker}"].get_data()).T


def test_visits_and_estimates_count_every_draw_once(walk: Any) -> None:
    until = 60
    counts, sums = np.zeros(25), np.zeros(25)
    for nodes, draws in zip(walk.nodes[:until], walk.draws[:until], strict=True):
        for node, draw in dict(zip(nodes.tolist(), draws.tolist(), strict=True)).items():
            counts[node] += 1
            sums[node] += draw
    ax = plots.visits(walk, until=until)
    (drawn,) = discs(ax)
    np.testing.assert_array_equal(np.ma.filled(drawn, 0), counts)
    assert ax.get_title(loc="left") == "visits per node, g-star after 60 steps"
    (drawn,) = discs(plots.estimates(walk, until=until))
    seen = counts > 0
    np.testing.assert_allclose(drawn[seen], sums[seen] / counts[seen], rtol=1e-12)
    with pytest.raises(ValueError, match="until is 401; give 1 to 400, the trace's steps"):
        plots.visits(walk, until=401)
    with pytest.raises(ValueError, match="g-star has no bounds"):
        plots.bounds(walk)


def test_every_walker_has_a_ring_around_its_node_and_a_line_along_its_leg(walk: Any) -> None:
    places = plots.layout(walk.world.graph)
    moving = 0
    for until in (1, 5, 20, 57, 400):
        ax = plots.estimates(walk, until=until)
        for walker in range(4):
            node = int(walk.nodes[until - 1, walker])
            away = np.hypot(*(ring_of(ax, walker) - places[node]).T)
            assert away.max() - away.min() < 1e-9
            assert 0 < away.max() < 0.6
            leg = plots.beliefs(walk, until).team[walker].leg
            way = np.array(lines(ax)[f"leg {walker}"].get_data()).T
            assert len(way) == (len(leg) + 1 if leg else 0)
            if leg:
                moving += 1
                # Beside the road, by less than half a disc.
                assert np.hypot(*(way - places[[node, *leg]]).T).max() < 0.5
                entered = walk.nodes[until - 1 :, walker].tolist()
                moves = [b for a, b in pairwise(entered) if a != b]
                assert tuple(moves[: len(leg)]) == leg
    assert moving >= 4


def test_walkers_on_one_node_share_its_ring(walk: Any) -> None:
    met = [step for step, at in enumerate(walk.nodes.tolist()) if len(set(at)) < 4]
    until = met[0] + 1
    at = walk.nodes[until - 1].tolist()
    node, together = next((n, c) for n, c in Counter(at).items() if c > 1)
    ax = plots.estimates(walk, until=until)
    place = plots.layout(walk.world.graph)[node]
    angles = []
    for walker in [w for w in range(4) if at[w] == node]:
        x, y = (ring_of(ax, walker) - place).T
        angles.append(np.unwrap(np.arctan2(y, x)))
    spans = [angle.max() - angle.min() for angle in angles]
    assert len(spans) == together
    np.testing.assert_allclose(spans, spans[0])
    # Together nearly the whole ring, and no two of them the same part.
    assert 0.85 * 2 * np.pi < sum(spans) < 2 * np.pi
    turned = np.sort([angle.mean() % (2 * np.pi) for angle in angles])
    assert np.diff(turned).min() > 0.9 * 2 * np.pi / together


def test_walkers_have_colours_of_their_own_in_every_figure(walk: Any) -> None:
    every = [team_marks.look_of(walker) for walker in range(40)]
    assert len({look.color for look in every[:16]}) == 16
    assert len(set(every)) == 40
    for ax in (plots.estimates(walk), plots.visits(walk, until=10)):
        for walker in range(4):
            for mark in ("walker", "leg", "goal"):
                drawn = to_hex(lines(ax)[f"{mark} {walker}"].get_color())
                assert drawn == every[walker].color
    legend = plots.paths(walk).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["0", "1", "2", "3"]
    colors = [to_hex(line.get_color()) for line in legend.get_lines()]
    assert colors == [look.color for look in every[:4]]


def test_paths_are_the_roads_driven_and_pies_who_was_there(walk: Any) -> None:
    since, until = 3, 300
    shown = plots.path_data(walk, since, until)
    for walker in range(4):
        own = walk.nodes[since - 1 : until, walker].tolist()
        driven = Counter(tuple(sorted(pair)) for pair in pairwise(own) if pair[0] != pair[1])
        found = zip(map(tuple, shown.roads[walker].tolist()), shown.drives[walker], strict=True)
        assert dict(found) == driven
        assert dict(enumerate(shown.visits[walker])) == {n: own.count(n) for n in range(25)}
    ax = plots.paths(walk, since=since, until=until)
    assert ax.get_title(loc="left") == "paths of 4 walkers, g-star, steps 3 to 300"
    drawn = {c.get_label(): c for c in ax.collections}
    for walker in range(4):
        assert len(drawn[f"path {walker}"].get_segments()) == len(shown.roads[walker])
        pies = drawn[f"visits {walker}"].get_paths()
        assert len(pies) == np.count_nonzero(shown.visits[walker])
    # Wider roads were driven more often.
    widths, drives = drawn["path 0"].get_linewidths(), shown.drives[0]
    assert [widths[i] for i in np.argsort(drives, kind="stable")] == sorted(widths)
    for wrong in ({"since": 0}, {"since": 5, "until": 4}, {"until": 401}):
        with pytest.raises(ValueError, match="give steps from 1 to 400, in order"):
            plots.paths(walk, **wrong)
    with pytest.raises(TypeError, match="give a trace"):
        plots.paths("grid:3x3")


def test_the_path_of_one_walker_has_no_road_where_it_jumped() -> None:
    one = gb.trace(gb.World("line:8"), "g-ucb", steps=50, seed=1)
    shown = plots.path_data(one)
    assert {abs(a - b) for a, b in shown.roads[0].tolist()} == {1}
    assert np.abs(np.diff(one.nodes)).max() > 1
    assert plots.paths(one).get_title(loc="left").startswith("path, g-ucb, visits 1 to")


def test_lanes_keep_to_one_side_whatever_the_direction() -> None:
    way = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 0.0]])
    there, back = team_marks.beside(way, 0.1), team_marks.beside(way[::-1], 0.1)
    np.testing.assert_allclose(np.hypot(*(there - way).T), 0.1)
    np.testing.assert_allclose(there[0], back[-1])
    np.testing.assert_allclose(there[1], [1 - 0.1 / 2**0.5, 0.1 / 2**0.5])


def test_the_film_tells_the_run(walk: Any) -> None:
    every = plots.film(walk, frames=range(1, 401))
    for until in (1, 33, 400):
        now = plots.beliefs(walk, until)
        np.testing.assert_allclose(every.means[until - 1], now.means, rtol=1e-12)
        assert every.walkers[until - 1] == now.team
    np.testing.assert_array_equal(every.regret, walk.regret)
    # Every leg is announced whole before its first step.
    for walker, legs in enumerate(walk.legs):
        for begin, end in zip(legs[1:], [*legs[2:], 400], strict=True):
            at, leg = every.walkers[begin - 1][walker].at, every.walkers[begin - 1][walker].leg
            assert (leg or (at,))[-1] == walk.nodes[end - 1, walker]
    few = plots.film(walk, frames=12)
    assert len(few.steps) == 12
    assert (few.steps[0], few.steps[-1]) == (1, 400)
    moved = 2 + np.flatnonzero(np.diff(walk.nodes, axis=0).any(axis=1))
    assert set(few.steps[1:-1].tolist()) <= set(moved.tolist())
    with pytest.raises(ValueError, match="ascending numbers of steps, 1 to 400"):
        plots.film(walk, frames=[3, 2])


def test_the_film_is_shown_and_saved(walk: Any, tmp_path: Any) -> None:
    from PIL import Image

    made = plots.animate(walk, frames=4, seconds=2, dpi=50)
    assert repr(made) == "<Animation of g-star, 4 frames>"
    pictures = re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", made.to_html())
    assert len(set(pictures)) == 4
    made.save(tmp_path / "team.gif")
    with Image.open(tmp_path / "team.gif") as image:
        assert image.n_frames == 4
        pixels = np.asarray(image.convert("RGB"), np.int64)
    for walker in range(4):
        wanted = [int(team_marks.look_of(walker).color[i : i + 2], 16) for i in (1, 3, 5)]
        # Colours of a palette, and edges smoothed.
        assert (np.abs(pixels - wanted).max(axis=2) < 40).sum() > 10, walker


def test_walkers_keep_their_numbers_and_colours_after_somebody_left() -> None:
    team = gb.team("grid:3x3", walkers=3, starts=[0, 4, 8])
    before = {label: line.get_color() for label, line in lines(team.plot()).items()}
    team.leave(0)
    ax = team.plot()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["1", "2"]
    after = {label: line.get_color() for label, line in lines(ax).items()}
    assert set(after) == {f"{mark} {n}" for mark in ("walker", "leg", "goal") for n in (1, 2)}
    assert all(before[label] == color for label, color in after.items())
    for walker in team.walkers:
        centre = ring_of(ax, walker)[:-1].mean(axis=0)
        place = plots.layout(team.graph)[team.at(walker)]
        np.testing.assert_allclose(centre, place, atol=0.02)
    # The last one is still not walker 0; a team of one needs no name.
    team.leave(1)
    assert [text.get_text() for text in team.plot().get_legend().get_texts()] == ["2"]
    assert gb.team("grid:3x3").plot().get_legend() is None


def test_a_team_of_robots_is_drawn_where_it_is() -> None:
    team = gb.team(nx.grid_2d_graph(3, 3), walkers=2, starts=[(0, 0), (2, 2)])
    for _ in range(4):
        for walker in team.walkers:
            team.tell(walker, reward=0.5)
    ax = team.plot("visits")
    assert ax.get_title(loc="left") == "visits per node, g-star after 8 visits"
    for walker in team.walkers:
        centre = ring_of(ax, walker)[:-1].mean(axis=0)
        np.testing.assert_allclose(centre, team.at(walker), atol=0.02)
    with pytest.raises(ValueError, match="give one of 'estimates', 'visits'"):
        team.plot("bounds")
    with pytest.raises(ValueError, match="until is for traces"):
        plots.visits(team, until=3)


def test_a_long_title_fits_beside_a_narrow_graph():
    team = gb.team("grid:6x2", walkers=2, noise_scale=0.25, caution=1.25, doubt=3)
    ax = team.plot()
    text = ax.get_title(loc="left")
    assert "doubt=3" in text
    ax.figure.canvas.draw()
    (title,) = [child for child in ax.get_children() if getattr(child, "_text", "") == text]
    shown = title.get_window_extent()
    assert shown.x0 >= 0
    assert shown.x1 <= ax.figure.bbox.x1

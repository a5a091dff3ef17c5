"""What films of a run show, frame by frame and as pictures."""

from __future__ import annotations

import base64
import io
import re
import struct
from itertools import pairwise

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

import graph_bandit as gb
from graph_bandit import plots


def test_the_film_tells_the_run(walk):
    shown = plots.film(walk, frames=40)
    assert shown.visits[0] == walk.init_steps
    assert shown.visits[-1] == len(walk.nodes) == walk.init_steps + 600
    assert len(shown.visits) <= 40
    for frame in (0, 7, -1):
        until = shown.visits[frame]
        nodes, rewards = walk.nodes[:until], walk.rewards[:until]
        means = [rewards[nodes == node].mean() for node in range(16)]
        np.testing.assert_allclose(shown.means[frame], means, rtol=1e-12)
    np.testing.assert_array_equal(shown.at[1:], walk.nodes[shown.visits[1:] - 1])
    # Covered, the walker begins again on its first node.
    assert shown.at[0] == 0


def test_the_film_has_the_regret_of_the_study():
    world = gb.World("grid:4x4", means=gb.uniform_means(0.5, 9.5))
    study = gb.run(world, ["g-ucb", "g-star"], steps=400, runs=3, seed=9, progress=False)
    for agent in ("g-ucb", "g-star"):
        regret = plots.film(study.trace(agent, run=2)).regret
        expected = study.regret[study.index(agent), 2]
        np.testing.assert_allclose(regret[study.t - 1], expected, rtol=1e-9)


def test_coming_legs_are_the_walk_to_be(walk):
    every = plots.film(walk, frames=range(walk.init_steps, len(walk.nodes) + 1))
    graph = walk.world.graph
    for until, at, leg in zip(every.visits, every.at, every.legs, strict=True):
        way = [int(at), *leg]
        for a, b in pairwise(way):
            assert a != b
            assert b in graph.neighborhood_numbers(a)
        entered = [int(at), *walk.nodes[until:]]
        moves = [b for a, b in pairwise(entered) if a != b]
        assert moves[: len(leg)] == list(leg)
    # Every leg is announced whole before its first visit.
    starts = walk.legs - walk.init_steps
    for begin, end in zip(starts, [*starts[1:], 600], strict=True):
        visited = walk.nodes[walk.init_steps + begin : walk.init_steps + end]
        assert (every.legs[begin] or (every.at[begin],))[-1] == visited[-1]


def test_the_animation_shows_itself(walk):
    from PIL import Image

    made = plots.animate(walk, frames=4, seconds=2, dpi=50)
    page = made._repr_html_()
    pictures = re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", page)
    assert len(pictures) == len(made.film.visits) == 4
    assert len(set(pictures)) == 4
    assert len(page) < 100_000
    width, height = struct.unpack(">II", base64.b64decode(pictures[0])[16:24])
    assert (width, height) == (250, 290)
    assert not plt.get_fignums()
    for picture in pictures:
        with Image.open(io.BytesIO(base64.b64decode(picture))) as image:
            pixels = np.asarray(image.convert("RGB"), np.int64)
        assert (pixels[0, 0] == 255).all()
        # The walker keeps its colour where there are few.
        near = np.abs(pixels - [0xD5, 0x5E, 0x00]).max(axis=2) < 12
        assert near.sum() > 20


def test_the_animation_is_saved(walk, tmp_path):
    from PIL import Image

    made = plots.animate(walk, frames=3, dpi=40)
    made.save(tmp_path / "walk.gif")
    with Image.open(tmp_path / "walk.gif") as image:
        assert image.n_frames == 3
    made.save(tmp_path / "walk.html")
    assert (tmp_path / "walk.html").read_text(encoding="utf-8") == made.to_html()


def test_frames_are_checked(walk):
    for wrong in (0, [], [5, 4], [0, 3], [10**6]):
        with pytest.raises(ValueError, match="frames"):
            plots.film(walk, frames=wrong)
    with pytest.raises(ValueError, match="seconds"):
        plots.animate(walk, seconds=0)

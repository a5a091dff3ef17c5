"""What figures show, read back from the drawn objects and computed in other ways."""

from __future__ import annotations

import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy import stats

import graph_bandit as gb
from graph_bandit import plots
from graph_bandit.plots import palette

AGENTS = ["g-ucb", "ucrl2", "g-star", gb.GUcb(bonus=0.5)]
NAMES = ["g-ucb", "ucrl2", "g-star", "g-ucb:bonus=0.5"]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def study():
    world = gb.World("grid:4x4", means=gb.uniform_means(0.5, 9.5), noise=gb.uniform_noise(0.5))
    return gb.run(world, AGENTS, steps=800, runs=12, seed=5, progress=False)


def band(ax, name):
    """The lower and upper ends of a band by x, from its outline."""
    (found,) = [c for c in ax.collections if c.get_label() == f"_{name}"]
    corners = found.get_paths()[0].vertices
    xs = np.unique(corners[:, 0])
    ends = [
        (corners[corners[:, 0] == x, 1].min(), corners[corners[:, 0] == x, 1].max()) for x in xs
    ]
    return xs, np.array(ends)


def texts(ax):
    return [text.get_text() for text in ax.texts]


def lines(ax):
    return {line.get_label(): line for line in ax.lines}


def discs(ax):
    """The arrays of coloured nodes, in the order of drawing."""
    return [c.get_array() for c in ax.collections if c.get_array() is not None]


def student(values, level):
    """Student's interval of every column by scipy."""
    return stats.t.interval(
        level, len(values) - 1, loc=values.mean(axis=0), scale=stats.sem(values, axis=0)
    )


def test_regret_lines_are_means_and_bands_are_students_intervals(study):
    for level in (0.8, 0.99):
        ax = study.plot_regret(ci=level)
        for number, name in enumerate(NAMES):
            x, y = lines(ax)[name].get_data()
            assert (x[0], y[0]) == (0, 0)
            np.testing.assert_array_equal(x[1:], study.t)
            np.testing.assert_allclose(y[1:], study.regret[number].mean(axis=0), rtol=1e-13)
            xs, ends = band(ax, name)
            low, high = student(study.regret[number], level)
            np.testing.assert_array_equal(xs, [0, *study.t])
            np.testing.assert_allclose(ends[1:, 0], low, rtol=1e-9)
            np.testing.assert_allclose(ends[1:, 1], high, rtol=1e-9)


def test_regret_says_what_it_shows(study):
    ax = plots.regret(study, ci=0.9)
    assert ax.get_xlabel() == "step"
    assert ax.get_title(loc="left") == "regret, mean of 12 runs with 90% intervals"
    assert texts(ax) == NAMES
    ax.figure.canvas.draw()
    assert [tick.get_text() for tick in ax.get_xticklabels()][:2] == ["0", "200"]


def test_agents_have_colours_of_their_own_that_do_not_depend_on_who_is_drawn(study):
    every = {name: to_hex(line.get_color()) for name, line in lines(plots.regret(study)).items()}
    assert len(set(every.values())) == len(NAMES)
    assert every["g-ucb"] == "#0072b2"
    few = lines(plots.regret(study, agents=[gb.GUcb(bonus=0.5), "ucrl2"]))
    assert list(few) == ["g-ucb:bonus=0.5", "ucrl2"]
    for name, line in few.items():
        assert to_hex(line.get_color()) == every[name]


def test_lines_differ_without_colour(study):
    drawn = lines(plots.regret(study))
    looks = {str(drawn[name]._unscaled_dash_pattern) for name in ("g-ucb", "g-star")}
    assert len(looks) == 2


def test_axes_are_used_and_logarithms_drawn(study):
    _, (left, right) = plt.subplots(1, 2)
    assert plots.regret(study, ax=right, log="xy") is right
    assert (right.get_xscale(), right.get_yscale()) == ("log", "log")
    np.testing.assert_array_equal(lines(right)["g-ucb"].get_xdata(), study.t)
    assert not left.lines


def test_one_run_has_no_band():
    study = gb.run(gb.World("line:4"), ["g-ucb", "g-star"], steps=50, runs=1, progress=False)
    ax = study.plot_regret()
    assert ax.get_title(loc="left") == "regret, one run"
    np.testing.assert_allclose(lines(ax)["g-ucb"].get_ydata()[1:], study.regret[0, 0])
    assert "±" not in "".join(texts(study.plot_differences()))
    plots.last_differences(study).figure.canvas.draw()


def test_no_regret_at_all_can_be_drawn():
    world = gb.World("line:3", means=[1.0, 1.0, 1.0], noise=gb.no_noise())
    study = gb.run(world, ["g-ucb", "g-star"], steps=50, runs=3, progress=False)
    study.plot_regret().figure.canvas.draw()
    study.plot_differences().figure.canvas.draw()
    assert texts(study.plot_regret(log="xy")) == []


def test_differences_are_paired(study):
    ax = study.plot_differences("ucrl2", ci=0.9)
    assert ax.get_title(loc="left").startswith("regret minus that of ucrl2, mean of 12 runs")
    assert "ucrl2" not in lines(ax)
    for number, name in [(0, "g-ucb"), (2, "g-star"), (3, "g-ucb:bonus=0.5")]:
        paired = study.regret[number] - study.regret[1]
        low, high = student(paired, 0.9)
        np.testing.assert_allclose(lines(ax)[name].get_ydata()[1:], paired.mean(axis=0))
        np.testing.assert_allclose(band(ax, name)[1][1:], np.stack([low, high], 1), rtol=1e-9)
        mean, half = paired[:, -1].mean(), (high[-1] - low[-1]) / 2
        said = f"{name}  {mean:+,.0f} ± {half:,.0f}".replace("-", "−")
        assert said.replace("−", "-") in [text.replace("−", "-") for text in texts(ax)]


def test_the_first_agent_is_the_baseline_unless_said(study):
    assert plots.difference_data(study).baseline == "g-ucb"


def test_last_differences_show_every_run(study):
    ax = plots.last_differences(study, "g-star")
    assert [tick.get_text() for tick in ax.get_yticklabels()] == [NAMES[0], NAMES[1], NAMES[3]]
    dots = [line for line in ax.lines if len(line.get_xdata()) == 12]
    for line, number in zip(dots, (0, 1, 3), strict=True):
        expected = study.regret[number, :, -1] - study.regret[2, :, -1]
        np.testing.assert_array_equal(line.get_xdata(), expected)
        assert np.abs(line.get_ydata() - line.get_ydata().round()).max() < 0.4


def test_what_cannot_be_drawn_is_refused(study):
    with pytest.raises(ValueError, match="ci is 95"):
        plots.regret(study, ci=95)
    with pytest.raises(ValueError, match="is not an agent of these results"):
        plots.regret(study, agents=["local-ucb"])
    with pytest.raises(ValueError, match="log is 'both'"):
        plots.regret(study, log="both")
    with pytest.raises(ValueError, match="agents is empty"):
        plots.regret(study, agents=[])
    alone = gb.run(gb.World("line:4"), ["g-ucb"], steps=50, runs=2, progress=False)
    with pytest.raises(ValueError, match="need another agent"):
        plots.differences(alone)


def test_labels_keep_apart_and_near():
    from scipy.optimize import minimize

    from graph_bandit.plots.axes import spread

    wanted = np.array([3.0, 0.0, 0.5, 1.0, 40.0, 41.0])
    order = np.argsort(wanted)
    for floor in (-1e3, -2.0):
        found = spread(wanted, 4.0, floor)
        limits = [
            {"type": "ineq", "fun": lambda x: np.diff(x[order]) - 4.0},
            {"type": "ineq", "fun": lambda x, floor=floor: x - floor},
        ]
        best = minimize(lambda x: ((x - wanted) ** 2).sum(), found + 0.1, constraints=limits)
        assert best.success
        np.testing.assert_allclose(found, best.x, atol=1e-4)


def test_every_agent_has_the_style_of_the_command_line():
    # By hand, so that a change of colours is seen here.
    styles = palette.styles_of(list(gb.SPECS))
    assert len(set(styles)) == len(styles)
    assert palette.styles_of(["g-ucb", "direct-sp", "g-star"]) == [
        palette.Style("#0072b2", "solid"),
        palette.Style("#536962", "dashed"),
        palette.Style("#086f42", "dotted"),
    ]
    assert (palette.INK, palette.PAPER) == ("#1f2328", "#ffffff")
    assert (palette.RAMP[0], palette.RAMP[-1]) == ("#43bf71", "#46085c")


def test_unknown_agents_have_stable_styles_of_their_own():
    many = [f"agent {number}" for number in range(40)]
    styles = palette.styles_of(["g-ucb", *many])
    assert len(set(styles)) == 41
    assert styles == palette.styles_of(["g-ucb", *many])
    assert palette.styles_of(["g-star:caution=2"]) == palette.styles_of(["g-star"])
    # FNV-1a of "a" is 0xaf63dc4c8601ec8c; folded and reduced to 16 hues and 3 dashes.
    number = 0xAF63DC4C ^ 0x8601EC8C
    dash = ("dashed", "dotted", "solid")[number // 16 % 3]
    assert palette.styles_of(["a"]) == [palette.Style(palette.HUES[number % 16], dash)]


def test_visits_and_estimates_of_a_trace_are_drawn_by_node(walk):
    until = walk.init_steps + 100
    nodes, rewards = walk.nodes[:until], walk.rewards[:until]
    counts = np.array([(nodes == node).sum() for node in range(16)])
    means = np.array([rewards[nodes == node].mean() for node in range(16)])
    (drawn,) = discs(plots.visits(walk, until=until))
    np.testing.assert_array_equal(drawn, counts)
    (drawn,) = discs(plots.estimates(walk, until=until))
    np.testing.assert_allclose(drawn, means, rtol=1e-12)


def test_bounds_of_a_trace_are_those_of_the_formula(walk):
    """The upper confidence bound of G-UCB, mean + sqrt(2 ln t / n)."""
    until = walk.init_steps + 50
    rings, centres = discs(plots.bounds(walk, until=until))
    nodes, rewards = walk.nodes[:until], walk.rewards[:until]
    means = np.array([rewards[nodes == node].mean() for node in range(16)])
    counts = np.array([(nodes == node).sum() for node in range(16)])
    np.testing.assert_allclose(centres, means, rtol=1e-12)
    np.testing.assert_allclose(rings, means + np.sqrt(2 * np.log(until) / counts), rtol=1e-12)


def test_a_trace_and_a_session_told_the_same_look_the_same(walk):
    graph = walk.world.graph
    agent = gb.agent(graph, "g-ucb", start=(0, 0), init="none")
    for node, reward in zip(walk.nodes, walk.rewards, strict=True):
        try:
            agent.tell(graph.label(int(node)), reward)
        except gb.IllegalMoveError:
            agent.move_to(graph.label(int(node)))
            agent.tell(graph.label(int(node)), reward)
    for show, draw in [("visits", plots.visits), ("bounds", plots.bounds)]:
        here, there = agent.plot(show), draw(walk)
        for a, b in zip(discs(here), discs(there), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)
        assert here.get_title(loc="left") == there.get_title(loc="left")


def test_a_session_shows_its_walker_and_its_leg():
    agent = gb.agent(nx.grid_2d_graph(5, 5), "g-ucb", start=(2, 1), init="depth-first")
    rng = np.random.default_rng(4)
    while not (agent.ask().phase == "learn" and len(agent.ask().path) > 2):
        agent.tell(agent.ask().node, reward=float(rng.uniform()))
    ax = agent.plot("visits")
    (ring,) = [c for c in ax.collections if c.get_label() == "walker"]
    np.testing.assert_array_equal(ring.get_offsets(), [agent.at])
    way = np.array(lines(ax)["leg"].get_data()).T
    np.testing.assert_array_equal(way[1:], agent.ask().path)
    np.testing.assert_array_equal(np.ravel(lines(ax)["goal"].get_data()), agent.ask().path[-1])
    with pytest.raises(ValueError, match="give one of 'estimates'"):
        agent.plot("regret")


def test_nodes_never_visited_are_empty():
    agent = gb.agent("grid:3x3", "g-ucb")
    agent.tell(0, reward=0.5)
    (drawn,) = discs(agent.plot())
    assert np.ma.getmaskarray(drawn).tolist() == [False] + [True] * 8
    agent.plot("bounds").figure.canvas.draw()


def test_agents_without_bounds_say_so():
    with pytest.raises(ValueError, match="ql-eps has no bounds; draw its estimates"):
        gb.agent("grid:3x3", "ql-eps").plot("bounds")
    with pytest.raises(TypeError, match="give a session"):
        plots.visits("grid:3x3")


def test_nodes_lie_where_they_are():
    geometric = gb.geometric(30, 0.4, seed=2)
    np.testing.assert_array_equal(plots.layout(geometric), geometric.coordinates)
    grid = gb.graph(nx.grid_2d_graph(3, 4))
    np.testing.assert_array_equal(plots.layout(grid), list(nx.grid_2d_graph(3, 4)))
    named = gb.graph([("a", "b"), ("b", "c")])
    given = {"c": (5, 6), "a": (1, 2), "b": (3, 4)}
    np.testing.assert_array_equal(plots.layout(named, given), [[1, 2], [3, 4], [5, 6]])
    with pytest.raises(ValueError, match="node 'c' has no place"):
        plots.layout(named, {"a": (0, 0), "b": (0, 1)})
    with pytest.raises(ValueError, match="two finite numbers"):
        plots.layout(named, [[0, 0], [1, 1]])


@pytest.mark.parametrize(
    "made", [nx.path_graph(12), nx.cycle_graph(12), nx.circular_ladder_graph(9)]
)
def test_where_nobody_said_so_hops_are_kept(made):
    hops = np.array(
        [[d[b] for b in sorted(made)] for _, d in sorted(nx.all_pairs_shortest_path_length(made))]
    )
    places = plots.layout(gb.graph(made))
    lengths = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    above = np.triu_indices(len(hops), 1)
    stress = (((lengths - hops)[above] / hops[above]) ** 2).mean()
    # networkx minimizes the same by another way; a local minimum may be a little worse,
    # and a line is straight to some tenths of a percent.
    other = nx.kamada_kawai_layout(made)
    other = np.array([other[node] for node in sorted(made)])
    theirs = np.hypot(*(other[:, None] - other[None]).transpose(2, 0, 1))[above]
    theirs = theirs * (theirs / hops[above]).sum() / ((theirs / hops[above]) ** 2).sum()
    assert stress <= 1.1 * ((theirs / hops[above] - 1) ** 2).mean() + 1e-5
    assert lengths[above].min() > 0.1


def test_shapes_with_a_picture_of_their_own_get_it():
    star = plots.layout(gb.graph(nx.star_graph(9)))
    np.testing.assert_allclose(np.hypot(*star.T), [0] + [1] * 9, atol=1e-12)
    # Roots are above, as the y of figures grows upward here.
    tree = plots.layout(gb.graph(nx.balanced_tree(2, 3)))
    levels = tree[:, 1]
    assert levels[0] > levels[1] == levels[2] > levels[3] == levels[6] > levels[7] == levels[14]


def test_large_graphs_are_laid_out_too():
    line = nx.path_graph(3000)
    places = plots.layout(gb.graph(line))
    steps = np.diff(places[:, 0])
    assert (steps > 0).all() or (steps < 0).all()
    assert plots.layout(gb.Graph(1, np.empty((0, 2), np.int64))).tolist() == [[0, 0]]


def test_discs_do_not_meet_where_there_is_room():
    for made, spacing in [(gb.grid(5, 9), 1.0), (gb.grid(40, 40), 1.0), (gb.line(12), 1.0)]:
        ax = gb.agent(made, "g-ucb").plot("visits")
        (nodes,) = [c for c in ax.collections if c.get_array() is not None]
        assert 0.3 * spacing < 2 * nodes._widths.max() < spacing


def test_agents_of_ones_own_can_be_drawn():
    class Stays(gb.Agent):
        def next_leg(self, now):
            return now.at

    walk = gb.trace(gb.World("line:5"), Stays(), steps=30)
    assert plots.beliefs(walk).bounds is None
    assert plots.film(walk).legs[-1] == ()
    plots.visits(walk).figure.canvas.draw()
    with pytest.raises(ValueError, match="Stays has no bounds"):
        plots.bounds(walk)


def test_without_matplotlib_the_extra_is_named(study, walk, monkeypatch):
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, module, None)
    for draw, what in [
        (plots.regret, study),
        (plots.differences, study),
        (plots.last_differences, study),
        (plots.visits, walk),
        (plots.bounds, walk),
        (plots.animate, walk),
    ]:
        with pytest.raises(ImportError, match=r"graph-bandit\[plot\]"):
            draw(what)

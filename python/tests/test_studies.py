import json
import pickle
import signal
import subprocess
import sys
import textwrap

import networkx as nx
import numpy as np
import pytest
import scipy.stats

import graph_bandit as gb

AGENTS = ["g-ucb", "ucrl2", "local-ts", "ql-ucb-h", "g-star", "g-ts", "g-ucb:bonus=0.5"]


def of_command_line(gbandit, *arguments):
    shown = subprocess.run([gbandit, "run", "--json", *arguments], check=True, capture_output=True)
    return json.loads(shown.stdout)["agents"]


@pytest.mark.parametrize("preset", ["paper", "program"])
@pytest.mark.parametrize(
    ("graph", "means", "noise"),
    [
        ("grid:5x5", gb.uniform_means(0.5, 9.5), gb.uniform_noise(0.5)),
        ("star:12", gb.needle_means(0.25, 0.75), gb.bernoulli_noise()),
        ("line:9", gb.uniform_means(0, 1), gb.mixed_noise(gb.gaussian_noise(0.25), gb.no_noise())),
        (
            "circle:8",
            gb.uniform_means(0.1, 0.9),
            gb.best_node_noise(gb.beta_noise(4), gb.empirical_noise([-1, 1])),
        ),
    ],
)
def test_the_same_bits_as_the_command_line(gbandit, graph, means, noise, preset):
    study = gb.run(
        gb.World(graph, means, noise),
        AGENTS,
        steps=700,
        runs=6,
        seed=7,
        checkpoints=9,
        preset=preset,
    )
    ran = of_command_line(
        gbandit, "--graph", graph, "--means", str(means), "--noise", str(noise), "--preset", preset,
        "--agents", ",".join(AGENTS), "--steps", "700", "--runs", "6", "--seed", "7", "--checkpoints", "9",
    )  # fmt: skip
    assert study.agents == tuple(agent["agent"] for agent in ran)
    for i, agent in enumerate(ran):
        assert study.t.tolist() == agent["checkpoints"]
        # The command line adds up runs one by one.
        sums = np.add.accumulate(study.regret[i], axis=0)[-1]
        assert (sums / 6).tolist() == agent["regret_mean"]
        assert sum(study.reward[i, :, -1].tolist()) / 6 == agent["reward_mean"]
        assert np.allclose(study.regret[i].std(axis=0, ddof=1), agent["regret_sd"], rtol=1e-12)


def test_the_same_bits_as_the_command_line_on_roads(gbandit, tmp_path):
    roads = [(0, 1, 0.5), (1, 2, 0), (2, 3, 2.25), (3, 0, 1), (3, 1, 0), (1, 0, 4), (2, 0, 0.125)]
    rows = "".join(f"{a},{b},{time}\n" for a, b, time in roads)
    (tmp_path / "roads.csv").write_text("source,target,time\n" + rows)
    made = gb.graph(roads, directed=True, times="weights")
    agents = ["g-ucb", "g-star", "ucrl2", "ql-ucb-h", "local-ts"]
    study = gb.run(gb.World(made), agents, steps=700, runs=6, seed=7, init="tour", checkpoints=9)
    ran = of_command_line(
        gbandit, "--graph", str(tmp_path / "roads.csv"), "--directed", "--times", "time", "--init", "tour",
        "--agents", ",".join(agents), "--steps", "700", "--runs", "6", "--seed", "7", "--checkpoints", "9",
    )  # fmt: skip
    for i, agent in enumerate(ran):
        assert (np.add.accumulate(study.regret[i], axis=0)[-1] / 6).tolist() == agent["regret_mean"]
        assert sum(study.reward[i, :, -1].tolist()) / 6 == agent["reward_mean"]
        assert study.init_steps[i].mean() == agent["init_steps_mean"]


def test_other_settings_reach_the_core(gbandit):
    options = {
        "start": 3, "init": "depth-first", "back": "walk", "window": "first", "tape": "sums",
    }  # fmt: skip
    study = gb.run(
        gb.World("grid:4x4", gb.uniform_means(0, 1), gb.bernoulli_noise()),
        ["g-ucb", "direct-sp"], steps=900, runs=4, seed=3, **options,
    )  # fmt: skip
    flags = [
        part
        for key, value in options.items()
        for part in ("--" + ("return" if key == "back" else key), str(value))
    ]
    ran = of_command_line(
        gbandit, "--graph", "grid:4x4", "--means", "uniform:0,1", "--noise", "bernoulli", "--agents",
        "g-ucb,direct-sp", "--steps", "900", "--runs", "4", "--seed", "3", *flags,
    )  # fmt: skip
    for i, agent in enumerate(ran):
        assert (np.add.accumulate(study.regret[i], axis=0)[-1] / 4).tolist() == agent["regret_mean"]
        assert study.init_steps[i].mean() == agent["init_steps_mean"]


def test_labels_change_nothing_and_threads_change_nothing():
    plain = gb.run(
        gb.World("grid:6x6"), ["g-star", "local-ucb"], steps=500, runs=5, seed=1, n_jobs=1
    )
    labelled = gb.run(
        gb.World(nx.grid_2d_graph(6, 6)),
        ["g-star", "local-ucb"],
        steps=500,
        runs=5,
        seed=1,
        n_jobs=3,
    )
    assert (plain.regret == labelled.regret).all()
    assert (plain.destination == labelled.destination).all()


def test_groups_and_single_agents():
    study = gb.run(gb.World("line:4"), "frontier", steps=20, runs=1)
    beyond = {"g-star", "g-ts", "g-moss", "g-imed", "g-klucb", "g-safe", "g-sweep", "g-horizon"}
    assert set(study.agents) == beyond
    assert len(gb.run(gb.World("line:4"), ["paper"], steps=20, runs=1).agents) == 9
    assert gb.run(gb.World("line:4"), gb.GUcb(bonus=0.5), steps=20, runs=1).agents == (
        "g-ucb:bonus=0.5",
    )


def test_baselines_are_a_group_and_the_oracle_knows_the_means():
    world = gb.World("line:6", means=[0.0, 1.0, 2.0, 3.0, 4.0, 9.0], noise=gb.no_noise())
    study = gb.run(world, ["g-star", "baseline"], steps=50, runs=2)
    assert study.agents == ("g-star", "random", "epsilon-greedy", "oracle")
    # From node 0 to node 5: 8 + 7 + 6 + 5, and entering the last costs nothing.
    assert (study.regret[3, :, -1] == 26.0).all()
    assert (study.regret[:3, :, -1] >= 26.0).all()


def test_runs_say_which_node_is_best():
    world = gb.World("line:3", means=[1.0, 0.0, 9.0])
    study = gb.run(world, ["g-star", "oracle"], steps=400, runs=3, seed=4)
    best = study.best("oracle", run=2)
    assert (best.node, best.settled, best.right) == (2, True, True)
    low, high = best.interval
    assert low < 9.0 < high
    assert low < best.estimate < high
    assert study.best() == study.best("g-star", 0)
    assert study.best_right.shape == (2, 3)
    rows = study.summary()
    assert [row["best_right"] for row in rows] == [3, 3]
    assert rows[1]["best_settled"] == int(study.best_settled[1].sum())
    with pytest.raises(ValueError, match="there is no run 3"):
        study.best(run=3)


def test_means_may_be_fixed_by_array_mapping_or_row_per_run():
    by_label = {(i, j): float(i + j) for i in range(3) for j in range(3)}
    grid = nx.grid_2d_graph(3, 3)
    mapped = gb.run(gb.World(grid, by_label), ["g-ucb"], steps=300, runs=3, seed=2)
    listed = gb.run(
        gb.World(grid, [by_label[node] for node in grid]), ["g-ucb"], steps=300, runs=3, seed=2
    )
    assert (mapped.regret == listed.regret).all()
    assert mapped.means(1).tolist() == [by_label[node] for node in grid]
    rows = np.arange(27.0).reshape(3, 9)
    turned = gb.run(gb.World(grid, rows), ["g-ucb"], steps=300, runs=4, seed=2)
    assert [turned.means(run).tolist() for run in range(4)] == [
        rows[run % 3].tolist() for run in range(4)
    ]


def test_frames_hold_every_number_once(tmp_path):
    study = gb.run(gb.World("line:5"), ["g-ucb", "g-star"], steps=100, runs=3, checkpoints=4)
    frame = study.to_pandas()
    assert len(frame) == 2 * 3 * 4
    for i, agent in enumerate(study.agents):
        for run in range(3):
            rows = frame[(frame.agent == agent) & (frame.run == run)]
            assert rows.t.tolist() == study.t.tolist()
            assert rows.regret.tolist() == study.regret[i, run].tolist()
            assert rows.legs.tolist() == study.legs[i, run].tolist()
    other = study.to_polars()
    assert other["regret"].to_list() == frame.regret.tolist()
    import pandas

    study.to_parquet(tmp_path / "study.parquet")
    stored = pandas.read_parquet(tmp_path / "study.parquet")
    assert stored.agent.tolist() == frame.agent.tolist()
    assert (stored.regret == frame.regret).all()


def test_no_copies_on_the_way_to_numpy():
    study = gb.run(gb.World("line:5"), ["g-ucb", "g-star"], steps=100, runs=3)
    assert study.regret.base is not None
    assert study.columns()["regret"].base is study.regret.base


def test_intervals_are_student_s():
    study = gb.run(gb.World("grid:4x4"), ["g-ucb", "g-star"], steps=400, runs=12, seed=9)
    last = study.regret[0, :, -1]
    low, high = scipy.stats.t.interval(0.9, 11, last.mean(), scipy.stats.sem(last))
    half = study.ci(0.9)[0, -1]
    assert half == pytest.approx((high - low) / 2, rel=1e-9)
    assert study.summary()[0]["ci"] == pytest.approx(
        scipy.stats.sem(last) * scipy.stats.t.ppf(0.975, 11)
    )
    difference = study.differences("g-star", "g-ucb")[:, -1]
    assert (difference == study.regret[1, :, -1] - study.regret[0, :, -1]).all()
    alone = gb.run(gb.World("line:3"), "g-ucb", steps=10, runs=1)
    assert alone.summary()[0]["ci"] is None
    assert "g-ucb" in repr(alone)
    assert "<table>" in study._repr_html_()


def test_a_study_travels():
    study = gb.run(gb.World("grid:4x4"), ["g-ucb"], steps=200, runs=3, seed=4)
    twin = pickle.loads(pickle.dumps(study))
    assert (twin.regret == study.regret).all()
    walk = study.trace("g-ucb", 1)
    for again in (twin.trace("g-ucb", 1), pickle.loads(pickle.dumps(walk))):
        assert (again.nodes == walk.nodes).all()
        assert (again.times == walk.times).all()


def test_a_trace_is_the_run():
    study = gb.run(
        gb.World("grid:4x4"), ["g-ucb", "ql-eps"], steps=500, runs=3, seed=4, checkpoints=[100, 500]
    )
    for i, agent in enumerate(study.agents):
        walk = study.trace(agent, 2)
        own = slice(walk.init_steps, None)
        gaps = walk.means.max() - walk.means
        assert gaps[walk.nodes[own]].sum() == pytest.approx(study.regret[i, 2, -1])
        assert walk.rewards[own].sum() == pytest.approx(study.reward[i, 2, -1])
        assert len(walk.legs) == study.legs[i, 2, -1]
        assert walk.init_steps == study.init_steps[i, 2]
        assert walk.counts().sum() == 500 + walk.init_steps
        grid = walk.world.graph
        steps = zip(walk.nodes[own][:-1], walk.nodes[own][1:], strict=True)
        assert all(b in grid.neighborhood(a) for a, b in steps)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"steps": 0}, ValueError, "steps is 0; give a whole number"),
        ({"steps": 10**30}, ValueError, "give a whole number from 1 to 9007199254740992"),
        ({"steps": 2**53 + 1}, ValueError, "the limit is 9007199254740992"),
        ({"runs": 10**30}, ValueError, "give a whole number from 1 to 18446744073709551615"),
        ({"steps": 1.5}, TypeError, "steps is 1.5"),
        ({"runs": 0}, ValueError, "runs is 0"),
        ({"seed": -1}, ValueError, "seed is -1"),
        ({"start": 99}, gb.UnknownNodeError, "there is no node 99; the nodes are 0 to 8"),
        ({"init": "sideways"}, ValueError, r'init: there is no "sideways"; there are lowest, nearest, depth-first, tour and none'),
        ({"preset": "mine"}, ValueError, r'preset: there is no "mine"; there are paper and program'),
        ({"window": "middle"}, ValueError, 'window: there is no "middle"; there are first and last'),
        ({"backend": "spark"}, ValueError, "backend is 'spark'; give 'threads' or 'ray'"),
        ({"agents": []}, ValueError, "agents: name at least one agent"),
        ({"agents": ["g-ucb", "g-ucb"]}, ValueError, "g-ucb is named twice"),
        ({"agents": ["ucb"]}, ValueError, r'there is no agent "ucb"; did you mean g-ucb\? There are g-ucb'),
        ({"agents": [3]}, TypeError, "3 is not an agent"),
        ({"n_jobs": 0}, ValueError, "n_jobs is 0"),
        ({"n_jobs": -2}, ValueError, "n_jobs is -2"),
        ({"checkpoints": [5, 5]}, ValueError, "checkpoints: 5 must be above 5"),
        ({"checkpoints": [5, 3]}, ValueError, "checkpoints: 3 must be above 5 and at most 50"),
        ({"checkpoints": [5, 51]}, ValueError, "checkpoints: 51 must be"),
        ({"checkpoints": [0, 5]}, ValueError, "a checkpoint is 0"),
        ({"checkpoints": -1}, ValueError, "checkpoints is -1"),
        ({"checkpoints": 10**12, "steps": 10**13}, ValueError, "checkpoints is 1000000000000; give at most"),
        ({"runs": 2**40}, ValueError, "do not fit into memory; ask for fewer"),
        ({"checkpoints": []}, ValueError, "checkpoints is empty"),
    ],
)  # fmt: skip
def test_mistakes_are_named(change, error, message):
    settings = {"agents": ["g-ucb"], "steps": 50, "runs": 2, **change}
    agents = settings.pop("agents")
    with pytest.raises(error, match=message):
        gb.run(gb.World("grid:3x3"), agents, **settings)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: gb.World("line:3", [1, 2]), ValueError, "3 nodes; give exactly one per node"),
        (lambda: gb.World("line:3", [1, np.nan, 2]), ValueError, "the mean of node 1 is nan"),
        (lambda: gb.World("line:3", {0: 1.0, 2: 0.0}), ValueError, "node 1 has no mean"),
        (lambda: gb.World("line:3", {7: 1.0}), gb.UnknownNodeError, "there is no node 7"),
        (lambda: gb.World("line:3", noise=0.5), TypeError, "noise is 0.5; give a noise such as"),
        (lambda: gb.World("line:3", "gauss:1"), ValueError, "gauss"),
        (lambda: gb.World("line:3", noise="unifrom:1"), ValueError, "unifrom"),
        (lambda: gb.uniform_noise(-1), ValueError, "noise: uniform:-1.0: half-width is -1.0"),
        (lambda: gb.uniform_means(2, 1), ValueError, "lower end first"),
        (lambda: gb.World("line:3", {0: 1.0, 1: np.nan, 2: 0.0}), ValueError, "of node 1 is nan"),
        (
            lambda: gb.run(gb.World("line:3", [0, 1, 2], gb.bernoulli_noise())),
            ValueError,
            "from 0 to 1",
        ),
        (lambda: gb.GUcb(bonsu=1), TypeError, "no parameter 'bonsu'; it has bonus"),
        (lambda: gb.GUcb(bonus=-1), ValueError, "bonus is -1.0; it must be a number 0 or more"),
        (lambda: gb.GStar(variance="guessed"), ValueError, "guessed"),
    ],
)
def test_worlds_and_agents_that_cannot_be(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_ctrl_c_ends_a_study_within_a_leg():
    script = textwrap.dedent("""
        import os, signal
        import graph_bandit as gb

        class Interrupting(gb.studies.Progress):
            def __call__(self, done):
                os.kill(os.getpid(), signal.SIGINT)

        usual, gb.studies.Progress = gb.studies.Progress, Interrupting
        try:
            gb.run(gb.World("grid:10x10"), ["local-ts"], steps=2**50, runs=2)
        except KeyboardInterrupt:
            print("interrupted")
        gb.studies.Progress = usual
        print(gb.run(gb.World("line:3"), steps=10, runs=1).agents)
    """)
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stdout == "interrupted\n('g-star',)\n", ended.stderr


def test_other_threads_run_meanwhile():
    import threading

    ticks = []
    done = threading.Event()

    def count():
        while not done.is_set():
            ticks.append(1)
            done.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    gb.run(gb.World("grid:10x10"), ["local-ts"], steps=200_000, runs=6, n_jobs=2)
    during = len(ticks)
    done.set()
    thread.join()
    assert during > 5


def test_signals_are_left_as_they_were():
    before = signal.getsignal(signal.SIGINT)
    gb.run(gb.World("line:4"), steps=10, runs=1)
    assert signal.getsignal(signal.SIGINT) is before


def test_progress_counts_every_run():
    seen = []
    compiled = gb.RunSettings(
        gb.World("grid:8x8"),
        ("g-ucb",),
        20_000,
        40,
        0,
        None,
        "lowest",
        "jump",
        "first",
        "one-by-one",
        5,
        "paper",
    ).compile()
    compiled.run([(0, run) for run in range(40)], 1, seen.append)
    assert seen[-1] == 40
    assert seen == sorted(seen)


def test_runs_that_were_not_made_have_no_trace():
    study = gb.run("line:4", steps=20, runs=2)
    for run in (2, -1):
        with pytest.raises(ValueError, match=f"there is no run {run}; the runs are 0 to 1"):
            study.trace("g-star", run)


def test_what_is_listed_is_there():
    for name in gb.__all__:
        assert getattr(gb, name) is not None


def test_numpy_s_numbers_and_plain_graphs_will_do():
    study = gb.run(
        "line:4", steps=np.int64(20), runs=np.int32(2), checkpoints=np.int64(5), n_jobs=-1
    )
    assert study.regret.shape == (1, 2, 5)


def test_groups_bring_in_everybody_once():
    world = gb.World("line:4")
    study = gb.run(world, ["paper", "g-ucb", "frontier", "paper"], steps=5, runs=1)
    assert len(study.agents) == 9 + 8
    assert study.agents.count("g-ucb") == 1


def test_groups_leave_out_what_cannot_walk_the_graph():
    with pytest.warns(UserWarning, match="changing without exp3s: it can only walk complete"):
        study = gb.run("line:4", ["changing"], steps=5, runs=1)
    assert "g-drift" in study.agents
    assert "exp3s" not in study.agents
    assert "exp3s" in gb.run("complete:4", ["changing"], steps=5, runs=1).agents
    with pytest.raises((ValueError, RuntimeError), match="it can only walk complete graphs"):
        gb.run("line:4", ["changing", "exp3s"], steps=5, runs=1)


def test_noise_beyond_what_was_declared_is_warned_of():
    world = gb.World("line:4", noise=gb.gaussian_noise(5))
    with pytest.warns(UserWarning, match="has scale 5, but noise-scale is 0.5 for g-star"):
        gb.run(world, ["g-star"], steps=5, runs=1)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gb.run(world, [gb.GStar(noise_scale=5)], steps=5, runs=1)

"""Studies of teams from Python against the command line, and the errors of their arguments."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graph_bandit as gb

ROOMS: nx.Graph[Any] = nx.Graph([("hall", "attic"), ("hall", "cellar"), ("cellar", "garden")])
AGENTS = ["g-star", "multi-g-ucb", "comb-ucb", "g-ucb"]


def of_command_line(*arguments: str) -> Any:
    command = [sys.executable, "-m", "graph_bandit", "run", "--json", *arguments]
    shown = subprocess.run(command, check=True, capture_output=True)
    return json.loads(shown.stdout)


def assert_same_bits(results: gb.RunResults, shown: Any) -> None:
    assert results.agents == tuple(agent["agent"] for agent in shown["agents"])
    for i, agent in enumerate(shown["agents"]):
        assert results.t.tolist() == agent["checkpoints"]
        # The command line adds up runs one by one.
        for ours, theirs in (
            (results.regret, "regret_mean"),
            (results.realized_regret, "realized_regret_mean"),
        ):
            sums = np.add.accumulate(ours[i], axis=0)[-1]
            assert (sums / results.runs).tolist() == agent[theirs]
        reward = sum(results.reward[i, :, -1].tolist()) / results.runs
        assert reward == agent["reward_mean"]
    optima = sum(results.optimum(run) for run in range(results.runs)) / results.runs
    assert optima == shown["team"]["optimum_mean"]


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({"walkers": 5, "share": "log:0.05"}, ["--walkers", "5", "--share", "log:0.05"]),
        (
            {"walkers": 3, "starts": 6, "draws": "own", "share": "power:0.5", "preset": "program"},
            ["--walkers", "3", "--starts", "6", "--draws", "own", "--share", "power:0.5", "--preset", "program"],
        ),
        (
            {"walkers": 2, "starts": [3, 15], "seats": 1, "regret_from": "cover"},
            ["--walkers", "2", "--starts", "3,15", "--seats", "1", "--regret-from", "cover"],
        ),
        ({"walkers": 1, "starts": [5]}, ["--walkers", "1", "--starts", "5"]),
    ],
)  # fmt: skip
def test_the_same_bits_as_the_command_line(options: dict[str, Any], flags: list[str]) -> None:
    # Walkers that learn by themselves do not keep to seats.
    agents = AGENTS[1:3] if "seats" in options else AGENTS
    results = gb.run(
        "grid:4x4", agents, steps=400, runs=4, seed=7, checkpoints=5, progress=False, **options
    )
    shown = of_command_line(
        "--graph", "grid:4x4", "--agents", ",".join(agents), "--steps", "400", "--runs", "4",
        "--seed", "7", "--checkpoints", "5", *flags,
    )  # fmt: skip
    assert_same_bits(results, shown)


def test_shares_and_walkers_of_their_own_as_in_files(tmp_path: Path) -> None:
    shares = np.column_stack([np.ones(16), 1 + np.linspace(0, 1, 16)])
    (tmp_path / "shares.csv").write_text("".join(f"{a!r},{b!r}\n" for a, b in shares.tolist()))
    (tmp_path / "walkers.csv").write_text("start,speed,nodes\n0,1,\n15,1,10 11 14 15\n")
    shown = of_command_line(
        "--graph", "grid:4x4", "--agents", "g-star", "--steps", "300", "--runs", "3", "--walkers",
        str(tmp_path / "walkers.csv"), "--share", f"file:{tmp_path / 'shares.csv'}",
    )  # fmt: skip
    team = [gb.Walker(start=0), {"start": 15, "nodes": {10, 11, 14, 15}}]
    for share in (shares, dict(enumerate(shares.tolist())), f"file:{tmp_path / 'shares.csv'}"):
        results = gb.run(
            "grid:4x4", "g-star", walkers=team, share=share, steps=300, runs=3, progress=False
        )
        assert_same_bits(results, shown)


def test_nodes_are_named_by_their_labels() -> None:
    world = gb.World(
        ROOMS, {"hall": 1.0, "attic": 5.0, "cellar": 2.0, "garden": 4.0}, gb.no_noise()
    )
    by_label = gb.run(world, "g-star", walkers=2, starts=["garden", "attic"], steps=200, runs=2)
    numbers = [list(ROOMS).index(label) for label in ("garden", "attic")]
    by_number = gb.run(
        gb.World(nx.convert_node_labels_to_integers(ROOMS), by_label.means(), gb.no_noise()),
        "g-star", walkers=2, starts=numbers, steps=200, runs=2,
    )  # fmt: skip
    assert by_label.optimum() == 9.0
    assert by_label.regret.tolist() == by_number.regret.tolist()
    shares = {label: [1.0, 2.0 if label == "attic" else 1.0] for label in ROOMS}
    assert gb.run(world, walkers=2, share=shares, steps=20, runs=1).optimum() == 10.0
    # A tuple is the label of one node, where all start.
    grid = nx.grid_2d_graph(3, 3)
    together = gb.run(grid, "g-star", walkers=2, starts=(1, 1), steps=50, runs=2)
    apart = gb.run(grid, "g-star", walkers=2, starts=[(1, 1), (1, 1)], steps=50, runs=2)
    assert together.regret.tolist() == apart.regret.tolist()


def test_an_agent_of_your_own_leads_every_walker_by_itself() -> None:
    class Right(gb.Agent):
        """Goes to the last node, and remains there."""

        def next_leg(self, now: gb.Situation) -> Any:
            return min(now.at + 1, 4)

    world = gb.World("line:5", [0.0, 1.0, 2.0, 3.0, 4.0], gb.no_noise())
    results = gb.run(
        world, Right(), walkers=2, starts=[0, 2], steps=4, runs=1, init="none", checkpoints=4
    )
    # One draw per node: 1 + 3, 2 + 4, 3 + 4, then both are on the last node.
    assert results.optimum() == 7.0
    assert results.regret[0, 0].tolist() == [3.0, 4.0, 4.0, 7.0]
    assert results.reward[0, 0].tolist() == [4.0, 10.0, 17.0, 21.0]


def test_walkers_with_random_agents_of_their_own_do_not_move_alike() -> None:
    class Wanders(gb.Agent):
        def next_leg(self, now: gb.Situation) -> Any:
            return int(self.rng.choice(now.graph.neighborhood_numbers(now.at_number)))

    options: Any = {"steps": 200, "runs": 1, "init": "none", "seed": 3, "regret_from": "start"}
    world = gb.World("complete:20", np.ones(20), gb.no_noise())
    pair = gb.run(world, Wanders(), walkers=2, starts=0, **options)
    # Alike, they would always meet, and earn 1 per step.
    assert pair.reward[0, 0, -1] > 300


def test_results_tabulate_plot_and_pickle(no_windows: None) -> None:
    results = gb.run("grid:3x3", AGENTS, walkers=3, steps=100, runs=3, seed=1)
    frame = results.to_pandas()
    assert len(frame) == len(AGENTS) * 3 * 20
    assert results.plot_regret() is not None
    assert "best_right" not in results.summary()[0]
    again = pickle.loads(pickle.dumps(results))
    assert again.optimum(2) == results.optimum(2)
    assert again.regret.tolist() == results.regret.tolist()


def test_means_may_change_and_traces_have_the_regret_of_runs() -> None:
    table = gb.changing_means({0: [5.0, 2.0, 1.0, 3.0], 400: [1.0, 2.0, 5.0, 3.0]})
    world = gb.World("line:4", table, noise="gaussian:0.3")
    options: dict[str, Any] = {"walkers": 2, "starts": [0, 3], "steps": 900, "seed": 4}
    results = gb.run(world, ["g-drift", "g-star"], runs=1, progress=False, **options)
    drift, star = results.regret[:, 0, -1]
    assert drift < 0.5 * star
    walk = gb.trace(world, "g-drift", **options)
    assert walk.regret[-1] == pytest.approx(drift)
    assert set(walk.best) == {8.0}
    assert walk.optimum == 8.0


def test_regret_of_one_walker_can_count_from_the_start() -> None:
    options: Any = {"steps": 300, "runs": 2, "seed": 4, "checkpoints": [300]}
    counted = gb.run("line:6", "g-star", regret_from="start", **options)
    assert (counted.init_steps == 0).all()
    after = gb.run("line:6", "g-star", regret_from="cover", **options)
    assert after.regret.tolist() == gb.run("line:6", "g-star", **options).regret.tolist()
    assert (counted.regret > after.regret).all()


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"walkers": 0}, ValueError, "walkers is 0; give a whole number of at least 1"),
        ({"walkers": 2.5}, TypeError, "walkers is 2.5; give a number, or a list"),
        ({"walkers": "few"}, TypeError, "walkers is 'few'; give a number, or a list"),
        ({"walkers": 200_000}, ValueError, "200000 walkers are not a team; give 1 to 100000"),
        ({"walkers": []}, ValueError, "0 walkers are not a team"),
        ({"walkers": [3]}, TypeError, "walker 0 is 3; give a gb.Walker, or a dictionary"),
        ({"walkers": [{"pace": 3}]}, TypeError, "walker 0 has 'pace'; the fields are start, speed"),
        ({"walkers": [{"start": 0}, {}]}, ValueError, "walker 1 has no start, but others have one"),
        ({"walkers": [{"start": 0}], "starts": 1}, TypeError, "leave out starts"),
        ({"walkers": [{"speed": -1.0}, {}]}, ValueError, "walker 0 has speed -1; give a positive"),
        ({"walkers": [{"start": 0, "nodes": [0, 5]}]}, ValueError, "do not connect node 5"),
        ({"walkers": [{"start": 0, "nodes": "01"}]}, TypeError, "give a list of labels"),
        ({"walkers": 2, "start": 0}, TypeError, "say where a team starts with starts"),
        ({"walkers": 3, "starts": [0, 1]}, ValueError, "2 starts for 3 walkers"),
        ({"walkers": 2, "starts": "attic"}, gb.UnknownNodeError, "there is no node 'attic'"),
        ({"walkers": 2, "share": "logs:2"}, ValueError, "share: there is no share \"logs\""),
        ({"walkers": 2, "share": [1, 2]}, ValueError, "give one row per node"),
        ({"walkers": 2, "share": [[1, 2]] * 3}, ValueError, "3 rows of shares for 9 nodes"),
        ({"walkers": 2, "share": [[1.0]] * 9}, ValueError, "end at f(1), but there are 2 walkers"),
        ({"walkers": 2, "share": [[1, 0.5]] * 9}, ValueError, "must not fall as walkers are added"),
        ({"walkers": 2, "share": [[1, np.nan]] * 9}, ValueError, "f(2) = NaN"),
        ({"walkers": 2, "share": {0: [1, 1]}}, ValueError, "node 1 has no shares"),
        ({"walkers": 2, "draws": "two"}, ValueError, "draws: there is no"),
        ({"walkers": 2, "seats": 0}, ValueError, "seats is 0"),
        ({"walkers": 10, "seats": 1}, ValueError, "10 walkers do not fit on 9 nodes"),
        ({"walkers": 2, "agents": "multi-ucb"}, ValueError, "lead teams"),
        ({"walkers": 2, "agents": "oracle"}, ValueError, "the oracle walks alone"),
        ({"walkers": 2, "against": "causal"}, ValueError, "use free or planning"),
        ({"agents": "multi-g-ucb"}, ValueError, "multi-g-ucb leads a team; say how many walkers"),
        ({"share": "equal"}, TypeError, "share is for teams; say how many walkers there are"),
        ({"regret_from": "end"}, ValueError, "regret_from: there is no"),
    ],
)  # fmt: skip
def test_mistakes_are_named(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error) as raised:
        gb.run("grid:3x3", steps=50, runs=1, **options)
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("beyond", "says"),
    [
        ("nan", r"node 1 has f\(3\) = NaN; give a number of at least 0"),
        ("-3", r"node 1 has f\(3\) = -3; give a number of at least 0"),
        ("1.2", r"node 1 has f\(3\) = 1\.2, less than f\(2\) = 1\.5"),
    ],
)
def test_shares_of_more_walkers_than_there_are_must_be_possible(
    beyond: str, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "shares.csv"
    path.write_text(f"1,1.5,2\n1,1.5,{beyond}\n1,1.5,2\n")
    rows = np.loadtxt(path, delimiter=",")
    for share in (rows, f"file:{path}"):
        with pytest.raises(ValueError, match=says):
            gb.run("line:3", "g-star", walkers=2, share=share, steps=9, runs=1, progress=False)
        with pytest.raises(ValueError, match=says):
            gb.team("line:3", walkers=2, share=share, most=2)


def test_mistakes_name_nodes_by_their_labels() -> None:
    for walkers, says in (
        ([gb.Walker("hall", nodes=["hall", "garden"])], "node 'garden' with its start 'hall'"),
        (
            [gb.Walker("hall"), gb.Walker("attic", nodes=["hall"])],
            "walker 1 starts on node 'attic'",
        ),
    ):
        with pytest.raises(ValueError, match=says):
            gb.run(ROOMS, "g-star", walkers=walkers, steps=50, runs=1)


def test_what_only_one_walker_has_is_refused() -> None:
    results = gb.run("grid:3x3", "g-star", walkers=2, steps=50, runs=1)
    with pytest.raises(ValueError, match="a team does not look for one best node"):
        results.best()
    alone = gb.run("grid:3x3", "g-star", walkers=1, starts=4, steps=50, runs=1)
    assert alone.trace("g-star").nodes.tolist() == gb.trace(
        "grid:3x3", "g-star", start=4, steps=50
    ).nodes.tolist()  # fmt: skip
    assert alone.best().node is not None
    with pytest.raises(ValueError, match="the study has no team"):
        gb.run("grid:3x3", "g-star", steps=50, runs=1).optimum()


def test_an_error_of_a_generator_of_nodes_keeps_its_lines():
    def nodes():
        yield 0
        raise TypeError("the generator is broken")

    with pytest.raises(TypeError, match="walker 0: the generator is broken") as raised:
        gb.run("line:3", "g-star", walkers=[{"nodes": nodes()}], steps=9, runs=1, progress=False)
    cause = raised.value.__cause__
    assert cause is not None
    assert cause.__traceback__ is not None
    *_, last = traceback.extract_tb(cause.__traceback__)
    assert last.name == "nodes"


def test_a_negative_mean_is_named_by_its_label_and_moment() -> None:
    rooms = gb.graph([("hall", "attic"), ("hall", "yard")])
    walkers = [gb.Walker("hall", nodes=["hall", "attic"]), gb.Walker("yard")]

    def run(rows: dict[int, list[float]]) -> None:
        world = gb.World(rooms, gb.changing_means(rows), gb.no_noise())
        gb.run(world, "g-drift", walkers=walkers, steps=100, runs=1, progress=False)

    run({0: [1.0, 0.5, 0.2], 200: [1.0, -0.5, 0.2]})  # after the last step
    with pytest.raises(
        ValueError, match=r"the mean of node 'attic' is -0\.5 at moment 50, but"
    ) as raised:
        run({0: [1.0, 0.5, 0.2], 50: [1.0, -0.5, 0.2]})
    assert "let all walkers go everywhere, or raise the means" in str(raised.value)
    world = gb.World(rooms, {"hall": 1.0, "attic": 0.5, "yard": -0.25}, gb.no_noise())
    with pytest.raises(ValueError, match=r"the mean of node 'yard' is -0\.25, but"):
        gb.run(world, "g-star", walkers=walkers, steps=100, runs=1, progress=False)

"""Several worlds in one call, trajectories as tables, and agents told apart by their parameters."""

import itertools
import subprocess

import numpy as np
import pyarrow.parquet as parquet
import pytest

import graph_bandit as gb

HOUSE = [("hall", "yard"), ("yard", "barn"), ("hall", "attic")]


def test_every_case_is_the_study_of_its_world():
    worlds = {
        "house": gb.World(HOUSE, means={"hall": 1.0, "yard": 2.0, "barn": 5.0, "attic": 0.5}),
        "line": "line:5",
    }
    options = {"steps": 80, "runs": 4, "seed": 3, "checkpoints": 4, "progress": False}
    studies = gb.run_cases(worlds, ["g-ucb", "g-star"], start={"house": "barn"}, **options)
    alone = gb.run(worlds["house"], ["g-ucb", "g-star"], start="barn", **options)
    assert np.array_equal(studies["house"].regret, alone.regret)
    assert np.array_equal(
        studies["line"].regret, gb.run("line:5", ["g-ucb", "g-star"], **options).regret
    )
    frame = studies.to_pandas()
    means = frame[frame.t == 80].groupby(["case", "agent"], observed=True).regret.mean()
    assert means["house", "g-star"] == pytest.approx(alone.regret[1, :, -1].mean(), rel=1e-12)
    assert [(row["case"], row["agent"]) for row in studies.summary()] == [
        ("house", "g-ucb"),
        ("house", "g-star"),
        ("line", "g-ucb"),
        ("line", "g-star"),
    ]


def test_lists_name_themselves_and_mistakes_are_named():
    made = gb.run_cases(["line:3", gb.World("star:4")], steps=10, runs=1, progress=False)
    assert list(made) == ["line:3", "case 2"]
    with pytest.raises(ValueError, match="'line:3' is twice among the worlds"):
        gb.run_cases(["line:3", "line:3"], steps=10)
    with pytest.raises(
        ValueError, match="start has the case 'barn', which is not among the worlds: 'a'"
    ):
        gb.run_cases({"a": "line:3"}, start={"barn": 1})
    with pytest.raises(TypeError, match=r"call gb\.run for a single one"):
        gb.run_cases("line:3")
    with pytest.raises(ValueError, match="there are no worlds"):
        gb.run_cases([])


@pytest.mark.parametrize("back", ["jump", "walk"])
@pytest.mark.parametrize("roads", [False, True])
def test_trajectories_add_up_to_the_study(roads, back):
    graph = gb.graph(HOUSE, times=[0.5, 2.25, 1.0]) if roads else gb.graph(HOUSE)
    study = gb.run(
        gb.World(graph),
        ["g-ucb", "local-ts"],
        steps=90,
        runs=3,
        checkpoints=3,
        back=back,
        progress=False,
    )
    frame = study.trajectories().to_pandas()
    assert list(frame.columns) == ["run", "agent", "t", "node", "reward", "leg", "phase"]
    assert set(frame.node) == set(graph.nodes)
    assert set(frame[frame.t <= 0].phase) == {"cover"}
    assert set(frame[frame.t > 0].phase) == {"learn"}
    for a, agent in enumerate(study.agents):
        for run in range(3):
            of = frame[(frame.agent == agent) & (frame.run == run)]
            for k, t in enumerate(study.t):
                assert of[(of.t > 0) & (of.t <= t)].reward.sum() == pytest.approx(
                    study.reward[a, run, k], rel=1e-12
                )
                begun = of[of.t <= t].leg.max()
                assert begun <= study.legs[a, run, k] <= begun + 1
    # Steps follow the graph, but for the jump back to the start.
    one = frame[(frame.agent == "g-ucb") & (frame.run == 1)]
    learnt = one[one.t > 0].node.tolist()
    assert all(b in graph.neighborhood(a) for a, b in itertools.pairwise(learnt))


def test_trajectories_of_some_and_as_files(tmp_path):
    study = gb.run(gb.World(HOUSE), ["g-ucb", "g-star"], steps=40, runs=4, progress=False)
    some = study.trajectories("g-star", runs=[2])
    assert set(some.columns()["run"]) == {2}
    study.trajectories().to_parquet(tmp_path / "visits.parquet")
    stored = parquet.ParquetFile(tmp_path / "visits.parquet")
    assert stored.num_row_groups == 8
    assert (
        stored.read()
        .to_pandas()
        .equals(
            study.trajectories()
            .to_pandas()
            .astype({"agent": "str", "phase": "str"})
            .astype(stored.read().to_pandas().dtypes)
        )
    )
    with pytest.raises(ValueError, match="there is no run 4; the runs are 0 to 3"):
        study.trajectories(runs=[4])
    with pytest.raises(ValueError, match="is not an agent of these results"):
        study.trajectories("ucrl2")
    long = gb.run("line:3", steps=60_000, runs=2000, checkpoints=1, progress=False)
    with pytest.raises(ValueError, match="120,000,000 visits are too many for a frame"):
        long.trajectories().to_pandas()


def test_the_command_line_writes_the_same_visits(gbandit, tmp_path):
    (tmp_path / "house.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in HOUSE))
    place = tmp_path / "visits.parquet"
    subprocess.run(
        [
            gbandit,
            "run",
            "--graph",
            str(tmp_path / "house.csv"),
            "--agents",
            "g-ucb,local-ts",
            "--steps",
            "60",
            "--runs",
            "3",
            "--seed",
            "5",
            "--trajectories",
            str(place),
        ],
        check=True,
        capture_output=True,
    )
    study = gb.run(
        gb.graph(tmp_path / "house.csv"),
        ["g-ucb", "local-ts"],
        steps=60,
        runs=3,
        seed=5,
        progress=False,
    )
    ours, theirs = study.trajectories().to_pandas(), parquet.read_table(place).to_pandas()
    assert list(theirs.columns) == list(ours.columns)
    for column in ours:
        assert ours[column].tolist() == theirs[column].tolist(), column


class Loyal(gb.Agent):
    def __init__(self, node, patience=1):
        self.node = node
        self.patience = patience
        self._secret = object()

    def next_leg(self, now):
        return (
            gb.Leg(now.graph.path(now.at, self.node), stay=self.patience)
            if now.at != self.node
            else gb.Leg([], stay=self.patience)
        )


def test_two_of_a_class_are_labelled_by_what_differs():
    pair = [Loyal("barn"), Loyal("attic"), "g-star"]
    study = gb.run(gb.World(HOUSE), pair, steps=20, runs=2, progress=False)
    assert study.agents == ("Loyal:node=barn", "Loyal:node=attic", "g-star")
    assert study.index(pair[1]) == 1
    assert pair[0].name == "Loyal"
    assert set(study.trajectories(pair[1]).to_pandas().query("t > 3").node) == {"attic"}
    alone = gb.run(gb.World(HOUSE), [Loyal("barn")], steps=20, runs=2, progress=False)
    assert alone.agents == ("Loyal",)
    with pytest.raises(ValueError, match="Loyal is named twice"):
        gb.run(gb.World(HOUSE), [Loyal("barn"), Loyal("barn")], steps=20, progress=False)

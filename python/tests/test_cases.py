"""Several worlds in one call, trajectories as tables, and agents told apart by their parameters."""

import numpy as np
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
    with pytest.raises(ValueError, match="'line:3' is among the worlds twice"):
        gb.run_cases(["line:3", "line:3"], steps=10)
    with pytest.raises(ValueError, match="start names the case 'barn'; the cases are 'a'"):
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
                assert begun <= study.episodes[a, run, k] <= begun + 1
    # Steps follow the graph, but for the jump back to the start.
    one = frame[(frame.agent == "g-ucb") & (frame.run == 1)]
    learnt = one[one.t > 0].node.tolist()
    assert all(b in graph.neighborhood(a) for a, b in zip(learnt, learnt[1:], strict=False))


def test_trajectories_of_some_and_as_files(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
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
    with pytest.raises(ValueError, match="is no agent of this study"):
        study.trajectories("ucrl2")
    long = gb.run("line:3", steps=60_000, runs=2000, checkpoints=1, progress=False)
    with pytest.raises(ValueError, match="120,000,000 visits are more than a frame"):
        long.trajectories().to_pandas()

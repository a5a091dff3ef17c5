"""Mean rewards that change: rules, tables and functions, and what regret is measured against."""

import json
import pickle
import subprocess

import networkx as nx
import numpy as np
import pytest

import graph_bandit as gb

ROWS = {0: [0.3, 0.5, 0.9], 100: [0.3, 0.2, 0.9], 250: [0.7, 0.2, 0.1]}


def mean_at(rows: dict, step: int) -> np.ndarray:
    return np.array(rows[max(moment for moment in rows if moment <= step)])


def of_command_line(gbandit, *arguments):
    shown = subprocess.run([gbandit, "run", "--json", *arguments], check=True, capture_output=True)
    return json.loads(shown.stdout)


@pytest.mark.parametrize("against", ["free", "planning", "causal"])
@pytest.mark.parametrize(
    "means",
    [
        gb.redrawn_means(0.5, 9.5, 100),
        gb.redrawn_means(0.5, 9.5, 100, "regular"),
        gb.one_at_a_time_means(0.5, 9.5, 20),
        gb.moving_best_means(0.5, 9.5, 50),
        gb.drifting_means(0.5, 9.5, 0.5, 10),
        gb.seasonal_means(3, 7, 2, 60),
    ],
)
def test_rules_give_the_same_bits_as_the_command_line(gbandit, means, against):
    agents = ["g-star", "local-ts"]
    study = gb.run(
        gb.World("grid:4x4", means),
        agents,
        steps=400,
        runs=3,
        seed=5,
        checkpoints=4,
        against=against,
    )
    ran = of_command_line(
        gbandit, "--graph", "grid:4x4", "--means", str(means), "--agents", ",".join(agents),
        "--steps", "400", "--runs", "3", "--seed", "5", "--checkpoints", "4", "--against", against,
    )  # fmt: skip
    assert ran["against"] == against
    for i, agent in enumerate(ran["agents"]):
        sums = np.add.accumulate(study.regret[i], axis=0)[-1]
        assert (sums / 3).tolist() == agent["regret_mean"]


def test_tables_in_every_form_are_the_same_world(gbandit, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        [(moment, *means) for moment, means in ROWS.items()], columns=["from", 0, 1, 2]
    )
    shuffled = frame[[2, "from", 0, 1]]
    by_label = {moment: dict(enumerate(means)) for moment, means in ROWS.items()}
    path = tmp_path / "changes.csv"
    frame.to_csv(path, index=False)
    forms = [
        gb.changing_means(ROWS),
        gb.changing_means(list(ROWS.items())),
        gb.changing_means(shuffled),
        gb.changing_means(by_label),
        gb.changing_means(lambda step: mean_at(ROWS, step), steps=300),
        f"changes:{path}",
        "rows:0,.3,.5,.9;100,.3,.2,.9;250,.7,.2,.1",
    ]
    regrets = []
    for means in forms:
        world = gb.World("complete:3", means, gb.bernoulli_noise())
        study = gb.run(world, "g-star", steps=400, runs=4, seed=2, against="causal")
        regrets.append(study.regret.tolist())
    assert all(regret == regrets[0] for regret in regrets)
    ran = of_command_line(
        gbandit, "--graph", "complete:3", "--means", f"changes:{path}", "--noise", "bernoulli",
        "--steps", "400", "--runs", "4", "--seed", "2", "--against", "causal",
    )  # fmt: skip
    sums = np.add.accumulate(np.array(regrets[0])[0], axis=0)[-1]
    assert (sums / 4).tolist() == ran["agents"][0]["regret_mean"]


def test_regret_and_rewards_follow_the_table():
    world = gb.World("line:3", gb.changing_means(ROWS), gb.no_noise())
    study = gb.run(world, "g-ucb", steps=400, runs=1, seed=3, checkpoints=[100, 251, 400])
    walk = study.trace("g-ucb", 0)
    nodes = walk.nodes[walk.init_steps :]
    rewards = walk.rewards[walk.init_steps :]
    paid = [mean_at(ROWS, step)[node] for step, node in enumerate(nodes)]
    assert rewards.tolist() == paid
    shortfall = [mean_at(ROWS, step).max() - mean for step, mean in enumerate(paid)]
    expected = np.cumsum(shortfall)[[99, 250, 399]]
    assert study.regret[0, 0] == pytest.approx(expected)


def test_planning_matches_networkx():
    """The best walk is a longest path through the graph unrolled over time."""
    steps = 60
    graph = nx.cycle_graph(5)
    rng = np.random.default_rng(8)
    rows = {moment: rng.uniform(0, 1, 5) for moment in range(0, steps, 7)}
    world = gb.World(graph, gb.changing_means(rows), gb.no_noise())
    study = gb.run(
        world, "g-star", steps=steps, runs=1, checkpoints=[20, steps], against="planning"
    )
    for column, end in enumerate([20, steps]):
        unrolled = nx.DiGraph()
        for step in range(end):
            for a in graph:
                for b in [a, *graph.neighbors(a)]:
                    pays = mean_at(rows, step)[b]
                    unrolled.add_edge((step, a), (step + 1, b), weight=-pays)
        costs = nx.single_source_bellman_ford_path_length(unrolled, (0, 0))
        best = max(-cost for (step, _), cost in costs.items() if step == end)
        reward = study.reward[0, 0, column]
        assert study.regret[0, 0, column] == pytest.approx(best - reward)
        assert study.regret[0, 0, column] >= -1e-9


def test_worlds_that_change_can_be_pickled_and_shown():
    world = gb.World("line:3", gb.changing_means(ROWS))
    assert repr(world) == "World(<Graph of 3 nodes, 2 edges>, means=changing, noise=uniform:0.5)"
    again = pickle.loads(pickle.dumps(world))
    one, two = (gb.run(w, "g-star", steps=300, runs=2).regret.tolist() for w in (world, again))
    assert one == two


def test_environments_follow_the_table():
    gym = pytest.importorskip("gymnasium")
    world = gb.World("line:3", gb.changing_means(ROWS), gb.no_noise())
    env = gym.make("graph_bandit/GraphBandit-v0", graph=world, steps=400)
    env.reset(seed=1)
    rng = np.random.default_rng(2)
    at, regret = 0, 0.0
    for step in range(400):
        to = int(np.clip(at + rng.integers(-1, 2), 0, 2))
        at, reward, _, _, info = env.step(to)
        means = mean_at(ROWS, step)
        assert reward == means[at]
        regret += means.max() - means[at]
        assert info["regret"] == pytest.approx(regret)


@pytest.mark.parametrize(
    ("source", "options", "error", "words"),
    [
        ({}, {}, ValueError, "no rows"),
        ({5: [1, 2, 3]}, {}, ValueError, "begins at 5"),
        ([(0, [1, 2, 3]), (9, [1, 2, 3]), (7, [1, 2, 3])], {}, ValueError, "ascending order"),
        ({0: [1, 2]}, {}, ValueError, "exactly one per node"),
        ({0: {0: 1, 1: 2}}, {}, ValueError, "node 2 has no mean from 0 on"),
        ({0: [1, 2, float("nan")]}, {}, ValueError, "finite number"),
        ([7], {}, TypeError, "is not a moment and its means"),
        (lambda step: [1, 2, 3], {}, TypeError, "needs steps"),
        ({0: [1, 2, 3]}, {"steps": 5}, TypeError, "belongs to a function"),
        (lambda step: [1, 2, 3], {"steps": 10**9}, ValueError, "do not fit into memory"),
    ],
)
def test_bad_tables_are_refused(source, options, error, words):
    with pytest.raises(error, match=words):
        gb.run(gb.World("line:3", gb.changing_means(source, **options)), "g-star", steps=10, runs=1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"against": "fre"}, "free"),
        ({"tape": "sums"}, "one-by-one"),
        ({"window": "last"}, "needs means that do not change"),
        ({"against": "planning", "closures": (0.1, 0.1)}, "closures"),
    ],
)
def test_settings_that_do_not_fit_are_refused(options, words):
    closures = options.pop("closures", None)
    world = gb.World("line:3", gb.redrawn_means(0, 1, 10), closures=closures)
    with pytest.raises(ValueError, match=words):
        gb.run(world, "g-star", steps=10, runs=1, **options)
    with pytest.raises(ValueError, match="means"):
        gb.redrawn_means(0, 1, 0)

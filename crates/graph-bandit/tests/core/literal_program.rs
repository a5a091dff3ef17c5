//! Every agent in the program's preset compared to a transcription of the reference's description
//! of that program (`reference/README.md`), over the first and over the last T steps.
//!
//! Where the reference leaves room: Q-learners do not learn during initialization, but its walks
//! are counted; collecting without a move walks the self-loop; the current walk counts; and the
//! shortest-path policy stays wherever U is highest, as g-ucb does.

use crate::support::plain::{Walker, cheapest, fewest_hops, first_best, max, ucb, ucrl2_bound};
use crate::support::{of_paper, one_step, worlds};
use graph_bandit::{Preset, Seed, SelfPlace};

type Bound = fn(&Walker<'_>) -> Vec<f64>;

/// "The destination is the first maximum."
fn destination(u: &[f64]) -> usize {
    let nodes: Vec<usize> = (0..u.len()).collect();
    first_best(&nodes, |s| u[s])
}

/// "The agent walks the shortest-path policy while U(current) < max U, each node entered paying a
/// reward; then collects at the destination as many more times as its visits *now* amount to."
fn g_ucb(w: &mut Walker<'_>, steps: u64, bound: Bound) {
    while w.steps() < steps {
        w.begin_episode();
        let u = bound(w);
        let policy = cheapest(&w.near, &u, &[destination(&u)]);
        while u[w.at] < max(&u) {
            w.collect(policy[w.at]);
        }
        for _ in 0..w.n[w.at] {
            w.collect(w.at);
        }
    }
}

/// "Same U. Walks the path of fewest hops (standing on the destination: collects once), then
/// collects n(now) - 1 more times."
fn direct_sp(w: &mut Walker<'_>, steps: u64) {
    while w.steps() < steps {
        w.begin_episode();
        let dest = destination(&ucb(w));
        if w.at == dest {
            w.collect(dest);
        }
        let step = fewest_hops(&w.near, &[dest]);
        while w.at != dest {
            w.collect(step[w.at]);
        }
        for _ in 0..w.n[dest] - 1 {
            w.collect(dest);
        }
    }
}

/// "Before each move, if the moves made *from* the current node in this episode already equal
/// max(1, the visits it had when the episode began), the episode ends; otherwise count one and move
/// by the policy."
fn until_any_doubles(w: &mut Walker<'_>, steps: u64, plan: impl Fn(&Walker<'_>) -> Vec<usize>) {
    while w.steps() < steps {
        w.begin_episode();
        let policy = plan(w);
        let had = w.n.clone();
        let mut moves = vec![0; had.len()];
        while moves[w.at] != had[w.at].max(1) {
            moves[w.at] += 1;
            w.collect(policy[w.at]);
        }
    }
}

/// "Value iteration from zero stops when the span of the change is below 1/sqrt(t), or after
/// floor(min(10^4, sqrt(t))) + 1 sweeps; the policy is the best neighbour by the values before the
/// last sweep."
fn value_iteration(w: &Walker<'_>) -> Vec<usize> {
    let u = program_bound(w);
    let root = (w.t as f64).sqrt();
    let most = root.min(1e4).floor() as u64 + 1;
    let mut values = vec![0.0; u.len()];
    let mut before = Vec::new();
    for _ in 0..most {
        before = values;
        values =
            (0..u.len()).map(|s| u[s] + before[first_best(&w.near[s], |v| before[v])]).collect();
        let change: Vec<f64> = (0..u.len()).map(|s| values[s] - before[s]).collect();
        let lowest = change.iter().copied().fold(f64::INFINITY, f64::min);
        if max(&change) - lowest < 1.0 / root {
            break;
        }
    }
    let policy = |s: usize| first_best(&w.near[s], |v| before[v]);
    (0..u.len()).map(policy).collect()
}

/// "g-ucb's U and shortest-path policy."
fn shortest_path(w: &Walker<'_>) -> Vec<usize> {
    let u = ucb(w);
    let mut policy = cheapest(&w.near, &u, &[destination(&u)]);
    for s in 0..u.len() {
        if u[s] == max(&u) {
            policy[s] = s;
        }
    }
    policy
}

/// "ln(2 S A t / delta)".
fn program_bound(w: &Walker<'_>) -> Vec<f64> {
    ucrl2_bound(w, 2.0)
}

fn transcribed(name: &str, w: &mut Walker<'_>, steps: u64) {
    match name {
        "g-ucb" => g_ucb(w, steps, ucb),
        "direct-sp" => direct_sp(w, steps),
        "ucrl2" => until_any_doubles(w, steps, value_iteration),
        "g-ucb-ucrl2-bound" => g_ucb(w, steps, program_bound),
        "g-ucb-ucrl2-doubling" => until_any_doubles(w, steps, shortest_path),
        "local-ucb" => one_step::local_ucb(w, steps),
        "local-ts" => one_step::local_ts(w, steps),
        "ql-eps" => one_step::ql_eps(w, steps),
        "ql-ucb-h" => one_step::ql_ucb_h(w, steps),
        other => panic!("agent {other} has no transcription"),
    }
}

/// "Self first on star and tree, last on grid, ascending elsewhere."
fn itself(graph: &str) -> SelfPlace {
    match graph.split(':').next() {
        Some("star" | "tree") => SelfPlace::First,
        Some("grid") => SelfPlace::Last,
        _ => SelfPlace::Ascending,
    }
}

fn compare(graph: &str, noise: &str, means: &str, seed: u64, steps: u64) {
    let seed = Seed(seed);
    let world = worlds::world(graph, noise, means, Preset::Program, seed);
    for spec in of_paper::agents_of_paper(Preset::Program) {
        let mut walker = Walker::initialized(&world, 0, itself(graph), seed);
        transcribed(spec.name(), &mut walker, steps);
        let what = format!("on {graph}, {noise} around {means}, {seed:?}");
        walker.assert_same_as_run(&spec, steps, &what);
    }
}

const SMALL: [&str; 17] = [
    "line:1",
    "line:2",
    "line:9",
    "circle:3",
    "circle:8",
    "grid:2x2",
    "grid:4x4",
    "grid:3x6",
    "tree:7",
    "tree:12",
    "star:3",
    "star:9",
    "complete:6",
    "arkansas",
    "erdos-renyi:12,0.3",
    "geometric:14,0.45",
    "small-world:14,4,0.3",
];

#[test]
fn small_graphs() {
    for graph in SMALL {
        for seed in 1..=12 {
            compare(graph, "uniform:0.5", "uniform:0.5,9.5", seed, 500);
        }
    }
}

#[test]
fn small_graphs_with_ties() {
    for graph in SMALL {
        for seed in 1..=40 {
            compare(graph, "bernoulli", "uniform:0,1", seed, 400);
            compare(graph, "bernoulli", "uniform:0.5,0.5", seed, 300);
        }
        compare(graph, "constant", "uniform:0.5,0.5", 1, 300);
    }
}

#[test]
fn the_reference_s_six_graphs() {
    for graph in ["line:100", "circle:100", "tree:100", "grid:10x10", "star:100"] {
        compare(graph, "uniform:0.5", "uniform:0.5,9.5", 7, 3_000);
    }
    compare("complete:100", "uniform:0.5", "uniform:0.5,1.5", 7, 1_000);
}

#[test]
fn initialization_takes_the_reference_s_number_of_steps() {
    for (graph, steps) in [
        ("line:100", 100),
        ("circle:100", 100),
        ("complete:100", 100),
        ("grid:10x10", 181),
        ("tree:100", 375),
        ("star:100", 198),
        ("arkansas", 11),
    ] {
        let world =
            worlds::world(graph, "uniform:0.5", "uniform:0.5,9.5", Preset::Program, Seed(1));
        let walker = Walker::initialized(&world, 0, itself(graph), Seed(1));
        assert_eq!(walker.t, steps, "{graph}");
    }
}

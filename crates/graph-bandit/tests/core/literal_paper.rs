//! Every agent in the paper's preset compared to its pseudocode, transcribed step by step.
//!
//! Where the paper leaves a choice, the library's rule applies: ties go to the lowest number, and
//! every node of the highest bound is a destination.

use crate::support::plain::{Walker, cheapest, fewest_hops, max, ucb, ucrl2_bound};
use crate::support::{of_paper, one_step, worlds};
use graph_bandit::{Preset, Seed, SelfPlace};

type Bound = fn(&Walker<'_>) -> Vec<f64>;
type Plan = fn(&Walker<'_>, &[f64]) -> Vec<usize>;

/// Algorithm 2, with its line numbers; lines 1 to 3 are the walker's initialization.
fn g_ucb(w: &mut Walker<'_>, steps: u64, bound: Bound, plan: Plan) {
    // 4: while the agent hasn't received a stopping signal
    while w.steps() < steps {
        // 5
        w.begin_episode();
        let samples_before = w.n.clone();
        // 6
        let u = bound(w);
        // 7
        let pi = plan(w, &u);
        // 8-11
        while u[w.at] < max(&u) {
            w.collect(pi[w.at]);
        }
        // 12
        let dest = w.at;
        while w.n[dest] < 2 * samples_before[dest] {
            w.collect(dest);
        }
    }
}

/// Algorithm 3 with the inner loop as Appendix F-D means it: "the episode terminates as long as the
/// samples of some node in the graph is doubled".
fn ucrl2(w: &mut Walker<'_>, steps: u64, bound: Bound, plan: Plan) {
    // 4
    while w.steps() < steps {
        w.begin_episode();
        // 6-7
        let n = w.n.clone();
        let mut c = vec![0; n.len()];
        // 9-10
        let u = bound(w);
        let pi = plan(w, &u);
        // 11-15
        loop {
            w.collect(pi[w.at]);
            c[w.at] += 1;
            if c[w.at] >= n[w.at].max(1) {
                break;
            }
        }
    }
}

/// Algorithm 4 at the tolerance of Algorithm 3, line 10, in exact arithmetic: in floating point,
/// the same rewards in another order would not always have the same sum, and would break ties at
/// random.
fn value_iteration(w: &Walker<'_>, mu: &[f64]) -> Vec<usize> {
    let epsilon = 1.0 / (w.t as f64).sqrt();
    let mu: Vec<i128> = mu.iter().map(|&mu| exactly(mu)).collect();
    let mut u = vec![0_i128; mu.len()];
    loop {
        let previous = u.clone();
        let mut changes = Vec::new();
        for s in 0..mu.len() {
            u[s] = mu[s] + w.near[s].iter().map(|&v| previous[v]).max().unwrap();
            changes.push(u[s] - previous[s]);
        }
        let span = changes.iter().max().unwrap() - changes.iter().min().unwrap();
        if (span as f64) / UNIT < epsilon {
            let best = |s: usize| w.near[s].iter().map(|&v| u[v]).max().unwrap();
            let policy = |s: usize| *w.near[s].iter().find(|&&v| u[v] == best(s)).unwrap();
            return (0..mu.len()).map(policy).collect();
        }
    }
}

/// 2^80: fine enough for every bit of a bound, coarse enough for sums of millions of them.
const UNIT: f64 = 1_208_925_819_614_629_174_706_176.0;

fn exactly(x: f64) -> i128 {
    let scaled = x * UNIT;
    assert_eq!(scaled.fract(), 0.0, "{x} has finer bits than 2^-80");
    scaled as i128
}

fn best_nodes(u: &[f64]) -> Vec<usize> {
    (0..u.len()).filter(|&s| u[s] == max(u)).collect()
}

fn shortest_path(w: &Walker<'_>, u: &[f64]) -> Vec<usize> {
    cheapest(&w.near, u, &best_nodes(u))
}

/// "The path with the shortest length to dest", Appendix F-F.
fn direct_path(w: &Walker<'_>, u: &[f64]) -> Vec<usize> {
    fewest_hops(&w.near, &best_nodes(u))
}

fn paper_bound(w: &Walker<'_>) -> Vec<f64> {
    ucrl2_bound(w, 1.0)
}

fn transcribed(name: &str, w: &mut Walker<'_>, steps: u64) {
    match name {
        "g-ucb" => g_ucb(w, steps, ucb, shortest_path),
        "direct-sp" => g_ucb(w, steps, ucb, direct_path),
        "ucrl2" => ucrl2(w, steps, paper_bound, value_iteration),
        "g-ucb-ucrl2-bound" => g_ucb(w, steps, paper_bound, shortest_path),
        "g-ucb-ucrl2-doubling" => ucrl2(w, steps, ucb, shortest_path),
        "local-ucb" => one_step::local_ucb(w, steps),
        "local-ts" => one_step::local_ts(w, steps),
        "ql-eps" => one_step::ql_eps(w, steps),
        "ql-ucb-h" => one_step::ql_ucb_h(w, steps),
        other => panic!("agent {other} has no transcription"),
    }
}

const GRAPHS: [&str; 17] = [
    "line:1",
    "line:2",
    "line:9",
    "circle:8",
    "star:9",
    "tree:11",
    "tree:13,3",
    "grid:4x4",
    "grid:3x6",
    "complete:6",
    "broom:12,5",
    "barbell:4,3",
    "arkansas",
    "erdos-renyi:12,0.3",
    "erdos-renyi:9,0.5",
    "geometric:14,0.45",
    "small-world:14,4,0.3",
];

fn compare(graph: &str, noise: &str, means: &str, seed: u64, steps: u64) {
    let seed = Seed(seed);
    let world = worlds::world(graph, noise, means, Preset::Paper, seed);
    let starts = [0, world.graph().len() / 2];
    for spec in of_paper::agents_of_paper(Preset::Paper) {
        for start in starts {
            let mut walker = Walker::initialized(&world, start, SelfPlace::Ascending, seed);
            transcribed(spec.name(), &mut walker, steps);
            let what = format!("on {graph} from {start}, {noise} around {means}, {seed:?}");
            walker.assert_same_as_run(&spec, steps, &what);
        }
    }
}

#[test]
fn all_agents_follow_the_paper() {
    for graph in GRAPHS {
        for seed in 1..=12 {
            compare(graph, "uniform:0.5", "uniform:0.5,9.5", seed, 400);
        }
    }
}

#[test]
fn all_agents_break_ties_as_transcribed() {
    for graph in GRAPHS {
        for seed in 1..=12 {
            compare(graph, "bernoulli", "uniform:0,1", seed, 400);
            compare(graph, "bernoulli", "uniform:0.5,0.5", seed, 300);
        }
        compare(graph, "constant", "uniform:0.5,0.5", 1, 300);
    }
}

#[test]
fn all_agents_agree_for_long_on_close_means() {
    for graph in ["line:6", "grid:3x3", "star:6", "complete:5"] {
        compare(graph, "uniform:0.5", "uniform:0.4,0.6", 11, 4_000);
    }
}

#[test]
fn the_paper_s_grid() {
    compare("grid:10x10", "uniform:0.5", "uniform:0.5,9.5", 5, 2_000);
}

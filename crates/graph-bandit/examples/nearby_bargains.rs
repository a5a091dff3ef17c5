//! What it costs to be content with a bargain nearby, as g-star is on graphs of 20,000 nodes or more: the
//! regret with that rule over the regret without it, and half the width of the 95% interval of this ratio.
//!
//!     cargo run --release -p graph-bandit --example nearby_bargains
//!     cargo run --release -p graph-bandit --example nearby_bargains grid:316x316
//!
//! The first command takes about 45 minutes of processor time, the second runs those of its cases that have this
//! graph.

use graph_bandit::agents::Episodic;
use graph_bandit::index::{ExpectedImprovement, Horizon, Noise, Variance};
use graph_bandit::planner::Bargain;
use graph_bandit::schedule::Amortized;
use graph_bandit::{GraphSpec, Init, MeansSpec, RewardSpec, RunPlan, Seed, World, run};
use std::error::Error;
use std::thread;

/// Graph, steps and worlds.
const CASES: [(&str, u64, u64); 5] = [
    ("grid:40x40", 100_000, 1_000),
    ("grid:100x100", 200_000, 1_000),
    ("grid:100x100", 1_000_000, 1_000),
    ("geometric:10000,0.02", 200_000, 1_000),
    ("grid:316x316", 1_000_000, 100),
];
const NEARBY: usize = 1_024;

/// g-star with its default parameters, for which `nearby` nodes are nearby.
fn g_star(nearby: usize) -> Episodic<ExpectedImprovement, Bargain, Amortized> {
    let stays = Amortized { growth: 0.5, per_hop: 1.0 };
    Episodic {
        index: ExpectedImprovement::new(Noise::new(0.5, Variance::Estimated), 1.5),
        planner: Bargain::new(stays, Horizon::Unknown, 0.5).with_nearby(0, nearby),
        schedule: stays,
    }
}

/// The 97.5% quantile of Student's t distribution with one degree of freedom less than there are worlds,
/// for a hundred or a thousand of them.
fn quantile(worlds: usize) -> f64 {
    if worlds < 1_000 { 1.984 } else { 1.962 }
}

/// The ratio of the sums of both numbers of each pair, and half the width of its 95% interval, by the
/// spread of `first - ratio * second` over the pairs.
fn ratio(pairs: &[[f64; 2]]) -> (f64, f64) {
    let [first, second] = [0, 1].map(|place| pairs.iter().map(|pair| pair[place]).sum::<f64>());
    let (ratio, worlds) = (first / second, pairs.len() as f64);
    let apart = pairs.iter().map(|pair| pair[0] - ratio * pair[1]);
    let squares: f64 = apart.map(|apart| apart * apart).sum();
    let error = (squares / (worlds - 1.0) * worlds).sqrt() / second;
    (ratio, quantile(pairs.len()) * error)
}

/// The regrets of both rules in the world of this seed.
fn regrets(
    spec: &GraphSpec,
    steps: u64,
    seed: Seed,
) -> Result<[f64; 2], Box<dyn Error + Send + Sync>> {
    let graph = spec.build(seed)?;
    let means = "uniform:0.5,9.5".parse::<MeansSpec>()?.draw(graph.len(), seed)?;
    let laws = "uniform:0.5".parse::<RewardSpec>()?.laws(&means)?;
    let world = World::new(graph, laws)?;
    let plan = RunPlan { init: Init::DepthFirst, ..RunPlan::new(steps, 1) };
    let mut both = [0.0; 2];
    for (nearby, regret) in [NEARBY, usize::MAX].into_iter().zip(&mut both) {
        let record = run(&world, &mut g_star(nearby), &plan, seed)?;
        *regret = record.checkpoints.last().map_or(0.0, |end| end.regret);
    }
    Ok(both)
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let threads = thread::available_parallelism()?.get();
    let only = std::env::args().nth(1);
    let is_asked = |spec: &str| only.as_deref().is_none_or(|only| only == spec);
    if !CASES.iter().any(|case| is_asked(case.0)) {
        let graphs = CASES.map(|case| case.0).join(", ");
        return Err(format!("no case has the graph {only:?}; name one of {graphs}").into());
    }
    for (spec, steps, worlds) in CASES.into_iter().filter(|case| is_asked(case.0)) {
        let graph = spec.parse::<GraphSpec>()?;
        // Thread `first` of n takes every n-th world.
        let part = |first: usize| {
            let seeds = (1_000..1_000 + worlds).map(Seed).skip(first).step_by(threads);
            seeds.map(|seed| regrets(&graph, steps, seed)).collect::<Result<Vec<_>, _>>()
        };
        let parts = thread::scope(|scope| {
            let part = &part;
            let running: Vec<_> =
                (0..threads).map(|first| scope.spawn(move || part(first))).collect();
            let ended = running.into_iter().map(|thread| thread.join().expect("no panic"));
            ended.collect::<Result<Vec<_>, _>>()
        })?;
        let (ratio, half) = ratio(&parts.concat());
        println!("{spec}, {steps} steps, {worlds} worlds: {ratio:.3} ± {half:.3}");
    }
    Ok(())
}

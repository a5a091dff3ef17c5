//! Theorem 3 with a least price per step: ways have few hops, however long a path the graph has.

use super::episodes::{Episode, Ledger, bernoulli};
use super::frontier::{RULE, bound, planner};
use graph_bandit::agents::Episodic;
use graph_bandit::index::Ucb;
use graph_bandit::planner::TravelAware;
use graph_bandit::run::run_observed;
use graph_bandit::schedule::Amortized;
use graph_bandit::{Agent, Graph, RunPlan, Seed, World};

/// A poor hub in a circle of `rim` nodes that are nearly equal: the hub is a short cut, the rim is
/// a cheap way round.
fn wheel(rim: u32) -> World {
    let edges = (1..=rim).flat_map(|v| [(0, v), (v, v % rim + 1)]);
    let graph = Graph::from_edges(rim as usize + 1, edges).unwrap();
    let mean = |v: u32| if v == 0 { 0.0625 } else { 0.875 + f64::from(v % 3) / 64.0 };
    let means: Vec<f64> = graph.nodes().map(mean).collect();
    bernoulli(graph, &means)
}

fn agent(planner: TravelAware) -> impl Agent {
    Episodic {
        index: Ucb::new(RULE.scale * RULE.confidence.sqrt()),
        planner,
        schedule: Amortized { growth: RULE.growth, per_hop: RULE.per_hop },
    }
}

/// The hops of the longest way, the regret, and the steps of initialization.
fn walk(world: &World, planner: TravelAware, steps: u64, seed: Seed) -> (usize, f64, u64) {
    let mut ledger = Ledger::default();
    let plan = RunPlan::new(steps, 1);
    let mut agent = agent(planner);
    let record = run_observed(world, &mut agent, &plan, seed, &mut ledger).unwrap();
    let hops = ledger.0.iter().map(|episode: &Episode| episode.leg.path.len()).max().unwrap();
    (hops, record.checkpoints[0].regret, record.init.steps)
}

#[test]
fn ways_have_as_few_hops_as_theorem_3_says() {
    const STEPS: u64 = 20_000;
    let world = wheel(60);
    let (mut longest, mut without) = (0, 0);
    for k in 0..10 {
        let seed = Seed(531).child(k);
        let floored = planner(&RULE).with_least_gap(RULE.scale);
        let (hops, regret, init_steps) = walk(&world, floored, STEPS, seed);
        let plain = bound(&world, RULE, STEPS, init_steps);
        let sharper = plain.with_least_gap();
        // w = g + 4 h and D = 2: 1 + (0.84.. + 2) / 0.5.
        assert_eq!((plain.longest_path, sharper.longest_path), (60, 6));
        assert!(hops <= sharper.longest_path, "{hops}");
        assert!(sharper.switching_by_hops() < plain.switching_by_hops() / 9.0);
        assert!(regret <= sharper.regret().unwrap());
        longest = longest.max(hops);
        without = without.max(walk(&world, planner(&RULE), STEPS, seed).0);
    }
    assert!(longest >= 2, "{longest}");
    assert!(without > 6, "without a least gap, ways are longer: {without}");
}

#[test]
fn at_a_least_gap_of_zero_nothing_changes() {
    let world = wheel(20);
    for k in 0..4 {
        let seed = Seed(532).child(k);
        let zero = planner(&RULE).with_least_gap(0.0);
        assert_eq!(walk(&world, zero, 4_000, seed), walk(&world, planner(&RULE), 4_000, seed));
    }
}

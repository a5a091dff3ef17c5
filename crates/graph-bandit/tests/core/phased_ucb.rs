//! On the complete graph G-UCB is phased UCB (Lattimore and Szepesvari, *Bandit Algorithms*,
//! exercise 7.5): take the arm of highest bound and play it until its samples double. This compares
//! an ordinary bandit without a graph to G-UCB and Direct-SP.

use crate::support::trace::Trace;
use crate::support::worlds;
use graph_bandit::run::run_observed;
use graph_bandit::{AgentSpec, Preset, RunPlan, Seed, Tape, Time, World};

/// The arms of each phase. Ties go to the last arm played, else to the first; before the first
/// phase each arm is played once, and the first counts as the last one played.
fn phased_ucb(world: &World, seed: Seed, rounds: usize) -> Vec<Vec<u32>> {
    let arms = world.means().len();
    let pay = |arm: usize, play: u64| {
        let arm = arm as u32;
        world.law(arm).draw(Tape::new(seed).node(arm), play, Time::START).unwrap()
    };
    let mut plays = vec![1_u64; arms];
    let mut sums: Vec<f64> = (0..arms).map(|arm| 0.0 + pay(arm, 0)).collect();
    let mut phases: Vec<Vec<u32>> = Vec::new();
    let mut arm = 0;
    while phases.iter().map(Vec::len).sum::<usize>() < rounds {
        let t: u64 = plays.iter().sum();
        let bound = |arm: usize| {
            let n = plays[arm] as f64;
            sums[arm] / n + (2.0 * libm::log(t as f64) / n).sqrt()
        };
        let highest = (0..arms).map(bound).fold(f64::NEG_INFINITY, f64::max);
        if bound(arm) < highest {
            arm = (0..arms).find(|&other| bound(other) == highest).unwrap();
        }
        let phase = plays[arm];
        for _ in 0..phase {
            sums[arm] += pay(arm, plays[arm]);
            plays[arm] += 1;
        }
        phases.push(vec![arm as u32; phase as usize]);
    }
    phases
}

#[test]
fn g_ucb_on_the_complete_graph_is_phased_ucb() {
    for (noise, means) in [
        ("uniform:0.5", "uniform:0.5,1.5"),
        ("uniform:0.5", "uniform:0.5,9.5"),
        ("bernoulli", "uniform:0,1"),
        ("bernoulli", "uniform:0.5,0.5"),
    ] {
        for (nodes, seed) in (1..=12).zip(20..) {
            let (graph, seed) = (format!("complete:{nodes}"), Seed(seed));
            let world = worlds::world(&graph, noise, means, Preset::Paper, seed);
            let phases = phased_ucb(&world, seed, 3_000);
            for name in ["g-ucb", "direct-sp"] {
                let spec = AgentSpec::named(name, Preset::Paper).unwrap();
                let mut agent = spec.build(world.graph()).unwrap();
                let mut trace = Trace::default();
                let plan = RunPlan::new(3_000, 1);
                run_observed(&world, &mut *agent, &plan, seed, &mut trace).unwrap();
                let what = format!("{name} on {graph}, {noise} around {means}");
                assert_eq!(trace.visits_by_leg(), phases, "{what}");
            }
        }
    }
}

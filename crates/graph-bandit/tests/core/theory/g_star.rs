//! Proposition 4: when g-star still tries a node that looks worse, and its regret in long runs.

use super::episodes::{Ledger, bernoulli, each_case};
use super::regret::mean_regret;
use graph_bandit::run::run_observed;
use graph_bandit::{AgentSpec, Graph, Law, Preset, RunPlan, Sample, Seed, World};

/// `g-star`'s defaults.
const CAUTION: f64 = 1.5;
const GROWTH: f64 = 0.5;
const SCALE: f64 = 0.5;

#[test]
fn a_trip_to_a_node_that_looks_worse_begins_with_few_visits_to_it() {
    let (mut closest, mut trips) = (0.0_f64, 0);
    let mut check = |world: &World, plan: &RunPlan, seed: Seed| {
        for agent in ["g-star", "g-star:variance=declared"] {
            let spec = AgentSpec::parse(agent, Preset::Paper).unwrap();
            let mut ledger = Ledger::default();
            let mut agent = spec.build(world.graph()).unwrap();
            run_observed(world, agent.as_mut(), plan, seed, &mut ledger).unwrap();
            for trip in &ledger.0 {
                let v = trip.destination();
                let means = trip.before.samples().iter().map(Sample::mean);
                let top = means.fold(f64::NEG_INFINITY, f64::max);
                let gap = top - trip.before.sample(v).mean();
                if gap <= 0.0 || trip.start() < 2 {
                    continue;
                }
                trips += 1;
                let n = trip.before.count(v) as f64;
                let log = libm::log(trip.start() as f64);
                let share = n * gap * gap / (2.0 * CAUTION * SCALE * SCALE * log);
                assert!(share < 1.0, "{share}");
                closest = closest.max(share);
                let stay = trip.visits()[v as usize] as f64;
                assert!(stay <= (GROWTH * n + trip.leg.path.len() as f64).max(1.0));
            }
        }
    };
    each_case(&mut check);
    // Many visits to come, and a trip that costs little: two nodes, and a gap of one.
    let laws = [0.0, 1.0].map(|mean| Law::constant(mean).unwrap());
    let apart = World::new(Graph::line(2).unwrap(), laws.into()).unwrap();
    check(&apart, &RunPlan::new(1_000_000, 1), Seed(541));
    assert!(trips > 1_000, "{trips}");
    assert!(closest > 0.4, "{closest}");
}

#[test]
fn regret_in_long_runs_is_below_its_limit_and_not_far() {
    const STEPS: u64 = 1_000_000;
    let spec = AgentSpec::named("g-star", Preset::Paper).unwrap();
    let world = bernoulli(Graph::complete(4).unwrap(), &[0.5, 0.5, 0.5, 0.6]);
    let (mean, init) = mean_regret(&world, &spec, STEPS, 10);
    let per_node = (1.0 + GROWTH) * 2.0 * CAUTION * SCALE * SCALE / 0.1;
    let limit = 3.0 * per_node * libm::log((STEPS + init) as f64);
    let share = mean / limit;
    assert!(share > 0.2 && share < 1.0, "{share}");
}

//! g-ts, g-moss, g-imed and g-klucb on large graphs, where they do not find the trips to all nodes,
//! make the same legs, to the bit, as if they did.

use crate::hunt::{LAWS, legs};
use crate::support::worlds;
use graph_bandit::agents::Episodic;
use graph_bandit::index::{
    BetaSample, Horizon, Imed, Index, KlUcb, KlUcbBernoulli, MeanSample, Moss, Noise, Variance,
};
use graph_bandit::planner::{Travel, TravelAware};
use graph_bandit::schedule::Amortized;
use graph_bandit::{Init, NodeId, Preset, RunPlan, Seed, World};

/// Compares the legs of agents with this index; returns their number.
fn compare<I: Index + Clone>(
    index: &I,
    planner: &TravelAware,
    (world, plan, seed): (&World, &RunPlan, Seed),
    what: &str,
) -> usize {
    let all = |below: usize| {
        let mut agent = Episodic {
            index: index.clone(),
            planner: planner.clone().with_all_trips_below(below),
            schedule: Amortized::default(),
        };
        legs(world, &mut agent, plan, seed)
    };
    let (found, every) = (all(0), all(usize::MAX));
    for (number, (found, every)) in found.iter().zip(&every).enumerate() {
        assert_eq!(found, every, "leg {number} {what} {seed:?}");
    }
    assert_eq!(found.len(), every.len(), "{what}");
    found.len()
}

/// Compares the legs of all agents that plan this way.
fn compare_all(planner: &TravelAware, run: (&World, &RunPlan, Seed), what: &str) -> usize {
    let noise = Noise::new(0.5, Variance::Estimated);
    compare_gaussian((noise, Horizon::Unknown), planner, run, what)
        + compare_bernoulli(planner, run, what)
}

/// Compares those that assume Bernoulli rewards.
fn compare_bernoulli(planner: &TravelAware, run: (&World, &RunPlan, Seed), what: &str) -> usize {
    let klucb = KlUcbBernoulli::new(Horizon::Unknown);
    compare(&klucb, planner, run, &format!("Bernoulli {what}"))
        + compare(&BetaSample, planner, run, &format!("BetaSample {what}"))
}

/// Compares those that assume Gaussian rewards.
fn compare_gaussian(
    (noise, horizon): (Noise, Horizon),
    planner: &TravelAware,
    run: (&World, &RunPlan, Seed),
    what: &str,
) -> usize {
    compare(&KlUcb::new(noise, horizon), planner, run, &format!("KlUcb {what}"))
        + compare(&Moss::new(noise, horizon), planner, run, &format!("Moss {what}"))
        + compare(&Imed::new(noise), planner, run, &format!("Imed {what}"))
        + compare(&MeanSample::new(noise), planner, run, &format!("MeanSample {what}"))
}

#[test]
fn the_same_legs_as_with_the_trips_to_all_nodes() {
    let mut all = 0;
    for graph in ["line:60", "star:40", "tree:40,3", "grid:9x8", "complete:20", "geometric:80,0.2"]
    {
        for (number, (noise, means)) in (1..).zip(LAWS) {
            let seed = Seed(number);
            let world = worlds::world(graph, noise, means, Preset::Paper, seed);
            let init = [Init::Lowest, Init::DepthFirst, Init::None][number as usize % 3];
            let start = (number % world.graph().len() as u64) as NodeId;
            let plan = RunPlan { init, start, ..RunPlan::new(3_000, 1) };
            let what = format!("on {graph}, {noise} around {means}");
            let planner = TravelAware::new(Travel::Priced, Horizon::Unknown, 0.5);
            all += compare_all(&planner, (&world, &plan, seed), &what);
        }
    }
    assert!(all > 10_000, "{all}");
}

/// After many visits, travel counts for little, and one node often wins wherever it is. At other times, a
/// node stands out but is too far away to win.
#[test]
fn the_same_legs_late_in_a_run() {
    let mut all = 0;
    for (graph, seed) in [("grid:36x30", 3), ("tree:1200", 4), ("line:1100", 5)] {
        let seed = Seed(seed);
        let world = worlds::world(graph, "uniform:0.5", "uniform:0.5,9.5", Preset::Paper, seed);
        for horizon in [Horizon::Unknown, Horizon::Known(1e9), Horizon::Known(300_000.0)] {
            let planner = TravelAware::new(Travel::Priced, horizon, 0.5);
            let plan = RunPlan::new(300_000, 1);
            let noise = Noise::new(0.5, Variance::Estimated);
            let run = (&world, &plan, seed);
            all += compare_gaussian((noise, horizon), &planner, run, graph);
        }
    }
    assert!(all > 4_000, "{all}");
}

#[test]
fn whatever_the_parameters() {
    let planners = [
        TravelAware::new(Travel::Ignored, Horizon::Unknown, 0.5),
        TravelAware::new(Travel::Priced, Horizon::Known(1_500.0), 0.5),
        TravelAware::new(Travel::Priced, Horizon::Unknown, 0.5).with_least_gap(0.5),
        // Steps cost nothing but the gap: many trips tie.
        TravelAware::new(Travel::Priced, Horizon::Unknown, 0.0),
    ];
    for (number, planner) in planners.iter().enumerate() {
        // The search from both ends is for 200 nodes and more.
        for (graph, (noise, means)) in
            LAWS.map(|law| ["grid:9x8", "grid:20x15"].map(|g| (g, law))).concat()
        {
            let seed = Seed(number as u64);
            let world = worlds::world(graph, noise, means, Preset::Paper, seed);
            let what = format!("planner {number} on {graph}, {noise} around {means}");
            compare_all(planner, (&world, &RunPlan::new(3_000, 1), seed), &what);
        }
    }
}

/// From a thousand nodes on, indices keep the pooled variance from leg to leg, and the nearest nodes are
/// seen before the others are scored.
#[test]
fn on_large_graphs_whatever_the_noise() {
    let noises = [
        Noise::new(0.5, Variance::Estimated),
        Noise::new(0.5, Variance::Pooled),
        Noise::new(0.5, Variance::Declared),
        Noise::new(0.0, Variance::Estimated),
        Noise::new(30.0, Variance::Estimated),
    ];
    let mut all = 0;
    for (number, noise) in (0..).zip(noises) {
        for (law, means) in LAWS {
            let seed = Seed(number);
            let world = worlds::world("grid:36x30", law, means, Preset::Paper, seed);
            let horizon = [Horizon::Unknown, Horizon::Known(9_000.0)][number as usize % 2];
            let planner = TravelAware::new(Travel::Priced, horizon, 0.5);
            let what = format!("noise {number}, {law} around {means}");
            let plan = RunPlan::new(2_500, 1);
            let run = (&world, &plan, seed);
            all += compare_gaussian((noise, horizon), &planner, run, &what);
            if number == 0 {
                all += compare_bernoulli(&planner, run, &what);
            }
        }
    }
    assert!(all > 10_000, "{all}");
}

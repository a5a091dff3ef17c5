//! Theorems 1 and 2 with their constants, and the regret that no policy can avoid.

use crate::support::agents::anywhere;
use crate::support::instances::{graph, sixteenths, value};
use graph_bandit::plan::finite_horizon;
use graph_bandit::theory::{GapBound, MinimaxBound, longest_path, regret_floor};
use graph_bandit::{AgentSpec, Graph, Law, NodeId, Preset, RunPlan, Seed, World, run};

fn regret(world: &World, agent: &AgentSpec, plan: &RunPlan, seed: Seed) -> (f64, u64) {
    let mut agent = agent.build(world.graph()).unwrap();
    let record = run(world, agent.as_mut(), plan, seed).unwrap();
    (record.checkpoints[0].regret, record.init.steps)
}

fn paper(agent: &str) -> AgentSpec {
    AgentSpec::named(agent, Preset::Paper).unwrap()
}

/// The mean regret of some runs, and the steps of initialization, which are the same in all of
/// them.
pub(super) fn mean_regret(world: &World, agent: &AgentSpec, steps: u64, runs: u64) -> (f64, u64) {
    let plan = RunPlan::new(steps, 1);
    let mut total = 0.0;
    let mut init = 0;
    for k in 0..runs {
        let (regret, steps) = regret(world, agent, &plan, Seed(401).child(k));
        total += regret;
        init = steps;
    }
    (total / runs as f64, init)
}

/// Worlds with rewards in [0, 1] and a unique best node.
fn worlds() -> Vec<World> {
    let bernoulli = |mean: f64| Law::bernoulli(mean).unwrap();
    let uniform = |mean: f64| {
        let half = mean.min(1.0 - mean);
        Law::uniform(mean - half, mean + half).unwrap()
    };
    let mut worlds = Vec::new();
    for graph in [
        Graph::line(4).unwrap(),
        Graph::star(5).unwrap(),
        Graph::circle(5).unwrap(),
        Graph::complete(3).unwrap(),
    ] {
        let means: Vec<f64> = graph
            .nodes()
            .map(|s| match graph.len() as NodeId - 1 - s {
                0 => 0.9375,
                1 => 0.0625,
                k => 0.625 - 0.125 * f64::from(k),
            })
            .collect();
        let laws = means.iter().map(|&mean| bernoulli(mean)).collect();
        worlds.push(World::new(graph.clone(), laws).unwrap());
        let laws = means.iter().map(|&mean| uniform(mean)).collect();
        worlds.push(World::new(graph, laws).unwrap());
    }
    worlds
}

fn largest_gap(world: &World) -> f64 {
    world.gaps().iter().copied().fold(0.0, f64::max)
}

#[test]
fn theorem_1_holds_with_its_constants() {
    const STEPS: u64 = 400_000;
    for world in worlds() {
        let (low, high) = world.reward_range();
        assert!((0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
        for agent in ["g-ucb", "direct-sp"] {
            let (mean, init_steps) = mean_regret(&world, &paper(agent), STEPS, 6);
            let bound = MinimaxBound {
                nodes: world.graph().len(),
                diameter: world.graph().diameter(),
                steps: STEPS,
                init_steps,
            };
            let worst = STEPS as f64 * largest_gap(&world);
            assert!(bound.regret() < worst / 2.0, "the bound could be broken");
            assert!(mean <= bound.regret(), "{agent}: {mean} {bound:?}");
        }
    }
}

#[test]
fn theorem_2_holds_with_its_constants() {
    const STEPS: u64 = 20_000;
    for world in worlds() {
        // Direct-SP enters at most D - 1 nodes on its path, G-UCB at most L - 1.
        let longest = longest_path(world.graph());
        let diameter = world.graph().diameter() as usize;
        for (agent, hops) in [("g-ucb", longest), ("direct-sp", diameter)] {
            let (mean, init_steps) = mean_regret(&world, &paper(agent), STEPS, 20);
            let bound =
                GapBound { gaps: world.gaps(), longest_path: hops, steps: STEPS, init_steps };
            let bound = bound.regret().unwrap();
            let worst = STEPS as f64 * largest_gap(&world);
            assert!(bound < worst / 2.0, "the bound could be broken");
            assert!(mean <= bound, "{agent}: {mean} {bound}");
            assert!(mean > bound / 200.0, "the bound is not vacuous: {mean} {bound}");
        }
    }
}

#[test]
fn agents_without_foresight_break_the_bounds() {
    // A best node behind a wide poor stretch: a local agent never crosses it, and its regret is
    // linear.
    let means = [0.5, 0.0, 0.0, 0.0, 0.0, 1.0];
    let laws = means.iter().map(|&mean| Law::bernoulli(mean).unwrap());
    let world = World::new(Graph::line(6).unwrap(), laws.collect()).unwrap();
    let (mean, init_steps) = mean_regret(&world, &paper("local-ts"), 400_000, 6);
    let bound = MinimaxBound { nodes: 6, diameter: 5, steps: 400_000, init_steps };
    assert!(mean > bound.regret(), "{mean} {}", bound.regret());
}

#[test]
fn no_agent_gets_below_the_floor_and_the_best_walk_attains_it() {
    let mut stream = Seed(403).stream();
    let mut positive = 0;
    for case in 0..40 {
        let nodes = 1 + stream.below(9);
        let graph = graph(&mut stream, nodes, 3);
        let means = sixteenths(&mut stream, nodes);
        let laws = means.iter().map(|&mean| Law::bernoulli(mean).unwrap());
        let world = World::new(graph, laws.collect()).unwrap();
        let start = stream.below(nodes) as NodeId;
        for steps in [1, 2, 5, 30, 400] {
            let floor = regret_floor(&world, start, steps).unwrap();
            let plan = finite_horizon(world.graph(), &means, steps as usize).unwrap();
            let walk = plan.path(world.graph(), start);
            let entered = &walk[1..];
            assert_eq!(entered.len() as u64, steps);
            let attained = steps as f64 * world.best_mean() - value(&means, entered);
            assert_eq!(floor, attained);
            positive += usize::from(floor > 0.0);
            let plan = RunPlan { start, ..RunPlan::new(steps, 1) };
            for agent in anywhere(Preset::Paper) {
                let (regret, _) = regret(&world, &agent, &plan, Seed(404).child(case));
                assert!(regret >= floor, "{}: {regret} {floor}", agent.name());
            }
        }
    }
    assert!(positive > 30, "{positive}");
}

//! Worlds that come near the bounds of Theorems 1 and 2, so that smaller constants would fail.
//!
//! Rewards are constant where luck would only blur the picture. Each test says how close the world
//! comes. Gaps are chosen so that G-UCB doubles its visits to a worse node just before it would give
//! it up.

use super::regret::mean_regret;
use graph_bandit::theory::{GapBound, MinimaxBound, RoadGapBound, RoadMinimaxBound, longest_path};
use graph_bandit::{AgentSpec, Graph, Law, NodeId, Preset, Road, World};

fn constant(graph: Graph, means: &[f64]) -> World {
    let laws = means.iter().map(|&mean| Law::constant(mean).unwrap());
    World::new(graph, laws.collect()).unwrap()
}

/// Regret and the steps of initialization; rewards are constant, so one run is enough.
fn regret(world: &World, agent: &str, steps: u64) -> (f64, u64) {
    mean_regret(world, &AgentSpec::named(agent, Preset::Paper).unwrap(), steps, 1)
}

/// All nodes worse by `gap` than the last.
fn one_best(graph: Graph, gap: f64) -> World {
    let mut means = vec![0.25; graph.len()];
    means[graph.len() - 1] = 0.25 + gap;
    constant(graph, &means)
}

fn minimax(world: &World, steps: u64, init_steps: u64) -> MinimaxBound {
    let graph = world.graph();
    MinimaxBound { nodes: graph.len(), diameter: graph.diameter(), steps, init_steps }
}

#[test]
fn theorem_1_with_a_tenth_of_its_constants_fails() {
    const STEPS: u64 = 20_000;
    let world = one_best(Graph::complete(32).unwrap(), 0.2014);
    for agent in ["g-ucb", "direct-sp"] {
        let (regret, init_steps) = regret(&world, agent, STEPS);
        let share = regret / minimax(&world, STEPS, init_steps).regret();
        assert!(share > 0.1 && share < 1.0, "{agent}: {share}");
    }
}

#[test]
fn theorem_2_with_a_fifth_of_its_constants_fails() {
    const STEPS: u64 = 20_000;
    let world = one_best(Graph::complete(32).unwrap(), 0.7427);
    let (measured, init_steps) = regret(&world, "direct-sp", STEPS);
    let bound = GapBound { gaps: world.gaps(), longest_path: 1, steps: STEPS, init_steps };
    let share = measured / bound.regret().unwrap();
    assert!(share > 0.2 && share < 1.0, "{share}");
    // For G-UCB, where its longest path is short.
    let world = one_best(Graph::complete(2).unwrap(), 0.2345);
    let (measured, init_steps) = regret(&world, "g-ucb", STEPS);
    let bound = GapBound { gaps: world.gaps(), longest_path: 1, steps: STEPS, init_steps };
    let share = measured / bound.regret().unwrap();
    assert!(share > 0.15 && share < 1.0, "{share}");
}

/// Two stars at the ends of a path. The leaves alternate between the stars and are the best nodes,
/// each a little worse than the one before: at every doubling, all of them are tried in order.
fn far_stars(leaves: NodeId, path: NodeId, gap: f64) -> World {
    let to_hub = (0..leaves).map(|leaf| (leaf, leaves + (leaf % 2) * (path - 1)));
    let along = (1..path).map(|k| (leaves + k - 1, leaves + k));
    let graph = Graph::from_edges((leaves + path) as usize, to_hub.chain(along)).unwrap();
    let mean = |s: NodeId| if s < leaves { gap - f64::from(s) / 1_048_576.0 } else { 0.0 };
    let means: Vec<f64> = graph.nodes().map(mean).collect();
    constant(graph, &means)
}

#[test]
fn g_ucb_does_pay_for_the_diameter_at_every_doubling_of_every_node() {
    const STEPS: u64 = 100_000;
    let world = far_stars(16, 16, 1.0);
    assert_eq!((world.graph().len(), world.graph().diameter()), (32, 17));
    for agent in ["g-ucb", "direct-sp"] {
        let (regret, init_steps) = regret(&world, agent, STEPS);
        let share = regret / minimax(&world, STEPS, init_steps).cost_of_switching();
        assert!(share > 0.3 && share < 1.0, "{agent}: {share}");
    }
}

#[test]
fn theorem_1_for_other_ranges_with_a_fifth_of_its_constants_fails() {
    const STEPS: u64 = 20_000;
    let world = far_stars(16, 16, 9.0);
    for agent in ["g-ucb", "direct-sp"] {
        let (regret, init_steps) = regret(&world, agent, STEPS);
        let bound = minimax(&world, STEPS, init_steps);
        let share = regret / bound.regret_up_to(9.0);
        assert!(share > 0.2 && share < 1.0, "{agent}: {share}");
    }
}

#[test]
fn other_ranges_break_the_bound_for_range_one() {
    const STEPS: u64 = 1_000;
    let world = far_stars(16, 16, 30.0);
    let (regret, init_steps) = regret(&world, "g-ucb", STEPS);
    let bound = minimax(&world, STEPS, init_steps);
    assert!(regret > bound.regret(), "{regret} {bound:?}");
    assert!(regret <= bound.regret_up_to(30.0));
}

#[test]
fn theorem_2_with_ties_with_half_of_its_constants_fails() {
    const STEPS: u64 = 1_000_000;
    let mut means = vec![1.0; 65];
    means[0] = 0.0;
    let world = constant(Graph::star(65).unwrap(), &means);
    for agent in ["g-ucb", "direct-sp"] {
        let (regret, init_steps) = regret(&world, agent, STEPS);
        let bound = GapBound { gaps: world.gaps(), longest_path: 2, steps: STEPS, init_steps };
        let share = regret / bound.regret_with_ties();
        assert!(share > 0.5 && share < 1.0, "{agent}: {share}");
    }
}

#[test]
fn theorem_2_with_ties_holds() {
    let bernoulli = |mean: f64| Law::bernoulli(mean).unwrap();
    for (graph, best) in [
        (Graph::line(5).unwrap(), vec![0, 4]),
        (Graph::circle(6).unwrap(), vec![0, 3]),
        (Graph::star(5).unwrap(), vec![1, 2, 3, 4]),
        (Graph::complete(4).unwrap(), vec![0, 1, 2, 3]),
    ] {
        let mean = |s: NodeId| if best.contains(&s) { 0.875 } else { 0.25 };
        let laws = graph.nodes().map(|s| bernoulli(mean(s))).collect();
        let world = World::new(graph, laws).unwrap();
        for (agent, hops) in [
            ("g-ucb", longest_path(world.graph())),
            ("direct-sp", world.graph().diameter() as usize),
        ] {
            let spec = AgentSpec::named(agent, Preset::Paper).unwrap();
            let (mean, init_steps) = mean_regret(&world, &spec, 20_000, 20);
            let gaps = world.gaps();
            let bound = GapBound { gaps, longest_path: hops, steps: 20_000, init_steps };
            assert_eq!(bound.regret(), None);
            assert!(mean <= bound.regret_with_ties(), "{agent}: {mean}");
        }
    }
}

/// Two nodes joined by roads of this extra time.
fn two_far_nodes(time: f64, means: [f64; 2]) -> World {
    let roads = [Road { from: 0, to: 1, time }, Road { from: 1, to: 0, time }];
    constant(Graph::from_roads(2, roads).unwrap(), &means)
}

#[test]
fn theorems_on_roads_with_an_eighth_of_their_constants_fail() {
    const STEPS: u64 = 1_000_000;
    let tied = two_far_nodes(100.0, [1.0, 1.0]);
    let (measured, init_visits) = regret(&tied, "g-ucb", STEPS);
    let bound = RoadMinimaxBound { nodes: 2, time_diameter: 101.0, steps: STEPS, init_visits };
    let share = measured / bound.cost_of_switching();
    assert!(share > 0.4 && share < 1.0, "travel at a tie: {share}");
    let close = two_far_nodes(0.25, [0.25, 0.25 + 0.0329]);
    let (measured, init_visits) = regret(&close, "g-ucb", STEPS);
    let bound = RoadGapBound {
        gaps: close.gaps(),
        longest_path: 1,
        time_diameter: 1.25,
        steps: STEPS,
        init_visits,
    };
    let share = measured / bound.regret().unwrap();
    assert!(share > 0.125 && share < 1.0, "{share}");
}

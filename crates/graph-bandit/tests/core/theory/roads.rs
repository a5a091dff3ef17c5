//! Theorems 1 and 2 for roads that run one way and take time, and the lemma about the cost of a
//! path.

use super::regret::mean_regret;
use graph_bandit::plan::{CheapestPath, RoadCosts};
use graph_bandit::theory::{RoadGapBound, RoadMinimaxBound, longest_path};
use graph_bandit::{AgentSpec, Graph, Law, NodeId, Preset, Road, Seed, Stream, World};

fn road((from, to, time): (NodeId, NodeId, f64)) -> Road {
    Road { from, to, time }
}

/// A cycle through all nodes, and some more roads.
fn town(stream: &mut Stream, nodes: NodeId) -> Graph {
    let round = (0..nodes).map(|s| (s, (s + 1) % nodes));
    let below = |stream: &mut Stream| stream.below(u64::from(nodes)) as NodeId;
    let more: Vec<_> = (0..nodes).map(|_| (below(stream), below(stream))).collect();
    let timed: Vec<Road> = round
        .chain(more)
        .map(|(from, to)| road((from, to, stream.below(9) as f64 / 4.0)))
        .collect();
    Graph::from_roads(nodes as usize, timed).unwrap()
}

fn worlds() -> Vec<World> {
    let mut stream = Seed(31).stream();
    let mut worlds = Vec::new();
    for nodes in [3, 5, 8] {
        let graph = town(&mut stream, nodes);
        let mut means: Vec<f64> = (0..nodes).map(|_| 0.4 * stream.unit()).collect();
        means[stream.below(u64::from(nodes)) as usize] = 0.95;
        let laws = means.iter().map(|&mean| Law::bernoulli(mean).unwrap()).collect();
        worlds.push(World::new(graph, laws).unwrap());
    }
    worlds
}

fn paper(agent: &str) -> AgentSpec {
    AgentSpec::parse(agent, Preset::Paper).unwrap()
}

#[test]
fn theorem_1_holds_on_roads() {
    const STEPS: u64 = 400_000;
    for world in worlds() {
        let graph = world.graph();
        for agent in ["g-ucb", "direct-sp"] {
            let (mean, init_visits) = mean_regret(&world, &paper(agent), STEPS, 6);
            let time_diameter = graph.time_diameter();
            let bound =
                RoadMinimaxBound { nodes: graph.len(), time_diameter, steps: STEPS, init_visits };
            let worst = STEPS as f64 * world.best_mean();
            assert!(bound.regret() < worst / 2.0, "the bound could be broken");
            assert!(mean <= bound.regret(), "{agent}: {mean} {bound:?}");
        }
    }
}

#[test]
fn theorem_2_holds_on_roads() {
    const STEPS: u64 = 40_000;
    for world in worlds() {
        let graph = world.graph();
        let time_diameter = graph.time_diameter();
        for (agent, longest_path) in [("g-ucb", longest_path(graph)), ("direct-sp", 1)] {
            let (mean, init_visits) = mean_regret(&world, &paper(agent), STEPS, 20);
            let gaps = world.gaps();
            let bound =
                RoadGapBound { gaps, longest_path, time_diameter, steps: STEPS, init_visits };
            let bound = bound.regret().unwrap();
            assert!(bound < STEPS as f64 * world.best_mean() / 2.0, "the bound could be broken");
            assert!(mean <= bound, "{agent}: {mean} {bound}");
            assert!(mean > bound / 200.0, "the bound is not vacuous: {mean} {bound}");
        }
    }
}

/// The cost of a path if every node pays its bound: `sum (mu* - U(v)) + mu* W` over the nodes
/// before the last.
fn beyond_radii(
    graph: &Graph,
    bounds: &[f64],
    best_mean: f64,
    from: NodeId,
    path: &[NodeId],
) -> f64 {
    let (mut at, mut cost) = (from, 0.0);
    for (place, &node) in path.iter().enumerate() {
        cost += best_mean * graph.travel(at, node).unwrap();
        if place + 1 < path.len() {
            cost += best_mean - bounds[node as usize];
        }
        at = node;
    }
    cost
}

#[test]
fn a_path_costs_at_most_the_time_diameter_minus_one() {
    let mut stream = Seed(32).stream();
    let mut nearest = 0.0_f64;
    for case in 0..400 {
        let graph = town(&mut stream, 3 + case % 7);
        let bounds: Vec<f64> = graph.nodes().map(|_| stream.below(17) as f64 / 16.0).collect();
        let top = bounds.iter().copied().fold(0.0, f64::max);
        if top == 0.0 {
            continue;
        }
        let dest = graph.nodes().find(|&v| bounds[v as usize] == top).unwrap();
        // In a clean episode the best mean is at most the highest bound.
        let best_mean = top * stream.below(5) as f64 / 4.0;
        let most = best_mean * (graph.time_diameter() - 1.0);
        for from in graph.nodes().filter(|&from| from != dest) {
            let entry = |node: NodeId| top - bounds[node as usize];
            let costs = RoadCosts { entry, time: top };
            let mut paths = CheapestPath::default();
            let path = paths.find_by_road(&graph, &costs, [dest], from);
            let cost = beyond_radii(&graph, &bounds, best_mean, from, path);
            assert!(cost <= most + 1e-9, "{cost} {most}");
            nearest = nearest.max(cost - most);
        }
    }
    assert!(nearest > -1e-9, "the bound is attained: {nearest}");
}

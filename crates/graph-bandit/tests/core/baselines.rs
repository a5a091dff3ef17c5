//! The baselines do what they claim: the oracle pays exactly the planner's cost, the random walk
//! follows its stationary law, and epsilon-greedy explores as often as it should.

use graph_bandit::agents::{Epsilon, EpsilonGreedy, Oracle, RandomWalk};
use graph_bandit::conformance::check_all;
use graph_bandit::graph::Road;
use graph_bandit::run::{run, run_observed};
use graph_bandit::{
    Agent, AgentSpec, Event, Graph, GraphSpec, Init, Law, NodeId, Observer, Origin, Preset,
    RunPlan, Seed, Situation, World,
};

/// Means that are multiples of 1/8, so that their sums are exact.
fn eighths(nodes: usize, seed: u64) -> Vec<f64> {
    let mut stream = Seed(seed).stream();
    (0..nodes).map(|_| stream.below(64) as f64 / 8.0).collect()
}

fn constant_world(graph: Graph, means: &[f64]) -> World {
    World::new(graph, means.iter().map(|&mean| Law::constant(mean).unwrap()).collect()).unwrap()
}

fn plan(steps: u64, start: NodeId) -> RunPlan {
    RunPlan { init: Init::None, start, ..RunPlan::new(steps, 1) }
}

/// The least loss on the way to a best node: entering `s` costs its gap, a unit of time the best
/// mean. Every road is relaxed as often as there are nodes.
fn least_cost(world: &World, start: NodeId) -> f64 {
    let graph = world.graph();
    let mut costs = vec![f64::INFINITY; graph.len()];
    costs[start as usize] = 0.0;
    for _ in graph.nodes() {
        for from in graph.nodes() {
            for &to in graph.neighborhood(from) {
                let time = graph.travel(from, to).unwrap_or(0.0);
                let cost = costs[from as usize] + world.gap(to) + time * world.best_mean();
                costs[to as usize] = costs[to as usize].min(cost);
            }
        }
    }
    world.best_nodes().into_iter().map(|best| costs[best as usize]).fold(f64::INFINITY, f64::min)
}

fn one_way_town() -> Graph {
    let blocks = (0..24).flat_map(|s| [(s, (s + 1) % 24), (s, (s + 5) % 24), ((s + 7) % 24, s)]);
    let roads =
        blocks.zip(0_u32..).map(|((from, to), k)| Road { from, to, time: f64::from(k % 4) });
    Graph::from_roads(24, roads).unwrap()
}

#[test]
fn the_oracle_loses_the_planner_s_cost_exactly() {
    let graph = |text: &str| text.parse::<GraphSpec>().unwrap().build(Seed(3)).unwrap();
    let mut far = 0;
    for seed in 0..12 {
        let graphs =
            ["line:40", "circle:31", "grid:7x6", "tree:40", "geometric:60,0.3", "arkansas"];
        for graph in graphs.map(graph).into_iter().chain([one_way_town()]) {
            let world = constant_world(graph.clone(), &eighths(graph.len(), seed));
            for start in [0, graph.len() as NodeId / 2] {
                let expected = least_cost(&world, start);
                let mut oracle = Oracle::of(&world);
                let record = run(&world, &mut oracle, &plan(400, start), Seed(1)).unwrap();
                assert_eq!(record.checkpoints[0].regret, expected, "{seed} from {start}");
                far += u32::from(expected > 0.0);
                // No other agent does better, and the random walk does worse.
                let walked = run(&world, &mut RandomWalk, &plan(400, start), Seed(1)).unwrap();
                assert!(walked.checkpoints[0].regret > expected);
            }
        }
    }
    assert!(far > 100, "{far}");
}

#[test]
fn the_oracle_keeps_the_contract_of_agents() {
    let means = |graph: &Graph| eighths(graph.len(), 5);
    check_all(|graph| Box::new(Oracle::new(means(graph))))
        .unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn the_random_walk_follows_its_stationary_law() {
    let ring = (0..5).map(|s| Road { from: s, to: (s + 1) % 5, time: 0.0 });
    let graph = |text: &str| text.parse::<GraphSpec>().unwrap().build(Seed(1)).unwrap();
    let graphs = [graph("star:6"), graph("broom:8,4"), graph("grid:3x3"), graph("line:4")];
    let mut uniform_is_refused = 0;
    for graph in graphs.into_iter().chain([Graph::from_roads(5, ring).unwrap()]) {
        let is_ring = graph.roads().is_some();
        let nodes = graph.len();
        let degrees: Vec<f64> = graph.nodes().map(|s| graph.neighborhood(s).len() as f64).collect();
        let all: f64 = degrees.iter().sum();
        let world = constant_world(graph, &vec![1.0; nodes]);
        let (runs, steps) = (200, 2_000);
        let shares: Vec<Vec<f64>> = (0..runs)
            .map(|seed| {
                let plan = RunPlan { skip: if is_ring { 0 } else { 500 }, ..plan(steps, 0) };
                let record = run(&world, &mut RandomWalk, &plan, Seed(seed)).unwrap();
                record.visits.iter().map(|&n| n as f64 / steps as f64).collect()
            })
            .collect();
        for (node, degree) in degrees.iter().enumerate() {
            let of_node = || shares.iter().map(|share| share[node]);
            let mean = of_node().sum::<f64>() / runs as f64;
            let variance = of_node().map(|share| (share - mean) * (share - mean)).sum::<f64>();
            let error = (variance / ((runs - 1) * runs) as f64).sqrt();
            assert!(
                (mean - degree / all).abs() < 4.5 * error + 1e-3 * f64::from(u8::from(is_ring))
            );
            uniform_is_refused += u32::from((mean - 1.0 / nodes as f64).abs() > 4.5 * error + 1e-3);
        }
    }
    assert!(uniform_is_refused > 15, "{uniform_is_refused}");
}

/// Counts the legs that do not end on the best node.
struct Strays(NodeId, u64, u64);

impl Observer for Strays {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        if let Event::Planned { leg, .. } = event {
            self.1 += 1;
            self.2 += u64::from(leg.destination(now.at) != self.0);
        }
    }
}

#[test]
fn epsilon_greedy_explores_with_probability_epsilon() {
    let means = [0.0, 0.125, 0.25, 1.0];
    for graph in [Graph::complete(4).unwrap(), Graph::line(4).unwrap()] {
        let world = constant_world(graph, &means);
        let strays = |scale: f64, warmup: f64| {
            let mut agent = EpsilonGreedy::new(Epsilon { scale, warmup });
            let mut strays = Strays(3, 0, 0);
            let plan = RunPlan { start: 3, ..RunPlan::new(40_000, 1) };
            run_observed(&world, &mut agent, &plan, Seed(2), &mut strays).unwrap();
            strays.2 as f64 / strays.1 as f64
        };
        // An endless warm-up keeps the probability constant; one destination in four is the best.
        let share = strays(0.2, 1e12);
        assert!((share - 0.2 * 0.75).abs() < 0.01, "{share}");
        assert!(strays(0.0, 1.0) < 1e-3 && strays(1.0, 1.0) < 0.01);
    }
}

#[test]
fn baselines_are_a_group_of_their_own() {
    let names: Vec<&str> =
        AgentSpec::of_origin(Origin::Baseline, Preset::Paper).iter().map(AgentSpec::name).collect();
    assert_eq!(names, ["random", "epsilon-greedy"]);
    let groups = [AgentSpec::paper(Preset::Paper), AgentSpec::frontier()].concat();
    assert!(groups.iter().all(|spec| !names.contains(&spec.name())));
    let agent: Box<dyn Agent + Send> =
        AgentSpec::parse("epsilon-greedy:epsilon=0.5,warmup=2", Preset::Paper)
            .unwrap()
            .build(&Graph::line(3).unwrap())
            .unwrap();
    assert!(agent.memory() == graph_bandit::Memory::default());
}

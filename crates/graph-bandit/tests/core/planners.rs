//! Every planner compared to every other, to petgraph, and to brute force.

use crate::support::instances;
use crate::support::instances::{every_policy, every_walk, sixteenths, value};
use graph_bandit::graph::Hops;
use graph_bandit::plan::{
    CheapestPaths, Policy, bellman_ford, finite_horizon, horizon_losses, shortest_path,
    value_iteration,
};
use graph_bandit::{Graph, NodeId, Seed, Stream};
use petgraph::algo::{dijkstra, floyd_warshall};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};

fn best(means: &[f64]) -> f64 {
    means.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn costs(means: &[f64]) -> Vec<f64> {
    means.iter().map(|mean| best(means) - mean).collect()
}

/// The cost from every node by petgraph: a step from `s` to `v` costs `c(v)`, so in the reversed
/// digraph the arc from `v` to `s` weighs `c(v)`, and the search starts at each best node.
fn by_petgraph(graph: &Graph, means: &[f64]) -> Vec<f64> {
    let entry = costs(means);
    let mut reversed = DiGraph::<(), f64>::new();
    let at: Vec<NodeIndex> = graph.nodes().map(|_| reversed.add_node(())).collect();
    for s in graph.nodes() {
        for v in graph.neighbors(s) {
            reversed.add_edge(at[v as usize], at[s as usize], entry[v as usize]);
        }
    }
    let mut least = vec![f64::INFINITY; graph.len()];
    for target in graph.nodes().filter(|&s| entry[s as usize] == 0.0) {
        let found = dijkstra(&reversed, at[target as usize], None, |arc| *arc.weight());
        for (node, cost) in found {
            least[node.index()] = least[node.index()].min(cost);
        }
    }
    least
}

/// The least `R_infinity` from every node over all policies.
fn by_every_policy(graph: &Graph, means: &[f64]) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; graph.len()];
    every_policy(graph, |policy| {
        for s in graph.nodes() {
            let cost = policy.long_run_cost(means, s);
            least[s as usize] = least[s as usize].min(cost);
        }
    });
    least
}

/// Means k/16 in even cases, arbitrary ones in odd cases; returns the tolerance within which costs
/// agree.
fn means(stream: &mut Stream, nodes: u64, case: u64) -> (Vec<f64>, f64) {
    if case.is_multiple_of(2) {
        (sixteenths(stream, nodes), 0.0)
    } else {
        ((0..nodes).map(|_| stream.unit()).collect(), 1e-12)
    }
}

fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    for (l, r) in left.iter().zip(right) {
        assert!((l - r).abs() <= tolerance, "{left:?} {right:?}");
    }
}

#[test]
fn dijkstra_bellman_ford_petgraph_and_every_policy_agree() {
    let mut stream = Seed(101).stream();
    let mut ties = 0;
    for case in 0..2000 {
        let nodes = 1 + stream.below(6);
        let graph = instances::graph(&mut stream, nodes, 4);
        let (means, tolerance) = means(&mut stream, nodes, case);
        let (policy, cost) = shortest_path(&graph, &means);
        // The same additions in the same order: the same bits, and the same choice among ties.
        assert_eq!((policy.clone(), cost.clone()), bellman_ford(&graph, &means));
        assert_close(&cost, &by_petgraph(&graph, &means), tolerance);
        assert_close(&cost, &by_every_policy(&graph, &means), tolerance);
        let next: Vec<_> = graph.nodes().map(|s| policy.next(s)).collect();
        assert_eq!(Policy::new(&graph, next).as_ref(), Ok(&policy));
        let long_run: Vec<_> = graph.nodes().map(|s| policy.long_run_cost(&means, s)).collect();
        assert_eq!(long_run, cost);
        let entry = costs(&means);
        for s in graph.nodes().filter(|&s| entry[s as usize] > 0.0) {
            let cheapest: Vec<_> = graph
                .neighbors(s)
                .filter(|&v| cost[v as usize] + entry[v as usize] == cost[s as usize])
                .collect();
            assert_eq!(policy.next(s), cheapest[0], "ties go to the lowest number");
            ties += usize::from(cheapest.len() > 1);
        }
    }
    assert!(ties > 100, "only {ties} ties were tested");
}

#[test]
fn dijkstra_bellman_ford_and_petgraph_agree_on_larger_graphs() {
    let mut stream = Seed(102).stream();
    for case in 0..40 {
        let nodes = 20 + stream.below(120);
        let graph = instances::graph(&mut stream, nodes, 2 * nodes);
        let (means, tolerance) = means(&mut stream, nodes, case);
        let (policy, cost) = shortest_path(&graph, &means);
        assert_eq!((policy, cost.clone()), bellman_ford(&graph, &means));
        assert_close(&cost, &by_petgraph(&graph, &means), tolerance);
    }
}

#[test]
fn a_search_that_stops_early_finds_the_same_path() {
    let mut stream = Seed(103).stream();
    let (mut full, mut early) = (CheapestPaths::default(), CheapestPaths::default());
    let mut stopped_early = 0;
    for case in 0..200 {
        let nodes = 1 + stream.below(30);
        let graph = instances::graph(&mut stream, nodes, nodes);
        let (means, _) = means(&mut stream, nodes, case);
        let entry = costs(&means);
        let targets: Vec<_> = graph.nodes().filter(|&s| entry[s as usize] == 0.0).collect();
        full.search(&graph, |s| entry[s as usize], targets.clone(), None);
        for until in graph.nodes() {
            early.search(&graph, |s| entry[s as usize], targets.clone(), Some(until));
            assert_eq!(early.cost(until), full.cost(until));
            let mut node = until;
            while early.next(node) != node {
                assert_eq!(early.next(node), full.next(node));
                node = early.next(node);
            }
            assert!(targets.contains(&node));
            let unreached = graph.nodes().filter(|&s| early.cost(s).is_infinite());
            stopped_early += usize::from(unreached.count() > 0);
        }
    }
    assert!(stopped_early > 500, "{stopped_early}");
}

/// The average reward of a policy from `from` on: the average of the cycle it ends in.
fn average_reward(policy: &Policy, means: &[f64], from: NodeId) -> f64 {
    let mut node = from;
    for _ in 0..means.len() {
        node = policy.next(node);
    }
    let start = node;
    let mut round = Vec::new();
    loop {
        round.push(node);
        node = policy.next(node);
        if node == start {
            return value(means, &round) / round.len() as f64;
        }
    }
}

/// Algorithm 4, line by line: the values, the sweeps, and all best neighbours by the values.
fn algorithm_4(graph: &Graph, means: &[f64], epsilon: f64) -> (Vec<f64>, u64, Vec<Vec<NodeId>>) {
    let neighborhood = |s: NodeId| graph.nodes().filter(move |&v| graph.allows(s, v));
    let highest = |u: &[f64], s: NodeId| {
        neighborhood(s).map(|v| u[v as usize]).fold(f64::NEG_INFINITY, f64::max)
    };
    let mut u = vec![0.0; graph.len()];
    let mut i = 0;
    loop {
        i += 1;
        let next: Vec<f64> = graph.nodes().map(|s| means[s as usize] + highest(&u, s)).collect();
        let change: Vec<f64> = next.iter().zip(&u).map(|(new, old)| new - old).collect();
        u = next;
        let least = change.iter().copied().fold(f64::INFINITY, f64::min);
        if best(&change) - least < epsilon {
            break;
        }
    }
    let greedy = |s: NodeId| {
        let most = highest(&u, s);
        neighborhood(s).filter(|&v| u[v as usize] == most).collect()
    };
    let policies = graph.nodes().map(greedy).collect();
    (u, i, policies)
}

#[test]
fn value_iteration_is_algorithm_4_and_within_its_tolerance() {
    let mut stream = Seed(104).stream();
    let mut short_of_best = 0;
    for case in 0..300 {
        let nodes = 1 + stream.below(12);
        let graph = instances::graph(&mut stream, nodes, nodes);
        let (means, slack) = means(&mut stream, nodes, case);
        let tolerance = [0.3, 0.1, 0.01][stream.below(3) as usize];
        let plan = value_iteration(&graph, &means, tolerance).unwrap();
        let (values, sweeps, greedy) = algorithm_4(&graph, &means, tolerance);
        assert_eq!(plan.sweeps, sweeps);
        // The library adds up exactly, the transcription in floating point: with means k/16 (no
        // slack) there is nothing to round.
        for (ours, plain) in plan.values.iter().zip(&values) {
            assert!((ours - plain).abs() <= slack, "{ours} {plain}");
        }
        let (lowest, highest) = plan.average_reward;
        assert!(highest - lowest < tolerance);
        assert!(lowest <= best(&means) + slack && best(&means) <= highest + slack);
        for s in graph.nodes() {
            assert_eq!(plan.policy.next(s), greedy[s as usize][0]);
            let average = average_reward(&plan.policy, &means, s);
            assert!(average >= lowest - slack);
            assert!(average > best(&means) - tolerance - slack);
            short_of_best += usize::from(average < best(&means) - 1e-9);
        }
    }
    assert!(short_of_best > 0, "the tolerances never mattered");
}

#[test]
fn value_iteration_within_a_tenth_stays_on_the_second_best() {
    let line = Graph::line(3).unwrap();
    let means = [1.0, 0.0, 0.95];
    let coarse = value_iteration(&line, &means, 0.1).unwrap();
    let mut node = 2;
    for _ in 0..1000 {
        node = coarse.policy.next(node);
        assert_eq!(node, 2);
    }
    assert_eq!(coarse.policy.long_run_cost(&means, 2), f64::INFINITY);
    // The shortest-path policy pays for the one costly step and then stays on the best node.
    let (policy, cost) = shortest_path(&line, &means);
    assert_eq!((policy.path(2), cost[2]), (vec![1, 0], 1.0));
}

#[test]
fn finite_horizons_equal_a_search_of_all_walks() {
    let mut stream = Seed(105).stream();
    for case in 0..60 {
        let nodes = 1 + stream.below(5);
        let graph = instances::graph(&mut stream, nodes, 3);
        let (means, tolerance) = means(&mut stream, nodes, case);
        for horizon in 0..=5 {
            let plan = finite_horizon(&graph, &means, horizon).unwrap();
            assert_eq!(plan.horizon(), horizon);
            let losses = horizon_losses(&graph, &means, horizon as u64).unwrap();
            for from in graph.nodes() {
                let mut most = f64::NEG_INFINITY;
                every_walk(&graph, from, horizon, &mut |walk| {
                    most = most.max(value(&means, walk));
                });
                let found = plan.value(from, horizon);
                assert!((found - most).abs() <= tolerance);
                let path = plan.path(&graph, from);
                assert_eq!((path.len(), path[0]), (horizon + 1, from));
                assert!(path.windows(2).all(|step| graph.allows(step[0], step[1])));
                assert!((value(&means, &path) - most).abs() <= tolerance);
                let loss = (horizon + 1) as f64 * best(&means) - most;
                assert!((losses[from as usize] - loss).abs() <= tolerance);
            }
        }
    }
}

#[test]
fn losses_of_long_horizons_equal_the_missing_value() {
    let mut stream = Seed(106).stream();
    for _ in 0..60 {
        let nodes = 1 + stream.below(15);
        let graph = instances::graph(&mut stream, nodes, nodes);
        let means = sixteenths(&mut stream, nodes);
        let plan = finite_horizon(&graph, &means, 300).unwrap();
        for horizon in [1, 10, 100, 300] {
            let losses = horizon_losses(&graph, &means, horizon as u64).unwrap();
            for s in graph.nodes() {
                let missing = (horizon + 1) as f64 * best(&means) - plan.value(s, horizon);
                assert_eq!(losses[s as usize], missing);
            }
        }
        // In the long run: the cost of the shortest path plus the cost of the first node.
        let (_, cost) = shortest_path(&graph, &means);
        let for_ever = horizon_losses(&graph, &means, u64::MAX).unwrap();
        for s in graph.nodes() {
            let own = best(&means) - means[s as usize];
            assert_eq!(for_ever[s as usize], cost[s as usize] + own);
        }
    }
}

#[test]
fn hops_and_diameter_equal_petgraphs_distances() {
    let mut stream = Seed(107).stream();
    let mut hops = Hops::default();
    for _ in 0..60 {
        let nodes = 1 + stream.below(40);
        let graph = instances::graph(&mut stream, nodes, nodes);
        let mut theirs = UnGraph::<(), ()>::new_undirected();
        let at: Vec<NodeIndex> = graph.nodes().map(|_| theirs.add_node(())).collect();
        for (a, b) in graph.edges() {
            theirs.add_edge(at[a as usize], at[b as usize], ());
        }
        let distance = floyd_warshall(&theirs, |_| 1_u32).unwrap();
        for a in graph.nodes() {
            hops.search(&graph, [a], None);
            for b in graph.nodes() {
                let truth = distance[&(at[a as usize], at[b as usize])];
                assert_eq!(graph.hops(a, b), truth);
                assert_eq!(hops.distance(b), Some(truth));
            }
        }
        assert_eq!(Some(graph.diameter()), distance.values().copied().max());
    }
}

//! Proposition 5: closed walks through all nodes, compared to the shortest of all.
//!
//! Tours against the shortest of all, on small graphs. On trees they are equal. The graph with the
//! hub and the one-way chain needs 73% of the bound.

use crate::support::instances::graph;
use graph_bandit::theory::{patrol_time, patrol_time_bound, patrol_walk};
use graph_bandit::{Graph, NodeId, Road, Seed};
use std::collections::{BTreeSet, VecDeque};

/// The fewest steps of a closed walk from node 0 through all nodes, by breadth-first search over
/// places and sets of visited nodes.
fn fewest_steps(graph: &Graph) -> f64 {
    let all = (1_u32 << graph.len()) - 1;
    let mut seen = BTreeSet::from([(0, 1)]);
    let mut waiting = VecDeque::from([(0, 1_u32, 0_u32)]);
    while let Some((at, visited, steps)) = waiting.pop_front() {
        if at == 0 && visited == all {
            return f64::from(steps.max(1));
        }
        for &next in graph.neighborhood(at) {
            let state = (next, visited | 1 << next);
            if seen.insert(state) {
                waiting.push_back((state.0, state.1, steps + 1));
            }
        }
    }
    unreachable!("the graph is connected")
}

fn check(graph: &Graph) -> f64 {
    let walk = patrol_walk(graph);
    let mut at: NodeId = 0;
    for &node in &walk {
        assert!(graph.allows(at, node));
        at = node;
    }
    assert_eq!(at, 0);
    assert_eq!(walk.iter().collect::<BTreeSet<_>>().len(), graph.len());
    let time = patrol_time(graph, &walk);
    assert!(time <= patrol_time_bound(graph), "{time}");
    time
}

#[test]
fn two_way_patrols_take_at_most_two_steps_per_edge_of_a_tree() {
    let mut stream = Seed(611).stream();
    let (mut found, mut fewest) = (0.0, 0.0);
    for _ in 0..60 {
        let nodes = 1 + stream.below(8);
        let tree = graph(&mut stream, nodes, 0);
        let time = check(&tree);
        // On trees nothing is shorter: a closed walk crosses every edge in both directions.
        assert_eq!((time, time), (fewest_steps(&tree), patrol_time_bound(&tree)));
        let other = graph(&mut stream, nodes, 6);
        let (time, least) = (check(&other), fewest_steps(&other));
        assert!(time >= least);
        found += time;
        fewest += least;
    }
    assert!(found < 1.05 * fewest, "{found} {fewest}");
    for large in [Graph::grid(10, 10).unwrap(), Graph::star(60).unwrap()] {
        check(&large);
    }
}

fn roads(nodes: usize, roads: impl IntoIterator<Item = (NodeId, NodeId, f64)>) -> Graph {
    let roads = roads.into_iter().map(|(from, to, time)| Road { from, to, time });
    Graph::from_roads(nodes, roads.collect::<Vec<_>>()).unwrap()
}

#[test]
fn one_way_patrols_take_at_most_a_diameter_per_node() {
    let mut stream = Seed(612).stream();
    for _ in 0..60 {
        let nodes = 2 + stream.below(7);
        let below = |n: u64| n as NodeId;
        let round: Vec<_> = (0..nodes).map(|s| (below(s), below((s + 1) % nodes))).collect();
        let more: Vec<_> =
            (0..3).map(|_| (below(stream.below(nodes)), below(stream.below(nodes)))).collect();
        let timed = round.into_iter().chain(more);
        let timed: Vec<_> =
            timed.map(|(from, to)| (from, to, stream.below(9) as f64 / 4.0)).collect();
        check(&roads(nodes as usize, timed));
    }
    // Many leaves between a hub and a one-way chain back: every leaf needs a round of its own.
    let (leaves, chain): (NodeId, NodeId) = (8, 2);
    let first = 1 + leaves;
    let out = (1..first).flat_map(|leaf| [(0, leaf, 0.0), (leaf, first, 0.0)]);
    let back = [(first, first + 1, 0.0), (first + 1, 0, 0.0)];
    let graph = roads((1 + leaves + chain) as usize, out.chain(back));
    let time = check(&graph);
    assert_eq!(time, f64::from(leaves * (chain + 2)));
    assert_eq!(time, fewest_steps(&graph));
    assert!(time > 0.7 * patrol_time_bound(&graph), "the bound is not far off: {time}");
}

//! The cost of a patrol: a closed walk that visits every node.
//!
//! Proposition 5 of `docs/explanations/theory.md`.

use crate::agent::Situation;
use crate::clock::Clock;
use crate::cover::{Cover, Init};
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::leg::{Leg, travel_time};
use crate::plan::FastestPath;

/// A closed walk through all nodes of a connected graph, from node 0: the nodes entered, in order,
/// of which the last is node 0.
///
/// It is the faster of two walks, a depth-first one (along roads: always to the nearest node not
/// yet visited) and a short tour, each back by the fastest path. A single node is entered once.
pub fn patrol_walk(graph: &Graph) -> Vec<NodeId> {
    let proven = if graph.roads().is_none() { Init::DepthFirst } else { Init::Nearest };
    let (proven, tour) = (walk(graph, proven), walk(graph, Init::Tour));
    if patrol_time(graph, &tour) < patrol_time(graph, &proven) { tour } else { proven }
}

/// The time that a walk from its last node takes, visits included.
pub fn patrol_time(graph: &Graph, walk: &[NodeId]) -> f64 {
    walk.last().map_or(0.0, |&home| travel_time(graph, home, walk))
}

/// A bound on the time of [`patrol_walk`]: `2 (|S| - 1)`, or `|S| D_w` if the graph has roads, with
/// `D_w` the time diameter; 1 for a single node.
pub fn patrol_time_bound(graph: &Graph) -> f64 {
    let nodes = graph.len() as f64;
    let bound =
        if graph.roads().is_none() { 2.0 * (nodes - 1.0) } else { nodes * graph.time_diameter() };
    bound.max(1.0)
}

/// The expected regret of the visits of a walk, given the gaps of all nodes.
///
/// # Panics
/// When a node of the walk has no gap.
pub fn patrol_regret(walk: &[NodeId], gaps: &[f64]) -> f64 {
    walk.iter().map(|&node| gaps[node as usize]).sum()
}

/// A cover walk from node 0, which counts as visited, and the fastest path back.
fn walk(graph: &Graph, init: Init) -> Vec<NodeId> {
    let home = 0;
    let mut cover = Cover::new(init);
    let mut estimates = Estimates::new(graph.len());
    estimates.push(home, 0.0);
    let clock = Clock::default();
    let (mut at, mut entered, mut leg) = (home, Vec::new(), Leg::default());
    while cover.next_leg(&Situation { graph, at, estimates: &estimates, clock: &clock }, &mut leg) {
        for node in leg.nodes(at) {
            estimates.push(node, 0.0);
            entered.push(node);
        }
        at = leg.destination(at);
    }
    FastestPath::default().append(graph, at, &[home], &mut entered);
    if entered.is_empty() {
        entered.push(home);
    }
    entered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patrols_by_hand() {
        let line = Graph::line(4).unwrap();
        let walk = patrol_walk(&line);
        assert_eq!(walk, [1, 2, 3, 2, 1, 0]);
        assert_eq!((patrol_time(&line, &walk), patrol_time_bound(&line)), (6.0, 6.0));
        assert_eq!(patrol_regret(&walk, &[0.5, 0.25, 0.0, 0.125]), 1.125);
        assert_eq!(patrol_walk(&Graph::circle(4).unwrap()), [1, 2, 3, 0]);
        let single = Graph::line(1).unwrap();
        assert_eq!(patrol_walk(&single), [0]);
        assert_eq!((patrol_time(&single, &[0]), patrol_time_bound(&single)), (1.0, 1.0));
    }
}

//! The cost of a patrol: a closed walk that visits every node.
//!
//! Proposition 5 of `docs/explanations/theory.md`.

use crate::cover::closed_walk;
use crate::graph::{Graph, NodeId};
use crate::leg::travel_time;

/// A closed walk through all nodes of a connected graph, from node 0: the nodes entered, in order,
/// of which the last is node 0.
///
/// It is the faster of two walks, a depth-first one (along roads: always to the nearest node not
/// yet visited) and a short tour, each back by the fastest path. A single node is entered once.
pub fn patrol_walk(graph: &Graph) -> Vec<NodeId> {
    closed_walk(graph)
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

//! Shortest paths to the best nodes with node costs (Algorithm 1), by the Bellman-Ford method.

use super::{Policy, assert_one_per_node, costs, highest};
use crate::graph::{Graph, NodeId};

/// The same policy and costs as [`shortest_path`](super::shortest_path), by sweeps of `d(s) = min
/// over neighbours v of d(v) + c(v) + max(mu*, 0) tau(s, v)` until nothing changes.
///
/// If `d + c` rounds to `d`, the policy may take another equally cheap path.
///
/// # Complexity
/// O(|S| |E|) at worst. It serves as a check on Dijkstra's method, not as a replacement.
///
/// # Panics
/// When there is not one mean per node.
pub fn bellman_ford(graph: &Graph, means: &[f64]) -> (Policy, Vec<f64>) {
    assert_one_per_node(graph, means);
    let entry = costs(means);
    // The cost of the cheapest path and, for ties, the fewest steps. A policy that lowers this pair
    // ends on a target even if a cost is lost in rounding.
    let start = |&c: &f64| {
        if c == 0.0 { (0.0, 0) } else { (f64::INFINITY, usize::MAX) }
    };
    let mut rank: Vec<(f64, usize)> = entry.iter().map(start).collect();
    let per_time = highest(means).max(0.0);
    let price = |rank: &[(f64, usize)], (v, time): (NodeId, f64)| {
        rank[v as usize].0 + entry[v as usize] + per_time * time
    };
    let off_target = || graph.nodes().filter(|&s| entry[s as usize] > 0.0);
    let mut changed = true;
    while changed {
        changed = false;
        for s in off_target() {
            for (v, time) in graph.roads_from(s) {
                let offer = (price(&rank, (v, time)), rank[v as usize].1.saturating_add(1));
                if offer < rank[s as usize] {
                    rank[s as usize] = offer;
                    changed = true;
                }
            }
        }
    }
    let mut next: Vec<_> = graph.nodes().collect();
    for s in off_target() {
        let cheapest = graph.roads_from(s).find(|&(v, time)| {
            price(&rank, (v, time)) == rank[s as usize].0 && rank[v as usize] < rank[s as usize]
        });
        next[s as usize] = cheapest.map_or(s, |(v, _)| v);
    }
    let cost = rank.into_iter().map(|(cost, _)| cost).collect();
    (Policy::trusted(next), cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_lost_in_rounding_does_not_cause_a_cycle() {
        // 0, 1 and 2 are so nearly best that 1 + c = 1: from each, the others look as cheap as 3,
        // which leads to 4.
        let edges = [(0, 1), (0, 3), (1, 3), (1, 2), (3, 4)];
        let graph = Graph::from_edges(5, edges).unwrap();
        let nearly = 1.0 - f64::EPSILON / 2.0;
        let means = [nearly, nearly, nearly, 0.0, 1.0];
        let (policy, cost) = bellman_ford(&graph, &means);
        for s in graph.nodes() {
            assert_eq!(policy.long_run_cost(&means, s), cost[s as usize]);
        }
    }
}

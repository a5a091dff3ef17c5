//! Shortest paths to the best nodes with node costs (Algorithm 1), by Bellman and Ford's method.

use super::{Policy, assert_one_per_node, costs};
use crate::graph::Graph;

/// The same policy and costs as [`shortest_path`](super::shortest_path), by sweeps of
/// `d(s) = min over neighbours v of d(v) + c(v)` until nothing changes.
///
/// # Complexity
/// O(|S| |E|) at worst: a check on Dijkstra's method, not a rival.
///
/// # Panics
/// When there is not one mean per node.
pub fn bellman_ford(graph: &Graph, means: &[f64]) -> (Policy, Vec<f64>) {
    assert_one_per_node(graph, means);
    let entry = costs(means);
    let mut cost: Vec<f64> =
        entry.iter().map(|&c| if c == 0.0 { 0.0 } else { f64::INFINITY }).collect();
    let mut next: Vec<_> = graph.nodes().collect();
    let mut changed = true;
    while changed {
        changed = false;
        for s in graph.nodes().filter(|&s| entry[s as usize] > 0.0) {
            for v in graph.neighbors(s) {
                let offer = cost[v as usize] + entry[v as usize];
                if offer < cost[s as usize] {
                    cost[s as usize] = offer;
                    changed = true;
                }
            }
        }
    }
    for s in graph.nodes().filter(|&s| entry[s as usize] > 0.0) {
        let price = |v: u32| cost[v as usize] + entry[v as usize];
        let cheapest = graph.neighbors(s).min_by(|&a, &b| price(a).total_cmp(&price(b)));
        next[s as usize] = cheapest.unwrap_or(s);
    }
    (Policy::trusted(next), cost)
}

//! Paths through a graph, for planning in Python agents.

use graph_bandit::graph::Hops;
use graph_bandit::{Graph, NodeId};

/// The fewest steps from a node to every node.
pub(crate) fn hops_from(graph: &Graph, from: NodeId) -> Vec<i64> {
    let mut hops = Hops::default();
    hops.search(graph, [from], None);
    // The graph is connected, so the search reaches every node.
    graph.nodes().map(|node| hops.distance(node).map_or(-1, i64::from)).collect()
}

/// The nodes after the first on the path of least time; ties go to the lowest next number.
pub(crate) fn fastest(graph: &Graph, (from, to): (NodeId, NodeId)) -> Vec<NodeId> {
    let left = graph.times_to(to);
    let (mut at, mut path) = (from, Vec::new());
    while at != to {
        let others = graph.roads_from(at).filter(|&(next, _)| next != at);
        let through = |(next, time): (NodeId, f64)| (time + 1.0 + left[next as usize], next);
        let order = |a: &(f64, NodeId), b: &(f64, NodeId)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let Some((_, next)) = others.map(through).min_by(order) else { break };
        path.push(next);
        at = next;
    }
    path
}

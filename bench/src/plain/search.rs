//! Textbook searches on adjacency lists.

use graph_bandit::{Graph, NodeId};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// For every node, its neighbours including itself, in the order that decides ties.
pub type Lists = Vec<Vec<NodeId>>;

/// The graph as adjacency lists.
pub fn adjacency_lists(graph: &Graph) -> Lists {
    graph.nodes().map(|s| graph.neighborhood(s).to_vec()).collect()
}

/// Hops from every node to the nearest target.
pub(super) fn hops(near: &Lists, targets: &[NodeId]) -> Vec<u32> {
    let mut hops = vec![u32::MAX; near.len()];
    let mut queue = VecDeque::new();
    for &target in targets {
        hops[target as usize] = 0;
        queue.push_back(target);
    }
    while let Some(s) = queue.pop_front() {
        for &v in &near[s as usize] {
            if hops[v as usize] == u32::MAX {
                hops[v as usize] = hops[s as usize] + 1;
                queue.push_back(v);
            }
        }
    }
    hops
}

/// The lowest-numbered neighbour one hop nearer; the node itself on a target.
pub(super) fn nearer(near: &Lists, hops: &[u32], node: NodeId) -> NodeId {
    let here = hops[node as usize];
    let nearer = near[node as usize].iter().copied().filter(|&v| hops[v as usize] + 1 == here);
    nearer.min().unwrap_or(node)
}

/// A node waiting to be settled; the cheapest is the greatest.
struct Waiting {
    cost: f64,
    node: NodeId,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| other.node.cmp(&self.node))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

/// Algorithm 1: for every node, the next one on its cheapest path to the targets and the cost of
/// the path, where entering node `s` costs `entry[s]`.
pub fn dijkstra(near: &Lists, entry: &[f64], targets: &[NodeId]) -> (Vec<NodeId>, Vec<f64>) {
    let mut cost = vec![f64::INFINITY; near.len()];
    let mut next: Vec<NodeId> = (0..near.len() as NodeId).collect();
    let mut heap = BinaryHeap::new();
    for &target in targets {
        cost[target as usize] = 0.0;
        heap.push(Waiting { cost: 0.0, node: target });
    }
    while let Some(Waiting { cost: settled, node }) = heap.pop() {
        if settled > cost[node as usize] {
            continue;
        }
        let offer = settled + entry[node as usize];
        for &v in &near[node as usize] {
            if offer < cost[v as usize] {
                cost[v as usize] = offer;
                next[v as usize] = node;
                heap.push(Waiting { cost: offer, node: v });
            }
        }
    }
    (next, cost)
}

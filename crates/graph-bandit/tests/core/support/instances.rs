//! Small random instances, drawn from seeds; means are k/16, so their sums are exact.

use graph_bandit::plan::Policy;
use graph_bandit::{Graph, NodeId, Stream};

/// A random connected graph: a random tree and up to `extra` more edges, numbered at random.
pub(crate) fn graph(stream: &mut Stream, nodes: u64, extra: u64) -> Graph {
    let mut number: Vec<NodeId> = (0..nodes as NodeId).collect();
    for place in (1..number.len()).rev() {
        number.swap(place, stream.below(place as u64 + 1) as usize);
    }
    let named = |v: u64| number[v as usize];
    let mut edges: Vec<_> = (1..nodes).map(|v| (named(v), named(stream.below(v)))).collect();
    for _ in 0..stream.below(extra + 1) {
        edges.push((named(stream.below(nodes)), named(stream.below(nodes))));
    }
    Graph::from_edges(nodes as usize, edges).unwrap()
}

/// Means k/16 in [0, 1] of 17, 5 or 3 levels, so that ties are frequent.
pub(crate) fn sixteenths(stream: &mut Stream, nodes: u64) -> Vec<f64> {
    let step = [1, 4, 8][stream.below(3) as usize];
    let mean = |_| (step * stream.below(16 / step + 1)) as f64 / 16.0;
    (0..nodes).map(mean).collect()
}

/// Calls `hear` with every choice of one element from each list.
pub(crate) fn every_choice(lists: &[Vec<NodeId>], mut hear: impl FnMut(&[NodeId])) {
    let mut digits = vec![0; lists.len()];
    loop {
        let choice: Vec<_> = digits.iter().zip(lists).map(|(&d, list)| list[d]).collect();
        hear(&choice);
        let mut place = 0;
        while place < lists.len() && digits[place] + 1 == lists[place].len() {
            digits[place] = 0;
            place += 1;
        }
        if place == lists.len() {
            return;
        }
        digits[place] += 1;
    }
}

/// Every stationary policy of a small graph.
pub(crate) fn every_policy(graph: &Graph, mut hear: impl FnMut(&Policy)) {
    let lists: Vec<_> = graph.nodes().map(|s| graph.neighborhood(s).to_vec()).collect();
    every_choice(&lists, |next| {
        hear(&Policy::new(graph, next.to_vec()).unwrap());
    });
}

/// Calls `hear` with every walk of `steps` steps from `from`, `from` itself first.
pub(crate) fn every_walk(
    graph: &Graph,
    from: NodeId,
    steps: usize,
    hear: &mut impl FnMut(&[NodeId]),
) {
    fn extend(
        graph: &Graph,
        walk: &mut Vec<NodeId>,
        left: usize,
        hear: &mut impl FnMut(&[NodeId]),
    ) {
        if left == 0 {
            return hear(walk);
        }
        let at = walk[walk.len() - 1];
        for &next in graph.neighborhood(at) {
            walk.push(next);
            extend(graph, walk, left - 1, hear);
            walk.pop();
        }
    }
    extend(graph, &mut vec![from], steps, hear);
}

/// `V(s_{0:T})`: the reward of a walk, including its first node.
pub(crate) fn value(means: &[f64], walk: &[NodeId]) -> f64 {
    walk.iter().map(|&s| means[s as usize]).sum()
}

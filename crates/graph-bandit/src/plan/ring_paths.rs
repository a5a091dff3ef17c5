//! Cheapest paths on a circle, where two nodes have two paths between them.

use crate::graph::{Graph, NodeId};

/// A circle laid out twice from node 0, so that the nodes between any two are contiguous.
#[derive(Debug, Clone)]
pub(crate) struct RingPaths {
    laps: Vec<NodeId>,
    place: Vec<u32>,
}

impl RingPaths {
    /// `None` if the graph is not a circle.
    pub(crate) fn new(graph: &Graph) -> Option<Self> {
        if graph.len() < 3 || graph.nodes().any(|node| graph.degree(node) != 2) {
            return None;
        }
        // Graphs are connected, so the walk visits all nodes before it returns.
        let mut laps = Vec::with_capacity(2 * graph.len());
        let mut place = vec![0; graph.len()];
        let (mut before, mut node) = (None, 0);
        for at in 0..graph.len() as u32 {
            laps.push(node);
            place[node as usize] = at;
            let next = graph.neighbors(node).find(|&next| Some(next) != before)?;
            (before, node) = (Some(node), next);
        }
        laps.extend_from_within(..);
        Some(Self { laps, place })
    }

    /// Appends the path that [`CheapestPaths`](super::CheapestPaths) finds from `from` to `to`, if
    /// one direction is cheaper than the other; returns whether it is.
    ///
    /// Costs are added up from the target, as in that search. They never fall, so no node on the
    /// cheaper path gets as low an offer from behind, and ties occur only at `from`.
    ///
    /// # Complexity
    /// O(n) for the n nodes of the path of fewer hops and those as near to the target on the other.
    pub(crate) fn append(
        &self,
        entry_cost: impl Fn(NodeId) -> f64,
        (from, to): (NodeId, NodeId),
        path: &mut Vec<NodeId>,
    ) -> bool {
        let nodes = self.place.len();
        let place = |node: NodeId| self.place[node as usize] as usize;
        let (start, target) = (place(from), place(to));
        // From the start ahead to the target, and from the target ahead to the start.
        let ahead = start + 1..target + if target < start { nodes } else { 0 };
        let behind = target + 1..start + if start < target { nodes } else { 0 };
        let (ahead, behind) = (&self.laps[ahead], &self.laps[behind]);
        let cost_ahead = |dearest| cost(ahead.iter().rev(), &entry_cost, dearest);
        let cost_behind = |dearest| cost(behind.iter(), &entry_cost, dearest);
        let (cost_ahead, cost_behind) = if ahead.len() < behind.len() {
            let known = cost_ahead(f64::INFINITY);
            (known, cost_behind(known))
        } else {
            let known = cost_behind(f64::INFINITY);
            (cost_ahead(known), known)
        };
        if cost_ahead < cost_behind {
            path.extend_from_slice(ahead);
            path.push(to);
        } else if cost_behind < cost_ahead {
            path.extend(behind.iter().rev());
            path.push(to);
        }
        cost_ahead != cost_behind
    }
}

/// The cost of entering `nodes`, added up in this order, or anything above `dearest`.
#[inline]
fn cost<'a>(
    mut nodes: impl Iterator<Item = &'a NodeId>,
    entry_cost: impl Fn(NodeId) -> f64,
    dearest: f64,
) -> f64 {
    let add = |sum: f64, &node: &NodeId| {
        let sum = sum + entry_cost(node);
        if sum > dearest { Err(sum) } else { Ok(sum) }
    };
    nodes.try_fold(0.0, add).unwrap_or_else(|above| above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::CheapestPaths;
    use crate::random::Seed;

    /// A circle with nodes numbered in any order.
    fn shuffled(nodes: usize, seed: Seed) -> Graph {
        let mut stream = seed.stream();
        let mut order: Vec<NodeId> = (0..nodes as NodeId).collect();
        for i in (1..nodes).rev() {
            order.swap(i, stream.below(i as u64 + 1) as usize);
        }
        let next = order.iter().cycle().skip(1);
        Graph::from_edges(nodes, order.iter().copied().zip(next.copied())).unwrap()
    }

    #[test]
    fn the_path_equals_that_of_the_search() {
        let mut stream = Seed(3).stream();
        let (mut paths, mut ties, mut free) = (CheapestPaths::default(), 0, 0);
        for nodes in [3, 4, 5, 8, 30] {
            let graph = shuffled(nodes, Seed(nodes as u64));
            let ring = RingPaths::new(&graph).unwrap();
            for case in 0..600 {
                // From costs that tie and vanish to costs that lose their last digits in sums.
                let scale = [1.0, 1e-17, 3e300, 0.1][case % 4];
                let levels = [2, 3, 1 << 40][case / 4 % 3];
                let draw = |_| scale * (stream.below(levels) as f64 + stream.below(2) as f64 * 0.1);
                let costs: Vec<f64> = (0..nodes).map(draw).collect();
                let (from, to) = (stream.below(nodes as u64), stream.below(nodes as u64));
                let (from, to) = (from as NodeId, to as NodeId);
                if from == to {
                    continue;
                }
                let entry_cost = |node: NodeId| costs[node as usize];
                let mut path = vec![77];
                if !ring.append(entry_cost, (from, to), &mut path) {
                    assert_eq!(path, [77]);
                    ties += 1;
                    continue;
                }
                paths.search(&graph, entry_cost, [to], Some(from));
                let mut node = from;
                for &next in &path[1..] {
                    assert_eq!(paths.next(node), next, "{costs:?} from {from} to {to}");
                    node = next;
                    free += usize::from(node != to && costs[node as usize] == 0.0);
                }
                assert_eq!(node, to);
            }
        }
        assert!(ties > 100 && free > 100, "{ties} {free}");
    }

    #[test]
    fn other_graphs_are_not_circles() {
        let graphs = [Graph::line(5), Graph::grid(3, 2), Graph::star(4), Graph::line(1)];
        for graph in graphs.into_iter().chain([Graph::line(2), Graph::tree(7, 2)]) {
            assert!(RingPaths::new(&graph.unwrap()).is_none());
        }
        assert!(RingPaths::new(&Graph::grid(2, 2).unwrap()).is_some());
        assert!(RingPaths::new(&Graph::complete(3).unwrap()).is_some());
    }
}

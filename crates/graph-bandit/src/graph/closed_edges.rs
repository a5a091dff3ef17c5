//! A graph some of whose edges are closed. It may fall apart: then a walker has the part that it
//! stands in.

use super::{Graph, GraphError, Hops, NodeId};
use std::collections::BTreeSet;

impl Graph {
    /// The same nodes without these edges, the lower number of each first, whether all of them can
    /// still be reached or not.
    pub(crate) fn without(&self, closed: &BTreeSet<(NodeId, NodeId)>) -> Result<Self, GraphError> {
        let left = self.edges().filter(|edge| !closed.contains(edge));
        let graph = Self::in_parts(self.len(), left)?;
        let mut graph = graph.with_self_place(self.self_place);
        graph.names.clone_from(&self.names);
        graph.coordinates.clone_from(&self.coordinates);
        Ok(graph)
    }

    /// Whether every node can be reached from every other. Only the graph of a
    /// [`Field`](crate::Field) with closed edges may be otherwise.
    #[inline]
    pub fn is_connected(&self) -> bool {
        self.cut_off.is_none()
    }

    /// The lowest node that node 0 cannot reach.
    pub(crate) fn cut_off(&self) -> Option<NodeId> {
        self.cut_off
    }

    /// The nodes that can be reached from `node`, itself among them, ascending.
    pub fn reachable_from(&self, node: NodeId) -> Vec<NodeId> {
        if self.is_connected() {
            return self.nodes().collect();
        }
        let mut hops = Hops::default();
        hops.search(self, [node], None);
        let mut reached = hops.reached().to_vec();
        reached.sort_unstable();
        reached
    }
}

/// The nodes that can be reached from one, as a graph of their own, numbered anew in the same order.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    graph: Graph,
    /// The nodes of the whole graph, ascending.
    nodes: Vec<NodeId>,
}

impl Part {
    /// The part that `node` is in.
    ///
    /// # Panics
    /// When the graph has no such node.
    pub(crate) fn around(whole: &Graph, node: NodeId) -> Self {
        let nodes = whole.reachable_from(node);
        let inside = |node: NodeId| nodes.binary_search(&node).ok().map(|place| place as NodeId);
        let edges = nodes.iter().zip(0..).flat_map(|(&a, inside_a)| {
            let above = whole.neighbors(a).filter(move |&b| b > a);
            above.filter_map(inside).map(move |inside_b| (inside_a, inside_b))
        });
        let graph = Graph::from_edges(nodes.len(), edges).expect("a part is connected");
        let graph = graph.with_self_place(whole.self_place);
        Self { graph, nodes }
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The nodes of the whole graph that are in it, ascending.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The number here of a node of the whole graph, if it is in this part.
    pub(crate) fn inside(&self, node: NodeId) -> Option<NodeId> {
        self.nodes.binary_search(&node).ok().map(|place| place as NodeId)
    }

    /// Makes numbers of this part those of the whole graph; a number that is not of this part becomes one that
    /// no graph has.
    pub(crate) fn outside(&self, path: &mut [NodeId]) {
        for node in path {
            *node = self.nodes.get(*node as usize).copied().unwrap_or(NodeId::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::SelfPlace;

    #[test]
    fn a_part_is_a_graph_of_its_own_in_the_same_order() {
        // A line of six, cut between 1 and 2 and between 4 and 5.
        let line = Graph::line(6).unwrap().with_self_place(SelfPlace::Last);
        assert!(line.is_connected() && line.without(&BTreeSet::new()).unwrap().is_connected());
        let cut = line.without(&BTreeSet::from([(1, 2), (4, 5)])).unwrap();
        assert!(!cut.is_connected());
        assert_eq!(cut.reachable_from(3), [2, 3, 4]);
        let part = Part::around(&cut, 4);
        assert_eq!(part.nodes(), [2, 3, 4]);
        let three = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        assert_eq!(*part.graph(), three.with_self_place(SelfPlace::Last));
        assert_eq!([1, 2, 4, 5].map(|node| part.inside(node)), [None, Some(0), Some(2), None]);
        let mut path = [0, 2, 3];
        part.outside(&mut path);
        assert_eq!(path, [2, 4, NodeId::MAX]);
        assert_eq!(Part::around(&cut, 5).nodes(), [5]);
    }
}

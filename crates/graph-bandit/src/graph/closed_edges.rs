//! A graph with some edges closed. It may be disconnected: a walker then has only its own part.
//!
//! If roads run one way, a part is a set of nodes that all reach each other. A walker on a node
//! without a way back goes to the largest part it can reach; the nodes on the way there belong to
//! its part, too.

use super::{Graph, GraphError, Hops, NodeId, Road, strong_parts};
use std::collections::BTreeSet;

impl Graph {
    /// The same nodes without these edges (each with the lower number first) or these directed
    /// roads, whether or not the graph stays connected.
    pub(crate) fn without(&self, closed: &BTreeSet<(NodeId, NodeId)>) -> Result<Self, GraphError> {
        let graph = if self.roads.is_some() {
            let left = self.all_roads().filter(|road| !closed.contains(&(road.from, road.to)));
            Self::of_fastest(self.len(), &left.collect::<Vec<_>>())
        } else {
            let left = self.edges().filter(|edge| !closed.contains(edge));
            Self::in_parts(self.len(), left)?
        };
        let mut graph = graph.with_self_place(self.self_place);
        graph.names.clone_from(&self.names);
        graph.coordinates.clone_from(&self.coordinates);
        Ok(graph)
    }

    /// Whether every node can reach every other. Only the graph of a [`Field`](crate::Field) with
    /// closed edges may be disconnected.
    #[inline]
    pub fn is_connected(&self) -> bool {
        self.cut_off.is_none()
    }

    /// The lowest node that node 0 cannot reach.
    pub(crate) fn cut_off(&self) -> Option<NodeId> {
        self.cut_off
    }

    /// The nodes reachable from `node`, itself included, ascending.
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

impl Graph {
    /// The nodes that a walker on `node` can go to and come back from, itself included, ascending.
    /// If it cannot come back to `node`, see the module documentation.
    ///
    /// # Panics
    /// When the graph does not have this node.
    pub fn within_reach(&self, node: NodeId) -> Vec<NodeId> {
        let reached = self.reachable_from(node);
        if self.is_connected() || self.roads.is_none() {
            return reached;
        }
        let part = strong_parts(self.len(), self.all_roads().map(|road| (road.from, road.to)));
        let mut size = vec![0_usize; self.len()];
        for &node in &reached {
            size[part[node as usize] as usize] += 1;
        }
        // Among equally large parts, prefer its own, then the first.
        let mut home = part[node as usize];
        for &node in &reached {
            let other = part[node as usize];
            if size[other as usize] > size[home as usize] {
                home = other;
            }
        }
        let leads_home =
            self.leading_to(reached.iter().copied().filter(|&v| part[v as usize] == home));
        reached.into_iter().filter(|&node| leads_home[node as usize]).collect()
    }

    /// The nodes from which roads lead to one of `targets`.
    fn leading_to(&self, targets: impl Iterator<Item = NodeId>) -> Vec<bool> {
        let mut leads = vec![false; self.len()];
        let mut waiting: Vec<NodeId> = targets.collect();
        for &node in &waiting {
            leads[node as usize] = true;
        }
        while let (Some(node), Some(roads)) = (waiting.pop(), self.roads()) {
            for (from, _) in roads.into(node) {
                if !std::mem::replace(&mut leads[from as usize], true) {
                    waiting.push(from);
                }
            }
        }
        leads
    }
}

/// The reachable nodes as a graph of their own, renumbered in the same order.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    graph: Graph,
    /// The nodes of the whole graph, ascending.
    nodes: Vec<NodeId>,
    /// How often the whole graph's believed times had changed.
    changes: u64,
}

impl Part {
    /// The part around `node`.
    ///
    /// # Panics
    /// When the graph does not have this node.
    pub(crate) fn around(whole: &Graph, node: NodeId) -> Self {
        let nodes = whole.within_reach(node);
        let inside = |node: NodeId| nodes.binary_search(&node).ok().map(|place| place as NodeId);
        if whole.roads.is_some() {
            let roads = nodes.iter().zip(0..).flat_map(|(&from, inside_from)| {
                whole.roads_from(from).filter_map(move |(to, time)| {
                    Some(Road { from: inside_from, to: inside(to)?, time })
                })
            });
            let mut roads: Vec<Road> = roads.collect();
            roads.sort_unstable_by_key(|road| (road.from, road.to));
            let graph = Graph::of_fastest(nodes.len(), &roads).with_self_place(whole.self_place);
            return Self { graph, nodes, changes: whole.changes() };
        }
        let edges = nodes.iter().zip(0..).flat_map(|(&a, inside_a)| {
            let above = whole.neighbors(a).filter(move |&b| b > a);
            above.filter_map(inside).map(move |inside_b| (inside_a, inside_b))
        });
        let graph = Graph::from_edges(nodes.len(), edges).expect("a part is connected");
        let graph = graph.with_self_place(whole.self_place);
        Self { graph, nodes, changes: 0 }
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether a walker on `node` of a graph with the same edges has exactly this part.
    pub(crate) fn is_around(&self, whole: &Graph, node: NodeId) -> bool {
        // A part without a way back to all of its nodes shrinks with every step.
        let is_part = self.graph.is_connected() && self.inside(node).is_some();
        is_part && self.changes == whole.changes()
    }

    /// The nodes of the whole graph in this part, ascending.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The number in this part of a node of the whole graph, if it is in the part.
    pub(crate) fn inside(&self, node: NodeId) -> Option<NodeId> {
        self.nodes.binary_search(&node).ok().map(|place| place as NodeId)
    }

    /// Whether a node of the whole graph is in this part.
    pub(crate) fn holds(&self, node: NodeId) -> bool {
        self.inside(node).is_some()
    }

    /// Translates numbers of this part to numbers of the whole graph. An invalid number becomes one
    /// that no graph has.
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
    fn nodes_of_a_part_reach_each_other_along_roads() {
        // 0 leads to the ring 1, 2, 3, which leads to the trap 4; nothing leads to 5 but itself.
        let road = |(from, to)| Road { from, to, time: 0.5 };
        let ways = [(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (4, 3), (4, 0), (5, 0), (0, 5)];
        let whole = Graph::from_roads(6, ways.map(road)).unwrap();
        let cut = whole.without(&BTreeSet::from([(4, 3), (4, 0), (0, 5)])).unwrap();
        assert!(whole.is_connected() && !cut.is_connected());
        assert_eq!(cut.reachable_from(0), [0, 1, 2, 3, 4]);
        assert_eq!(cut.within_reach(2), [1, 2, 3]);
        assert_eq!(cut.within_reach(0), [0, 1, 2, 3]);
        assert_eq!(cut.within_reach(4), [4]);
        let (home, on_the_way) = (Part::around(&cut, 3), Part::around(&cut, 5));
        assert!(home.is_around(&cut, 1) && !home.is_around(&cut, 0));
        assert_eq!(on_the_way.nodes(), [0, 1, 2, 3, 5]);
        assert!(!on_the_way.is_around(&cut, 5), "there is no way back");
        assert_eq!(on_the_way.graph().travel(4, 0), Some(0.5));
    }

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

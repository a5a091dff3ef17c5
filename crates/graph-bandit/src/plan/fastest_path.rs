//! Paths of least time: of fewest hops if no road takes time, else along roads.

use super::CheapestPaths;
use super::road_search::{Heading, RoadCosts};
use crate::graph::{Graph, HopPaths, NodeId};

/// Fastest paths on one graph, with reused memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct FastestPath {
    hops: HopPaths,
    roads: CheapestPaths,
}

/// A visit takes one unit of time, whichever node is entered.
const BY_TIME: RoadCosts<fn(NodeId) -> f64> = RoadCosts { entry: |_| 1.0, time: 1.0 };

impl FastestPath {
    /// Appends the fastest path from a node to the nearest of `targets`; ties go to the
    /// lowest-numbered next node.
    pub(crate) fn append(
        &mut self,
        graph: &Graph,
        from: NodeId,
        targets: &[NodeId],
        path: &mut Vec<NodeId>,
    ) {
        if graph.roads().is_none() {
            self.hops.append(graph, from, targets, path);
            return;
        }
        let targets = targets.iter().copied();
        let arrived = |node| node == from;
        let found = self.roads.search_roads((graph, Heading::There), &BY_TIME, targets, arrived);
        self.roads.follow(found.unwrap_or(from), path);
    }

    /// The `wanted` node that roads reach soonest; ties go to the lowest number.
    pub(crate) fn soonest(
        &mut self,
        graph: &Graph,
        from: NodeId,
        wanted: impl FnMut(NodeId) -> bool,
    ) -> Option<NodeId> {
        self.roads.search_roads((graph, Heading::FromHere), &BY_TIME, [from], wanted)
    }
}

impl Graph {
    /// The least time from every node to `to`, including all visits up to the last; infinite
    /// without a path.
    pub fn times_to(&self, to: NodeId) -> Vec<f64> {
        self.all_times(to, Heading::There)
    }

    /// The least time from `from` to every node, including all visits up to the last; infinite
    /// without a path.
    pub fn times_from(&self, from: NodeId) -> Vec<f64> {
        self.all_times(from, Heading::FromHere)
    }

    fn all_times(&self, origin: NodeId, heading: Heading) -> Vec<f64> {
        let mut paths = CheapestPaths::default();
        paths.search_all_roads((self, heading), &BY_TIME, [origin]);
        // A path's cost does not include entering its last node.
        let time = |node| if node == origin { 0.0 } else { paths.cost(node) + 1.0 };
        self.nodes().map(time).collect()
    }

    /// The time diameter: the longest fastest-path time between two nodes, visits included. It is
    /// the paper's `D` if roads take no time.
    ///
    /// # Complexity
    /// O(|S| (|E| + |S| log |S|)) on roads.
    pub fn time_diameter(&self) -> f64 {
        if self.roads().is_none() {
            return f64::from(self.diameter());
        }
        let mut paths = CheapestPaths::default();
        let mut farthest = 0.0_f64;
        for from in self.nodes() {
            paths.search_all_roads((self, Heading::FromHere), &BY_TIME, [from]);
            let others = self.nodes().filter(|&node| node != from);
            farthest = others.map(|node| paths.cost(node) + 1.0).fold(farthest, f64::max);
        }
        farthest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;

    #[test]
    fn times_by_hand() {
        // One way round, 0 to 1 to 2 to 0, and a slow road back from 2 to 1.
        let road = |(from, to, time)| Road { from, to, time };
        let roads = [(0, 1, 0.5), (1, 2, 0.0), (2, 0, 2.0), (2, 1, 9.0)].map(road);
        let graph = Graph::from_roads(3, roads).unwrap();
        assert_eq!(graph.times_from(0), [0.0, 1.5, 2.5]);
        assert_eq!(graph.times_to(0), [0.0, 4.0, 3.0]);
        assert_eq!(graph.times_from(2), [3.0, 4.5, 0.0]);
        assert_eq!(graph.time_diameter(), 4.5);
        let (mut paths, mut path) = (FastestPath::default(), vec![9]);
        paths.append(&graph, 2, &[1], &mut path);
        assert_eq!(path, [9, 0, 1]);
        assert_eq!(paths.soonest(&graph, 2, |node| node != 2), Some(0));
        assert_eq!(Graph::line(4).unwrap().times_from(1), [1.0, 0.0, 1.0, 2.0]);
        assert_eq!(Graph::line(4).unwrap().time_diameter(), 3.0);
    }
}

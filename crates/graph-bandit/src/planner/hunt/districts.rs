//! Connected groups of nodes, so that one bound rules out many nodes at once.

use super::distances::{Distances, apart};
use crate::graph::{Graph, NodeId};

/// Nodes per district, at most.
const MOST: usize = 64;

/// A partition of the nodes into connected districts.
#[derive(Debug, Clone)]
pub(super) struct Districts {
    /// The district of each node.
    of: Vec<u32>,
    /// The nodes, district by district, and where each district starts.
    members: Vec<NodeId>,
    starts: Vec<usize>,
    /// The least of every coordinate in the first district, then in the second, and so on.
    least: Vec<f64>,
    width: usize,
}

impl Districts {
    /// Gathers nodes around nodes that have no district yet, lowest number first, by hops.
    pub(super) fn new(graph: &Graph, distances: &Distances) -> Self {
        let mut districts = Self {
            of: vec![u32::MAX; graph.len()],
            members: Vec::with_capacity(graph.len()),
            starts: vec![0],
            least: Vec::new(),
            width: distances.coordinates(0).len(),
        };
        for node in graph.nodes() {
            if districts.of[node as usize] == u32::MAX {
                let start = districts.members.len();
                districts.gather(graph, node);
                districts.starts.push(districts.members.len());
                districts.measure(distances, start);
            }
        }
        districts
    }

    fn measure(&mut self, distances: &Distances, start: usize) {
        let first = self.least.len();
        self.least.resize(first + self.width, f64::INFINITY);
        for &node in &self.members[start..] {
            for (least, x) in self.least[first..].iter_mut().zip(distances.coordinates(node)) {
                *least = least.min(x);
            }
        }
    }

    fn gather(&mut self, graph: &Graph, first: NodeId) {
        let (start, district) = (self.members.len(), self.len() as u32);
        self.of[first as usize] = district;
        self.members.push(first);
        let mut next = start;
        while next < self.members.len() {
            for &neighbor in graph.neighborhood(self.members[next]) {
                let is_full = self.members.len() - start == MOST;
                if !is_full && self.of[neighbor as usize] == u32::MAX {
                    self.of[neighbor as usize] = district;
                    self.members.push(neighbor);
                }
            }
            next += 1;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn of(&self, node: NodeId) -> u32 {
        self.of[node as usize]
    }

    pub(super) fn members(&self, district: u32) -> &[NodeId] {
        let district = district as usize;
        &self.members[self.starts[district]..self.starts[district + 1]]
    }

    /// A lower bound on the time of a trip to any node of a district, from a node with these
    /// coordinates.
    #[inline]
    pub(super) fn time(&self, here: &[f64], district: u32) -> f64 {
        let first = district as usize * self.width;
        let least = self.least[first..first + self.width].iter();
        here.iter().zip(least).map(|(&here, &least)| apart(here, least)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_one_district_and_is_as_far_away_as_the_span_says() {
        for graph in [Graph::grid(30, 20), Graph::tree(300, 3), Graph::star(200), Graph::line(1)] {
            let graph = graph.unwrap();
            let distances = Distances::of(&graph);
            let districts = Districts::new(&graph, &distances);
            let mut seen = vec![0; graph.len()];
            for district in 0..districts.len() as u32 {
                assert!((1..=MOST).contains(&districts.members(district).len()));
                for &node in districts.members(district) {
                    assert_eq!(districts.of(node), district);
                    seen[node as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times == 1));
            let mut close = 0;
            for from in graph.nodes().step_by(17) {
                let here = distances.coordinates(from);
                for node in graph.nodes() {
                    let bound = districts.time(&here, districts.of(node));
                    let distance = f64::from(graph.hops(from, node));
                    assert!(bound <= distance, "{from} {node} {bound} {distance}");
                    close += usize::from(2.0 * bound >= distance && distance > 0.0);
                }
            }
            assert!(graph.len() == 1 || close > 0);
        }
    }
}

//! Connected groups of nodes, so that one bound rules out many nodes at once.

use crate::graph::{Graph, Landmarks, NodeId};

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
    /// The least and most hops between a district and each landmark, landmark by landmark.
    spans: Vec<(u32, u32)>,
    width: usize,
}

impl Districts {
    /// Gathers nodes around nodes that have no district yet, lowest number first, by hops.
    pub(super) fn new(graph: &Graph, landmarks: &Landmarks) -> Self {
        let mut districts = Self {
            of: vec![u32::MAX; graph.len()],
            members: Vec::with_capacity(graph.len()),
            starts: vec![0],
            spans: Vec::new(),
            width: landmarks.distances(0).count(),
        };
        for node in graph.nodes() {
            if districts.of[node as usize] == u32::MAX {
                let start = districts.members.len();
                districts.gather(graph, node);
                districts.starts.push(districts.members.len());
                districts.measure(landmarks, start);
            }
        }
        districts
    }

    fn measure(&mut self, landmarks: &Landmarks, start: usize) {
        let first = self.spans.len();
        self.spans.resize(first + self.width, (u32::MAX, 0));
        for &node in &self.members[start..] {
            for (span, hops) in self.spans[first..].iter_mut().zip(landmarks.distances(node)) {
                *span = (span.0.min(hops), span.1.max(hops));
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

    /// A lower bound on the hops to any node of a district, from a node that is this many hops
    /// away from each landmark.
    #[inline]
    pub(super) fn hops(&self, here: &[u32], district: u32) -> u32 {
        let first = district as usize * self.width;
        let spans = self.spans[first..first + self.width].iter().zip(here);
        let apart = |(&(least, most), &hops): (&(u32, u32), &u32)| {
            least.saturating_sub(hops).max(hops.saturating_sub(most))
        };
        spans.map(apart).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_one_district_and_is_as_far_away_as_the_span_says() {
        for graph in [Graph::grid(30, 20), Graph::tree(300, 3), Graph::star(200), Graph::line(1)] {
            let graph = graph.unwrap();
            let landmarks = Landmarks::with_width(&graph, 4);
            let districts = Districts::new(&graph, &landmarks);
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
                let here: Vec<u32> = landmarks.distances(from).collect();
                for node in graph.nodes() {
                    let bound = districts.hops(&here, districts.of(node));
                    let distance = graph.hops(from, node);
                    assert!(bound <= distance, "{from} {node} {bound} {distance}");
                    close += usize::from(2 * bound >= distance && distance > 0);
                }
            }
            assert!(graph.len() == 1 || close > 0);
        }
    }
}

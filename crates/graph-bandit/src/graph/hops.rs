//! Distances in hops, `l(s, s')` of Section II, by breadth-first search.

use super::{Graph, NodeId};

const UNKNOWN: u32 = u32::MAX;

/// Hop distances to a set of target nodes, with memory reused from search to search.
#[derive(Debug, Clone, Default)]
pub struct Hops {
    distance: Vec<u32>,
    reached: Vec<NodeId>,
}

impl Hops {
    /// Searches outward from `targets` until `until` is reached, or everywhere. If roads run one
    /// way, it follows them, so distances are from the targets, and [`next`](Self::next) has no
    /// meaning.
    ///
    /// # Complexity
    /// O(nodes and edges nearer to the targets than `until`).
    pub fn search(
        &mut self,
        graph: &Graph,
        targets: impl IntoIterator<Item = NodeId>,
        until: Option<NodeId>,
    ) {
        self.search_while(graph, targets, |node| Some(node) != until);
    }

    /// Searches outward from `targets` while `go_on` is true for each node reached; returns the
    /// node at which it stopped.
    pub fn search_while(
        &mut self,
        graph: &Graph,
        targets: impl IntoIterator<Item = NodeId>,
        mut go_on: impl FnMut(NodeId) -> bool,
    ) -> Option<NodeId> {
        self.forget(graph.len());
        for target in targets {
            if self.reach(target, 0) && !go_on(target) {
                return Some(target);
            }
        }
        let mut settled = 0;
        while let Some(&node) = self.reached.get(settled) {
            settled += 1;
            let beyond = self.distance[node as usize] + 1;
            for &neighbor in graph.neighborhood(node) {
                if self.reach(neighbor, beyond) && !go_on(neighbor) {
                    return Some(neighbor);
                }
            }
        }
        None
    }

    /// Marks `node` as reached at `distance` if it is new.
    #[inline]
    pub(super) fn reach(&mut self, node: NodeId, distance: u32) -> bool {
        let known = &mut self.distance[node as usize];
        let is_new = *known == UNKNOWN;
        if is_new {
            *known = distance;
            self.reached.push(node);
        }
        is_new
    }

    /// Clears only what the last search touched, so that short searches on large graphs stay cheap.
    pub(super) fn forget(&mut self, nodes: usize) {
        if self.distance.len() == nodes {
            for node in self.reached.drain(..) {
                self.distance[node as usize] = UNKNOWN;
            }
        } else {
            self.distance = vec![UNKNOWN; nodes];
            self.reached.clear();
        }
    }

    /// Hops from `node` to the nearest target, if the search reached it.
    pub fn distance(&self, node: NodeId) -> Option<u32> {
        self.distance.get(node as usize).copied().filter(|&d| d != UNKNOWN)
    }

    /// The lowest-numbered neighbour one hop nearer to the targets; the node itself on a target.
    ///
    /// # Panics
    /// When the search did not reach `node`.
    pub fn next(&self, graph: &Graph, node: NodeId) -> NodeId {
        let here = self.distance(node).expect("the search reached the node");
        if here == 0 {
            return node;
        }
        let nearer = graph.neighborhood(node).iter().copied();
        nearer
            .filter(|&v| self.distance[v as usize] == here - 1)
            .min()
            .expect("a reached node has a nearer neighbour")
    }

    /// The nodes reached, nearest first.
    pub fn reached(&self) -> &[NodeId] {
        &self.reached
    }

    /// The largest distance reached: the eccentricity of the targets after a full search.
    pub fn farthest(&self) -> u32 {
        self.reached.last().map_or(0, |&node| self.distance[node as usize])
    }
}

/// The lowest node that node 0 cannot reach.
pub(super) fn first_unreachable(graph: &Graph) -> Option<NodeId> {
    let mut hops = Hops::default();
    hops.search(graph, [0], None);
    graph.nodes().find(|&node| hops.distance(node).is_none())
}

impl Graph {
    /// `l(from, to)`: the fewest hops from one node to another.
    pub fn hops(&self, from: NodeId, to: NodeId) -> u32 {
        let mut hops = Hops::default();
        hops.search(self, [from], Some(to));
        // A graph is connected: the search always reaches `to`.
        hops.distance(to).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_lowest_number() {
        // A square 0-1-3-2-0: from 3 to 0 both ways are two hops.
        let square = Graph::from_edges(4, [(0, 1), (1, 3), (3, 2), (2, 0)]).unwrap();
        let mut hops = Hops::default();
        hops.search(&square, [0], Some(3));
        assert_eq!(hops.next(&square, 3), 1);
        assert_eq!(hops.next(&square, 0), 0);
        assert_eq!(hops.distance(3), Some(2));
        assert_eq!(square.hops(1, 2), 2);
    }

    #[test]
    fn one_search_does_not_leak_into_the_next() {
        let line = Graph::from_edges(5, (0..4).map(|i| (i, i + 1))).unwrap();
        let mut hops = Hops::default();
        hops.search(&line, [0], None);
        assert_eq!(hops.farthest(), 4);
        hops.search(&line, [4], Some(3));
        assert_eq!(hops.distance(3), Some(1));
        assert_eq!(hops.distance(0), None);
    }
}

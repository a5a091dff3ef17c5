//! The diameter `D`, Eq. (1): exact if affordable, else bounds.
//!
//! Each breadth-first search from `v` bounds every other eccentricity: `max(d(v, w), ecc(v) - d(v,
//! w)) <= ecc(w) <= ecc(v) + d(v, w)` (Takes and Kosters, 2011). Nodes that can no longer raise the
//! maximum drop out. On most graphs a handful of searches is exact, where the textbook method needs
//! one per node. These bounds need two-way edges; if roads run one way, every node is searched
//! from.

use super::{Graph, Hops, NodeId};

/// Bounds on a diameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiameterBounds {
    /// The diameter is at least this.
    pub lower: u32,
    /// The diameter is at most this.
    pub upper: u32,
}

impl DiameterBounds {
    /// The diameter, when the bounds meet.
    pub fn exact(self) -> Option<u32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

impl Graph {
    /// The diameter in hops, exactly. Travel times do not matter here; see
    /// [`time_diameter`](Self::time_diameter).
    ///
    /// # Complexity
    /// O(|S| |E|) at worst, usually a few breadth-first searches.
    pub fn diameter(&self) -> u32 {
        self.diameter_bounds(usize::MAX).lower
    }

    /// Bounds on the diameter after at most `searches` breadth-first searches (at least one).
    pub fn diameter_bounds(&self, searches: usize) -> DiameterBounds {
        if self.roads().is_some() {
            return self.diameter_bounds_by_road(searches.max(1));
        }
        let mut hops = Hops::default();
        let mut lower = vec![0_u32; self.len()];
        let mut upper = vec![u32::MAX; self.len()];
        let mut candidates: Vec<NodeId> = self.nodes().collect();
        let mut bounds = DiameterBounds { lower: 0, upper: u32::MAX };
        let mut source = self.nodes().max_by_key(|&v| self.degree(v)).unwrap_or(0);
        for round in 0..searches.max(1) {
            hops.search(self, [source], None);
            let eccentricity = hops.farthest();
            bounds.lower = bounds.lower.max(eccentricity);
            bounds.upper = bounds.upper.min(eccentricity.saturating_mul(2));
            for &w in &candidates {
                let distance = hops.distance(w).unwrap_or(eccentricity);
                let (low, high) = (&mut lower[w as usize], &mut upper[w as usize]);
                *low = (*low).max(distance).max(eccentricity - distance);
                *high = (*high).min(eccentricity.saturating_add(distance));
                bounds.lower = bounds.lower.max(*low);
            }
            upper[source as usize] = eccentricity;
            candidates.retain(|&w| upper[w as usize] > bounds.lower);
            let highest = candidates.iter().map(|&w| upper[w as usize]).max();
            bounds.upper = bounds.upper.min(highest.unwrap_or(0).max(bounds.lower));
            // Alternate: a node that may be far out raises the lower bound; a central node lowers
            // the upper bounds of all others.
            let choice = if round % 2 == 0 {
                candidates.iter().max_by_key(|&&w| (upper[w as usize], self.degree(w)))
            } else {
                candidates.iter().min_by_key(|&&w| (lower[w as usize], self.len() - self.degree(w)))
            };
            match choice {
                Some(&next) => source = next,
                None => break,
            }
        }
        bounds
    }

    /// Bounds if roads run one way: eccentricities then do not bound each other.
    fn diameter_bounds_by_road(&self, searches: usize) -> DiameterBounds {
        let mut hops = Hops::default();
        let mut lower = 0;
        for from in self.nodes().take(searches) {
            hops.search(self, [from], None);
            lower = lower.max(hops.farthest());
        }
        let is_exact = searches >= self.len();
        // No path without cycles has more hops.
        let upper = if is_exact { lower } else { self.len() as u32 - 1 };
        DiameterBounds { lower, upper }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;

    /// The textbook method: one search per node.
    fn by_every_search(graph: &Graph) -> u32 {
        let mut hops = Hops::default();
        let eccentricity = |v| {
            hops.search(graph, [v], None);
            hops.farthest()
        };
        graph.nodes().map(eccentricity).max().unwrap()
    }

    #[test]
    fn a_one_way_ring_has_a_diameter_of_all_nodes_but_one() {
        let round = (0..7).map(|from| Road { from, to: (from + 1) % 7, time: f64::from(from) });
        // A shortcut that the search from node 0 does not reveal.
        let graph =
            Graph::from_roads(7, round.chain([Road { from: 3, to: 0, time: 0.0 }])).unwrap();
        assert_eq!(graph.diameter(), by_every_search(&graph));
        assert_eq!(graph.diameter(), 6);
        let bounds = graph.diameter_bounds(1);
        assert!(bounds.lower <= 6 && bounds.upper >= 6, "{bounds:?}");
    }

    #[test]
    fn equals_one_search_per_node() {
        let mut seed = 1_u64;
        for nodes in 1..40_u32 {
            let mut edges: Vec<(u32, u32)> = Vec::new();
            for v in 1..nodes {
                for _ in 0..=v % 2 {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    edges.push((v, (seed >> 33) as u32 % v));
                }
            }
            let graph = Graph::from_edges(nodes as usize, edges).unwrap();
            let truth = by_every_search(&graph);
            assert_eq!(graph.diameter(), truth);
            for searches in 1..4 {
                let bounds = graph.diameter_bounds(searches);
                assert!(bounds.lower <= truth && truth <= bounds.upper, "{bounds:?} {truth}");
            }
        }
    }
}

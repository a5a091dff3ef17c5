//! Fewest hops by two breadth-first searches that meet: from the start and from the targets.
//!
//! Needs no preparation. Best if the number of reachable nodes multiplies with every hop (random
//! graphs, small worlds), or if the targets are near.

use super::wave::{Budget, Wave};
use super::{NodeId, Query, descend};

/// The two searches, with reused memory.
#[derive(Debug, Clone, Default)]
pub(super) struct MeetingSearch {
    ahead: Wave,
    back: Wave,
    /// On the way from the meeting layer to the start: nodes on paths of fewest hops at one
    /// distance, and nodes one hop nearer.
    layer: Vec<NodeId>,
    nearer: Vec<NodeId>,
}

impl MeetingSearch {
    /// Appends the path of fewest hops; `None` if the budget runs out first, and then nothing is
    /// appended.
    pub(super) fn path(
        &mut self,
        query: &Query<'_>,
        budget: &mut Budget,
        path: &mut Vec<NodeId>,
    ) -> Option<()> {
        self.ahead.begin(query.graph, &[query.from]);
        self.back.begin(query.graph, query.targets);
        // The balls are disjoint until they meet, so there are more hops than both radii. Where the
        // outermost layer of one first touches the other ball, it touches its outermost layer, and
        // every path of fewest hops leads through a node in both layers.
        loop {
            let (near, far) = if self.ahead.outermost().len() <= self.back.outermost().len() {
                (&mut self.ahead, &self.back)
            } else {
                (&mut self.back, &self.ahead)
            };
            near.grow(query.graph, budget)?;
            if near.outermost().iter().any(|&node| far.distance(node).is_some()) {
                self.layer.clear();
                self.layer.extend_from_slice(near.outermost());
                break;
            }
        }
        self.carry_to_the_start(query);
        descend(query, path, |node| self.back.distance(node));
        Some(())
    }

    /// Extends the distances to the targets from the meeting layer to all nodes on paths of fewest
    /// hops.
    fn carry_to_the_start(&mut self, query: &Query<'_>) {
        let (ahead, back) = (&self.ahead, &mut self.back);
        let is_shared = |&node: &NodeId| {
            ahead.distance(node) == Some(ahead.radius()) && back.distance(node).is_some()
        };
        self.layer.retain(is_shared);
        let (mut here, mut there) = (ahead.radius(), back.radius());
        while here > 0 {
            (here, there) = (here - 1, there + 1);
            self.nearer.clear();
            for &node in &self.layer {
                for &neighbor in query.graph.neighborhood(node) {
                    if ahead.distance(neighbor) == Some(here) && back.reach(neighbor, there) {
                        self.nearer.push(neighbor);
                    }
                }
            }
            std::mem::swap(&mut self.layer, &mut self.nearer);
        }
    }
}

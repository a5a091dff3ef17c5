//! Direct-SP's planner: the path of fewest hops to the node of highest score (Appendix F-F).

use super::{Destinations, Planner, Rewards};
use crate::agent::Situation;
use crate::graph::{Graph, Hops, NodeId};
use crate::index::Index;
use crate::random::Stream;

/// Fewest hops to the most promising node; of equal paths the lowest-numbered next node.
#[derive(Debug, Clone, Default)]
pub struct FewestHops {
    destinations: Destinations,
    rewards: Rewards,
    hops: Hops,
}

impl FewestHops {
    /// A planner that leads to `destinations`.
    pub fn new(destinations: Destinations) -> Self {
        Self { destinations, ..Self::default() }
    }
}

impl Planner for FewestHops {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.rewards.score(now, index, stream);
        let targets = self.rewards.targets(self.destinations);
        self.hops.search(now.graph, targets, Some(now.at));
    }

    fn next(&self, graph: &Graph, node: NodeId) -> NodeId {
        self.hops.next(graph, node)
    }
}

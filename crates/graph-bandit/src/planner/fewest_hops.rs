//! Direct-SP's planner: the path of fewest hops to the node of highest score (Appendix F-F).

use super::{Destinations, Planner, Scores, Way};
use crate::agent::{Situation, Visit};
use crate::graph::{Graph, Hops, NodeId};
use crate::index::Index;
use crate::random::Stream;

/// Fewest hops to the most promising node; of equal paths the lowest-numbered next node.
#[derive(Debug, Clone, Default)]
pub struct FewestHops {
    scores: Scores,
    hops: Hops,
    way: Way,
}

impl FewestHops {
    /// A planner that leads to `destinations`.
    pub fn new(destinations: Destinations) -> Self {
        Self { scores: Scores::new(destinations), ..Self::default() }
    }
}

impl Planner for FewestHops {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.scores.find(now, index, stream);
        self.hops.search(now.graph, self.scores.targets().iter().copied(), Some(now.at));
        self.way.path.clear();
        let mut node = now.at;
        loop {
            let next = self.hops.next(now.graph, node);
            if next == node {
                break;
            }
            self.way.path.push(next);
            node = next;
        }
        self.way.lay(now.at, now.graph.len());
    }

    fn next(&self, _graph: &Graph, node: NodeId) -> NodeId {
        self.way.next(node)
    }

    fn visited(&mut self, visit: &Visit) {
        self.scores.visited(visit);
    }
}

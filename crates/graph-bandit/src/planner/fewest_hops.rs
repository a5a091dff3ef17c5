//! Direct-SP's planner: the path of fewest hops to the node of highest score (Appendix F-F); if
//! roads take time, the fastest path.

use super::{Destinations, Planner, Scores, Way};
use crate::agent::{Situation, Visit};
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::plan::FastestPath;
use crate::random::Stream;

/// Fewest hops to the most promising node; ties go to the lowest-numbered next node. One planner
/// serves one graph.
#[derive(Debug, Clone, Default)]
pub struct FewestHops {
    scores: Scores,
    paths: FastestPath,
    way: Way,
}

impl FewestHops {
    /// A planner for these `destinations`.
    pub fn new(destinations: Destinations) -> Self {
        Self { scores: Scores::new(destinations), ..Self::default() }
    }
}

impl Planner for FewestHops {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.scores.find(now, index, stream);
        self.way.path.clear();
        self.paths.append(now.graph, now.at, self.scores.targets(), &mut self.way.path);
        self.way.lay(now.at, now.graph.len());
    }

    fn next(&self, _graph: &Graph, node: NodeId) -> NodeId {
        self.way.next(node)
    }

    fn visited(&mut self, visit: &Visit) {
        self.scores.visited(visit);
    }

    fn forget_visits(&mut self) {
        self.scores.forget_visits();
    }

    fn forget_graph(&mut self) {
        self.scores.forget_graph();
        self.paths = FastestPath::default();
    }
}

//! The local benchmarks' planner: the most promising node of the neighbourhood (Section V-A).

use super::Planner;
use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::random::Stream;

/// One step to the best neighbour, of equals the first listed; no foresight.
#[derive(Debug, Clone, Default)]
pub struct BestNeighbor {
    best: NodeId,
}

impl Planner for BestNeighbor {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        let mut highest = f64::NEG_INFINITY;
        for &node in now.graph.neighborhood(now.at) {
            let score = index.score_above(highest, now.estimates, node, stream);
            if let Some(score) = score
                && score > highest
            {
                highest = score;
                self.best = node;
            }
        }
    }

    fn next(&self, _graph: &Graph, _node: NodeId) -> NodeId {
        self.best
    }
}

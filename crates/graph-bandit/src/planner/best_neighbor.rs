//! The local benchmarks' planner: the most promising node of the neighbourhood (Section V-A).
//!
//! If roads take time, the score of a neighbour is its reward per unit of time if the agent stayed
//! as long as it has been there before: `n U / (n + tau)` after `n` visits, at least one.

use super::Planner;
use crate::agent::Situation;
use crate::exact::exact;
use crate::graph::{Graph, NodeId, Roads};
use crate::index::Index;
use crate::random::Stream;

/// One step to the best neighbour; ties go to the first listed. No foresight.
#[derive(Debug, Clone, Default)]
pub struct BestNeighbor {
    best: NodeId,
}

impl BestNeighbor {
    fn plan_by_road<I: Index>(
        &mut self,
        now: &Situation<'_>,
        roads: &Roads,
        index: &I,
        stream: &mut Stream,
    ) {
        self.best = now.at;
        let mut highest = f64::NEG_INFINITY;
        let times = &roads.times()[now.graph.row(now.at)];
        for (&node, &time) in now.graph.neighborhood(now.at).iter().zip(times) {
            let score = index.score(now.estimates, node, stream);
            let visits = exact(now.estimates.count(node).max(1));
            // Travel never makes a node more promising, even if its score is negative.
            let rate = if score > 0.0 { score * (visits / (visits + time)) } else { score };
            if rate > highest {
                highest = rate;
                self.best = node;
            }
        }
    }
}

impl Planner for BestNeighbor {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        if let Some(roads) = now.graph.roads() {
            self.plan_by_road(now, roads, index, stream);
            return;
        }
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

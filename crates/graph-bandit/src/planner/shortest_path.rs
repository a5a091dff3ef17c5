//! The paper's planner: the cheapest path to the node of highest score, entering node `s` costing
//! `max U - U(s)` (Algorithm 1).

use super::{Destinations, Planner, Rewards};
use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::plan::CheapestPaths;
use crate::random::Stream;

/// Least total cost on the way to the most promising node.
#[derive(Debug, Clone, Default)]
pub struct ShortestPath {
    destinations: Destinations,
    rewards: Rewards,
    paths: CheapestPaths,
}

impl ShortestPath {
    /// A planner that leads to `destinations`.
    pub fn new(destinations: Destinations) -> Self {
        Self { destinations, ..Self::default() }
    }
}

impl Planner for ShortestPath {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.rewards.score(now, index, stream);
        let rewards = &self.rewards;
        let entry_cost = |s: NodeId| rewards.best - rewards.of[s as usize];
        let targets = rewards.targets(self.destinations);
        self.paths.search(now.graph, entry_cost, targets, Some(now.at));
    }

    fn next(&self, _graph: &Graph, node: NodeId) -> NodeId {
        // On a best node that is no target the walk ends too: "while U(s) < max U".
        if self.rewards.is_best(node) { node } else { self.paths.next(node) }
    }
}

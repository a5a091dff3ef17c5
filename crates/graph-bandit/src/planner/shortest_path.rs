//! The paper's planner: the cheapest path to the node of highest score, entering node `s` costing
//! `max U - U(s)` (Algorithm 1).

use super::{Destinations, Planner, Scores, Way};
use crate::agent::{Situation, Visit};
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::plan::CheapestPaths;
use crate::random::Stream;

/// Least total cost on the way to the most promising node.
#[derive(Debug, Clone, Default)]
pub struct ShortestPath {
    scores: Scores,
    paths: CheapestPaths,
    way: Way,
}

impl ShortestPath {
    /// A planner that leads to `destinations`.
    pub fn new(destinations: Destinations) -> Self {
        Self { scores: Scores::new(destinations), ..Self::default() }
    }
}

impl Planner for ShortestPath {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.scores.find(now, index, stream);
        let cost = |s: NodeId| self.scores.cost(now.estimates, s);
        self.way.path.clear();
        let mut node = now.at;
        if cost(node) > 0.0 {
            let targets = self.scores.targets().iter().copied();
            self.paths.search(now.graph, cost, targets, Some(node));
        }
        // On a best node that is no target the walk ends too: "while U(s) < max U".
        while cost(node) > 0.0 {
            node = self.paths.next(node);
            self.way.path.push(node);
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

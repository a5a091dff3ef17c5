//! The oracle: it knows the means, takes the cheapest path to the best node, and stays.

use crate::agent::{Agent, Footing, RemembersEdges, Situation};
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::plan::{CheapestPath, RoadCosts};
use crate::raised::Raised;
use crate::random::Stream;
use crate::world::World;
use std::collections::VecDeque;

/// An agent that knows the mean of every node and so never explores. Its regret is the lowest that
/// Algorithm 1 of the paper can reach.
///
/// If means change over time, it knows the means at the start of the run. If closed roads cut off
/// every best node, it goes to the best node it can reach and plans again after every visit.
#[derive(Debug, Clone)]
pub struct Oracle {
    means: Vec<f64>,
    paths: CheapestPath,
}

impl Oracle {
    /// Its name in studies.
    pub const NAME: &str = "oracle";
    /// A one-line summary.
    pub const SUMMARY: &str =
        "Oracle: knows the means, takes the cheapest path to the best node and stays";
    /// What it does, in a few plain sentences.
    pub const ABOUT: &str = "It knows the mean of every node, so it never explores: it takes the \
        cheapest path to the best node and stays there. Its regret is the cost of that path, which \
        no agent can avoid. Measure other agents against it. Where means change, it goes to the \
        node that is best at the beginning and stays there; other agents can do better then. It takes part in `gbandit run` and in \
        studies of Python. It cannot be served: where rewards come from outside, the means are \
        unknown.";

    /// The oracle of a world.
    pub fn of(world: &World) -> Self {
        Self::new(world.means().to_vec())
    }

    /// An oracle that believes node `s` pays `means[s]`.
    ///
    /// # Panics
    /// When it is asked for a leg on a graph with more nodes than means.
    pub fn new(means: Vec<f64>) -> Self {
        Self { means, paths: CheapestPath::default() }
    }

    fn highest(&self, nodes: impl Iterator<Item = NodeId>) -> f64 {
        nodes.map(|node| self.means[node as usize]).fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Agent for Oracle {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let within_reach = reachable(now.graph, now.at);
        let top = self.highest(within_reach.iter().copied());
        let best = within_reach.into_iter().filter(|&node| self.means[node as usize] == top);
        let best: Vec<NodeId> = best.collect();
        let targets = best.iter().copied();
        // An unreachable node may be better than all others; no reachable one is best.
        let entry = |node: NodeId| (top - self.means[node as usize]).max(0.0);
        let path = if now.graph.roads().is_some() {
            let costs = RoadCosts { entry, time: top.max(0.0) };
            self.paths.find_by_road(now.graph, &costs, targets, now.at)
        } else {
            self.paths.find(now.graph, entry, targets, now.at)
        };
        leg.path.clear();
        leg.path.extend_from_slice(path);
        let is_best_of_all = top == self.highest(now.graph.nodes());
        leg.stay = if is_best_of_all { u64::MAX } else { u64::from(leg.path.is_empty()) };
        Ok(())
    }

    fn change_graph(&mut self, _graph: &Graph) -> Result<(), RemembersEdges> {
        self.paths = CheapestPath::default();
        Ok(())
    }

    /// It stores means by node number.
    fn footing(&self) -> Footing {
        Footing::Parts
    }
}

/// All nodes that a walker on `at` can reach, by number.
fn reachable(graph: &Graph, at: NodeId) -> Vec<NodeId> {
    let mut is_reached = vec![false; graph.len()];
    is_reached[at as usize] = true;
    let mut waiting = VecDeque::from([at]);
    while let Some(node) = waiting.pop_front() {
        for &next in graph.neighborhood(node) {
            if !std::mem::replace(&mut is_reached[next as usize], true) {
                waiting.push_back(next);
            }
        }
    }
    graph.nodes().filter(|&node| is_reached[node as usize]).collect()
}

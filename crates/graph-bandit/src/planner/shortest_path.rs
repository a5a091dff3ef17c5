//! The paper's planner: the cheapest path to the node of highest score. Entering node `s` costs
//! `max U - U(s)` (Algorithm 1), and a unit of travel time `max(max U, 0)`.

use super::{Destinations, Planner, Scores, Way};
use crate::agent::{Situation, Visit};
use crate::graph::{Graph, NodeId, TreePaths};
use crate::index::Index;
use crate::plan::{CheapestPath, RingPaths, RoadCosts};
use crate::random::Stream;

/// Least total cost to the most promising node. One planner serves one graph.
#[derive(Debug, Clone, Default)]
pub struct ShortestPath {
    scores: Scores,
    ways: Ways,
    paths: CheapestPath,
    way: Way,
}

/// The kind of graph.
#[derive(Debug, Clone, Default)]
enum Ways {
    #[default]
    Unknown,
    /// Two nodes have one path between them, whatever it costs.
    Tree(TreePaths),
    /// Two nodes have two paths between them.
    Ring(RingPaths),
    Many,
    /// There may be many paths, and some roads run one way or take time.
    Roads,
}

impl Ways {
    fn of(graph: &Graph) -> Self {
        if graph.roads().is_some() {
            return Self::Roads;
        }
        let ring = || RingPaths::new(graph).map(Self::Ring);
        TreePaths::new(graph).map(Self::Tree).or_else(ring).unwrap_or(Self::Many)
    }
}

impl ShortestPath {
    /// A planner for these `destinations`.
    pub fn new(destinations: Destinations) -> Self {
        Self { scores: Scores::new(destinations), ..Self::default() }
    }
}

impl Planner for ShortestPath {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.scores.find(now, index, stream);
        let cost = |s: NodeId| self.scores.cost(now.estimates, s);
        let path = &mut self.way.path;
        path.clear();
        if cost(now.at) > 0.0 {
            if matches!(self.ways, Ways::Unknown) {
                self.ways = Ways::of(now.graph);
            }
            let only_best = self.scores.only_best();
            match (&self.ways, self.scores.targets()) {
                (Ways::Tree(tree), &[target]) => tree.path(now.at, target, path),
                (Ways::Ring(ring), &[target]) if ring.append(cost, (now.at, target), path) => {}
                // Next to the only node that is free to enter, no other path is free.
                (Ways::Many, &[target])
                    if only_best == Some(target) && now.graph.allows(now.at, target) =>
                {
                    path.push(target);
                }
                (Ways::Roads, targets) => {
                    let costs = RoadCosts { entry: cost, time: self.scores.price_of_time() };
                    let targets = targets.iter().copied();
                    let found = self.paths.find_by_road(now.graph, &costs, targets, now.at);
                    path.extend_from_slice(found);
                }
                (_, targets) => {
                    let targets = targets.iter().copied();
                    path.extend_from_slice(self.paths.find(now.graph, cost, targets, now.at));
                }
            }
            // The walk also ends on a best node that is not a target: "while U(s) < max U".
            if let Some(last) = path.iter().position(|&s| cost(s) == 0.0) {
                path.truncate(last + 1);
            }
        }
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
        self.ways = Ways::Unknown;
        self.paths = CheapestPath::default();
    }
}

//! Planners: which way to go, given how promising the nodes are.

mod best_neighbor;
mod fewest_hops;
mod shortest_path;
mod value_iteration;

pub use best_neighbor::BestNeighbor;
pub use fewest_hops::FewestHops;
pub use shortest_path::ShortestPath;
pub use value_iteration::{PolicyValues, SweepCap, ValueIteration};

use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::random::Stream;
use serde::{Deserialize, Serialize};

/// Turns scores into a stationary policy for one leg.
pub trait Planner {
    /// Plans from where the agent stands. Scores are pulled from the index, so that a planner that
    /// looks at five nodes pays for five.
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream);

    /// Where the plan leads from `node`; `node` itself where it stays. Defined for every node that
    /// the plan leads to from where it was made.
    fn next(&self, graph: &Graph, node: NodeId) -> NodeId;
}

/// Which of several nodes of equal highest score a plan may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Destinations {
    /// Any of them, whichever is nearest.
    #[default]
    AllBest,
    /// Only the lowest number, as in the authors' program.
    FirstBest,
}

/// The scores of all nodes, as finite rewards to plan with.
#[derive(Debug, Clone, Default)]
struct Rewards {
    of: Vec<f64>,
    best: f64,
}

impl Rewards {
    /// Scores every node.
    ///
    /// Where some scores are infinite, visited nodes are all alike beside them: infinite scores
    /// become 1 and all others 0, so that plans lead to the nearest unvisited node.
    fn score<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.of.clear();
        match index.reach() {
            Some(x) => self.of.extend(now.estimates.all().iter().map(|seen| seen.bound(x))),
            None => {
                let score = |node| index.score(now.estimates, node, stream);
                self.of.extend(now.graph.nodes().map(score));
            }
        }
        let higher = |a: f64, b: f64| if b > a { b } else { a };
        self.best = self.of.iter().copied().fold(f64::NEG_INFINITY, higher);
        if self.best == f64::INFINITY {
            for reward in &mut self.of {
                *reward = f64::from(u8::from(*reward == f64::INFINITY));
            }
            self.best = 1.0;
        }
    }

    fn is_best(&self, node: NodeId) -> bool {
        self.of[node as usize] == self.best
    }

    /// The nodes that the plan may lead to.
    fn targets(&self, destinations: Destinations) -> impl Iterator<Item = NodeId> {
        let best = (0..self.of.len() as NodeId).filter(|&s| self.is_best(s));
        best.take(match destinations {
            Destinations::AllBest => usize::MAX,
            Destinations::FirstBest => 1,
        })
    }
}

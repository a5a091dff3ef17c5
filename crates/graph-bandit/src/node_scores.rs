//! How promising nodes look at one moment, computed only where somebody looks.
//!
//! The service explains an order with the scores of two nodes: where it leads, and the highest of
//! the others. On large graphs, a list of all scores takes longer than the order.

use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::index::ExpectedImprovement;

/// Scores of all nodes at one moment; see [`Agent::node_scores`](crate::Agent::node_scores).
#[derive(Debug, Clone)]
pub struct NodeScores(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Listed(Vec<f64>),
    Improvements(Box<ExpectedImprovement>),
}

impl From<Vec<f64>> for NodeScores {
    /// Scores that were computed already, by node number.
    fn from(scores: Vec<f64>) -> Self {
        Self(Kind::Listed(scores))
    }
}

impl NodeScores {
    /// Improvements on the leader that `scores` has found.
    pub(crate) fn improvements(scores: &ExpectedImprovement) -> Self {
        Self(Kind::Improvements(Box::new(scores.as_found())))
    }

    /// The score of a node. `estimates` are those of the moment at which the agent was asked.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn of(&self, estimates: &Estimates, node: NodeId) -> f64 {
        match &self.0 {
            Kind::Listed(scores) => scores[node as usize],
            Kind::Improvements(scores) => scores.of(estimates, node),
        }
    }

    /// The nodes that share the highest score of the nodes in `among`, ascending; none if `among`
    /// is empty or all its scores are NaN. `estimates` are those of the moment at which the agent
    /// was asked.
    pub fn highest(&self, estimates: &Estimates, among: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let mut podium = Podium::default();
        match &self.0 {
            Kind::Listed(scores) => {
                for (node, &score) in (0..).zip(scores) {
                    if score >= podium.score && among(node) {
                        podium.take(node, score);
                    }
                }
            }
            Kind::Improvements(scores) => {
                let mut means = scores.means_reaching(podium.score);
                for (node, seen) in (0..).zip(estimates.all()) {
                    // Most nodes end here.
                    if seen.mean < means.least || !among(node) {
                        continue;
                    }
                    if scores.between(estimates, node).1 < podium.score {
                        continue;
                    }
                    podium.take(node, scores.of(estimates, node));
                    if means.is_behind(podium.score) {
                        means = scores.means_reaching(podium.score);
                    }
                }
            }
        }
        podium.nodes
    }
}

/// The nodes of the highest score so far.
struct Podium {
    score: f64,
    nodes: Vec<NodeId>,
}

impl Default for Podium {
    fn default() -> Self {
        Self { score: f64::NEG_INFINITY, nodes: Vec::new() }
    }
}

impl Podium {
    fn take(&mut self, node: NodeId, score: f64) {
        if score > self.score {
            self.score = score;
            self.nodes.clear();
        }
        if score == self.score {
            self.nodes.push(node);
        }
    }
}

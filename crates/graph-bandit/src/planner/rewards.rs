//! The scores of all nodes, as finite rewards to plan with.

use crate::agent::Situation;
use crate::index::Index;
use crate::random::Stream;

/// A reward for every node, and the highest.
#[derive(Debug, Clone, Default)]
pub(super) struct Rewards {
    pub(super) of: Vec<f64>,
    pub(super) best: f64,
}

impl Rewards {
    /// Scores every node.
    ///
    /// Where some scores are infinite, visited nodes are all alike beside them: infinite scores
    /// become 1 and all others 0, so that plans lead to the nearest unvisited node.
    pub(super) fn score<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.of.clear();
        if let Some(x) = index.reach() {
            self.of.extend(now.estimates.all().iter().map(|seen| seen.bound(x)));
        } else {
            let score = |node| index.score(now.estimates, node, stream);
            self.of.extend(now.graph.nodes().map(score));
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
}

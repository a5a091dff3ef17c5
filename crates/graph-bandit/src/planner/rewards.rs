//! The scores of all nodes, as finite rewards to plan with.

use crate::agent::Situation;
use crate::graph::NodeId;
use crate::index::Index;
use crate::plan::highest;
use crate::random::Stream;

/// Rewards compared in parallel.
const LANES: usize = 8;

/// A reward for every node, and the highest one.
#[derive(Debug, Clone, Default)]
pub(super) struct Rewards {
    pub(super) of: Vec<f64>,
    pub(super) best: f64,
}

impl Rewards {
    /// Scores every node.
    ///
    /// If some scores are infinite, the visited nodes do not matter: infinite scores become 1 and
    /// all others 0, so that plans lead to the nearest unvisited node.
    pub(super) fn score<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.of.clear();
        if let Some(x) = index.reach() {
            self.of.extend(now.estimates.all().iter().map(|seen| seen.bound(x)));
        } else {
            let score = |node| index.score(now.estimates, node, stream);
            self.of.extend(now.graph.nodes().map(score));
        }
        self.best = highest(&self.of);
        if self.best == f64::INFINITY {
            for reward in &mut self.of {
                *reward = f64::from(u8::from(*reward == f64::INFINITY));
            }
            self.best = 1.0;
        }
    }

    /// The nodes of highest reward, ascending.
    #[inline]
    pub(super) fn best_nodes(&self) -> impl Iterator<Item = NodeId> + Clone + '_ {
        // One branch for several nodes at once: hardly any is best.
        let several = (0..).step_by(LANES).zip(self.of.chunks(LANES));
        let with_best = several.filter(|(_, several)| {
            several.iter().filter(|&&reward| reward == self.best).count() > 0
        });
        with_best.flat_map(|(first, several)| {
            let nodes = (first..).zip(several);
            nodes.filter(|&(_, &reward)| reward == self.best).map(|(node, _)| node)
        })
    }
}

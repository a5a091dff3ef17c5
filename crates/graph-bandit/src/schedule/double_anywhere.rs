//! UCRL2's doubling: follow the plan until the samples of any node on the way double (Algorithm 3).
//!
//! The inner loop printed in Algorithm 3 would collect at every node until it doubles. Appendix F-D
//! says what is meant: the agent moves by the policy at each step, and the leg (the paper's
//! "episode") ends as soon as some node has doubled.

use super::Schedule;
use crate::agent::Situation;
use crate::graph::NodeId;
use crate::leg::Leg;
use crate::planner::Planner;

/// What is compared to `max(1, n)`, where `n` is a node's visits when the leg began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counting {
    /// Visits to a node: the leg ends with the visit that reaches the limit. The paper.
    #[default]
    Arrivals,
    /// Moves made from a node: the leg ends when the next one would pass the limit. The authors'
    /// program.
    Departures,
}

/// Follows the plan until some node doubles.
#[derive(Debug, Clone, Default)]
pub struct DoubleAnywhere {
    counting: Counting,
    /// Arrivals or departures in this leg; zero between legs.
    counts: Vec<u64>,
}

impl DoubleAnywhere {
    /// A schedule that counts in this way.
    pub fn new(counting: Counting) -> Self {
        Self { counting, counts: Vec::new() }
    }

    fn forget(&mut self, at: NodeId, path: &[NodeId]) {
        for &node in std::iter::once(&at).chain(path) {
            self.counts[node as usize] = 0;
        }
    }
}

impl Schedule for DoubleAnywhere {
    fn commit<P: Planner>(&mut self, now: &Situation<'_>, planner: &P, leg: &mut Leg) {
        self.counts.resize(now.graph.len(), 0);
        let limit = |node: NodeId| now.estimates.count(node).max(1);
        let mut node = now.at;
        loop {
            let next = planner.next(now.graph, node);
            if next == node {
                // The rest of the leg in one piece; a stay is both a departure and an arrival.
                leg.stay = limit(node) - self.counts[node as usize];
                break;
            }
            let counted = match self.counting {
                Counting::Arrivals => next,
                Counting::Departures => node,
            };
            self.counts[counted as usize] += 1;
            leg.path.push(next);
            node = next;
            if self.counts[node as usize] >= limit(node) {
                break;
            }
        }
        self.forget(now.at, &leg.path);
    }
}

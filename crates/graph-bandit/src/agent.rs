//! What an agent is: it answers with a leg, and may watch what its visits paid.

use crate::estimates::{Estimates, Sample};
use crate::graph::{Graph, NodeId};
use crate::random::Stream;
use serde::{Deserialize, Serialize};

/// A commitment: walk `path`, collecting at each node entered, then collect `stay` more times where
/// the path ends.
///
/// An agent fills in the leg it is handed instead of returning one, so that a million one-visit
/// legs share one allocation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Leg {
    /// The nodes to enter in turn; the node the agent stands on is not among them.
    pub path: Vec<NodeId>,
    /// Further visits at the last node of the path, or where the agent stands if there is no path.
    pub stay: u64,
}

impl Leg {
    /// Makes this the leg of one visit to `node`, a neighbour of `at` or `at` itself.
    #[inline]
    pub fn visit_once(&mut self, at: NodeId, node: NodeId) {
        self.path.clear();
        self.stay = u64::from(node == at);
        if node != at {
            self.path.push(node);
        }
    }

    /// How many rewards the leg collects; a stay of `u64::MAX` is one without end.
    pub fn visits(&self) -> u64 {
        self.stay.saturating_add(self.path.len() as u64)
    }

    /// Where the leg ends when it starts on `at`.
    pub fn destination(&self, at: NodeId) -> NodeId {
        self.path.last().copied().unwrap_or(at)
    }
}

/// All that an agent may look at when it decides.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The graph it walks.
    pub graph: &'a Graph,
    /// The node it stands on.
    pub at: NodeId,
    /// Every reward so far.
    pub estimates: &'a Estimates,
}

/// Consecutive visits to one node, and what they paid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// The node the agent came from, equal to `node` when it stayed.
    pub from: NodeId,
    /// The node visited.
    pub node: NodeId,
    /// The rewards of these visits alone.
    pub sample: Sample,
    /// Whose idea the visit was.
    pub phase: Phase,
}

/// Whether a visit belongs to initialization or to the agent's own legs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Initialization: every node is to be visited once.
    Cover,
    /// The agent decides.
    Learn,
}

/// A learner on a graph.
pub trait Agent {
    /// Fills in the next leg: a legal walk of at least one visit.
    fn next_leg(&mut self, now: &Situation<'_>, stream: &mut Stream, leg: &mut Leg);

    /// Hears what visits paid, for agents that remember more than `now.estimates` holds. `now` is
    /// the situation after them.
    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) {
        let _ = (now, visit);
    }
}

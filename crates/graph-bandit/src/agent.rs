//! What an agent is: it answers with a leg, and may watch what its visits paid.

use crate::estimates::{Estimates, MAX_VISITS, Sample};
use crate::graph::{Graph, NodeId};
use crate::random::Stream;
use serde::{Deserialize, Serialize};
use thiserror::Error;

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

    /// How promising every node looks now, by number: the scores the next plan would be made of.
    /// `None` for agents that have no such numbers. What is random in them is read off `stream`,
    /// a copy of the agent's own, so that looking changes nothing.
    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        let _ = (now, stream);
        None
    }

    /// What the agent remembers beyond the estimates; nothing, unless it learns in
    /// [`observe`](Self::observe).
    fn memory(&self) -> Memory {
        Memory::default()
    }

    /// Takes back what [`memory`](Self::memory) gave; a fresh agent that does goes on as the one
    /// that gave it would have.
    ///
    /// # Errors
    /// When it is no memory of such an agent; the agent is unchanged then.
    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        memory.expect(0, 0).map(|_| ())
    }
}

/// What an agent remembers, in a form that can be stored.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Memory {
    /// What it learned.
    pub values: Vec<f64>,
    /// What it counted.
    pub counts: Vec<u64>,
}

/// A memory of another agent, or none.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// Of another size.
    #[error(
        "the agent's memory holds {values} values and {counts} counts, this agent on this graph has \
         {expected_values} and {expected_counts}"
    )]
    WrongSize {
        /// How many values there are.
        values: usize,
        /// How many counts.
        counts: usize,
        /// How many values there should be.
        expected_values: usize,
        /// How many counts.
        expected_counts: usize,
    },
    /// A count beyond what a session can count.
    #[error("count {position} of the agent's memory is {count}, above {MAX_VISITS}")]
    TooMany {
        /// Which.
        position: usize,
        /// What it is.
        count: u64,
    },
    /// A value that no agent learns.
    #[error("value {position} of the agent's memory is {value}, not a finite number")]
    NotFinite {
        /// Which.
        position: usize,
        /// What it is.
        value: f64,
    },
}

impl Memory {
    /// The memory itself, when it is of that size and its numbers are such as agents have.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn expect(&self, values: usize, counts: usize) -> Result<&Self, MemoryError> {
        if self.values.len() != values || self.counts.len() != counts {
            return Err(MemoryError::WrongSize {
                values: self.values.len(),
                counts: self.counts.len(),
                expected_values: values,
                expected_counts: counts,
            });
        }
        if let Some(position) = self.values.iter().position(|value| !value.is_finite()) {
            return Err(MemoryError::NotFinite { position, value: self.values[position] });
        }
        if let Some(position) = self.counts.iter().position(|&count| count > MAX_VISITS) {
            return Err(MemoryError::TooMany { position, count: self.counts[position] });
        }
        Ok(self)
    }
}

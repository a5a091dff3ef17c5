//! Detectors: whether the mean of one node has changed, judged by its rewards in order.

mod cusum;
mod glr;
mod halves;

pub use cusum::Cusum;
pub use glr::Glr;
pub use halves::Halves;

use crate::clock::Visits;
use crate::memory::{Memory, MemoryError, Reader};
use std::fmt::Debug;

/// What a detector says after a reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing speaks for a change.
    Same,
    /// The mean has changed.
    Changed,
}

impl Verdict {
    /// `Changed` if `has_changed`.
    pub fn of(has_changed: bool) -> Self {
        if has_changed { Self::Changed } else { Self::Same }
    }
}

/// Judges whether the mean of a node has changed since its record began.
pub trait Detector: Clone {
    /// What is kept per node; it begins empty, and again after each restart of the node.
    type Record: Record;

    /// Adds a reward to the record of its node, when all nodes together have `t` visits.
    fn observe(&self, record: &mut Self::Record, reward: f64, t: Visits) -> Verdict;
}

/// A detector's record of one node.
pub trait Record: Debug + Clone + PartialEq + Default {
    /// Appends the record to a memory.
    fn store(&self, memory: &mut Memory);

    /// Reads a record that [`store`](Self::store) wrote.
    ///
    /// # Errors
    /// When no rewards leave such a record.
    fn recall(stored: &mut Reader<'_>) -> Result<Self, MemoryError>;
}

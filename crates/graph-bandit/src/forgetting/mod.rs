//! What an agent still remembers of its rewards, where means change.
//!
//! A [`Recollection`] observes every visit and keeps the [`Estimates`] that still count. A
//! [`Forgetful`](crate::agents::Forgetful) agent shows them to its index, planner and schedule in
//! place of all rewards. A node of which nothing counts any more is unvisited.

mod discount;
mod restarts;
mod restarts_at;
mod window;

pub use discount::Discount;
pub use restarts::{Restarts, Scope};
pub use restarts_at::{Moments, RestartsAt};
pub use window::Window;

use crate::agent::{Situation, Visit};
use crate::estimates::Estimates;
use crate::memory::{Memory, MemoryError, Reader};
use crate::raised::Raised;
use std::borrow::Cow;

/// What was forgotten at a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgot {
    /// Nothing.
    Nothing,
    /// Some of what was known, as time passes.
    Gradually,
    /// Everything about some nodes, because means have changed: plans made before are outdated.
    Suddenly,
}

/// What an agent still remembers of its rewards.
pub trait Recollection: Clone {
    /// Observes one visit; `now` is the situation after it.
    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Forgot;

    /// What still counts.
    fn estimates(&self) -> &Estimates;

    /// Brings the estimates up to date, before a plan. Must not change what
    /// [`store`](Self::store) stores.
    fn refresh(&mut self) {}

    /// The estimates as [`refresh`](Self::refresh) would leave them.
    fn refreshed(&self) -> Cow<'_, Estimates> {
        Cow::Borrowed(self.estimates())
    }

    /// How many visits to all nodes were observed since each node was last restarted; `None` if
    /// nodes are not restarted one by one.
    fn ages(&mut self) -> Option<&[u64]> {
        None
    }

    /// Whether it forgets suddenly only because a detector has found a change.
    fn finds_changes(&self) -> bool {
        false
    }

    /// Learns when means change; see [`Agent::reveal`](crate::Agent::reveal).
    fn reveal(&mut self, changes: &[f64]) {
        let _ = changes;
    }

    /// Whether it knows all it needs to go on.
    ///
    /// # Errors
    /// When it does not.
    fn ready(&self) -> Result<(), Raised> {
        Ok(())
    }

    /// Appends everything observed to a memory.
    fn store(&self, memory: &mut Memory);

    /// The same recollection with what [`store`](Self::store) stored.
    ///
    /// # Errors
    /// When the memory is not of such a recollection on this graph.
    fn recall(&self, stored: &mut Reader<'_>) -> Result<Self, MemoryError>;
}

/// Appends the totals of all nodes.
fn store_estimates(estimates: &Estimates, memory: &mut Memory) {
    for sample in estimates.samples() {
        memory.push_sample(sample);
    }
}

/// Reads the totals of `nodes` nodes.
fn recall_estimates(nodes: usize, stored: &mut Reader<'_>) -> Result<Estimates, MemoryError> {
    let samples: Result<Vec<_>, _> = (0..nodes).map(|_| stored.sample()).collect();
    Estimates::try_from(samples?).map_err(|_| stored.impossible())
}

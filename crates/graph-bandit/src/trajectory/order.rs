//! What a walker is to do next.

use crate::agent::Phase;
use crate::graph::NodeId;
use crate::leg;

/// What is left of a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order<'a> {
    /// Where the walker stands.
    pub at: NodeId,
    /// The next node to enter; `at` when staying.
    pub node: NodeId,
    /// The nodes still to enter, `node` first; none when staying.
    pub path: &'a [NodeId],
    /// Visits still to make where the path ends, its arrival not counted.
    pub stay: u64,
    /// Whether the leg covers the graph or is the agent's own.
    pub phase: Phase,
}

impl<'a> Order<'a> {
    /// How many visits are left.
    pub fn visits(&self) -> u64 {
        self.stay.saturating_add(self.path.len() as u64)
    }

    /// Where the leg ends.
    pub fn destination(&self) -> NodeId {
        self.path.last().copied().unwrap_or(self.at)
    }

    /// The nodes of the visits that are left, in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + 'a {
        leg::nodes(self.at, self.path, self.stay)
    }
}

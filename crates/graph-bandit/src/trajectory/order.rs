//! What a walker is to do next.

use crate::agent::Phase;
use crate::graph::NodeId;
use crate::leg;

/// What is left of a leg: to look at, with a `Path` that is lent, or [`kept`](Order::kept).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order<Path = Vec<NodeId>> {
    /// Where the walker stands.
    pub at: NodeId,
    /// The next node to enter; `at` when staying.
    pub node: NodeId,
    /// The nodes still to enter, `node` first; none when staying.
    pub path: Path,
    /// Visits still to make where the path ends, its arrival not counted.
    pub stay: u64,
    /// Whether the leg covers the graph or is the agent's own.
    pub phase: Phase,
}

impl Order<&[NodeId]> {
    /// The same order, whatever happens to the walker.
    pub fn kept(self) -> Order {
        let Self { at, node, path, stay, phase } = self;
        Order { at, node, path: path.to_vec(), stay, phase }
    }
}

impl<Path: AsRef<[NodeId]>> Order<Path> {
    /// How many visits are left.
    pub fn visits(&self) -> u64 {
        self.stay.saturating_add(self.path.as_ref().len() as u64)
    }

    /// Where the leg ends.
    pub fn destination(&self) -> NodeId {
        self.path.as_ref().last().copied().unwrap_or(self.at)
    }

    /// The nodes of the visits that are left, in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        leg::nodes(self.at, self.path.as_ref(), self.stay)
    }
}

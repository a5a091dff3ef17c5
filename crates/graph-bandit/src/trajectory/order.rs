//! A walker's next order.

use crate::agent::Phase;
use crate::graph::NodeId;
use crate::leg;

/// The rest of a leg, with a borrowed `Path` to look at, or an owned one ([`kept`](Order::kept)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order<Path = Vec<NodeId>> {
    /// Where the walker stands.
    pub at: NodeId,
    /// The next node to enter; `at` when staying.
    pub node: NodeId,
    /// The nodes still to enter, `node` first; empty when staying.
    pub path: Path,
    /// Visits still to make at the end of the path, after the arrival.
    pub stay: u64,
    /// Whether the leg covers the graph or is the agent's own.
    pub phase: Phase,
}

impl Order<&[NodeId]> {
    /// An owned copy, independent of the walker.
    pub fn kept(self) -> Order {
        let Self { at, node, path, stay, phase } = self;
        Order { at, node, path: path.to_vec(), stay, phase }
    }
}

impl<Path: AsRef<[NodeId]>> Order<Path> {
    /// The number of visits left.
    pub fn visits(&self) -> u64 {
        self.stay.saturating_add(self.path.as_ref().len() as u64)
    }

    /// Where the leg ends.
    pub fn destination(&self) -> NodeId {
        self.path.as_ref().last().copied().unwrap_or(self.at)
    }

    /// The nodes of the remaining visits, in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        leg::nodes(self.at, self.path.as_ref(), self.stay)
    }
}

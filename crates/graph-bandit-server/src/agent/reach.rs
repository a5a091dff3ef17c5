//! Which nodes the walker can go to while edges are blocked.

use super::Live;
use graph_bandit::{Field, NodeId};

/// The nodes that blocked edges cut off from where the walker stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside(Vec<NodeId>);

impl SetAside {
    /// Those of a field whose walker stands on `at`.
    pub(super) fn of(field: &Field, at: NodeId) -> Self {
        Self(field.set_aside(at))
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// Whether a node is one of them.
    pub fn has(&self, node: NodeId) -> bool {
        self.0.binary_search(&node).is_ok()
    }
}

impl Live {
    /// Whether blocked edges cut nodes off, wherever the walker is. No agent of the first format knew that.
    pub fn falls_apart(&self) -> bool {
        !self.session.graph().is_connected()
    }

    /// The nodes that cannot be reached now: what is known of them is kept, and orders do not lead there.
    pub fn set_aside(&self) -> SetAside {
        SetAside::of(self.session.field(), self.session.at())
    }
}

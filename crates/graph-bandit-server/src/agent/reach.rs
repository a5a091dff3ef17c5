//! Which nodes the walker can go to while edges are blocked.

use super::Live;
use graph_bandit::team::TeamSession;
use graph_bandit::{Field, NodeId};

/// The nodes that blocked edges cut off from the walker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside(Vec<NodeId>);

impl SetAside {
    /// The nodes of a field that are cut off from `at`.
    pub(super) fn of(field: &Field, at: NodeId) -> Self {
        Self(field.set_aside(at))
    }

    /// The nodes of a field that are cut off from all of these; none if nobody is there.
    fn of_all(field: &Field, places: impl Iterator<Item = NodeId>) -> Self {
        let cut_off = places.map(|at| field.set_aside(at));
        let both = |a: Vec<NodeId>, b: Vec<NodeId>| {
            a.into_iter().filter(|node| b.binary_search(node).is_ok()).collect()
        };
        Self(cut_off.reduce(both).unwrap_or_default())
    }

    /// The nodes that no walker of a team can reach now.
    pub fn of_team(session: &TeamSession) -> Self {
        let field = session.field();
        if field.closed().is_empty() {
            return Self(Vec::new());
        }
        Self::of_all(field, session.walkers().iter().filter_map(|&walker| session.at(walker).ok()))
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
    /// The nodes that cannot be reached now. Their estimates are kept, and orders do not lead there.
    pub fn set_aside(&self) -> SetAside {
        SetAside::of(self.session.field(), self.session.at())
    }
}

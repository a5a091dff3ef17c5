//! The star: one hub (Section V-A).

use super::{FamilyError, NODES, Size};
use crate::graph::{Graph, NodeId, SelfPlace};
use crate::spec::FamilyEntry;

impl Graph {
    /// Node 0 joined to every other node; `nodes` counts the hub.
    ///
    /// # Errors
    /// When `nodes` is zero or too large.
    pub fn star(nodes: usize) -> Result<Self, FamilyError> {
        Size::of_tree(nodes).check()?;
        let rays = (1..nodes as NodeId).map(|v| (0, v));
        Ok(Self::from_edges(nodes, rays)?)
    }
}

pub(super) static STAR: FamilyEntry = FamilyEntry {
    name: "star",
    summary: "node 0 joined to all others",
    about: "Node 0 is in the middle, joined to all others. Every node is at most two steps away, \
        and every path between two outer nodes leads through the middle.",
    example: "star:100",
    separator: ',',
    parameters: &[&NODES],
    size: |values| Size::of_tree(values.get(&NODES)),
    check: |_values| Ok(()),
    build: |values, _seed| Graph::star(values.get(&NODES)),
    program_self_place: SelfPlace::First,
};

//! The complete graph (Section V-A).

use super::{FamilyError, NODES, Size, clique};
use crate::graph::{Graph, NodeId, SelfPlace};
use crate::spec::FamilyEntry;

impl Graph {
    /// Every two nodes are joined.
    ///
    /// # Errors
    /// When `nodes` is zero, or the nodes or edges are too many.
    pub fn complete(nodes: usize) -> Result<Self, FamilyError> {
        Size::of_pairs(nodes, 1.0).check()?;
        Ok(Self::from_edges(nodes, clique(0, nodes as NodeId))?)
    }
}

pub(super) static COMPLETE: FamilyEntry = FamilyEntry {
    name: "complete",
    summary: "an edge between every two nodes",
    about: "Every node is one step from every other, so travel costs nothing. This is the \
        classical bandit without a graph.",
    example: "complete:100",
    separator: ',',
    parameters: &[&NODES],
    size: |values| Size::of_pairs(values.get(&NODES), 1.0),
    check: |_values| Ok(()),
    build: |values, _seed| Graph::complete(values.get(&NODES)),
    program_self_place: SelfPlace::Ascending,
};

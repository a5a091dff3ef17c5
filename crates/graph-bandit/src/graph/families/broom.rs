//! The broom: a line with leaves at its end (Appendix G).

use super::{FamilyError, NODES, Size, in_range};
use crate::graph::{Graph, MAX_NODES, NodeId, SelfPlace};
use crate::spec::{Count, FamilyEntry};

impl Graph {
    /// A line of `handle` nodes with all other nodes attached to its last one.
    ///
    /// With at least one leaf and a handle of two or more, the diameter is `handle`.
    ///
    /// # Errors
    /// When `nodes` is zero or too large, or `handle` is not from 1 to `nodes`.
    pub fn broom(nodes: usize, handle: usize) -> Result<Self, FamilyError> {
        Size::of_tree(nodes).check()?;
        check(nodes, handle)?;
        let end = handle as NodeId - 1;
        let edges = (1..nodes as NodeId).map(|v| (end.min(v - 1), v));
        Ok(Self::from_edges(nodes, edges)?)
    }
}

const HANDLE: Count = Count {
    name: "handle",
    help: "The number of nodes in the handle",
    when: "The longer the handle, the farther the leaves are from node 0.",
    default: None,
    least: 1,
    most: MAX_NODES,
};

fn check(nodes: usize, handle: usize) -> Result<(), FamilyError> {
    in_range("handle", handle, 1..=nodes)
}

pub(super) static BROOM: FamilyEntry = FamilyEntry {
    name: "broom",
    summary: "a line of HANDLE nodes with all others attached to its end",
    about: "A line (the handle) with all remaining nodes (the leaves) attached to its end. The \
        only path to the leaves is through the handle (Appendix G of the paper).",
    example: "broom:50,6",
    separator: ',',
    parameters: &[&NODES, &HANDLE],
    size: |values| Size::of_tree(values.get(&NODES)),
    check: |values| check(values.get(&NODES), values.get(&HANDLE)),
    build: |values, _seed| Graph::broom(values.get(&NODES), values.get(&HANDLE)),
    program_self_place: SelfPlace::Ascending,
};

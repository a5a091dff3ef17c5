//! The broom: a line with leaves at its end (Appendix G).

use super::{FamilyError, NODES, Size, in_range};
use crate::graph::{Graph, MAX_NODES, NodeId, SelfPlace};
use crate::spec::{Count, FamilyEntry};

impl Graph {
    /// A line of `handle` nodes, the other nodes hung on its last one.
    ///
    /// With at least one node to hang and a handle of two or more, the diameter is `handle`.
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
    help: "How many of the nodes are the handle",
    when: "A longer handle makes the leaves farther from node 0.",
    default: None,
    least: 1,
    most: MAX_NODES,
};

fn check(nodes: usize, handle: usize) -> Result<(), FamilyError> {
    in_range("handle", handle, 1..=nodes)
}

pub(super) static BROOM: FamilyEntry = FamilyEntry {
    name: "broom",
    summary: "a line of HANDLE nodes, the others hung on its last",
    about: "A line whose last node has all remaining nodes hung on it. Cheap leaves are reached only \
        through the handle (Appendix G of the paper).",
    example: "broom:50,6",
    separator: ',',
    parameters: &[&NODES, &HANDLE],
    size: |values| Size::of_tree(values.get(&NODES)),
    check: |values| check(values.get(&NODES), values.get(&HANDLE)),
    build: |values, _seed| Graph::broom(values.get(&NODES), values.get(&HANDLE)),
    program_self_place: SelfPlace::Ascending,
};

//! The tree, filled level by level (Section V-A).

use super::{FamilyError, NODES, Size, in_range};
use crate::graph::{Graph, MAX_NODES, NodeId, SelfPlace};
use crate::spec::{Count, FamilyEntry};

impl Graph {
    /// The tree filled level by level: the parent of node i is `(i - 1) / branching`.
    ///
    /// # Errors
    /// When `nodes` is zero or too large, or `branching` is zero.
    pub fn tree(nodes: usize, branching: usize) -> Result<Self, FamilyError> {
        Size::of_tree(nodes).check()?;
        in_range("branching", branching, 1..=MAX_NODES)?;
        let branching = branching as NodeId;
        let to_parent = (1..nodes as NodeId).map(|v| ((v - 1) / branching, v));
        Ok(Self::from_edges(nodes, to_parent)?)
    }
}

const BRANCHING: Count = Count {
    name: "branching",
    help: "The largest number of children of a node",
    when: "More children make the tree flatter and paths shorter.",
    default: Some(2),
    least: 1,
    most: MAX_NODES,
};

pub(super) static TREE: FamilyEntry = FamilyEntry {
    name: "tree",
    summary: "a tree that is filled level by level; default: two children per node",
    about: "Node 0 is the root. The nodes below it are numbered level by level, and every level \
        is full before the next begins. There is one path between any two nodes.",
    example: "tree:100,3",
    separator: ',',
    parameters: &[&NODES, &BRANCHING],
    size: |values| Size::of_tree(values.get(&NODES)),
    check: |_values| Ok(()),
    build: |values, _seed| Graph::tree(values.get(&NODES), values.get(&BRANCHING)),
    program_self_place: SelfPlace::First,
};

//! The barbell: two complete graphs and a path.

use super::size::pairs;
use super::{FamilyError, Size, clique, in_range};
use crate::graph::{Graph, MAX_NODES, NodeId, SelfPlace};
use crate::spec::{Count, FamilyEntry};

impl Graph {
    /// Two complete graphs of `bell` nodes joined by a path of `path` further nodes.
    ///
    /// The first bell has the lowest numbers, then comes the path, then the second bell, as in
    /// networkx's `barbell_graph`.
    ///
    /// # Errors
    /// When `bell` is below 2, or the nodes or edges are too many.
    pub fn barbell(bell: usize, path: usize) -> Result<Self, FamilyError> {
        in_range("bell", bell, 2..=MAX_NODES)?;
        size(bell, path).check()?;
        let nodes = 2 * bell + path;
        let (first_end, second_start) = (bell as NodeId, (bell + path) as NodeId);
        let edges = clique(0, first_end)
            .chain((first_end..=second_start).map(|v| (v - 1, v)))
            .chain(clique(second_start, nodes as NodeId));
        Ok(Self::from_edges(nodes, edges)?)
    }
}

const BELL: Count = Count {
    name: "bell",
    help: "The number of nodes in each bell",
    when: "The larger the bells, the longer it takes to explore each side.",
    default: None,
    least: 2,
    most: MAX_NODES,
};
const PATH: Count = Count {
    name: "path",
    help: "The number of nodes between the bells",
    when: "A longer path makes it more expensive to change sides.",
    default: None,
    least: 0,
    most: MAX_NODES,
};

fn size(bell: usize, path: usize) -> Size {
    let edges = pairs(bell).saturating_mul(2).saturating_add(path).saturating_add(1);
    Size { nodes: bell.saturating_mul(2).saturating_add(path), edges }
}

pub(super) static BARBELL: FamilyEntry = FamilyEntry {
    name: "barbell",
    summary: "two complete graphs of BELL nodes joined by PATH nodes",
    about: "Two complete graphs (the bells), joined by a path. An agent easily stays on the wrong \
        side, because crossing over costs many poor visits.",
    example: "barbell:15,8",
    separator: ',',
    parameters: &[&BELL, &PATH],
    size: |values| size(values.get(&BELL), values.get(&PATH)),
    check: |_values| Ok(()),
    build: |values, _seed| Graph::barbell(values.get(&BELL), values.get(&PATH)),
    program_self_place: SelfPlace::Ascending,
};

//! The line: 0-1-2-... (Section V-A).

use super::{FamilyError, NODES, Size};
use crate::graph::{Graph, NodeId, SelfPlace};
use crate::spec::FamilyEntry;

impl Graph {
    /// The line 0-1-2-..., drawn from left to right.
    ///
    /// # Errors
    /// When `nodes` is zero or too large.
    pub fn line(nodes: usize) -> Result<Self, FamilyError> {
        Size::of_tree(nodes).check()?;
        let graph = Self::from_edges(nodes, (1..nodes as NodeId).map(|v| (v - 1, v)))?;
        let places = graph.nodes().map(|v| [f64::from(v), 0.0]).collect();
        Ok(graph.with_coordinates(places)?)
    }
}

pub(super) static LINE: FamilyEntry = FamilyEntry {
    name: "line",
    summary: "a line with node 0 at one end",
    about: "The nodes are in a row, 0-1-2-..., so a walker that crosses the line visits every \
        node. Travel is as expensive as it can be: for its size, this is the hardest graph in the \
        paper.",
    example: "line:100",
    separator: ',',
    parameters: &[&NODES],
    size: |values| Size::of_tree(values.get(&NODES)),
    check: |_values| Ok(()),
    build: |values, _seed| Graph::line(values.get(&NODES)),
    program_self_place: SelfPlace::Ascending,
};

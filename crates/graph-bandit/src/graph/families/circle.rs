//! The circle: a line with its ends joined (Section V-A).

use super::{FamilyError, NODES, Size};
use crate::graph::{Graph, NodeId, SelfPlace};
use crate::spec::FamilyEntry;

impl Graph {
    /// The line with its ends joined; one node has no edge, and two have a single edge.
    ///
    /// # Errors
    /// When `nodes` is zero or too large.
    pub fn circle(nodes: usize) -> Result<Self, FamilyError> {
        size(nodes).check()?;
        let last = nodes as NodeId - 1;
        let steps = (0..last).map(|v| (v, v + 1)).chain([(last, 0)]);
        let graph = Self::from_edges(nodes, steps)?;
        let turn = std::f64::consts::TAU / nodes as f64;
        let place = |v| {
            let angle = turn * f64::from(v);
            [libm::cos(angle), libm::sin(angle)]
        };
        let places = graph.nodes().map(place).collect();
        Ok(graph.with_coordinates(places)?)
    }
}

fn size(nodes: usize) -> Size {
    Size { nodes, edges: nodes }
}

pub(super) static CIRCLE: FamilyEntry = FamilyEntry {
    name: "circle",
    summary: "a line with its ends joined",
    about: "A line whose ends are joined: there are two paths to every node.",
    example: "circle:100",
    separator: ',',
    parameters: &[&NODES],
    size: |values| size(values.get(&NODES)),
    check: |_values| Ok(()),
    build: |values, _seed| Graph::circle(values.get(&NODES)),
    program_self_place: SelfPlace::Ascending,
};

//! The robot's ten counties (Section V-B).

use super::{FamilyError, Size};
use crate::graph::{Graph, NodeId, SelfPlace};
use crate::spec::FamilyEntry;

impl Graph {
    /// The ten Arkansas counties of the paper's robot experiment, drawn with y downward.
    ///
    /// # Errors
    /// Never; the signature matches the other families.
    pub fn arkansas() -> Result<Self, FamilyError> {
        let graph = Self::from_edges(COUNTY_COORDINATES.len(), COUNTY_EDGES)?;
        Ok(graph.with_coordinates(COUNTY_COORDINATES.to_vec())?)
    }
}

pub(super) const COUNTY_EDGES: [(NodeId, NodeId); 19] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 5),
    (2, 6),
    (3, 4),
    (3, 5),
    (4, 5),
    (4, 8),
    (5, 6),
    (5, 7),
    (5, 8),
    (6, 7),
    (7, 8),
    (7, 9),
    (8, 9),
];

const COUNTY_COORDINATES: [[f64; 2]; 10] = [
    [110.0, 240.0],
    [60.0, 190.0],
    [175.0, 250.0],
    [130.0, 175.0],
    [100.0, 125.0],
    [200.0, 150.0],
    [250.0, 250.0],
    [260.0, 160.0],
    [180.0, 80.0],
    [270.0, 75.0],
];

pub(super) static ARKANSAS: FamilyEntry = FamilyEntry {
    name: "arkansas",
    summary: "the ten counties of the paper's robot experiment",
    about: "Ten counties of Arkansas; edges join neighbouring counties. Here the paper's robot \
        provides Internet access from the air (Section V-B). The nodes have coordinates.",
    example: "arkansas",
    separator: ',',
    parameters: &[],
    size: |_values| Size { nodes: COUNTY_COORDINATES.len(), edges: COUNTY_EDGES.len() },
    check: |_values| Ok(()),
    build: |_values, _seed| Graph::arkansas(),
    program_self_place: SelfPlace::Ascending,
};

//! Graphs described by a few numbers: those of the paper's experiments and other shapes.
//!
//! One file each: the constructor, the size of the graph, and the entry that specs, JSON and the
//! service read. Sizes are checked by arithmetic before anything is allocated.

mod arkansas;
mod barbell;
mod broom;
mod circle;
mod complete;
mod connected;
mod erdos_renyi;
mod error;
mod geometric;
mod grid;
mod line;
mod size;
mod small_world;
mod star;
mod tree;

pub use error::FamilyError;
pub use size::Size;
pub use small_world::SmallWorld;

use super::{MAX_NODES, NodeId};
use crate::spec::{Count, FamilyEntry};
use std::ops::RangeInclusive;

/// All families of this crate.
pub(crate) const BUILT_IN: &[&FamilyEntry] = &[
    &line::LINE,
    &circle::CIRCLE,
    &star::STAR,
    &tree::TREE,
    &grid::GRID,
    &complete::COMPLETE,
    &broom::BROOM,
    &arkansas::ARKANSAS,
    &barbell::BARBELL,
    &erdos_renyi::ERDOS_RENYI,
    &geometric::GEOMETRIC,
    &small_world::SMALL_WORLD,
];

const NODES: Count = Count {
    name: "nodes",
    help: "The number of nodes",
    when: "More nodes take longer to explore, and cause more regret.",
    default: None,
    least: 1,
    most: MAX_NODES,
};

fn in_range(
    what: &'static str,
    given: usize,
    range: RangeInclusive<usize>,
) -> Result<(), FamilyError> {
    if range.contains(&given) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(FamilyError::OutOfRange { what, given, least, most })
}

fn in_unit(what: &'static str, given: f64) -> Result<(), FamilyError> {
    if (0.0..=1.0).contains(&given) {
        return Ok(());
    }
    Err(FamilyError::NotAProbability { what, given })
}

/// The edges between all nodes from `start` to `end - 1`.
fn clique(start: NodeId, end: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> {
    (start..end).flat_map(move |b| (start..b).map(move |a| (a, b)))
}

#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod tests;

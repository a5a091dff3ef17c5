//! The size of a graph, by arithmetic alone.

use super::FamilyError;
use crate::graph::{GraphError, MAX_EDGES, MAX_NODES};

/// The nodes and edges of a graph that is not built yet: exact, or expected for a random family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of edges.
    pub edges: usize,
}

impl Size {
    /// A tree: one edge fewer than nodes.
    pub(super) fn of_tree(nodes: usize) -> Self {
        Self { nodes, edges: nodes.saturating_sub(1) }
    }

    /// A graph in which each pair of nodes is an edge with this probability.
    pub(super) fn of_pairs(nodes: usize, probability: f64) -> Self {
        // Saturates. NaN becomes zero here and is refused elsewhere.
        Self { nodes, edges: (pairs(nodes) as f64 * probability) as usize }
    }

    /// Checks that a graph may be this large.
    ///
    /// # Errors
    /// When there are no nodes, or too many nodes or edges.
    pub fn check(self) -> Result<(), FamilyError> {
        let Self { nodes, edges } = self;
        match nodes {
            0 => Err(GraphError::Empty.into()),
            1..=MAX_NODES if edges <= MAX_EDGES => Ok(()),
            1..=MAX_NODES => Err(GraphError::TooManyEdges { edges }.into()),
            _ => Err(GraphError::TooManyNodes { nodes }.into()),
        }
    }
}

/// `n (n - 1) / 2`, saturating.
pub(super) fn pairs(nodes: usize) -> usize {
    let pairs = nodes as u128 * (nodes as u128).saturating_sub(1) / 2;
    usize::try_from(pairs).unwrap_or(usize::MAX)
}

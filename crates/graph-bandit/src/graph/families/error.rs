//! Why a family cannot build a graph.

use super::SmallWorld;
use crate::digits::Digits;
use crate::graph::GraphError;
use thiserror::Error;

/// Why a family has no graph for these parameters.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// The graph would be empty or too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A whole number is outside its range.
    #[error("{what} is {given}; it must be from {least} to {most}")]
    OutOfRange {
        /// The name of the parameter.
        what: &'static str,
        /// Its value.
        given: usize,
        /// The least value allowed.
        least: usize,
        /// The greatest value allowed.
        most: usize,
    },
    /// A probability is not from 0 to 1.
    #[error("{what} is {}; it must be from 0 to 1", Digits(*given))]
    NotAProbability {
        /// The name of the parameter.
        what: &'static str,
        /// Its value.
        given: f64,
    },
    /// A radius is negative, infinite or not a number.
    #[error("radius is {}; it must be a finite number, 0 or more", Digits(*given))]
    NotARadius {
        /// The value.
        given: f64,
    },
    /// Graphs with these parameters are disconnected.
    #[error(
        "{tries} draws of {nodes} nodes with {what} {} were all disconnected; {} is enough ({formula})",
        Digits(*given),
        Digits(*enough)
    )]
    NeverConnected {
        /// The number of nodes.
        nodes: usize,
        /// The parameter that is too low.
        what: &'static str,
        /// Its value.
        given: f64,
        /// The number of graphs drawn.
        tries: u64,
        /// A value that makes a connected draw almost certain.
        enough: f64,
        /// The formula of that value.
        formula: &'static str,
    },
    /// Small worlds with these parameters are disconnected.
    #[error(
        "{tries} draws of {} nodes with neighbors {} and rewiring {} were all disconnected; \
         use neighbors 4 or more, or less rewiring",
        small_world.nodes, small_world.neighbors, Digits(small_world.rewiring)
    )]
    NeverConnectedSmallWorld {
        /// The parameters.
        small_world: SmallWorld,
        /// The number of graphs drawn.
        tries: u64,
    },
    /// The error of your own family.
    #[error("{reason}")]
    Own {
        /// What is wrong, and what to do.
        reason: String,
    },
}

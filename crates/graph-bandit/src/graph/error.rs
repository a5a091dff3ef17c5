//! Why a graph could not be built.

use super::{MAX_EDGES, MAX_NODES, NodeId};
use thiserror::Error;

/// Why a graph could not be built.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// There was no node at all.
    #[error("the graph has no nodes; a graph bandit needs at least one")]
    Empty,
    /// An edge names a node outside the graph.
    #[error("edge {source_node}-{target} names node {missing}, but the nodes are 0 to {last}")]
    UnknownEndpoint {
        /// First endpoint of the edge.
        source_node: NodeId,
        /// Second endpoint of the edge.
        target: NodeId,
        /// The endpoint that does not exist.
        missing: NodeId,
        /// The highest node number there is.
        last: NodeId,
    },
    /// Two nodes cannot reach each other.
    #[error("node {cut_off} is cut off from node {from}; a graph bandit needs a connected graph")]
    Disconnected {
        /// A node of the first part.
        from: NodeId,
        /// The lowest node that `from` cannot reach.
        cut_off: NodeId,
    },
    /// More nodes than 32-bit rows are meant for.
    #[error("{nodes} nodes are too many; the limit is {MAX_NODES}")]
    TooManyNodes {
        /// The number asked for.
        nodes: usize,
    },
    /// More edges than 32-bit rows are meant for.
    #[error("{edges} edges are too many; the limit is {MAX_EDGES}")]
    TooManyEdges {
        /// The number asked for.
        edges: usize,
    },
    /// A list of names or coordinates does not have one entry per node.
    #[error("{given} {what} for {nodes} nodes; give exactly one per node")]
    WrongLength {
        /// What was given: names or coordinates.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Two nodes bear the same name.
    #[error("nodes {first} and {second} are both named {name:?}; names must differ")]
    DuplicateName {
        /// The repeated name.
        name: String,
        /// The first node of that name.
        first: NodeId,
        /// The second node of that name.
        second: NodeId,
    },
    /// A coordinate is infinite or not a number.
    #[error("node {node} has coordinates ({x:?}, {y:?}); both must be finite numbers")]
    NonFiniteCoordinate {
        /// The node.
        node: NodeId,
        /// Its first coordinate.
        x: f64,
        /// Its second coordinate.
        y: f64,
    },
}

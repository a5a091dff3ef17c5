//! Why a graph could not be built.

use super::{MAX_EDGES, MAX_NODES, MAX_TRAVEL, NodeId};
use thiserror::Error;

/// Why a graph could not be built.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// There are no nodes.
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
        /// The highest node number.
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
    /// There are too many nodes for 32-bit rows.
    #[error("{nodes} nodes are too many; the limit is {MAX_NODES}")]
    TooManyNodes {
        /// The number requested.
        nodes: usize,
    },
    /// There are too many edges for 32-bit rows.
    #[error("{edges} edges are too many; the limit is {MAX_EDGES}")]
    TooManyEdges {
        /// The number requested.
        edges: usize,
    },
    /// A list of names or coordinates does not have one entry per node.
    #[error("{given} {what} for {nodes} nodes; give exactly one per node")]
    WrongLength {
        /// What was given: names or coordinates.
        what: &'static str,
        /// The number given.
        given: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// Two nodes have the same name.
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
    /// The time of a road is out of range.
    #[error(
        "the road from node {from} to node {to} takes {time} beyond the visit; give a number from \
         0 to {MAX_TRAVEL}"
    )]
    ImpossibleTime {
        /// Where the road begins.
        from: NodeId,
        /// Where it leads.
        to: NodeId,
        /// The time given.
        time: f64,
    },
    /// One-way roads lead into parts without a way back.
    #[error(
        "not every node can reach every other: there are {} strongly connected parts, \
         {}; add the missing roads, or keep the largest part",
        parts.len(), listed(parts)
    )]
    NotStronglyConnected {
        /// The lowest node and the size of each part, the largest first.
        parts: Vec<(NodeId, usize)>,
        /// The number of nodes.
        nodes: usize,
    },
}

/// The first few parts, in words.
fn listed(parts: &[(NodeId, usize)]) -> String {
    const SHOWN: usize = 4;
    let shown = parts.iter().take(SHOWN).enumerate().map(|(place, (node, size))| match place {
        0 => format!("of {size} nodes (including node {node})"),
        _ => format!("{size} (node {node})"),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    if parts.len() > SHOWN { format!("{shown} and so on") } else { shown }
}

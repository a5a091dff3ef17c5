//! Random graphs, drawn again until connected.
//!
//! Draw `k` uses the seed's `GRAPH` child `k`, so a graph is a function of its parameters and one
//! seed.

use super::{FamilyError, Size};
use crate::graph::{Graph, GraphError, NodeId};
use crate::random::{Seed, Stream, label};

/// How often a graph is drawn before its parameters are refused.
pub(super) const TRIES: u64 = 100;

pub(super) type Edges = Vec<(NodeId, NodeId)>;

/// The first connected graph of [`TRIES`] draws, if there is one.
pub(super) fn first_connected(
    nodes: usize,
    seed: Seed,
    mut draw: impl FnMut(&mut Stream) -> Result<(Edges, Option<Vec<[f64; 2]>>), FamilyError>,
) -> Result<Option<Graph>, FamilyError> {
    for attempt in 0..TRIES {
        let mut stream = seed.child(label::GRAPH).child(attempt).stream();
        let (edges, places) = draw(&mut stream)?;
        // Random graphs are mostly disconnected by isolated nodes; finding them early avoids
        // building the rows.
        if nodes > 1 && has_isolated_node(nodes, &edges) {
            continue;
        }
        let graph = match Graph::from_edges(nodes, edges) {
            Err(GraphError::Disconnected { .. }) => continue,
            graph => graph?,
        };
        return Ok(Some(match places {
            Some(places) => graph.with_coordinates(places)?,
            None => graph,
        }));
    }
    Ok(None)
}

fn has_isolated_node(nodes: usize, edges: &[(NodeId, NodeId)]) -> bool {
    let mut touched = vec![false; nodes];
    for &(a, b) in edges {
        touched[a as usize] = true;
        touched[b as usize] = true;
    }
    touched.contains(&false)
}

pub(super) fn push_within_limit(
    edges: &mut Edges,
    edge: (NodeId, NodeId),
) -> Result<(), FamilyError> {
    edges.push(edge);
    Size { nodes: 1, edges: edges.len() }.check()
}

//! A graph some of whose edges are closed.

use super::{Graph, GraphError, NodeId};
use std::collections::BTreeSet;

impl Graph {
    /// The same nodes without these edges, the lower number of each first.
    ///
    /// # Errors
    /// When the graph falls apart.
    pub(crate) fn without(&self, closed: &BTreeSet<(NodeId, NodeId)>) -> Result<Self, GraphError> {
        let left = self.edges().filter(|edge| !closed.contains(edge));
        let mut graph = Self::from_edges(self.len(), left)?.with_self_place(self.self_place);
        graph.names.clone_from(&self.names);
        graph.coordinates.clone_from(&self.coordinates);
        Ok(graph)
    }
}

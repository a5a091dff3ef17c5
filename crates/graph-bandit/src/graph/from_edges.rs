//! From a list of edges to closed neighbourhoods in compressed rows.

use super::{Graph, GraphError, MAX_EDGES, MAX_NODES, NodeId, SelfPlace, hops};

impl Graph {
    /// Builds a graph of `nodes` nodes from its edges. Repeats are merged; self-loops are implied.
    ///
    /// # Errors
    /// When there is no node, an endpoint does not exist, the graph is too large, or it is not
    /// connected.
    ///
    /// # Complexity
    /// O(|S| + |E| log d), d the largest degree.
    pub fn from_edges(
        nodes: usize,
        edges: impl IntoIterator<Item = (NodeId, NodeId)>,
    ) -> Result<Self, GraphError> {
        let graph = Self::in_parts(nodes, edges)?;
        match graph.cut_off {
            Some(cut_off) => Err(GraphError::Disconnected { from: 0, cut_off }),
            None => Ok(graph),
        }
    }

    /// Like [`from_edges`](Self::from_edges), but the graph may be disconnected.
    pub(super) fn in_parts(
        nodes: usize,
        edges: impl IntoIterator<Item = (NodeId, NodeId)>,
    ) -> Result<Self, GraphError> {
        if nodes == 0 {
            return Err(GraphError::Empty);
        }
        if nodes > MAX_NODES {
            return Err(GraphError::TooManyNodes { nodes });
        }
        let edges = checked_edges(nodes, edges)?;
        let mut graph = Self::from_checked_edges(nodes, &edges);
        graph.cut_off = hops::first_unreachable(&graph);
        Ok(graph)
    }

    fn from_checked_edges(nodes: usize, edges: &[(NodeId, NodeId)]) -> Self {
        // Counting sort by row; each row starts with the node itself.
        let mut row_starts = vec![0_u32; nodes + 1];
        for start in &mut row_starts[1..] {
            *start = 1;
        }
        for &(a, b) in edges {
            row_starts[a as usize + 1] += 1;
            row_starts[b as usize + 1] += 1;
        }
        for s in 0..nodes {
            row_starts[s + 1] += row_starts[s];
        }
        let mut free = row_starts[..nodes].to_vec();
        let mut rows = vec![0; row_starts[nodes] as usize];
        let mut put = |row: NodeId, entry: NodeId| {
            let slot = &mut free[row as usize];
            rows[*slot as usize] = entry;
            *slot += 1;
        };
        for s in 0..nodes as NodeId {
            put(s, s);
        }
        for &(a, b) in edges {
            put(a, b);
            put(b, a);
        }
        let (row_starts, rows) = sorted_without_repeats(&row_starts, rows);
        Self {
            row_starts,
            rows,
            self_place: SelfPlace::Ascending,
            names: None,
            coordinates: None,
            cut_off: None,
            roads: None,
        }
    }
}

fn checked_edges(
    nodes: usize,
    edges: impl IntoIterator<Item = (NodeId, NodeId)>,
) -> Result<Vec<(NodeId, NodeId)>, GraphError> {
    let last = nodes as NodeId - 1;
    let mut kept = Vec::new();
    for (a, b) in edges {
        if let Some(missing) = [a, b].into_iter().find(|&v| v > last) {
            return Err(GraphError::UnknownEndpoint { source_node: a, target: b, missing, last });
        }
        if a != b {
            kept.push((a, b));
        }
        if kept.len() > MAX_EDGES {
            return Err(GraphError::TooManyEdges { edges: kept.len() });
        }
    }
    Ok(kept)
}

fn sorted_without_repeats(row_starts: &[u32], mut rows: Vec<NodeId>) -> (Vec<u32>, Vec<NodeId>) {
    let mut starts = Vec::with_capacity(row_starts.len());
    let mut end = 0;
    for bounds in row_starts.windows(2) {
        let (from, to) = (bounds[0] as usize, bounds[1] as usize);
        rows[from..to].sort_unstable();
        starts.push(end as u32);
        let mut previous = None;
        for i in from..to {
            if previous != Some(rows[i]) {
                previous = Some(rows[i]);
                rows[end] = rows[i];
                end += 1;
            }
        }
    }
    starts.push(end as u32);
    rows.truncate(end);
    rows.shrink_to_fit();
    (starts, rows)
}

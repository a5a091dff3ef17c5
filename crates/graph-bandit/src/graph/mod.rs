//! The known, connected, undirected graph an agent walks; staying put is always allowed.
//!
//! Section II of the paper: `N_s = {v : (s, v) in E} ∪ {s}`. The closed neighbourhoods `N_s` are
//! stored as compressed sparse rows of 32-bit node numbers.

mod diameter;
pub(crate) mod families;
mod hop_paths;
mod hops;
pub(crate) mod random_families;

pub use diameter::DiameterBounds;
pub use families::FamilyError;
pub use hop_paths::{HopPaths, Preparation};
pub use hops::Hops;
pub use random_families::SmallWorld;

pub(crate) use hop_paths::{Budget, TreePaths, Wave};

use thiserror::Error;

/// The number of a node, from 0 to `|S| - 1`.
///
/// Validation is at construction: what asks for a node and answers no `Result` panics when given a
/// number beyond.
pub type NodeId = u32;

/// The most nodes a graph may have.
pub const MAX_NODES: usize = 1 << 26;

/// The most edges a graph may have, self-loops and repeats not counted.
pub const MAX_EDGES: usize = 1 << 27;

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

/// Where a node stands in the listing of its own neighbourhood.
///
/// The order matters only when "the first best wins" breaks a tie. Ascending is the rule of this
/// library; the authors' program lists the node itself first or last on some graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SelfPlace {
    /// By number, like any other neighbour.
    #[default]
    Ascending,
    /// Before all others.
    First,
    /// After all others.
    Last,
}

/// An undirected, connected graph with an implied self-loop at every node.
///
/// ```
/// use graph_bandit::Graph;
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
/// assert_eq!(triangle.neighborhood(0), [0, 1, 2]);
/// assert_eq!(triangle.edge_count(), 3);
/// # Ok::<(), graph_bandit::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// `row_starts[s]..row_starts[s + 1]` bounds the row of node `s` in `rows`.
    row_starts: Vec<u32>,
    /// The closed neighbourhoods, one after another.
    rows: Vec<NodeId>,
    self_place: SelfPlace,
    names: Option<Vec<String>>,
    coordinates: Option<Vec<[f64; 2]>>,
}

impl Graph {
    /// Builds a graph of `nodes` nodes from its edges; repeats merge, self-loops are implied anyway.
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
        if nodes == 0 {
            return Err(GraphError::Empty);
        }
        if nodes > MAX_NODES {
            return Err(GraphError::TooManyNodes { nodes });
        }
        let edges = checked_edges(nodes, edges)?;
        let graph = Self::from_checked_edges(nodes, &edges);
        match hops::first_unreachable(&graph) {
            Some(cut_off) => Err(GraphError::Disconnected { from: 0, cut_off }),
            None => Ok(graph),
        }
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
        Self { row_starts, rows, self_place: SelfPlace::Ascending, names: None, coordinates: None }
    }

    /// Gives every node a name.
    ///
    /// # Errors
    /// When the number of names is wrong or two are equal.
    pub fn with_names(mut self, names: Vec<String>) -> Result<Self, GraphError> {
        self.check_length("names", names.len())?;
        let mut by_name: Vec<NodeId> = (0..self.len() as NodeId).collect();
        by_name.sort_by(|&a, &b| names[a as usize].cmp(&names[b as usize]).then(a.cmp(&b)));
        for pair in by_name.windows(2) {
            let (first, second) = (pair[0], pair[1]);
            if names[first as usize] == names[second as usize] {
                let name = names[first as usize].clone();
                return Err(GraphError::DuplicateName { name, first, second });
            }
        }
        self.names = Some(names);
        Ok(self)
    }

    /// Gives every node a place in the plane.
    ///
    /// # Errors
    /// When the number of places is wrong or one is not finite.
    pub fn with_coordinates(mut self, coordinates: Vec<[f64; 2]>) -> Result<Self, GraphError> {
        self.check_length("coordinates", coordinates.len())?;
        for (node, &[x, y]) in coordinates.iter().enumerate() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(GraphError::NonFiniteCoordinate { node: node as NodeId, x, y });
            }
        }
        self.coordinates = Some(coordinates);
        Ok(self)
    }

    /// Lists every node at `place` in its own neighbourhood.
    #[must_use]
    pub fn with_self_place(mut self, place: SelfPlace) -> Self {
        for s in 0..self.len() {
            let row = &mut self.rows[self.row_starts[s] as usize..self.row_starts[s + 1] as usize];
            row.sort_unstable_by_key(|&v| match place {
                SelfPlace::Ascending => (1, v),
                SelfPlace::First => (u8::from(v as usize != s), v),
                SelfPlace::Last => (u8::from(v as usize == s), v),
            });
        }
        self.self_place = place;
        self
    }

    fn check_length(&self, what: &'static str, given: usize) -> Result<(), GraphError> {
        let nodes = self.len();
        if given == nodes { Ok(()) } else { Err(GraphError::WrongLength { what, given, nodes }) }
    }

    /// The number of nodes, `|S|`.
    pub fn len(&self) -> usize {
        self.row_starts.len() - 1
    }

    /// Never true: a graph has at least one node.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All node numbers, ascending.
    pub fn nodes(&self) -> std::ops::Range<NodeId> {
        0..self.len() as NodeId
    }

    /// The number of edges, self-loops not counted.
    pub fn edge_count(&self) -> usize {
        (self.rows.len() - self.len()) / 2
    }

    /// `A = 2 |E|` with self-loops counted among the edges: UCRL2's number of actions.
    pub fn action_count(&self) -> usize {
        2 * (self.edge_count() + self.len())
    }

    /// The edges, each once with the lower number first, ascending; self-loops left out.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.nodes().flat_map(move |a| {
            let mut above: Vec<NodeId> = self.neighbors(a).filter(|&b| b > a).collect();
            above.sort_unstable();
            above.into_iter().map(move |b| (a, b))
        })
    }

    /// `N_s`: the node and its neighbours, in the order that decides ties.
    #[inline]
    pub fn neighborhood(&self, node: NodeId) -> &[NodeId] {
        &self.rows[self.row(node)]
    }

    /// The positions of `N_s` in the concatenation of all neighbourhoods, for tables by edge.
    #[inline]
    pub fn row(&self, node: NodeId) -> std::ops::Range<usize> {
        let s = node as usize;
        self.row_starts[s] as usize..self.row_starts[s + 1] as usize
    }

    /// The length of all neighbourhoods together: `2 |E|` plus one self-loop per node.
    pub fn row_entries(&self) -> usize {
        self.rows.len()
    }

    /// The neighbours of a node, itself left out, ascending.
    pub fn neighbors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.neighborhood(node).iter().copied().filter(move |&v| v != node)
    }

    /// The number of neighbours of a node, itself left out.
    pub fn degree(&self, node: NodeId) -> usize {
        self.row(node).len() - 1
    }

    /// Whether one step leads from `from` to `to`; staying put always does.
    #[inline]
    pub fn allows(&self, from: NodeId, to: NodeId) -> bool {
        from == to || self.entry(from, to).is_some()
    }

    /// Where `to` stands in the row of `from`, counted over all rows, if one step leads there.
    #[inline]
    pub fn entry(&self, from: NodeId, to: NodeId) -> Option<usize> {
        let row = self.row(from);
        let (self_entry, ascending) = match self.self_place {
            SelfPlace::Ascending => (None, row),
            SelfPlace::First => (Some(row.start), row.start + 1..row.end),
            SelfPlace::Last => (Some(row.end - 1), row.start..row.end - 1),
        };
        if from == to && self_entry.is_some() {
            return self_entry;
        }
        let found = self.rows[ascending.clone()].binary_search(&to);
        found.ok().map(|place| ascending.start + place)
    }

    /// The names, when the nodes have any.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// What to call a node: its name, or its number.
    pub fn label(&self, node: NodeId) -> String {
        self.names.as_ref().map_or_else(|| node.to_string(), |names| names[node as usize].clone())
    }

    /// The places in the plane, when the nodes have any.
    pub fn coordinates(&self) -> Option<&[[f64; 2]]> {
        self.coordinates.as_deref()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_and_self_loops_merge() {
        let graph = Graph::from_edges(3, [(1, 0), (0, 1), (1, 1), (2, 1)]).unwrap();
        assert_eq!(graph.edge_count(), 2);
        assert_eq!(graph.neighborhood(1), [0, 1, 2]);
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        assert_eq!(graph.action_count(), 10);
        assert_eq!(graph.degree(1), 2);
        assert!(graph.allows(0, 0) && graph.allows(2, 1) && !graph.allows(0, 2));
    }

    #[test]
    fn self_place_moves_only_the_node_itself() {
        let graph = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let first = graph.clone().with_self_place(SelfPlace::First);
        let last = graph.clone().with_self_place(SelfPlace::Last);
        assert_eq!(first.neighborhood(1), [1, 0, 2]);
        assert_eq!(last.neighborhood(1), [0, 2, 1]);
        for g in [&first, &last] {
            assert!(g.allows(1, 2) && g.allows(1, 0) && g.allows(1, 1) && !g.allows(0, 2));
            assert_eq!(g.edges().collect::<Vec<_>>(), graph.edges().collect::<Vec<_>>());
        }
        assert_eq!(last.with_self_place(SelfPlace::Ascending), graph);
    }

    #[test]
    fn errors_name_the_value_and_the_remedy() {
        assert_eq!(Graph::from_edges(0, []), Err(GraphError::Empty));
        let unknown = Graph::from_edges(2, [(0, 7)]).unwrap_err();
        assert_eq!(unknown.to_string(), "edge 0-7 names node 7, but the nodes are 0 to 1");
        let cut = Graph::from_edges(4, [(0, 1), (2, 3)]).unwrap_err();
        assert_eq!(cut, GraphError::Disconnected { from: 0, cut_off: 2 });
        let large = Graph::from_edges(MAX_NODES + 1, []).unwrap_err();
        assert_eq!(large, GraphError::TooManyNodes { nodes: MAX_NODES + 1 });
        let pair = Graph::from_edges(2, [(0, 1)]).unwrap();
        let names = pair.clone().with_names(vec!["a".into(), "a".into()]).unwrap_err();
        assert_eq!(names.to_string(), "nodes 0 and 1 are both named \"a\"; names must differ");
        assert!(pair.clone().with_names(vec!["a".into()]).is_err());
        assert!(pair.with_coordinates(vec![[0.0, 0.0], [f64::NAN, 1.0]]).is_err());
    }
}

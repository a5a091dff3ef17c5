//! The known, connected graph an agent walks; staying put is always allowed.
//!
//! Section II of the paper: `N_s = {v : (s, v) in E} ∪ {s}`. The closed neighbourhoods `N_s` are
//! stored as compressed sparse rows of 32-bit node numbers. The paper's edges lead both ways and
//! take no time; otherwise [`Roads`] are stored beside the rows.

mod believed;
mod closed_edges;
mod diameter;
mod error;
pub(crate) mod families;
mod from_edges;
mod from_roads;
mod hop_paths;
mod hops;
mod roads;
mod strong_parts;

pub use diameter::DiameterBounds;
pub use error::GraphError;
pub use families::{FamilyError, Size, SmallWorld};
pub use hop_paths::{HopPaths, Preparation};
pub use hops::Hops;
pub use roads::{MAX_TRAVEL, Road, Roads};
pub use strong_parts::strong_parts;

pub(crate) use closed_edges::Part;
pub(crate) use hop_paths::{Budget, Landmarks, TreePaths, Wave};

use std::sync::Arc;

/// The number of a node, from 0 to `|S| - 1`.
///
/// Node numbers are validated at construction: functions that take a node and return no `Result`
/// panic if the number is too large.
pub type NodeId = u32;

/// The most nodes a graph may have.
pub const MAX_NODES: usize = 1 << 26;

/// The most edges a graph may have, without self-loops and repeats.
pub const MAX_EDGES: usize = 1 << 27;

/// The position of a node in the listing of its own neighbourhood.
///
/// The order matters only if "the first best wins" breaks a tie. This library lists neighbours in
/// ascending order; the authors' program lists the node itself first or last on some graphs.
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

/// A connected graph with an implied self-loop at every node: undirected and without times, as in
/// the paper ([`from_edges`](Self::from_edges)), or with one-way roads that take time
/// ([`from_roads`](Self::from_roads)).
///
/// Only the graph of a [`Field`](crate::Field) with closed edges may be disconnected
/// ([`is_connected`](Self::is_connected)).
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
    /// The lowest node that node 0 cannot reach or that cannot reach node 0; only with closed
    /// edges.
    cut_off: Option<NodeId>,
    /// Times and directions, if there are any.
    roads: Option<Arc<Roads>>,
}

impl Graph {
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

    /// Gives every node coordinates.
    ///
    /// # Errors
    /// When the number of coordinates is wrong or one is not finite.
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
        let key = |s: usize, v: NodeId| match place {
            SelfPlace::Ascending => (1, v),
            SelfPlace::First => (u8::from(v as usize != s), v),
            SelfPlace::Last => (u8::from(v as usize == s), v),
        };
        for s in 0..self.len() {
            let bounds = self.row_starts[s] as usize..self.row_starts[s + 1] as usize;
            let row = &mut self.rows[bounds.clone()];
            if let Some(roads) = &mut self.roads {
                let times = &mut Arc::make_mut(roads).times[bounds];
                let mut entries: Vec<_> = row.iter().copied().zip(times.iter().copied()).collect();
                entries.sort_unstable_by_key(|&(v, _)| key(s, v));
                for (place, (v, time)) in entries.into_iter().enumerate() {
                    (row[place], times[place]) = (v, time);
                }
            } else {
                row.sort_unstable_by_key(|&v| key(s, v));
            }
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

    /// The number of edges without self-loops; roads between the same two nodes count as one edge.
    pub fn edge_count(&self) -> usize {
        match &self.roads {
            None => (self.rows.len() - self.len()) / 2,
            Some(_) => self.edges().count(),
        }
    }

    /// `A = 2 |E|` with self-loops included: UCRL2's number of actions.
    pub fn action_count(&self) -> usize {
        self.rows.len() + self.len()
    }

    /// The pairs of nodes joined by an edge or by a road in either direction, each once with the
    /// lower number first, ascending, without self-loops.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.nodes().flat_map(move |a| {
            let mut above: Vec<NodeId> = self.neighbors(a).filter(|&b| b > a).collect();
            if let Some(roads) = self.roads() {
                above.extend(roads.into(a).map(|(b, _)| b).filter(|&b| b > a));
            }
            above.sort_unstable();
            above.dedup();
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

    /// The total length of all neighbourhoods: `2 |E|` plus one self-loop per node.
    pub fn row_entries(&self) -> usize {
        self.rows.len()
    }

    /// The neighbours of a node without itself, ascending.
    pub fn neighbors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.neighborhood(node).iter().copied().filter(move |&v| v != node)
    }

    /// The number of neighbours of a node without itself.
    pub fn degree(&self, node: NodeId) -> usize {
        self.row(node).len() - 1
    }

    /// Whether one step leads from `from` to `to`; staying put is always allowed.
    #[inline]
    pub fn allows(&self, from: NodeId, to: NodeId) -> bool {
        from == to || self.entry(from, to).is_some()
    }

    /// The position of `to` in the row of `from`, counted over all rows, if one step leads there.
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

    /// The names, if the nodes have any.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// The label of a node: its name, or its number.
    pub fn label(&self, node: NodeId) -> String {
        self.names.as_ref().map_or_else(|| node.to_string(), |names| names[node as usize].clone())
    }

    /// The coordinates, if the nodes have any.
    pub fn coordinates(&self) -> Option<&[[f64; 2]]> {
        self.coordinates.as_deref()
    }
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

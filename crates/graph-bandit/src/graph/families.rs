//! The graphs of the paper's experiments and other shapes that follow from a few numbers.
//!
//! Section V-A and Appendix F of the paper: line, circle, star, tree, grid and complete graph;
//! Section V-B: the robot's ten counties; Appendix G, a line with leaves at its end, is the broom.
//! Sizes are checked by arithmetic before anything is allocated.

use super::{Graph, GraphError, MAX_EDGES, MAX_NODES, NodeId, SmallWorld};
use crate::digits::Digits;
use thiserror::Error;

/// Why a family has no graph for the numbers given.
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
    /// A probability is not one.
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
    /// Graphs of these parameters fall apart.
    #[error(
        "{tries} draws of {nodes} nodes with {what} {} were all disconnected; {} would do ({formula})",
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
        /// How many graphs were drawn.
        tries: u64,
        /// A value that makes a connected draw all but certain.
        enough: f64,
        /// The formula of that value.
        formula: &'static str,
    },
    /// Small worlds of these parameters fall apart.
    #[error(
        "{tries} draws of {} nodes with neighbors {} and rewiring {} were all disconnected; \
         use neighbors 4 or more, or less rewiring",
        small_world.nodes, small_world.neighbors, Digits(small_world.rewiring)
    )]
    NeverConnectedSmallWorld {
        /// The parameters.
        small_world: SmallWorld,
        /// How many graphs were drawn.
        tries: u64,
    },
}

/// What each family asks of its parameters; one function per family, O(1).
pub(crate) mod check {
    use super::{FamilyError, GraphError, MAX_EDGES, MAX_NODES};

    type Checked = Result<(), FamilyError>;

    /// A family with about one edge per node.
    pub(crate) fn nodes(nodes: usize) -> Checked {
        match nodes {
            0 => Err(GraphError::Empty.into()),
            1..=MAX_NODES => Ok(()),
            _ => Err(GraphError::TooManyNodes { nodes }.into()),
        }
    }

    pub(crate) fn edges(edges: usize) -> Checked {
        if edges > MAX_EDGES {
            return Err(GraphError::TooManyEdges { edges }.into());
        }
        Ok(())
    }

    pub(crate) fn range(what: &'static str, given: usize, least: usize, most: usize) -> Checked {
        if (least..=most).contains(&given) {
            return Ok(());
        }
        Err(FamilyError::OutOfRange { what, given, least, most })
    }

    pub(crate) fn tree(node_count: usize, branching: usize) -> Checked {
        nodes(node_count)?;
        range("branching", branching, 1, MAX_NODES)
    }

    pub(crate) fn grid(rows: usize, columns: usize) -> Checked {
        nodes(rows.saturating_mul(columns))?;
        edges(rows * (columns - 1) + columns * (rows - 1))
    }

    pub(crate) fn complete(node_count: usize) -> Checked {
        nodes(node_count)?;
        edges(pairs(node_count))
    }

    pub(crate) fn broom(node_count: usize, handle: usize) -> Checked {
        nodes(node_count)?;
        range("handle", handle, 1, node_count)
    }

    pub(crate) fn barbell(bell: usize, path: usize) -> Checked {
        range("bell", bell, 2, MAX_NODES)?;
        nodes(path.saturating_add(2 * bell))?;
        edges(pairs(bell).saturating_mul(2).saturating_add(path + 1))
    }

    /// `n (n - 1) / 2`, saturating.
    pub(crate) fn pairs(nodes: usize) -> usize {
        let pairs = nodes as u128 * (nodes as u128).saturating_sub(1) / 2;
        usize::try_from(pairs).unwrap_or(usize::MAX)
    }
}

const COUNTY_EDGES: [(NodeId, NodeId); 19] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 5),
    (2, 6),
    (3, 4),
    (3, 5),
    (4, 5),
    (4, 8),
    (5, 6),
    (5, 7),
    (5, 8),
    (6, 7),
    (7, 8),
    (7, 9),
    (8, 9),
];

const COUNTY_COORDINATES: [[f64; 2]; 10] = [
    [110.0, 240.0],
    [60.0, 190.0],
    [175.0, 250.0],
    [130.0, 175.0],
    [100.0, 125.0],
    [200.0, 150.0],
    [250.0, 250.0],
    [260.0, 160.0],
    [180.0, 80.0],
    [270.0, 75.0],
];

impl Graph {
    /// The line 0-1-2-..., drawn from left to right.
    ///
    /// # Errors
    /// When `nodes` is zero or too large.
    pub fn line(nodes: usize) -> Result<Self, FamilyError> {
        check::nodes(nodes)?;
        let graph = Self::from_edges(nodes, (1..nodes as NodeId).map(|v| (v - 1, v)))?;
        let places = graph.nodes().map(|v| [f64::from(v), 0.0]).collect();
        Ok(graph.with_coordinates(places)?)
    }

    /// The line with its ends joined; one node stands alone and two are a single edge.
    ///
    /// # Errors
    /// When `nodes` is zero or too large.
    pub fn circle(nodes: usize) -> Result<Self, FamilyError> {
        check::nodes(nodes)?;
        let last = nodes as NodeId - 1;
        let steps = (0..last).map(|v| (v, v + 1)).chain([(last, 0)]);
        let graph = Self::from_edges(nodes, steps)?;
        let turn = std::f64::consts::TAU / nodes as f64;
        let place = |v| {
            let angle = turn * f64::from(v);
            [libm::cos(angle), libm::sin(angle)]
        };
        let places = graph.nodes().map(place).collect();
        Ok(graph.with_coordinates(places)?)
    }

    /// Node 0 joined to every other node; `nodes` counts the hub.
    ///
    /// # Errors
    /// When `nodes` is zero or too large.
    pub fn star(nodes: usize) -> Result<Self, FamilyError> {
        check::nodes(nodes)?;
        let rays = (1..nodes as NodeId).map(|v| (0, v));
        Ok(Self::from_edges(nodes, rays)?)
    }

    /// The tree filled level by level: the parent of node i is `(i - 1) / branching`.
    ///
    /// # Errors
    /// When `nodes` is zero or too large, or `branching` is zero.
    pub fn tree(nodes: usize, branching: usize) -> Result<Self, FamilyError> {
        check::tree(nodes, branching)?;
        let branching = branching as NodeId;
        let to_parent = (1..nodes as NodeId).map(|v| ((v - 1) / branching, v));
        Ok(Self::from_edges(nodes, to_parent)?)
    }

    /// The grid numbered row by row, drawn with the first row at y = 0.
    ///
    /// # Errors
    /// When there are no nodes or too many.
    pub fn grid(rows: usize, columns: usize) -> Result<Self, FamilyError> {
        check::grid(rows, columns)?;
        let (nodes, width) = (rows * columns, columns as NodeId);
        let edges = (0..nodes as NodeId).flat_map(|v| {
            let left = (v % width != 0).then(|| (v - 1, v));
            let above = (v >= width).then(|| (v - width, v));
            left.into_iter().chain(above)
        });
        let graph = Self::from_edges(nodes, edges)?;
        let place = |v| [f64::from(v % width), f64::from(v / width)];
        let places = graph.nodes().map(place).collect();
        Ok(graph.with_coordinates(places)?)
    }

    /// Every two nodes joined.
    ///
    /// # Errors
    /// When `nodes` is zero, or the nodes or edges are too many.
    pub fn complete(nodes: usize) -> Result<Self, FamilyError> {
        check::complete(nodes)?;
        Ok(Self::from_edges(nodes, clique(0, nodes as NodeId))?)
    }

    /// A line of `handle` nodes, the other nodes hung on its last one.
    ///
    /// With at least one node to hang and a handle of two or more, the diameter is `handle`.
    ///
    /// # Errors
    /// When `nodes` is zero or too large, or `handle` is not from 1 to `nodes`.
    pub fn broom(nodes: usize, handle: usize) -> Result<Self, FamilyError> {
        check::broom(nodes, handle)?;
        let end = handle as NodeId - 1;
        let edges = (1..nodes as NodeId).map(|v| (end.min(v - 1), v));
        Ok(Self::from_edges(nodes, edges)?)
    }

    /// Two complete graphs of `bell` nodes joined by a path of `path` further nodes.
    ///
    /// The first bell has the lowest numbers, then comes the path, then the second bell, as in
    /// networkx's `barbell_graph`.
    ///
    /// # Errors
    /// When `bell` is below 2, or the nodes or edges are too many.
    pub fn barbell(bell: usize, path: usize) -> Result<Self, FamilyError> {
        check::barbell(bell, path)?;
        let nodes = 2 * bell + path;
        let (first_end, second_start) = (bell as NodeId, (bell + path) as NodeId);
        let edges = clique(0, first_end)
            .chain((first_end..=second_start).map(|v| (v - 1, v)))
            .chain(clique(second_start, nodes as NodeId));
        Ok(Self::from_edges(nodes, edges)?)
    }

    /// The ten Arkansas counties of the paper's robot experiment, drawn with y downward.
    ///
    /// # Errors
    /// Never; the signature is that of every other family.
    pub fn arkansas() -> Result<Self, FamilyError> {
        let graph = Self::from_edges(COUNTY_COORDINATES.len(), COUNTY_EDGES)?;
        Ok(graph.with_coordinates(COUNTY_COORDINATES.to_vec())?)
    }
}

/// The edges between all nodes from `start` to `end - 1`.
fn clique(start: NodeId, end: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> {
    (start..end).flat_map(move |b| (start..b).map(move |a| (a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes, edges, diameter.
    fn facts(graph: &Graph) -> (usize, usize, u32) {
        (graph.len(), graph.edge_count(), graph.diameter())
    }

    fn edges(graph: &Graph) -> Vec<(NodeId, NodeId)> {
        graph.edges().collect()
    }

    #[test]
    fn the_six_graphs_of_the_paper() {
        assert_eq!(facts(&Graph::line(100).unwrap()), (100, 99, 99));
        assert_eq!(facts(&Graph::circle(100).unwrap()), (100, 100, 50));
        assert_eq!(facts(&Graph::star(100).unwrap()), (100, 99, 2));
        assert_eq!(facts(&Graph::tree(100, 2).unwrap()), (100, 99, 12));
        assert_eq!(facts(&Graph::grid(10, 10).unwrap()), (100, 180, 18));
        assert_eq!(facts(&Graph::complete(100).unwrap()), (100, 4950, 1));
    }

    #[test]
    fn neighborhoods_by_hand() {
        assert_eq!(Graph::line(3).unwrap().neighborhood(1), [0, 1, 2]);
        assert_eq!(Graph::circle(5).unwrap().neighborhood(0), [0, 1, 4]);
        assert_eq!(Graph::star(4).unwrap().neighborhood(0), [0, 1, 2, 3]);
        assert_eq!(Graph::star(4).unwrap().neighborhood(3), [0, 3]);
        assert_eq!(Graph::tree(8, 2).unwrap().neighborhood(3), [1, 3, 7]);
        assert_eq!(Graph::tree(13, 3).unwrap().neighborhood(1), [0, 1, 4, 5, 6]);
        let grid = Graph::grid(3, 4).unwrap();
        assert_eq!(grid.neighborhood(5), [1, 4, 5, 6, 9]);
        assert_eq!(grid.neighborhood(3), [2, 3, 7]);
        assert_eq!(grid.neighborhood(8), [4, 8, 9]);
        assert_eq!(facts(&grid), (12, 17, 5));
    }

    #[test]
    fn the_smallest_of_each() {
        for graph in [
            Graph::line(1),
            Graph::circle(1),
            Graph::star(1),
            Graph::tree(1, 2),
            Graph::grid(1, 1),
            Graph::complete(1),
            Graph::broom(1, 1),
        ] {
            assert_eq!(facts(&graph.unwrap()), (1, 0, 0));
        }
        assert_eq!(edges(&Graph::circle(2).unwrap()), [(0, 1)]);
        assert_eq!(edges(&Graph::barbell(2, 0).unwrap()), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(edges(&Graph::tree(4, 1).unwrap()), edges(&Graph::line(4).unwrap()));
        assert_eq!(edges(&Graph::grid(1, 4).unwrap()), edges(&Graph::line(4).unwrap()));
        assert_eq!(edges(&Graph::grid(4, 1).unwrap()), edges(&Graph::line(4).unwrap()));
    }

    #[test]
    fn a_broom_has_the_diameter_of_its_handle() {
        for handle in (2..50).step_by(4) {
            let broom = Graph::broom(50, handle).unwrap();
            assert_eq!(facts(&broom), (50, 49, handle as u32));
            assert_eq!(broom.degree(handle as NodeId - 1), 51 - handle);
        }
        assert_eq!(Graph::broom(50, 50).unwrap().diameter(), 49);
        assert_eq!(edges(&Graph::broom(5, 1).unwrap()), edges(&Graph::star(5).unwrap()));
    }

    #[test]
    fn a_barbell_is_numbered_as_in_networkx() {
        assert_eq!(
            edges(&Graph::barbell(3, 2).unwrap()),
            [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (5, 7), (6, 7)]
        );
        assert_eq!(facts(&Graph::barbell(15, 8).unwrap()), (38, 219, 11));
    }

    #[test]
    fn the_ten_counties() {
        let counties = Graph::arkansas().unwrap();
        assert_eq!(facts(&counties), (10, 19, 4));
        assert_eq!(edges(&counties), COUNTY_EDGES);
        assert_eq!(counties.neighborhood(5), [2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(counties.coordinates().unwrap()[9], [270.0, 75.0]);
        assert_eq!(counties.names(), None);
    }

    #[test]
    fn drawings() {
        let line = Graph::line(3).unwrap();
        assert_eq!(line.coordinates().unwrap()[2], [2.0, 0.0]);
        let grid = Graph::grid(2, 3).unwrap();
        assert_eq!(grid.coordinates().unwrap()[5], [2.0, 1.0]);
        let circle = Graph::circle(4).unwrap();
        let [x, y] = circle.coordinates().unwrap()[1];
        assert!(x.abs() < 1e-15 && y == 1.0);
    }

    #[test]
    fn sizes_are_refused_before_anything_is_allocated() {
        let empty = Err(FamilyError::Graph(GraphError::Empty));
        assert_eq!(Graph::line(0), empty);
        assert_eq!(Graph::circle(0), empty);
        assert_eq!(Graph::star(0), empty);
        assert_eq!(Graph::tree(0, 2), empty);
        assert_eq!(Graph::grid(0, usize::MAX), empty);
        assert_eq!(Graph::grid(3, 0), empty);
        assert_eq!(Graph::complete(0), empty);
        assert_eq!(Graph::broom(0, 0), empty);
        for graph in [
            Graph::line(usize::MAX),
            Graph::circle(usize::MAX),
            Graph::star(MAX_NODES + 1),
            Graph::tree(usize::MAX, usize::MAX),
            Graph::grid(usize::MAX, usize::MAX),
            Graph::grid(MAX_NODES, 2),
            Graph::complete(usize::MAX),
            Graph::broom(usize::MAX, 1),
            Graph::barbell(MAX_NODES, usize::MAX),
            Graph::barbell(2, MAX_NODES),
        ] {
            assert!(matches!(graph, Err(FamilyError::Graph(GraphError::TooManyNodes { .. }))));
        }
        for graph in [
            Graph::complete(100_000),
            Graph::complete(MAX_NODES),
            Graph::barbell(MAX_NODES / 2 - 1, 0),
        ] {
            assert!(matches!(graph, Err(FamilyError::Graph(GraphError::TooManyEdges { .. }))));
        }
        assert_eq!(check::complete(16_384), Ok(()));
        assert!(check::complete(16_385).is_err());
        assert_eq!(check::pairs(usize::MAX), usize::MAX);
        assert_eq!((check::pairs(0), check::pairs(5)), (0, 10));
    }

    #[test]
    fn parameters_are_named_with_their_range() {
        let message = |graph: Result<Graph, FamilyError>| graph.unwrap_err().to_string();
        assert_eq!(message(Graph::broom(5, 6)), "handle is 6; it must be from 1 to 5");
        assert_eq!(message(Graph::tree(5, 0)), "branching is 0; it must be from 1 to 67108864");
        assert_eq!(message(Graph::barbell(1, 3)), "bell is 1; it must be from 2 to 67108864");
        assert_eq!(
            message(Graph::complete(100_000)),
            "4999950000 edges are too many; the limit is 134217728"
        );
    }
}

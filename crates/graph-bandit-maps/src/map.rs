//! A graph with the attributes from its file.

use graph_bandit::{Graph, NodeId};
use serde_json::Value;

/// Names and values, in the order of the names.
pub type Attributes = serde_json::Map<String, Value>;

/// The system of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Longitude and latitude in degrees; distances are on the sphere, in metres.
    Geographic,
    /// Lengths along two axes; distances are in the same unit.
    Plane,
}

/// An edge of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The end that the file names first.
    pub source: NodeId,
    /// The end that the file names second.
    pub target: NodeId,
    /// Its length, in metres on the sphere, in the unit of the coordinates in the plane.
    pub length: Option<f64>,
    /// How long it takes beyond the visit at its end, in units of one visit, if that was read.
    pub time: Option<f64>,
    /// The places it passes on the way from source to target, without both.
    pub bends: Vec<[f64; 2]>,
    /// All other attributes from the file.
    pub attributes: Attributes,
}

impl Edge {
    /// Its ends, the lower number first.
    pub fn ends(&self) -> (NodeId, NodeId) {
        (self.source.min(self.target), self.source.max(self.target))
    }

    /// Its position among the edges of a map.
    pub(crate) fn place(&self) -> (NodeId, NodeId, NodeId) {
        let (low, high) = self.ends();
        (low, high, self.source)
    }
}

/// A graph with names and coordinates, and all other attributes of its nodes and edges.
///
/// A map comes from a file ([`crate::read_file`]), a [`crate::Draft`] or a [`Graph`]. Values with
/// their own field are not among the attributes, so two maps are equal if they mean the same,
/// whichever format they come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    pub(crate) graph: Graph,
    pub(crate) system: Option<System>,
    pub(crate) nodes: Vec<Attributes>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) attributes: Attributes,
    pub(crate) directed: bool,
}

impl Map {
    /// The graph, with names unless they are the node numbers, and coordinates if all nodes have
    /// them.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The graph alone.
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// The system of the coordinates, if there are any.
    pub fn system(&self) -> Option<System> {
        self.system
    }

    /// The attributes of each node besides name and coordinates, by number.
    pub fn nodes(&self) -> &[Attributes] {
        &self.nodes
    }

    /// Whether each edge leads from its source to its target only; otherwise all lead both ways.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// The edges, in the order of [`Graph::edges`]; with directions there may be several between
    /// two nodes.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The attributes of the map as a whole.
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// The edge between two nodes, in either direction; of several, the first that leads from `a`
    /// to `b`.
    pub fn edge(&self, a: NodeId, b: NodeId) -> Option<&Edge> {
        let wanted = (a.min(b), a.max(b));
        let first = self.edges.partition_point(|edge| edge.ends() < wanted);
        let mut between = self.edges[first..].iter().take_while(|edge| edge.ends() == wanted);
        between.clone().find(|edge| edge.source == a).or_else(|| between.next())
    }

    /// The nodes' coordinates, if all of them have some.
    pub fn coordinates(&self) -> Option<&[[f64; 2]]> {
        self.graph.coordinates()
    }

    /// The places an edge passes from its source to its target, both included.
    pub fn shape(&self, edge: &Edge) -> Option<Vec<[f64; 2]>> {
        let places = self.coordinates()?;
        let ends = [places[edge.source as usize], places[edge.target as usize]];
        let [first, last] = ends;
        Some(std::iter::once(first).chain(edge.bends.iter().copied()).chain([last]).collect())
    }
}

impl From<Graph> for Map {
    /// A map with only what the graph knows; its coordinates are in the plane.
    fn from(graph: Graph) -> Self {
        let edge = |source, target, time| Edge {
            source,
            target,
            length: None,
            time,
            bends: Vec::new(),
            attributes: Attributes::new(),
        };
        let mut edges: Vec<Edge> = match graph.roads() {
            None => graph.edges().map(|(source, target)| edge(source, target, None)).collect(),
            Some(_) => {
                graph.all_roads().map(|road| edge(road.from, road.to, Some(road.time))).collect()
            }
        };
        edges.sort_by_key(Edge::place);
        Self {
            directed: graph.roads().is_some(),
            system: graph.coordinates().map(|_| System::Plane),
            nodes: vec![Attributes::new(); graph.len()],
            edges,
            attributes: Attributes::new(),
            graph,
        }
    }
}

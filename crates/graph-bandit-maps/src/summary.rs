//! A map in a few numbers.

use crate::map::{Attributes, Map, System};
use graph_bandit::Graph;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most breadth-first searches for the bounds on the diameter.
const SEARCHES: usize = 64;

/// The most roads to look at for the time diameter.
const TIME_SEARCHES: usize = 10_000_000;

/// A map in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How many nodes.
    pub nodes: usize,
    /// How many edges.
    pub edges: usize,
    /// The least and the largest number of neighbours, ignoring directions.
    pub degrees: [usize; 2],
    /// The mean number of neighbours.
    pub mean_degree: f64,
    /// Bounds of the diameter, in edges, ignoring directions.
    pub diameter: [u32; 2],
    /// The longest of the fastest times between two nodes, including visits; only if roads are
    /// one-way or take time, and only if it takes about a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_diameter: Option<f64>,
    /// Whether nodes have names other than their numbers.
    pub named: bool,
    /// The system of the coordinates: geographic or plane.
    pub coordinates: Option<&'static str>,
    /// The least coordinates and the largest.
    pub bounds: Option<[[f64; 2]; 2]>,
    /// How many edges have a length.
    pub lengths: usize,
    /// All lengths together.
    pub total_length: f64,
    /// How many edges bend.
    pub bent_edges: usize,
    /// Attributes of nodes.
    pub node_attributes: Vec<AttributeSummary>,
    /// Attributes of edges.
    pub edge_attributes: Vec<AttributeSummary>,
    /// Attributes of the map.
    pub attributes: Attributes,
}

/// An attribute, and how many have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttributeSummary {
    /// Its name.
    pub name: String,
    /// How many nodes or edges have it.
    pub count: usize,
}

impl Summary {
    /// Summarizes a map.
    pub fn of(map: &Map) -> Self {
        let plain = both_ways(map.graph());
        let graph = plain.as_ref().unwrap_or(map.graph());
        let degrees = graph.nodes().map(|node| graph.degree(node));
        let (least, most) = degrees
            .fold((usize::MAX, 0), |(least, most), degree| (least.min(degree), most.max(degree)));
        let diameter = graph.diameter_bounds(SEARCHES);
        let lengths = map.edges().iter().filter_map(|edge| edge.length);
        let bounds = map.coordinates().map(|places| {
            places.iter().fold(
                [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]],
                |[low, high], place| {
                    let axis = |i: usize| (low[i].min(place[i]), high[i].max(place[i]));
                    let [(left, right), (bottom, top)] = [axis(0), axis(1)];
                    [[left, bottom], [right, top]]
                },
            )
        });
        Self {
            nodes: graph.len(),
            edges: graph.edge_count(),
            degrees: [least, most],
            mean_degree: 2.0 * graph.edge_count() as f64 / graph.len() as f64,
            diameter: [diameter.lower, diameter.upper],
            time_diameter: time_diameter(map.graph()),
            named: map.graph().names().is_some(),
            coordinates: map.system().map(|system| match system {
                System::Geographic => "geographic",
                System::Plane => "plane",
            }),
            bounds,
            lengths: lengths.clone().count(),
            // An empty sum is -0.0.
            total_length: lengths.sum::<f64>() + 0.0,
            bent_edges: map.edges().iter().filter(|edge| !edge.bends.is_empty()).count(),
            node_attributes: counted(map.nodes().iter()),
            edge_attributes: counted(map.edges().iter().map(|edge| &edge.attributes)),
            attributes: map.attributes().clone(),
        }
    }
}

/// The graph without directions and times, if it has any.
fn both_ways(graph: &Graph) -> Option<Graph> {
    graph.roads()?;
    Graph::from_edges(graph.len(), graph.edges()).ok()
}

fn time_diameter(graph: &Graph) -> Option<f64> {
    graph.roads()?;
    let work = graph.len().saturating_mul(graph.road_count());
    (work <= TIME_SEARCHES).then(|| graph.time_diameter())
}

fn counted<'a>(all: impl Iterator<Item = &'a Attributes>) -> Vec<AttributeSummary> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in all.flat_map(|attributes| attributes.keys()) {
        *counts.entry(name).or_default() += 1;
    }
    let summary = |(name, count): (&str, usize)| AttributeSummary { name: name.to_owned(), count };
    counts.into_iter().map(summary).collect()
}

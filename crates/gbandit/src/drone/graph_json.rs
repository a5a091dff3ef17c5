//! A graph in the service's JSON form.

use graph_bandit::{Graph, NodeId};
use serde_json::{Value, json};

/// The graph as nodes with edges or roads, names and coordinates.
pub(super) fn graph_json(graph: &Graph, visit_time: Option<f64>) -> Value {
    let mut object = json!({"nodes": graph.len()});
    if graph.roads().is_some() {
        let roads = graph.all_roads().map(|road| (road.from, road.to, road.time));
        object["roads"] = json!(roads.collect::<Vec<(NodeId, NodeId, f64)>>());
        if let Some(seconds) = visit_time {
            object["visit_time"] = json!(seconds);
        }
    } else {
        object["edges"] = json!(graph.edges().collect::<Vec<(NodeId, NodeId)>>());
    }
    if let Some(names) = graph.names() {
        object["names"] = json!(names);
    }
    if let Some(coordinates) = graph.coordinates() {
        object["coordinates"] = json!(coordinates);
    }
    object
}

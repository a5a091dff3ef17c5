//! A graph in the service's JSON form.

use graph_bandit::{Graph, NodeId};
use serde_json::{Value, json};

/// The graph as nodes with edges or roads, names and coordinates.
pub(super) fn listed(graph: &Graph, visit_time: Option<f64>) -> Value {
    let mut listed = json!({"nodes": graph.len()});
    if graph.roads().is_some() {
        let roads = graph.all_roads().map(|road| (road.from, road.to, road.time));
        listed["roads"] = json!(roads.collect::<Vec<(NodeId, NodeId, f64)>>());
        if let Some(seconds) = visit_time {
            listed["visit_time"] = json!(seconds);
        }
    } else {
        listed["edges"] = json!(graph.edges().collect::<Vec<(NodeId, NodeId)>>());
    }
    if let Some(names) = graph.names() {
        listed["names"] = json!(names);
    }
    if let Some(coordinates) = graph.coordinates() {
        listed["coordinates"] = json!(coordinates);
    }
    listed
}

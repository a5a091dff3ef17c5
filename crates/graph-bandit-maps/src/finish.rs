//! The last step from a draft to a map: places, edges, the graph.

use crate::assemble::node_numbers;
use crate::assemble_roads::drop_repeats;
use crate::columns;
use crate::draft::{Draft, DraftEdge, DraftNode};
use crate::error::Problem;
use crate::map::{Attributes, Edge, Map, System};
use crate::note::Note;
use crate::reading::{Part, Reading};
use crate::travel::{ClosingRoads, Findings, Travel, TravelReport};
use graph_bandit::{Graph, NodeId, Road};
use serde_json::json;

impl Draft {
    /// Makes the map of a draft whose nodes are connected.
    pub(crate) fn finish(
        mut self,
        travel: &Travel,
        parts: Vec<Part>,
        findings: Findings,
    ) -> Result<Reading, Problem> {
        self.number_nodes();
        let directed = travel.keeps_directions() && self.is_directed();
        let rates = self.road_rates(self.road_kind(travel))?;
        let is_numbered = node_numbers(&self.nodes).is_some();
        let problem = |error: graph_bandit::GraphError| Problem::in_file(error.to_string());
        let mut edges: Vec<Edge> = self.edges.drain(..).map(finished_edge).collect();
        edges.sort_by_key(Edge::place);
        let mut graph = if travel.is_asked() {
            Graph::from_roads(self.nodes.len(), roads(&edges, directed)).map_err(problem)?
        } else {
            let pairs = edges.iter().map(|edge| (edge.source, edge.target));
            Graph::from_edges(self.nodes.len(), pairs).map_err(problem)?
        };
        let ids: Vec<String> = self.nodes.iter().map(|node| node.id.clone()).collect();
        let (places, system, nodes) = self.take_places(&ids);
        if let Some(places) = &places {
            for edge in &mut edges {
                columns::take_bends(edge, places);
            }
        } else {
            let bent = edges.iter_mut().filter(|edge| !edge.bends.is_empty());
            let count = bent.map(|edge| edge.bends.clear()).count();
            self.ignore("shapes of edges between nodes without coordinates", count);
        }
        if travel.keeps_directions()
            && let Some((count, ends)) = drop_repeats(&mut edges, directed)
        {
            let example = ends.map(|node| ids[node as usize].clone());
            self.notes.push(Note::ParallelEdges { count, differing: 0, example });
        }
        if !is_numbered {
            graph = graph.with_names(ids).map_err(problem)?;
        }
        if let Some(places) = places {
            graph = graph.with_coordinates(places).map_err(problem)?;
        }
        let mut travel = TravelReport::of(&graph, travel, findings);
        travel.closing = (!rates.is_empty()).then(|| ClosingRoads::of(&rates));
        let map = Map { graph, system, nodes, edges, attributes: self.attributes, directed };
        Ok(Reading { map, notes: self.notes, parts, travel, rates })
    }

    /// Coordinates for all nodes or none, and the remaining attributes.
    fn take_places(
        &mut self,
        ids: &[String],
    ) -> (Option<Vec<[f64; 2]>>, Option<System>, Vec<Attributes>) {
        let explicit: Option<Vec<[f64; 2]>> = self.nodes.iter().map(|node| node.place).collect();
        let nodes = std::mem::take(&mut self.nodes).into_iter();
        let mut nodes: Vec<Attributes> = match explicit {
            Some(_) => nodes.map(|node| node.attributes).collect(),
            None => nodes.map(with_place_among_attributes).collect(),
        };
        let found = match explicit {
            Some(places) => Some((places, self.system.unwrap_or(System::Plane))),
            None => columns::take_places(&mut nodes).map(|found| (found.places, found.system)),
        };
        let Some((places, system)) = found else {
            let without = nodes.iter().filter(|node| !columns::has_place(node)).count();
            if without < nodes.len() {
                let example = nodes.iter().position(|node| !columns::has_place(node));
                let example = example.map(|node| ids[node].clone()).unwrap_or_default();
                self.notes.push(Note::SomeCoordinates { without, example });
            }
            return (None, None, nodes);
        };
        columns::drop_repeated_places(&mut nodes, &places);
        let mut system = columns::system_of(&self.attributes).unwrap_or(system);
        if let (System::Geographic, Some(node)) = (system, columns::first_off_earth(&places)) {
            self.notes.push(Note::OutOfRange { example: ids[node].clone() });
            system = System::Plane;
        }
        (Some(places), Some(system), nodes)
    }
}

/// A place that only some nodes have becomes an attribute.
fn with_place_among_attributes(node: DraftNode) -> Attributes {
    let mut attributes = node.attributes;
    for (name, number) in ["x", "y"].into_iter().zip(node.place.into_iter().flatten()) {
        attributes.entry(name).or_insert(json!(number));
    }
    attributes
}

/// The roads of edges: one each if they have directions, otherwise one in each direction.
fn roads(edges: &[Edge], directed: bool) -> impl Iterator<Item = Road> + '_ {
    edges.iter().flat_map(move |edge| {
        let (from, to, time) = (edge.source, edge.target, edge.time.unwrap_or(0.0));
        let back = (!directed).then_some(Road { from: to, to: from, time });
        [Road { from, to, time }].into_iter().chain(back)
    })
}

fn finished_edge(edge: DraftEdge) -> Edge {
    Edge {
        time: edge.time,
        source: edge.source as NodeId,
        target: edge.target as NodeId,
        length: edge.length,
        bends: edge.bends,
        attributes: edge.attributes,
    }
}

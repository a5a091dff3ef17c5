//! Writing edge lists.

use super::HEADERS;
use crate::columns::flatten;
use crate::map::Map;
use crate::spelling::text_of;
use crate::travel::UNIT_FIELD;
use crate::write::{LeftOut, Losses, ids};
use graph_bandit::NodeId;
use std::collections::BTreeSet;

/// The text of a file that holds the map: `source,target`, and a column for each edge attribute.
///
/// Names are numbered in order of appearance when read. If an edge would mention a node too early,
/// self-loops of the nodes before it are written first: they change nothing else, and the numbers
/// stay the same.
pub(crate) fn write(map: &Map, losses: &mut Losses) -> String {
    let reason = "an edge list has only edges";
    losses.add(map.coordinates().map_or(0, <[_]>::len), "coordinates of nodes", reason);
    let described = map.nodes().iter().filter(|node| !node.is_empty());
    losses.add(described.count(), "nodes' attributes", reason);
    losses.add(map.attributes().len(), "attributes of the map", reason);
    let bent = map.edges().iter().filter(|edge| !edge.bends.is_empty());
    losses.add(bent.count(), "shapes of edges", reason);
    let directions = if map.is_directed() { map.edges().len() } else { 0 };
    let reason =
        "an edge list does not record whether its lines lead one way; set it when you read it";
    losses.add(directions, LeftOut::DIRECTIONS, reason);
    let flat = flatten(map);
    let lost: Vec<_> = flat.lost_of_edges.iter().filter(|name| *name == UNIT_FIELD).collect();
    losses.add(lost.len(), format!("attributes {lost:?}"), "times are written under this name");
    let mut flat = flat.edges;
    if map.edges().iter().any(|edge| !edge.bends.is_empty()) {
        for (edge, attributes) in map.edges().iter().zip(&mut flat) {
            if !edge.bends.is_empty() {
                attributes.remove("geometry");
            }
        }
    }
    let names: BTreeSet<&String> = flat.iter().flat_map(|attributes| attributes.keys()).collect();
    let survives = |name: &&&String| {
        // A tab in the first line would be taken for the separator.
        !name.is_empty() && name.trim() == name.as_str() && !name.contains('\t')
    };
    let columns: Vec<&String> = names.iter().filter(survives).copied().collect();
    let reason = "tabs in a name, blanks around it, or no name, would not survive";
    losses.add(names.len() - columns.len(), "attributes of edges", reason);
    let ids = ids(map, |name| !name.is_empty() && name.trim() == name, losses);
    let is_named = ids.iter().enumerate().any(|(node, id)| *id != node.to_string());
    let mut text =
        Text { writer: csv::WriterBuilder::new().comment(Some(b'#')).from_writer(Vec::new()) };
    text.line(HEADERS[0].into_iter().chain(columns.iter().map(|name| name.as_str())));
    let loop_at = |text: &mut Text, node: NodeId| {
        let id = ids[node as usize].as_str();
        text.line([id, id].into_iter().chain(columns.iter().map(|_| "")));
    };
    let mut appeared: NodeId = 0;
    for (edge, attributes) in map.edges().iter().zip(&flat) {
        let (_, higher) = edge.ends();
        let in_order = edge.source == appeared && edge.target == appeared + 1;
        let is_known = higher < appeared;
        let follows = edge.ends().0 < appeared && higher == appeared;
        if is_named && !in_order && !is_known && !follows {
            for node in appeared..=higher {
                loop_at(&mut text, node);
            }
        }
        let values =
            columns.iter().map(|&name| attributes.get(name).map_or(String::new(), text_of));
        let ends = [edge.source, edge.target].map(|end| ids[end as usize].clone());
        let fields: Vec<String> = ends.into_iter().chain(values).collect();
        text.line(fields.iter().map(String::as_str));
        appeared = appeared.max(higher + 1);
    }
    if map.graph().len() == 1 {
        loop_at(&mut text, 0);
    }
    text.finish()
}

struct Text {
    writer: csv::Writer<Vec<u8>>,
}

impl Text {
    fn line<'a>(&mut self, fields: impl Iterator<Item = &'a str>) {
        // Writing to memory cannot fail.
        let _ = self.writer.write_record(fields);
    }

    fn finish(self) -> String {
        let bytes = self.writer.into_inner().unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}

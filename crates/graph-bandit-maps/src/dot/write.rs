//! Writing DOT.

use super::text::{quoted, survives, text_of};
use super::{PLACE, place_of};
use crate::columns::flatten;
use crate::map::{Attributes, Map, System};
use crate::write::{Losses, ids};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The text of a file that holds the map.
pub(crate) fn write(map: &Map, losses: &mut Losses) -> String {
    let mut flat = flatten(map);
    let mut lost: BTreeSet<String> = flat.lost_of_nodes.drain(..).collect();
    lost.extend(flat.lost_of_edges.drain(..));
    put_places(map, &mut flat.nodes, &mut lost);
    let reason = "coordinates, times and shapes are written under these names";
    losses.add(lost.len(), format!("attributes {lost:?}"), reason);
    let ids = ids(map, survives, losses);
    let (kind, arrow) = if map.is_directed() { ("digraph", "->") } else { ("graph", "--") };
    let mut writer = Writer { text: format!("{kind} {{\n"), lost: BTreeSet::new() };
    for (name, value) in map.attributes() {
        if writer.can_name(name) {
            let (name, value) = (quoted(name), quoted(&text_of(value)));
            let _ = writeln!(writer.text, "  {name}={value};");
        }
    }
    for (id, attributes) in ids.iter().zip(&flat.nodes) {
        writer.statement(&quoted(id), attributes);
    }
    for (edge, attributes) in map.edges().iter().zip(&flat.edges) {
        let [source, target] = [edge.source, edge.target].map(|end| quoted(&ids[end as usize]));
        writer.statement(&format!("{source} {arrow} {target}"), attributes);
    }
    let names = format!("attributes {:?}", writer.lost);
    losses.add(writer.lost.len(), names, "DOT cannot quote such names");
    writer.text + "}\n"
}

/// In the plane, places are written where Graphviz looks for them.
fn put_places(map: &Map, nodes: &mut [Attributes], lost: &mut BTreeSet<String>) {
    if map.system() == Some(System::Geographic) {
        return;
    }
    // Then the reader would look for coordinates there, not here.
    if map.nodes().iter().any(|node| node.contains_key("lon") || node.contains_key("lat")) {
        return;
    }
    let is_taken = |node: &Attributes| node.get(PLACE).and_then(place_of).is_some();
    let all_taken = nodes.iter().all(is_taken);
    if map.system().is_some() || all_taken {
        for node in &mut *nodes {
            if node.remove(PLACE).is_some() {
                lost.insert(PLACE.to_owned());
            }
        }
    }
    for (node, [x, y]) in nodes.iter_mut().zip(map.coordinates().unwrap_or_default()) {
        node.remove("x");
        node.remove("y");
        node.insert(PLACE.to_owned(), json!(format!("{x},{y}!")));
    }
}

struct Writer {
    text: String,
    lost: BTreeSet<String>,
}

impl Writer {
    fn can_name(&mut self, name: &str) -> bool {
        let can = survives(name);
        if !can {
            self.lost.insert(name.to_owned());
        }
        can
    }

    fn statement(&mut self, subject: &str, attributes: &Attributes) {
        let mut list = Vec::new();
        for (name, value) in attributes {
            if self.can_name(name) {
                list.push(format!("{}={}", quoted(name), quoted(&text_of(value))));
            }
        }
        let list = if list.is_empty() { String::new() } else { format!(" [{}]", list.join(", ")) };
        let _ = writeln!(self.text, "  {subject}{list};");
    }
}

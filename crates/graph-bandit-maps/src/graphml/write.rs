//! Writing `GraphML`.

use super::{JSON, is_in_xml};
use crate::columns::flatten;
use crate::map::{Attributes, Map};
use crate::write::{Losses, ids};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Graph,
    Node,
    Edge,
}

impl Scope {
    fn name(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Node => "node",
            Self::Edge => "edge",
        }
    }
}

/// Keys by scope, name and type: values of two types under one name get two keys.
type Keys = BTreeMap<(Scope, String, &'static str), usize>;

/// The text of a file that holds the map.
pub(crate) fn write(map: &Map, losses: &mut Losses) -> String {
    let flat = flatten(map);
    let reason = "coordinates, times and shapes are written under these names";
    losses.add(
        flat.lost_of_nodes.len(),
        format!("node attributes {:?}", flat.lost_of_nodes),
        reason,
    );
    losses.add(
        flat.lost_of_edges.len(),
        format!("edge attributes {:?}", flat.lost_of_edges),
        reason,
    );
    let ids = ids(map, |name| name.chars().all(is_in_xml), losses);
    let keys = keys(map, &flat.nodes, &flat.edges, losses);
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for ((scope, name, kind), number) in &keys {
        let (kind, desc) = match *kind {
            JSON => ("string", format!("><desc>{JSON}</desc></key>")),
            kind => (kind, "/>".to_owned()),
        };
        let (scope, name) = (scope.name(), escaped(name));
        let _ = writeln!(
            xml,
            "  <key id=\"d{number}\" for=\"{scope}\" attr.name=\"{name}\" attr.type=\"{kind}\"{desc}"
        );
    }
    let directed = if map.is_directed() { "directed" } else { "undirected" };
    let _ = writeln!(xml, "  <graph edgedefault=\"{directed}\">");
    push_data(&mut xml, &keys, Scope::Graph, map.attributes());
    for (id, attributes) in ids.iter().zip(&flat.nodes) {
        let _ = write!(xml, "    <node id=\"{}\"", escaped(id));
        push_body(&mut xml, &keys, Scope::Node, attributes);
    }
    for (edge, attributes) in map.edges().iter().zip(&flat.edges) {
        let [source, target] = [edge.source, edge.target].map(|end| escaped(&ids[end as usize]));
        xml += "    <edge";
        if let Some(id) = own_id(attributes) {
            let _ = write!(xml, " id=\"{}\"", escaped(id));
        }
        let _ = write!(xml, " source=\"{source}\" target=\"{target}\"");
        push_body(&mut xml, &keys, Scope::Edge, attributes);
    }
    xml + "  </graph>\n</graphml>\n"
}

/// The id of an edge, if it can be written in the tag.
fn own_id(attributes: &Attributes) -> Option<&str> {
    let id = attributes.get("id")?.as_str()?;
    id.chars().all(is_in_xml).then_some(id)
}

fn keys(map: &Map, nodes: &[Attributes], edges: &[Attributes], losses: &mut Losses) -> Keys {
    let mut keys = Keys::new();
    let mut lost = BTreeSet::new();
    let mut add = |scope: Scope, attributes: &Attributes| {
        for (name, value) in attributes {
            if scope == Scope::Edge && name == "id" && own_id(attributes).is_some() {
                continue;
            }
            if name.is_empty() || !name.chars().all(is_in_xml) {
                lost.insert(name.clone());
            } else {
                keys.insert((scope, name.clone(), kind(value)), 0);
            }
        }
    };
    add(Scope::Graph, map.attributes());
    for node in nodes {
        add(Scope::Node, node);
    }
    for edge in edges {
        add(Scope::Edge, edge);
    }
    for (number, key) in keys.values_mut().enumerate() {
        *key = number;
    }
    losses.add(lost.len(), format!("attributes {lost:?}"), "XML cannot hold such names");
    keys
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() => "long",
        Value::Number(number) if number.is_f64() => "double",
        Value::String(text) if text.chars().all(is_in_xml) => "string",
        _ => JSON,
    }
}

fn push_body(xml: &mut String, keys: &Keys, scope: Scope, attributes: &Attributes) {
    let start = xml.len();
    *xml += ">\n";
    let empty = xml.len();
    push_data(xml, keys, scope, attributes);
    if xml.len() == empty {
        xml.truncate(start);
        *xml += "/>\n";
    } else {
        let _ = writeln!(xml, "    </{}>", scope.name());
    }
}

fn push_data(xml: &mut String, keys: &Keys, scope: Scope, attributes: &Attributes) {
    for (name, value) in attributes {
        let kind = kind(value);
        let Some(number) = keys.get(&(scope, name.clone(), kind)) else { continue };
        if scope == Scope::Edge && name == "id" && own_id(attributes).is_some() {
            continue;
        }
        let text = match value {
            Value::String(text) if kind != JSON => escaped(text),
            other => escaped(&json_text(other)),
        };
        let _ = writeln!(xml, "      <data key=\"d{number}\">{text}</data>");
    }
}

/// JSON with only characters that XML can represent.
fn json_text(value: &Value) -> String {
    let mut text = String::new();
    for character in value.to_string().chars() {
        if is_in_xml(character) {
            text.push(character);
        } else {
            let _ = write!(text, "\\u{:04x}", character as u32);
        }
    }
    text
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // A parser would turn these into spaces or line feeds.
            '\t' | '\n' | '\r' => {
                let _ = write!(escaped, "&#{};", character as u32);
            }
            plain => escaped.push(plain),
        }
    }
    escaped
}

//! Reading `GraphML`.

use super::{JSON, guard};
use crate::draft::{Draft, DraftEdge, DraftNode};
use crate::error::{Problem, Reason};
use crate::limits::Limits;
use crate::lines::Lines;
use crate::map::Attributes;
use crate::spelling::whole_number;
use crate::travel::Direction;
use roxmltree::{Document, Error, Node, ParsingOptions};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Roughly the memory that an element or a text of the parsed document takes, in bytes.
const XML_NODE: usize = 64;

/// Reads a draft from the text of a file.
pub(crate) fn read(text: &str, limits: Limits) -> Result<Draft, Problem> {
    guard::check(text, limits)?;
    let nodes_limit = u32::try_from(limits.held_bytes / XML_NODE).unwrap_or(u32::MAX);
    let options = ParsingOptions { allow_dtd: false, nodes_limit, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options).map_err(|error| problem(&error, limits))?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        let reason =
            format!("the outermost element is <{}>; GraphML has <graphml>", root.tag_name().name());
        return Err(Problem::at(1, reason));
    }
    let mut graphs = elements(root, "graph");
    let Some(graph) = graphs.next() else {
        return Err(Problem::in_file("there is no <graph> in <graphml>"));
    };
    let [nodes, edges] = ["node", "edge"].map(|name| elements(graph, name).count());
    if nodes + edges > limits.elements {
        return Err(Reason::TooMany { nodes, edges, most: limits.elements }.into());
    }
    let (keys, defaults) = keys(root);
    let mut reader = Reader {
        keys,
        defaults,
        draft: Draft::new(limits),
        lines: Lines::of(text),
        nested: 0,
        parts: 0,
    };
    reader.draft.ignore("further graphs of the file", graphs.count());
    reader.read_graph(graph)?;
    Ok(reader.draft)
}

fn problem(error: &Error, limits: Limits) -> Problem {
    if matches!(error, Error::NodesLimitReached) {
        return Problem::in_file(format!(
            "XML elements and texts take more than {} bytes; leave out attributes, or cut the map",
            limits.held_bytes
        ));
    }
    let line = u64::from(error.pos().row);
    let reason = match error {
        Error::UnknownEntityReference(..) => {
            format!("{error}; only the predefined entities of XML are supported")
        }
        Error::NoRootNode => "there is no XML element; give GraphML".to_owned(),
        _ => format!("this is not XML: {error}; fix this line"),
    };
    Problem::at(line, reason)
}

/// A declared attribute.
struct Key {
    name: String,
    kind: Kind,
}

/// The default value of elements without their own.
struct Default {
    scope: Option<String>,
    name: String,
    value: Value,
}

#[derive(Clone, Copy)]
enum Kind {
    Boolean,
    Integer,
    Number,
    Text,
    Json,
}

impl Kind {
    fn value(self, text: &str) -> Value {
        let plain = || json!(text);
        let trimmed = text.trim();
        match self {
            Self::Text => plain(),
            Self::Json => serde_json::from_str(text).unwrap_or_else(|_| plain()),
            Self::Boolean => match trimmed.to_ascii_lowercase().as_str() {
                "true" | "1" => json!(true),
                "false" | "0" => json!(false),
                _ => plain(),
            },
            Self::Integer => {
                let whole = whole_number(trimmed).unwrap_or(trimmed);
                match (whole.parse::<i64>(), whole.parse::<u64>()) {
                    (Ok(number), _) => json!(number),
                    (_, Ok(number)) => json!(number),
                    _ => plain(),
                }
            }
            // JSON cannot represent infinity and NaN, and maps do not need them.
            Self::Number => match trimmed.parse::<f64>() {
                Ok(number) if number.is_finite() => json!(number),
                _ => plain(),
            },
        }
    }
}

fn keys(root: Node<'_, '_>) -> (HashMap<String, Key>, Vec<Default>) {
    let mut keys = HashMap::new();
    let mut defaults = Vec::new();
    for key in elements(root, "key") {
        let Some(id) = key.attribute("id") else { continue };
        let is_json = elements(key, "desc").any(|desc| text_of(desc).0 == JSON);
        let kind = match key.attribute("attr.type").unwrap_or("string") {
            _ if is_json => Kind::Json,
            "boolean" => Kind::Boolean,
            "int" | "integer" | "long" | "short" => Kind::Integer,
            "float" | "double" => Kind::Number,
            _ => Kind::Text,
        };
        let name = key.attribute("attr.name").unwrap_or(id).to_owned();
        if let Some(default) = elements(key, "default").next() {
            let scope = key.attribute("for").filter(|&scope| scope != "all").map(str::to_owned);
            let value = kind.value(&text_of(default).0);
            defaults.push(Default { scope, name: name.clone(), value });
        }
        keys.insert(id.to_owned(), Key { name, kind });
    }
    (keys, defaults)
}

struct Reader<'a> {
    keys: HashMap<String, Key>,
    defaults: Vec<Default>,
    draft: Draft,
    lines: Lines<'a>,
    /// Data that is XML itself.
    nested: usize,
    /// Ports, hyperedges, graphs inside nodes.
    parts: usize,
}

impl Reader<'_> {
    fn read_graph(&mut self, graph: Node<'_, '_>) -> Result<(), Problem> {
        self.draft.attributes = self.attributes(graph, "graph");
        if let Some(id) = graph.attribute("id") {
            self.draft.attributes.entry("id").or_insert(json!(id));
        }
        let lists_nodes = elements(graph, "node").next().is_some();
        let by_default = graph.attribute("edgedefault") == Some("directed");
        // Nodes first: an edge may precede its ends.
        for node in elements(graph, "node") {
            let line = Some(self.lines.line(node.range().start));
            let Some(id) = node.attribute("id") else {
                return Err(Problem::at(line, "this node has no id; give every node one"));
            };
            let attributes = self.attributes(node, "node");
            let id = id.to_owned();
            self.draft.add(DraftNode { id, attributes, line, place: None })?;
        }
        for edge in elements(graph, "edge") {
            let known = self.draft.nodes.len();
            self.read_edge(edge, by_default)?;
            if let (true, Some(node)) = (lists_nodes, self.draft.nodes.get(known)) {
                let line = node.line.unwrap_or(1);
                self.draft.undeclared.get_or_insert_with(|| (node.id.clone(), line));
            }
        }
        self.parts += elements(graph, "hyperedge").count();
        self.draft.ignore("values that are XML", self.nested);
        self.draft.ignore("ports, hyperedges and graphs inside nodes", self.parts);
        Ok(())
    }

    fn read_edge(&mut self, edge: Node<'_, '_>, by_default: bool) -> Result<(), Problem> {
        let at = self.lines.line(edge.range().start);
        let line = Some(at);
        let (Some(source), Some(target)) = (edge.attribute("source"), edge.attribute("target"))
        else {
            let reason = "an end of this edge is missing; give both source and target";
            return Err(Problem::at(line, reason));
        };
        let is_directed = match edge.attribute("directed") {
            Some(said) => said == "true",
            None => by_default,
        };
        self.draft.directed += usize::from(is_directed);
        let direction = Some(if is_directed { Direction::Forward } else { Direction::Both });
        let mut attributes = self.attributes(edge, "edge");
        if let Some(id) = edge.attribute("id") {
            attributes.entry("id").or_insert(json!(id));
        }
        let mut ends = [0; 2];
        for (end, id) in ends.iter_mut().zip([source, target]) {
            *end = self.draft.find_alike(id).map_or_else(|| self.draft.node(id), Ok)?;
            self.draft.nodes[*end].line.get_or_insert(at);
        }
        let [source, target] = ends;
        let edge =
            DraftEdge { source, target, attributes, line, direction, ..DraftEdge::default() };
        self.draft.connect(edge)
    }

    fn attributes(&mut self, element: Node<'_, '_>, scope: &str) -> Attributes {
        let mut attributes = Attributes::new();
        for child in element.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "data" => {
                    let (text, is_nested) = text_of(child);
                    let id = child.attribute("key").unwrap_or("");
                    self.nested += usize::from(is_nested);
                    if is_nested || id.is_empty() {
                        continue;
                    }
                    let (name, value) = match self.keys.get(id) {
                        Some(key) => (key.name.as_str(), key.kind.value(&text)),
                        None => (id, json!(text)),
                    };
                    attributes.insert(name.to_owned(), value);
                }
                "port" | "graph" if scope == "node" => self.parts += 1,
                _ => {}
            }
        }
        for default in &self.defaults {
            if default.scope.as_deref().is_none_or(|wanted| wanted == scope) {
                let value = || default.value.clone();
                attributes.entry(default.name.as_str()).or_insert_with(value);
            }
        }
        attributes
    }
}

fn elements<'a, 'input>(
    parent: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    parent.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The text of an element, and whether it contains elements.
fn text_of(element: Node<'_, '_>) -> (String, bool) {
    let mut text = String::new();
    let mut is_nested = false;
    for child in element.children() {
        is_nested |= child.is_element();
        if child.is_text() {
            text += child.text().unwrap_or_default();
        }
    }
    (text, is_nested)
}

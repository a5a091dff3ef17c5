//! Reading DOT.

use super::lexer::Token;
use super::tokens::Tokens;
use super::{PLACE, place_of};
use crate::draft::{Draft, DraftEdge, DraftNode};
use crate::error::Problem;
use crate::limits::Limits;
use crate::map::{Attributes, System};
use crate::spelling::value_of;
use crate::travel::Direction;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Reads a draft from the text of a file.
pub(crate) fn read(text: &str, limits: Limits) -> Result<Draft, Problem> {
    let mut parser = Parser {
        tokens: Tokens::new(text)?,
        draft: Draft::new(limits),
        depth: limits.depth,
        ports: 0,
        subgraphs: 0,
    };
    parser.graph()?;
    let mut draft = parser.draft;
    draft.ignore("ports of nodes", parser.ports);
    draft.ignore("subgraphs, their nodes and edges kept,", parser.subgraphs);
    take_places(&mut draft);
    Ok(draft)
}

/// Turns `pos` into places, if all nodes have it and no other coordinates.
fn take_places(draft: &mut Draft) {
    let has_others = |node: &DraftNode| {
        ["x", "y", "lon", "lat"].iter().any(|&name| node.attributes.contains_key(name))
    };
    let place = |node: &DraftNode| node.attributes.get(PLACE).and_then(place_of);
    let places: Option<Vec<_>> = draft.nodes.iter().map(place).collect();
    let Some(places) = places else { return };
    if draft.nodes.is_empty() || draft.nodes.iter().any(has_others) {
        return;
    }
    for (node, place) in draft.nodes.iter_mut().zip(places) {
        node.attributes.remove(PLACE);
        node.place = Some(place);
    }
    draft.set_system(System::Plane);
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    draft: Draft,
    depth: usize,
    ports: usize,
    subgraphs: usize,
}

/// The default attributes of new nodes and edges in a graph or subgraph.
#[derive(Clone, Default)]
struct Defaults {
    node: Attributes,
    edge: Attributes,
}

/// The nodes that a subgraph names, each once.
#[derive(Default)]
struct Members {
    nodes: Vec<usize>,
    known: HashSet<usize>,
}

impl Members {
    fn add(&mut self, node: usize) {
        if self.known.insert(node) {
            self.nodes.push(node);
        }
    }
}

impl Parser<'_> {
    fn graph(&mut self) -> Result<(), Problem> {
        if self.tokens.is_keyword("strict") {
            self.tokens.take()?;
        }
        if !self.tokens.is_keyword("graph") && !self.tokens.is_keyword("digraph") {
            return Err(self.tokens.unexpected("graph or digraph"));
        }
        self.tokens.take()?;
        let name = if self.tokens.is_sign(b'{') {
            String::new()
        } else {
            self.tokens.id("the graph's name or '{'")?
        };
        self.tokens.expect(b'{')?;
        self.statements(&mut Defaults::default(), None)?;
        self.tokens.expect(b'}')?;
        if !name.is_empty() {
            self.draft.attributes.entry("id").or_insert(json!(name));
        }
        if self.tokens.is_keyword("graph")
            || self.tokens.is_keyword("digraph")
            || self.tokens.is_keyword("strict")
        {
            self.draft.ignore("further graphs of the file", 1);
        } else if self.tokens.next().is_some() {
            return Err(self.tokens.unexpected("the end of the file"));
        }
        Ok(())
    }

    /// Statements up to a closing brace; `members` collects the nodes of a subgraph.
    fn statements(
        &mut self,
        defaults: &mut Defaults,
        mut members: Option<&mut Members>,
    ) -> Result<(), Problem> {
        while self.tokens.next().is_some() && !self.tokens.is_sign(b'}') {
            if self.tokens.eat(b';')? {
                continue;
            }
            self.statement(defaults, members.as_deref_mut())?;
        }
        Ok(())
    }

    fn statement(
        &mut self,
        defaults: &mut Defaults,
        members: Option<&mut Members>,
    ) -> Result<(), Problem> {
        let is_outermost = members.is_none();
        for keyword in ["graph", "node", "edge"] {
            if !self.tokens.is_keyword(keyword) {
                continue;
            }
            self.tokens.take()?;
            let attributes = self.attribute_lists()?;
            match keyword {
                "node" => defaults.node.extend(attributes),
                "edge" => defaults.edge.extend(attributes),
                _ if is_outermost => self.draft.attributes.extend(attributes),
                _ => {}
            }
            return Ok(());
        }
        let (mut from, is_name) = self.endpoint(defaults, "a node, an edge or '}'")?;
        if is_name && self.tokens.eat(b'=')? {
            let value = self.tokens.id("a value")?;
            // What looked like a node was the name of an attribute.
            if let Endpoint::Name { id, .. } = from
                && is_outermost
            {
                self.draft.describe(&id, value_of(&value));
            }
            return Ok(());
        }
        let mut chain = vec![self.nodes(&mut from, defaults)?];
        let mut directions = Vec::new();
        while matches!(self.tokens.next(), Some(Token::Line | Token::Arrow)) {
            let is_arrow = self.tokens.take()? == Some(Token::Arrow);
            directions.push(if is_arrow { Direction::Forward } else { Direction::Both });
            let (mut to, _) = self.endpoint(defaults, "the node that this edge leads to")?;
            chain.push(self.nodes(&mut to, defaults)?);
        }
        let attributes = self.attribute_lists()?;
        if let Some(members) = members {
            chain.iter().flatten().for_each(|&node| members.add(node));
        }
        if let [nodes] = chain.as_slice() {
            if is_name && let [node] = nodes.as_slice() {
                for (name, value) in attributes {
                    self.draft.set(*node, &name, value)?;
                }
            }
            return Ok(());
        }
        let mut all = defaults.edge.clone();
        all.extend(attributes);
        // An edge's own `dir` takes precedence over its arrow.
        if let Some(said) = all.get("dir").and_then(Value::as_str).and_then(said_direction) {
            all.remove("dir");
            directions.fill(said);
        }
        let before = self.draft.edges.len();
        for (pair, &direction) in chain.windows(2).zip(&directions) {
            self.join([&pair[0], &pair[1]], &all, direction)?;
        }
        if directions.iter().any(|direction| *direction != Direction::Both) {
            self.draft.directed += self.draft.edges.len() - before;
        }
        Ok(())
    }

    fn join(
        &mut self,
        [from, to]: [&[usize]; 2],
        all: &Attributes,
        direction: Direction,
    ) -> Result<(), Problem> {
        let line = Some(self.tokens.line());
        for &source in from {
            for &target in to {
                let attributes = all.clone();
                let direction = Some(direction);
                let edge = DraftEdge {
                    source,
                    target,
                    attributes,
                    line,
                    direction,
                    ..DraftEdge::default()
                };
                self.draft.connect(edge)?;
            }
        }
        Ok(())
    }

    /// A node or a subgraph, and whether it is only a name.
    fn endpoint(&mut self, defaults: &Defaults, wanted: &str) -> Result<(Endpoint, bool), Problem> {
        if self.tokens.is_keyword("subgraph") || self.tokens.is_sign(b'{') {
            return Ok((Endpoint::Nodes(self.subgraph(defaults)?), false));
        }
        let id = self.tokens.id(wanted)?;
        let line = self.tokens.line();
        if self.tokens.eat(b':')? {
            self.ports += 1;
            self.tokens.id("a port")?;
            if self.tokens.eat(b':')? {
                self.tokens.id("a compass point")?;
            }
        }
        Ok((Endpoint::Name { id, line }, true))
    }

    fn nodes(&mut self, end: &mut Endpoint, defaults: &Defaults) -> Result<Vec<usize>, Problem> {
        match end {
            Endpoint::Nodes(nodes) => Ok(std::mem::take(nodes)),
            Endpoint::Name { id, line } => {
                if let Some(node) = self.draft.find(id) {
                    return Ok(vec![node]);
                }
                let attributes = defaults.node.clone();
                let (id, line) = (std::mem::take(id), Some(*line));
                Ok(vec![self.draft.add(DraftNode { id, attributes, line, place: None })?])
            }
        }
    }

    fn subgraph(&mut self, defaults: &Defaults) -> Result<Vec<usize>, Problem> {
        if self.tokens.is_keyword("subgraph") {
            self.tokens.take()?;
            if !self.tokens.is_sign(b'{') {
                self.tokens.id("the subgraph's name or '{'")?;
            }
        }
        self.tokens.expect(b'{')?;
        self.subgraphs += 1;
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(Problem::at(
                self.tokens.line(),
                "subgraphs are nested too deep; draw them side by side",
            ));
        };
        self.depth = depth;
        let mut members = Members::default();
        self.statements(&mut defaults.clone(), Some(&mut members))?;
        self.depth += 1;
        self.tokens.expect(b'}')?;
        Ok(members.nodes)
    }

    fn attribute_lists(&mut self) -> Result<Attributes, Problem> {
        let mut attributes = Attributes::new();
        while self.tokens.eat(b'[')? {
            while !self.tokens.eat(b']')? {
                let name = self.tokens.id("the name of an attribute or ']'")?;
                let is_said = self.tokens.eat(b'=')?;
                let value =
                    if is_said { value_of(&self.tokens.id("a value")?) } else { json!(true) };
                attributes.insert(name, value);
                if !self.tokens.eat(b',')? {
                    self.tokens.eat(b';')?;
                }
            }
        }
        Ok(attributes)
    }
}

enum Endpoint {
    Name { id: String, line: u64 },
    Nodes(Vec<usize>),
}

/// The meaning of `dir` for travel along an edge.
fn said_direction(dir: &str) -> Option<Direction> {
    match dir {
        "forward" => Some(Direction::Forward),
        "back" => Some(Direction::Backward),
        "both" | "none" => Some(Direction::Both),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::{Component, Reading};
    use serde_json::json;

    fn reading(text: &str) -> Reading {
        read(text, Limits::default()).unwrap().assemble(Component::Only).unwrap()
    }

    fn problem(text: &str) -> (Option<u64>, String) {
        let problem = read(text, Limits::default()).unwrap_err();
        (problem.line, problem.reason.to_string())
    }

    #[test]
    fn chains_subgraphs_and_products() {
        let map = reading("graph G { a -- b -- {c d} ; subgraph x { e; f } -- d }").map;
        let names = map.graph().names().unwrap();
        assert_eq!(names, ["a", "b", "c", "d", "e", "f"]);
        let edges: Vec<_> = map.graph().edges().collect();
        assert_eq!(edges, [(0, 1), (1, 2), (1, 3), (3, 4), (3, 5)]);
        assert_eq!(map.attributes()["id"], "G");
    }

    #[test]
    fn defaults_hold_for_later_and_inner_statements() {
        let text =
            "graph { a; node [c=1]; { node [c=2; d=x]; b } edge [w=3]; a--b--e [w=4,v]; b--f }";
        let map = reading(text).map;
        let node = |id: usize| serde_json::Value::Object(map.nodes()[id].clone());
        assert_eq!(node(0), json!({}));
        assert_eq!(node(1), json!({"c": 2, "d": "x"}));
        assert_eq!(node(2), json!({"c": 1}));
        assert_eq!(map.edge(0, 1).unwrap().attributes["w"], 4);
        assert_eq!(map.edge(0, 1).unwrap().attributes["v"], true);
        assert_eq!(map.edge(1, 3).unwrap().attributes["w"], 3);
    }

    #[test]
    fn comments_ports_joined_text_and_markup() {
        let text = "# made by hand\n/* a\n graph */ strict digraph \"x\" {\n// no\n\
                    a:p:ne -> \"b\" + \"c\" [label=<i <b>x</b>>]; rankdir=LR }";
        let reading = reading(text);
        assert_eq!(reading.map.graph().names().unwrap(), ["a", "bc"]);
        assert_eq!(reading.map.edges()[0].attributes["label"], "<i <b>x</b>>");
        assert_eq!(reading.map.attributes()["rankdir"], "LR");
        let said: Vec<String> = reading.notes.iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|note| note.contains("1 directed edge taken")), "{said:?}");
        assert!(said.iter().any(|note| note.contains("1 ports of nodes")), "{said:?}");
    }

    #[test]
    fn places() {
        let map = reading("graph { a [pos=\"1,2\"]; b [pos=\"3.5,-4!\"]; a -- b }").map;
        assert_eq!(map.coordinates().unwrap(), [[1.0, 2.0], [3.5, -4.0]]);
        assert_eq!(map.system(), Some(System::Plane));
        let map = reading("graph { a [pos=\"1,2\"]; a -- b }").map;
        assert_eq!(map.coordinates(), None);
        assert_eq!(map.nodes()[0]["pos"], "1,2");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, line, part) in [
            ("", 1, "graph or digraph"),
            ("grph {", 1, "expected graph or digraph"),
            ("graph {\na -- \n}", 3, "expected the node that this edge leads to, found '}'"),
            ("graph {\na -- b", 2, "the file ends"),
            ("graph {\n\"a -- b }", 2, "add a quote"),
            ("graph {\n/* a", 2, "add */"),
            ("graph {\na [x=<b", 2, "add >"),
            ("graph { a ! b }", 1, "no meaning"),
            ("graph { a - b }", 1, "no meaning"),
            ("graph { } }", 1, "the end of the file"),
        ] {
            let (found, reason) = problem(text);
            assert_eq!(found, Some(line), "{text:?} {reason}");
            assert!(reason.contains(part), "{text:?} {reason}");
        }
        assert!(problem(&format!("graph {}", "{".repeat(100))).1.contains("too deep"));
    }

    /// A few bytes can ask for many edges and much text.
    #[test]
    fn products_and_defaults_are_limited() {
        let many: Vec<String> = (0..3000).map(|i| format!("n{i}")).collect();
        let many = many.join(" ");
        assert!(
            problem(&format!("graph {{ {{{many}}} -- {{{many}}} }}"))
                .1
                .contains("more than 8388608")
        );
        let long = "x".repeat(1 << 20);
        assert!(problem(&format!("graph {{ node [a={long}]; {many} }}")).1.contains("bytes"));
    }
}

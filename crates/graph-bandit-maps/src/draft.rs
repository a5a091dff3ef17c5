//! What a reader found, before it is a map: ids as they stand, loops, repeats and loose parts.

use crate::error::Problem;
use crate::limits::Limits;
use crate::map::{Attributes, System};
use crate::note::Note;
use crate::spelling::whole_number;
use crate::travel::Direction;
use graph_bandit::ClosureRates;
use serde_json::Value;
use std::collections::HashMap;

/// A node as a file has it.
#[derive(Debug, Clone, Default)]
pub struct DraftNode {
    /// What the file calls it.
    pub id: String,
    /// Where it is, if the format has a place for that.
    pub place: Option<[f64; 2]>,
    /// Whatever else the file says; coordinates may be among it.
    pub attributes: Attributes,
    /// The line it is first named on.
    pub line: Option<u64>,
}

/// An edge as a file has it.
#[derive(Debug, Clone, Default)]
pub struct DraftEdge {
    /// The place of its source in the draft, as [`Draft::node`] answers it.
    pub source: usize,
    /// The place of its target.
    pub target: usize,
    /// How long it is where the attributes do not say.
    pub length: Option<f64>,
    /// The places between its ends.
    pub bends: Vec<[f64; 2]>,
    /// Whatever else the file says; a length may be among it.
    pub attributes: Attributes,
    /// The line it is on.
    pub line: Option<u64>,
    /// The ways it may be taken, where the file declares them.
    pub direction: Option<Direction>,
    /// How long it takes beyond the visit at its end, in units of one visit, where that is known.
    pub time: Option<f64>,
    /// How often it closes and reopens, where that counts.
    pub rates: Option<ClosureRates>,
}

/// How fast one goes where a file does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As is usual on the kind of road.
    ByRoad,
    /// At five kilometres per hour.
    OnFoot,
}

/// Nodes and edges to make a map of.
///
/// ```
/// use graph_bandit_maps::{Component, Draft, DraftEdge, Limits};
/// let mut draft = Draft::new(Limits::default());
/// let (harbour, market) = (draft.node("harbour")?, draft.node("market")?);
/// draft.connect(DraftEdge { source: harbour, target: market, ..DraftEdge::default() })?;
/// let map = draft.assemble(Component::Whole)?.map;
/// assert_eq!(map.graph().label(1), "market");
/// # Ok::<(), graph_bandit_maps::Problem>(())
/// ```
#[derive(Debug, Clone)]
pub struct Draft {
    pub(crate) nodes: Vec<DraftNode>,
    pub(crate) edges: Vec<DraftEdge>,
    pub(crate) directed: usize,
    pub(crate) system: Option<System>,
    pub(crate) attributes: Attributes,
    pub(crate) notes: Vec<Note>,
    /// Whether its edges are lines of a list, which may lead one way or both.
    pub(crate) is_list: bool,
    /// Whether the reader has taken `oneway` into account.
    pub(crate) knows_oneway: bool,
    pub(crate) pace: Pace,
    /// Columns that are there twice, and the line that names them.
    pub(crate) repeated: Vec<(String, u64)>,
    /// The first end of an edge that is not among the nodes which the file lists, and its line.
    pub(crate) undeclared: Option<(String, u64)>,
    numbers: HashMap<String, usize>,
    limits: Limits,
    held: usize,
}

impl Draft {
    /// An empty draft that will hold no more than `limits` allow.
    pub fn new(limits: Limits) -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            directed: 0,
            system: None,
            attributes: Attributes::new(),
            notes: Vec::new(),
            is_list: false,
            knows_oneway: false,
            pace: Pace::ByRoad,
            repeated: Vec::new(),
            undeclared: None,
            numbers: HashMap::new(),
            limits,
            held: 0,
        }
    }

    /// The node of that id, a new one if there is none.
    ///
    /// # Errors
    /// When there are too many.
    pub fn node(&mut self, id: &str) -> Result<usize, Problem> {
        match self.find(id) {
            Some(node) => Ok(node),
            None => self.add(DraftNode { id: id.to_owned(), ..DraftNode::default() }),
        }
    }

    /// The node of that id, if there is one.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.numbers.get(id).copied()
    }

    /// The node that an edge means by that id, where nodes are declared: 3 may be written 3.0.
    pub(crate) fn find_alike(&self, id: &str) -> Option<usize> {
        self.find(id).or_else(|| {
            let whole = whole_number(id)?;
            self.find(whole).or_else(|| self.find(&format!("{whole}.0")))
        })
    }

    /// Adds a node.
    ///
    /// # Errors
    /// When there is one of that id, or there are too many.
    pub fn add(&mut self, node: DraftNode) -> Result<usize, Problem> {
        if self.find(&node.id).is_some() {
            let reason = format!("there are two nodes of id {:?}; ids must differ", node.id);
            return Err(Problem::at(node.line, reason));
        }
        self.hold(2 * node.id.len() + size_of_attributes(&node.attributes), node.line)?;
        let place = self.nodes.len();
        self.numbers.insert(node.id.clone(), place);
        self.nodes.push(node);
        self.check_elements()?;
        Ok(place)
    }

    /// Sets an attribute of a node; what it had of that name is replaced.
    ///
    /// # Errors
    /// When attributes take too much memory.
    pub fn set(&mut self, node: usize, name: &str, value: Value) -> Result<(), Problem> {
        self.hold(name.len() + size_of(&value), self.nodes[node].line)?;
        self.nodes[node].attributes.insert(name.to_owned(), value);
        Ok(())
    }

    /// Sets an attribute of the whole map.
    pub fn describe(&mut self, name: &str, value: Value) {
        self.attributes.insert(name.to_owned(), value);
    }

    /// Says what the places of nodes are; an attribute `crs` of the map knows better.
    pub fn set_system(&mut self, system: System) {
        self.system = Some(system);
    }

    /// Adds an edge.
    ///
    /// # Errors
    /// When an end is no node of the draft, a bend is nowhere, or there are too many.
    pub fn connect(&mut self, edge: DraftEdge) -> Result<(), Problem> {
        if edge.source.max(edge.target) >= self.nodes.len() {
            return Err(Problem::at(edge.line, "an end of this edge is no node; add nodes first"));
        }
        if edge.bends.iter().flatten().any(|number| !number.is_finite()) {
            let reason = "this edge bends at a place that is no finite number";
            return Err(Problem::at(edge.line, reason));
        }
        self.hold(16 * edge.bends.len() + size_of_attributes(&edge.attributes), edge.line)?;
        self.edges.push(edge);
        self.check_elements()
    }

    /// Says that something was left out, if anything was.
    pub(crate) fn ignore(&mut self, what: &str, count: usize) {
        if count > 0 {
            self.notes.push(Note::Ignored { what: what.to_owned(), count });
        }
    }

    /// What may be held in memory, counted before it is.
    pub(crate) fn hold(&mut self, bytes: usize, line: Option<u64>) -> Result<(), Problem> {
        self.held = self.held.saturating_add(bytes);
        if self.held <= self.limits.held_bytes {
            return Ok(());
        }
        let reason = format!(
            "names and attributes take more than {} bytes; leave out attributes, or cut the map",
            self.limits.held_bytes
        );
        Err(Problem::at(line, reason))
    }

    fn check_elements(&self) -> Result<(), Problem> {
        if self.nodes.len() + self.edges.len() <= self.limits.elements {
            return Ok(());
        }
        let reason = format!(
            "there are more than {} nodes and edges; cut the map to a smaller area",
            self.limits.elements
        );
        let last = self.edges.last().and_then(|edge| edge.line);
        Err(Problem::at(last, reason))
    }
}

/// Roughly what attributes take in memory.
pub(crate) fn size_of_attributes(attributes: &Attributes) -> usize {
    attributes.iter().map(|(name, value)| 48 + name.len() + size_of(value)).sum()
}

fn size_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(|value| 32 + size_of(value)).sum(),
        Value::Object(object) => size_of_attributes(object),
        _ => 0,
    }
}

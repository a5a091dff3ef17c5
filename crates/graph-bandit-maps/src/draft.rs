//! What a reader found, before it is a map: unchanged ids, loops, repeats and separate parts.

use crate::error::Problem;
use crate::limits::Limits;
use crate::map::{Attributes, System};
use crate::note::Note;
use crate::spelling::whole_number;
use crate::travel::Direction;
use graph_bandit::ClosureRates;
use serde_json::Value;
use std::collections::HashMap;

/// A node as it is in the file.
#[derive(Debug, Clone, Default)]
pub struct DraftNode {
    /// Its id in the file.
    pub id: String,
    /// Its place, if the format has a field for it.
    pub place: Option<[f64; 2]>,
    /// All other attributes, possibly including coordinates.
    pub attributes: Attributes,
    /// The line of its first mention.
    pub line: Option<u64>,
}

/// An edge as it is in the file.
#[derive(Debug, Clone, Default)]
pub struct DraftEdge {
    /// The number of its source in the draft, as returned by [`Draft::node`].
    pub source: usize,
    /// The number of its target.
    pub target: usize,
    /// Its length, if the attributes do not give one.
    pub length: Option<f64>,
    /// The places between its ends.
    pub bends: Vec<[f64; 2]>,
    /// All other attributes, possibly including a length.
    pub attributes: Attributes,
    /// Its line.
    pub line: Option<u64>,
    /// The directions it may be taken in, if the file declares them.
    pub direction: Option<Direction>,
    /// How long it takes beyond the visit at its end, in units of one visit, if known.
    pub time: Option<f64>,
    /// How often it closes and reopens, if that counts.
    pub rates: Option<ClosureRates>,
}

/// The speed if a file does not give one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// The usual speed for the kind of road.
    ByRoad,
    /// At five kilometres per hour.
    OnFoot,
}

/// Nodes and edges to make a map from.
///
/// ```
/// use graph_bandit_maps::{Component, Draft, DraftEdge, Limits};
/// let mut draft = Draft::new(Limits::default());
/// let (harbour, market) = (draft.node("harbour")?, draft.node("market")?);
/// draft.connect(DraftEdge { source: harbour, target: market, ..DraftEdge::default() })?;
/// let map = draft.assemble(Component::Only)?.map;
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
    /// Whether the reader has already used `oneway`.
    pub(crate) knows_oneway: bool,
    pub(crate) pace: Pace,
    /// Columns that appear twice, and the line that names them.
    pub(crate) repeated: Vec<(String, u64)>,
    /// The first end of an edge that is not among the nodes listed in the file, and its line.
    pub(crate) undeclared: Option<(String, u64)>,
    numbers: HashMap<String, usize>,
    limits: Limits,
    held: usize,
}

impl Draft {
    /// An empty draft that holds no more than `limits` allow.
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

    /// The node with that id; a new one if there is none.
    ///
    /// # Errors
    /// When there are too many nodes.
    pub fn node(&mut self, id: &str) -> Result<usize, Problem> {
        match self.find(id) {
            Some(node) => Ok(node),
            None => self.add(DraftNode { id: id.to_owned(), ..DraftNode::default() }),
        }
    }

    /// The node with that id, if there is one.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.numbers.get(id).copied()
    }

    /// The declared node that an edge means by that id: 3 may be written 3.0.
    pub(crate) fn find_alike(&self, id: &str) -> Option<usize> {
        self.find(id).or_else(|| {
            let whole = whole_number(id)?;
            self.find(whole).or_else(|| self.find(&format!("{whole}.0")))
        })
    }

    /// Adds a node.
    ///
    /// # Errors
    /// When its id is taken, or there are too many nodes.
    pub fn add(&mut self, node: DraftNode) -> Result<usize, Problem> {
        if self.find(&node.id).is_some() {
            let reason = format!("two nodes have the id {:?}; ids must differ", node.id);
            return Err(Problem::at(node.line, reason));
        }
        self.hold(2 * node.id.len() + size_of_attributes(&node.attributes), node.line)?;
        let place = self.nodes.len();
        self.numbers.insert(node.id.clone(), place);
        self.nodes.push(node);
        self.check_elements()?;
        Ok(place)
    }

    /// Sets an attribute of a node, replacing any value of that name.
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

    /// Sets the system of the nodes' places; an attribute `crs` of the map overrides it.
    pub fn set_system(&mut self, system: System) {
        self.system = Some(system);
    }

    /// Adds an edge.
    ///
    /// # Errors
    /// When an end is not a node of the draft, a bend is not finite, or there are too many edges.
    pub fn connect(&mut self, edge: DraftEdge) -> Result<(), Problem> {
        if edge.source.max(edge.target) >= self.nodes.len() {
            return Err(Problem::at(
                edge.line,
                "an end of this edge is not a node; add nodes first",
            ));
        }
        if edge.bends.iter().flatten().any(|number| !number.is_finite()) {
            let reason = "a bend of this edge has coordinates that are not finite";
            return Err(Problem::at(edge.line, reason));
        }
        self.hold(16 * edge.bends.len() + size_of_attributes(&edge.attributes), edge.line)?;
        self.edges.push(edge);
        self.check_elements()
    }

    /// Notes that something was left out, if anything was.
    pub(crate) fn ignore(&mut self, what: &str, count: usize) {
        if count > 0 {
            self.notes.push(Note::Ignored { what: what.to_owned(), count });
        }
    }

    /// Counts bytes against the limit before they are held in memory.
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

/// Roughly the memory that attributes take.
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

//! The directions in which an edge may be taken.

use super::{Directions, Helps, Travel};
use crate::draft::{Draft, DraftEdge};
use crate::error::{Problem, Reason};
use serde_json::{Value, json};

/// The directions in which an edge may be taken, seen from the end that the file names first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Both.
    Both,
    /// From source to target.
    Forward,
    /// From target to source.
    Backward,
}

/// The attribute of `OpenStreetMap` and `OSMnx`.
pub(super) const ONEWAY: &str = "oneway";

/// The name for that attribute if it does not apply to this kind of traveller.
const ONEWAY_OF_OTHERS: &str = "osm:oneway";

/// The meaning of a value of `oneway`; an error is the value.
fn said(value: &Value) -> Result<Direction, String> {
    let text = match value {
        Value::Null => return Ok(Direction::Both),
        Value::String(text) => text.trim().to_ascii_lowercase(),
        other => other.to_string(),
    };
    match text.as_str() {
        "yes" | "true" | "1" => Ok(Direction::Forward),
        "-1" | "reverse" => Ok(Direction::Backward),
        // The direction depends on the hour.
        "" | "no" | "false" | "0" | "reversible" | "alternating" => Ok(Direction::Both),
        _ => Err(value.to_string()),
    }
}

/// The direction of an edge, as far as it is clear.
pub(super) fn lenient(edge: &DraftEdge, is_list: bool) -> Direction {
    match edge.direction {
        Some(direction) => direction,
        None if is_list => Direction::Both,
        None => edge
            .attributes
            .get(ONEWAY)
            .and_then(|value| said(value).ok())
            .unwrap_or(Direction::Both),
    }
}

impl Draft {
    /// Gives every edge a direction; turns [`Direction::Backward`] edges around.
    pub(crate) fn resolve_directions(&mut self, travel: &Travel) -> Result<(), Problem> {
        let is_list = self.is_list;
        if travel.is_asked() {
            self.check_said_once(ONEWAY)?;
            self.check_declared()?;
        }
        for place in 0..self.edges.len() {
            let edge = &self.edges[place];
            let direction = if travel.is_asked() {
                self.strict(edge, travel.directions)?
            } else {
                lenient(edge, is_list)
            };
            let edge = &mut self.edges[place];
            edge.direction = Some(direction);
            // Written and read again, the tag of a street that is one-way for others must not
            // count.
            if self.knows_oneway
                && edge.attributes.get(ONEWAY).is_some_and(|tag| said(tag) != Ok(direction))
                && let Some(tag) = edge.attributes.remove(ONEWAY)
            {
                edge.attributes.insert(ONEWAY_OF_OTHERS.to_owned(), tag);
            }
            if direction == Direction::Backward {
                turn_around(edge);
                edge.direction = Some(Direction::Forward);
                // Its attributes now refer to its new source.
                if let Some(value) = edge.attributes.get_mut(ONEWAY) {
                    *value = json!("yes");
                }
            }
        }
        Ok(())
    }

    /// If a file lists its nodes, an edge to any other node is an error.
    fn check_declared(&self) -> Result<(), Problem> {
        let Some((name, line)) = &self.undeclared else { return Ok(()) };
        let text = format!(
            "this edge has the end {name:?}, which is not among the nodes of the file; add that node, or \
             remove the edge"
        );
        Err(Problem { line: Some(*line), reason: Reason::Travel { text, helps: None } })
    }

    /// The direction of an edge, or a contradiction.
    fn strict(&self, edge: &DraftEdge, directions: Directions) -> Result<Direction, Problem> {
        let oneway = edge.attributes.get(ONEWAY);
        let contradiction = |why: &str, helps: Option<Helps>| {
            let value = oneway.unwrap_or(&Value::Null);
            let text = format!("{} says oneway = {value}, {why}", self.named(edge));
            Problem { line: edge.line, reason: Reason::Travel { text, helps } }
        };
        let is_line = edge.direction.is_none() && self.is_list;
        match (edge.direction, oneway.map(said)) {
            // Extracts: the reader knows who travels.
            (Some(direction), _) if self.knows_oneway => Ok(direction),
            (None, None) if !is_line => Ok(Direction::Both),
            (None, Some(Err(_))) if !is_line => {
                Err(contradiction("which is not yes, no or -1; write one of them", None))
            }
            (None, Some(Ok(direction))) if !is_line => Ok(direction),
            (None, oneway) if directions != Directions::OneWay => match oneway {
                Some(Ok(Direction::Forward | Direction::Backward)) => Err(contradiction(
                    "but the lines of an edge list lead both ways; remove that column, or let each \
                     line lead one way",
                    Some(Helps::OneWay),
                )),
                _ => Ok(Direction::Both),
            },
            (
                None | Some(Direction::Forward | Direction::Backward),
                Some(Ok(Direction::Backward)),
            ) => Err(contradiction(
                "but it leads from the first to the second; turn it around",
                None,
            )),
            (None, _) => Ok(Direction::Forward),
            (Some(Direction::Both), Some(Ok(Direction::Forward | Direction::Backward))) => {
                Err(contradiction(
                    "but the file declares it undirected; declare the file directed, or remove oneway",
                    None,
                ))
            }
            (Some(direction), _) => Ok(direction),
        }
    }

    /// Splits each two-way edge in two, if any edge leads one way only.
    pub(crate) fn split_two_way(&mut self) -> Result<(), Problem> {
        if !self.is_directed() {
            return Ok(());
        }
        for mut edge in std::mem::take(&mut self.edges) {
            let direction = edge.direction.replace(Direction::Forward);
            let back = (direction == Some(Direction::Both)).then(|| {
                let mut back = edge.clone();
                turn_around(&mut back);
                back
            });
            self.edges.push(edge);
            if let Some(back) = back {
                self.connect(back)?;
            }
        }
        Ok(())
    }

    /// Whether any edge leads one way only.
    pub(crate) fn is_directed(&self) -> bool {
        self.edges.iter().any(|edge| edge.direction == Some(Direction::Forward))
    }

    /// The name of an edge in messages.
    pub(super) fn named(&self, edge: &DraftEdge) -> String {
        let [source, target] = [edge.source, edge.target].map(|end| &self.nodes[end].id);
        format!("the edge from {source:?} to {target:?}")
    }
}

/// Speeds that apply from source to target, and back.
pub(super) const SIDES: [&str; 2] = ["maxspeed:forward", "maxspeed:backward"];

/// The same edge, seen from its other end.
pub(super) fn turn_around(edge: &mut DraftEdge) {
    std::mem::swap(&mut edge.source, &mut edge.target);
    edge.bends.reverse();
    let [there, back] = SIDES;
    let sides = [edge.attributes.remove(there), edge.attributes.remove(back)];
    for (name, value) in [back, there].into_iter().zip(sides) {
        if let Some(value) = value {
            edge.attributes.insert(name.to_owned(), value);
        }
    }
}

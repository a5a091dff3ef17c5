//! From an extract to a draft: ways first, then the places of the nodes they pass.

use super::blocks::for_each_block;
use super::elements::{Block, Tag};
use super::ways::Ways;
use super::wire::Broken;
use crate::distance::length;
use crate::draft::{Draft, DraftEdge, DraftNode, Pace, size_of_attributes};
use crate::error::{Problem, Reason};
use crate::limits::Limits;
use crate::map::{Attributes, System};
use crate::travel::Direction;
use serde_json::json;
use std::collections::HashMap;

/// Reads a draft from the bytes of a file.
pub(crate) fn read(bytes: &[u8], ways: Ways, limits: Limits) -> Result<Draft, Problem> {
    let mut extract = Extract { ways: Vec::new(), nodes: HashMap::new() };
    let mut size = Size { refs: 0, held: 0, limits };
    for_each_block(bytes, limits, |block| {
        if size.is_too_much() {
            return Ok(());
        }
        Block::parse(block)?.ways(|way| {
            let tag = |wanted: &str| tag(&way.tags, wanted);
            if !ways.take(tag) || size.is_too_much() {
                return Ok(());
            }
            let refs: Vec<i64> = way.nodes().collect::<Result<_, Broken>>()?;
            let direction = ways.direction(tag);
            let attributes = attributes_of(&way.tags, Some(way.id));
            size.add(refs.len(), size_of_attributes(&attributes));
            extract.ways.push(TakenWay { refs, attributes, direction });
            Ok(())
        })
    })?;
    size.check()?;
    if extract.ways.is_empty() {
        return Err(Reason::NoWays { wanted: ways }.into());
    }
    extract.count_passes();
    for_each_block(bytes, limits, |block| {
        let wanted = |id: i64| extract.nodes.contains_key(&id);
        let mut found = Vec::new();
        Block::parse(block)?.nodes(wanted, |node| {
            let attributes = attributes_of(&node.tags, None);
            size.add(0, size_of_attributes(&attributes));
            if !size.is_too_much() {
                found.push((node.id, node.place, attributes));
            }
            Ok(())
        })?;
        for (id, place, attributes) in found {
            if let Some(node) = extract.nodes.get_mut(&id) {
                node.place = Some(place);
                // Places between junctions have no node to keep their tags.
                if node.passes > 1 {
                    node.attributes = attributes;
                }
            }
        }
        Ok(())
    })?;
    size.check()?;
    let mut draft = extract.into_draft(limits)?;
    draft.knows_oneway = true;
    draft.pace = match ways {
        Ways::Walkable => Pace::OnFoot,
        Ways::Drivable => Pace::ByRoad,
    };
    Ok(draft)
}

/// How much is held in memory, checked while reading.
struct Size {
    refs: usize,
    held: usize,
    limits: Limits,
}

impl Size {
    fn add(&mut self, refs: usize, held: usize) {
        self.refs = self.refs.saturating_add(refs);
        self.held = self.held.saturating_add(held);
    }

    fn is_too_much(&self) -> bool {
        self.refs > self.limits.elements.saturating_mul(2) || self.held > self.limits.held_bytes
    }

    fn check(&self) -> Result<(), Problem> {
        if self.is_too_much() {
            return Err(Problem::in_file(
                "the extract has too many ways; cut it to a smaller area",
            ));
        }
        Ok(())
    }
}

struct TakenWay {
    refs: Vec<i64>,
    attributes: Attributes,
    direction: Direction,
}

/// A node that some way passes.
#[derive(Default)]
struct Passed {
    /// Ways that pass it; a way that ends there counts twice, so that more than one makes it a
    /// node.
    passes: u32,
    place: Option<[f64; 2]>,
    attributes: Attributes,
    /// Its number in the draft.
    node: Option<usize>,
}

struct Extract {
    ways: Vec<TakenWay>,
    nodes: HashMap<i64, Passed>,
}

impl Extract {
    fn count_passes(&mut self) {
        for way in &mut self.ways {
            way.refs.dedup();
            let last = way.refs.len().saturating_sub(1);
            for (place, &id) in way.refs.iter().enumerate() {
                let node = self.nodes.entry(id).or_default();
                let is_end = place == 0 || place == last;
                node.passes = node.passes.saturating_add(1 + u32::from(is_end));
            }
        }
    }

    fn into_draft(mut self, limits: Limits) -> Result<Draft, Problem> {
        let mut draft = Draft::new(limits);
        draft.set_system(System::Geographic);
        let mut missing = 0;
        for way in std::mem::take(&mut self.ways) {
            let before = draft.edges.len();
            missing += self.cut(&way, &mut draft)?;
            if way.direction != Direction::Both {
                draft.directed += draft.edges.len() - before;
            }
        }
        draft.ignore("places of ways that are not in the extract", missing);
        Ok(draft)
    }

    /// Cuts a way at junctions; returns how many of its nodes are not in the extract.
    fn cut(&mut self, way: &TakenWay, draft: &mut Draft) -> Result<usize, Problem> {
        let is_there = |id: &i64| self.nodes.get(id).is_some_and(|node| node.place.is_some());
        let there: Vec<bool> = way.refs.iter().map(is_there).collect();
        let missing = there.iter().filter(|there| !**there).count();
        let (mut source, mut line): (Option<usize>, Vec<[f64; 2]>) = (None, Vec::new());
        for (i, id) in way.refs.iter().enumerate() {
            let Some(passed) = self.nodes.get_mut(id).filter(|_| there[i]) else {
                // Beyond the border of the extract the way continues, but not here.
                source = None;
                line.clear();
                continue;
            };
            let place = passed.place.unwrap_or_default();
            line.push(place);
            let is_cut_off = |next: Option<&bool>| next.is_none_or(|there| !there);
            let before = i.checked_sub(1).and_then(|before| there.get(before));
            let is_node = passed.passes > 1 || is_cut_off(before) || is_cut_off(there.get(i + 1));
            if !is_node {
                continue;
            }
            let node = match passed.node {
                Some(node) => node,
                None => draft.add(DraftNode {
                    id: id.to_string(),
                    place: Some(place),
                    attributes: std::mem::take(&mut passed.attributes),
                    line: None,
                })?,
            };
            passed.node = Some(node);
            if let Some(source) = source {
                draft.connect(DraftEdge {
                    source,
                    target: node,
                    length: Some(length(&line, System::Geographic)),
                    bends: line[1..line.len() - 1].to_vec(),
                    attributes: way.attributes.clone(),
                    direction: Some(way.direction),
                    ..DraftEdge::default()
                })?;
            }
            source = Some(node);
            line = vec![place];
        }
        Ok(missing)
    }
}

fn tag<'a>(tags: &[Tag<'a>], wanted: &str) -> Option<&'a str> {
    let (_, value) = tags.iter().find(|(key, _)| *key == wanted.as_bytes())?;
    std::str::from_utf8(value).ok()
}

/// Tags as attributes, and the id of a way among them.
fn attributes_of(tags: &[Tag<'_>], id: Option<i64>) -> Attributes {
    let mut attributes = Attributes::new();
    for (key, value) in tags {
        let (key, value) = (String::from_utf8_lossy(key), String::from_utf8_lossy(value));
        // A tag with the length of a whole way does not apply to its parts.
        let name = match key.as_ref() {
            "length" | "distance" | "len" | "osmid" | "geometry" => format!("osm:{key}"),
            _ => key.into_owned(),
        };
        attributes.insert(name, json!(value));
    }
    if let Some(id) = id {
        attributes.insert("osmid".to_owned(), json!(id));
    }
    attributes
}

//! Reading `GeoJSON`.

use super::broken::broken;
use super::feature::{Feature, Ignored, Line, Point, ends_of};
use super::snap::Snap;
use super::{COORDINATE_SYSTEM, DIRECTED, NAV2_ENDS, PLAIN_ENDS, guard};
use crate::columns;
use crate::distance::{is_on_earth, length};
use crate::draft::{Draft, DraftEdge, DraftNode, size_of_attributes};
use crate::error::Problem;
use crate::limits::Limits;
use crate::lines::Lines;
use crate::map::{Attributes, System};
use crate::travel::Direction;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Reads a draft from the text of a file.
pub(crate) fn read(text: &str, limits: Limits) -> Result<Draft, Problem> {
    guard::check(text, limits)?;
    let members: BTreeMap<String, &RawValue> =
        serde_json::from_str(text).map_err(|e| broken(&e, text, 0))?;
    let mut draft = Draft::new(limits);
    let mut lines = Lines::of(text);
    let mut place = |raw: &RawValue| lines.line(raw.get().as_ptr().addr() - text.as_ptr().addr());
    let features = match members.get("features") {
        Some(raw) => {
            let line = place(raw);
            let features: Vec<&RawValue> =
                serde_json::from_str(raw.get()).map_err(|e| broken(&e, raw.get(), line - 1))?;
            for (name, raw) in &members {
                if name != "type" && name != "features" {
                    draft.hold(VALUE * raw.get().len(), None)?;
                    // Members are not in the order of the file, so lines are counted only if
                    // needed.
                    let value = serde_json::from_str(raw.get());
                    let value = value.map_err(|e| broken(&e, raw.get(), place(raw) - 1))?;
                    draft.describe(name, value);
                }
            }
            features
        }
        None => vec![serde_json::from_str(text).map_err(|e| broken(&e, text, 0))?],
    };
    let mut found = Found::default();
    for raw in features {
        let line = place(raw);
        check_feature(raw, line, limits)?;
        let value = serde_json::from_str(raw.get()).map_err(|e| broken(&e, raw.get(), line - 1))?;
        match Feature::parse(value, line, &mut found.ignored)? {
            Feature::Point(point) => {
                draft.hold(size_of_attributes(&point.attributes), Some(line))?;
                found.points.push(point);
            }
            Feature::Line(line) => {
                let places: usize = line.parts.iter().map(|part| 16 * part.len() + 24).sum();
                draft.hold(size_of_attributes(&line.attributes) + places, Some(line.at))?;
                found.lines.push(line);
            }
            Feature::Other => found.others += 1,
        }
        if found.points.len() + found.lines.len() > limits.elements {
            let reason = format!(
                "there are more than {} points and lines; cut the map to a smaller area",
                limits.elements
            );
            return Err(Problem::at(line, reason));
        }
    }
    found.into_draft(draft)
}

/// The memory that a byte of JSON may take: `0,` is two bytes and a value of 32.
const VALUE: usize = 16;

/// A feature is parsed as a whole, so it must be smaller than a file may be.
fn check_feature(raw: &RawValue, line: u64, limits: Limits) -> Result<(), Problem> {
    let most = limits.held_bytes / VALUE;
    if raw.get().len() <= most {
        return Ok(());
    }
    let reason = format!("this feature has more than {most} bytes; give it fewer places");
    Err(Problem::at(line, reason))
}

/// The contents of a file, before nodes are identified.
#[derive(Default)]
struct Found {
    points: Vec<Point>,
    lines: Vec<Line>,
    others: usize,
    ignored: Ignored,
}

impl Found {
    fn into_draft(mut self, mut draft: Draft) -> Result<Draft, Problem> {
        self.name_points();
        let ends = self.names_of_ends()?;
        let system = self.system(ends, &mut draft.attributes);
        let declared = self.take_directions(ends, &mut draft);
        draft.set_system(system);
        draft.ignore("features that are neither points nor lines", self.others);
        draft.ignore("elevations along lines", self.ignored.elevations);
        draft.ignore("shapes of lines that cannot be read", self.ignored.shapes);
        draft.ignore("members of features that are not of GeoJSON", self.ignored.members);
        let mut builder = Builder { draft, system, declared, snap: Snap::default(), unnamed: 0 };
        // Nodes are numbered if none has an id.
        let ids = if self.points.iter().any(|point| point.id.is_some()) {
            Unnamed::ByPlace
        } else {
            Unnamed::Numbered
        };
        let points = std::mem::take(&mut self.points);
        let has_points = !points.is_empty();
        for point in points {
            builder.add_point(point, ids)?;
        }
        match ends {
            Some(names) => {
                let unknown = if has_points { Unknown::Refused } else { Unknown::Added };
                let mut moved = 0;
                for line in self.lines {
                    moved += builder.join_by_ids(line, names, unknown)?;
                }
                builder.draft.ignore("ends of lines that are not where their nodes are", moved);
            }
            None => builder.join_by_places(&self.lines, ids)?,
        }
        Ok(builder.draft)
    }

    /// The directions the file declares for its lines: each leads one way in the dialect of Nav2
    /// and if the file says so; otherwise nothing is declared.
    fn take_directions(&self, ends: Option<[&str; 2]>, draft: &mut Draft) -> Option<Direction> {
        let said = draft.attributes.get(DIRECTED).and_then(Value::as_bool);
        if said.is_some() {
            draft.attributes.remove(DIRECTED);
        }
        match said {
            _ if ends == Some(NAV2_ENDS) => Some(Direction::Forward),
            Some(true) => {
                draft.directed += self.lines.iter().map(|line| line.parts.len()).sum::<usize>();
                Some(Direction::Forward)
            }
            Some(false) => Some(Direction::Both),
            None => None,
        }
    }

    /// Uses the names of points without ids as ids, if they differ.
    fn name_points(&mut self) {
        if self.points.iter().any(|point| point.id.is_some()) {
            return;
        }
        let name = |point: &Point| match point.attributes.get("name") {
            Some(Value::String(name)) if !name.is_empty() => Some(name.clone()),
            _ => None,
        };
        let names: Option<Vec<String>> = self.points.iter().map(name).collect();
        let Some(names) = names else { return };
        if names.iter().collect::<HashSet<_>>().len() == names.len() {
            for (point, name) in self.points.iter_mut().zip(names) {
                point.id = Some(name);
            }
        }
    }

    /// The names of the properties with the ends of edges, if edges have ids for them.
    fn names_of_ends(&self) -> Result<Option<[&'static str; 2]>, Problem> {
        if self.lines.is_empty() {
            return Ok(None);
        }
        if self.lines.iter().any(|line| line.attributes.contains_key(NAV2_ENDS[0])) {
            let [start, end] = NAV2_ENDS;
            return match self.lines.iter().find(|l| ends_of(&l.attributes, NAV2_ENDS).is_none()) {
                None => Ok(Some(NAV2_ENDS)),
                Some(line) => {
                    let reason = format!("this edge has no {start} and {end}, but others do");
                    Err(Problem::at(line.at, reason))
                }
            };
        }
        let known: HashSet<&str> =
            self.points.iter().filter_map(|point| point.id.as_deref()).collect();
        let is_usable = |names: &[&'static str; 2]| {
            self.lines.iter().all(|line| {
                let ends = ends_of(&line.attributes, *names);
                ends.is_some_and(|ends| {
                    self.points.is_empty() || ends.iter().all(|id| known.contains(id.as_str()))
                })
            })
        };
        // Lines without places can only be joined by ids; the one without ids is reported later.
        let has_no_place = |names: &[&'static str; 2]| {
            self.lines.iter().all(|line| ends_of(&line.attributes, *names).is_some())
                && self.lines.iter().any(|line| line.parts.iter().all(Vec::is_empty))
        };
        let mut names = PLAIN_ENDS.into_iter();
        Ok(names.clone().find(is_usable).or_else(|| names.find(has_no_place)))
    }

    /// Longitudes and latitudes, unless the file says otherwise, is for a robot, or they are out of
    /// range.
    fn system(&self, ends: Option<[&str; 2]>, attributes: &mut Attributes) -> System {
        let said = match attributes.get(COORDINATE_SYSTEM).and_then(Value::as_str) {
            Some("plane") => Some(System::Plane),
            Some("geographic") => Some(System::Geographic),
            _ => None,
        };
        if said.is_some() {
            attributes.remove(COORDINATE_SYSTEM);
        }
        let points = self.points.iter().filter_map(|point| point.place);
        let mut places =
            points.chain(self.lines.iter().flat_map(|line| line.parts.iter().flatten().copied()));
        let guess = if ends == Some(NAV2_ENDS) || !places.all(is_on_earth) {
            System::Plane
        } else {
            System::Geographic
        };
        columns::system_of(attributes).or(said).unwrap_or(guess)
    }
}

/// How to name nodes without an id.
#[derive(Clone, Copy)]
enum Unnamed {
    Numbered,
    ByPlace,
}

/// What to do with an end whose id no point has.
#[derive(Clone, Copy, PartialEq)]
enum Unknown {
    Refused,
    Added,
}

struct Builder {
    draft: Draft,
    system: System,
    /// The direction of lines, if the file declares it.
    declared: Option<Direction>,
    snap: Snap,
    unnamed: usize,
}

impl Builder {
    fn add_point(&mut self, point: Point, ids: Unnamed) -> Result<usize, Problem> {
        let Point { id, place, attributes, line } = point;
        let id = id.unwrap_or_else(|| self.fresh_id(place, ids));
        let line = Some(line);
        let node = self.draft.add(DraftNode { id, place, attributes, line })?;
        if let Some(place) = place {
            self.snap.add(node, place);
        }
        Ok(node)
    }

    fn fresh_id(&mut self, place: Option<[f64; 2]>, ids: Unnamed) -> String {
        let mut id = match (ids, place) {
            (Unnamed::ByPlace, Some([x, y])) => format!("{x},{y}"),
            _ => self.unnamed.to_string(),
        };
        self.unnamed += 1;
        while self.draft.find(&id).is_some() {
            id.push('\'');
        }
        id
    }

    fn node_at(&mut self, place: [f64; 2], line: u64, ids: Unnamed) -> Result<usize, Problem> {
        if let Some(node) = self.snap.find(place) {
            return Ok(node);
        }
        let attributes = Attributes::new();
        self.add_point(Point { id: None, place: Some(place), attributes, line }, ids)
    }

    /// Adds an edge between two ids; returns how many ends of its line are not where its nodes are.
    fn join_by_ids(
        &mut self,
        line: Line,
        names: [&str; 2],
        unknown: Unknown,
    ) -> Result<usize, Problem> {
        let Line { parts, mut attributes, at: line } = line;
        let is_straight = parts.is_empty();
        let mut places = parts.concat();
        let ends = ends_of(&attributes, names).unwrap_or_default();
        let mut nodes = [0; 2];
        for (i, id) in ends.iter().enumerate() {
            nodes[i] = match self.draft.find_alike(id) {
                Some(node) => node,
                None if unknown == Unknown::Added => {
                    let place = if i == 0 { places.first() } else { places.last() };
                    let place = place.copied();
                    let (id, line) = (id.clone(), Some(line));
                    self.draft.add(DraftNode { id, place, line, ..DraftNode::default() })?
                }
                None => {
                    let reason = format!("no point has the id of {} {id:?}", names[i]);
                    return Err(Problem::at(line, reason + "; give every node a point"));
                }
            };
        }
        attributes.retain(|name, _| !names.contains(&name.as_str()));
        let [source, target] = nodes;
        let [first, last] = nodes.map(|node| self.draft.nodes[node].place);
        let ends = [places.first().copied(), places.last().copied()];
        if ends != [first, last] && ends == [last, first] {
            places.reverse();
        }
        let mut moved = 0;
        for (at, node) in [(places.first(), first), (places.last(), last)] {
            moved += usize::from(at.is_some() && node.is_some() && at.copied() != node);
        }
        let bends: Vec<[f64; 2]> = match places.len() {
            0..3 => Vec::new(),
            count => places[1..count - 1].to_vec(),
        };
        let has_shape = is_straight || !places.is_empty();
        let computed = first.zip(last).filter(|_| has_shape).map(|(first, last)| {
            let bends = bends.iter().copied();
            let whole: Vec<_> = [first].into_iter().chain(bends).chain([last]).collect();
            length(&whole, self.system)
        });
        let line = Some(line);
        self.draft.connect(DraftEdge {
            source,
            target,
            length: computed,
            bends,
            attributes,
            line,
            direction: self.declared,
            ..DraftEdge::default()
        })?;
        Ok(moved)
    }

    /// Adds the edges between the places that lines share.
    fn join_by_places(&mut self, lines: &[Line], ids: Unnamed) -> Result<(), Problem> {
        let mut passed: HashMap<[u64; 2], usize> = HashMap::new();
        let parts =
            || lines.iter().flat_map(|line| line.parts.iter().map(move |part| (line, part)));
        for (line, part) in parts() {
            for end in [part.first(), part.last()].into_iter().flatten() {
                self.node_at(*end, line.at, ids)?;
            }
            for pair in part.get(1..).unwrap_or_default().windows(2) {
                // A place repeated in a row is passed once.
                if pair[0] != pair[1] {
                    *passed.entry(pair[0].map(f64::to_bits)).or_default() += 1;
                }
            }
        }
        for (line, part) in parts() {
            for place in part {
                if passed.get(&place.map(f64::to_bits)).is_some_and(|&times| times > 1) {
                    self.node_at(*place, line.at, ids)?;
                }
            }
        }
        for line in lines {
            for part in &line.parts {
                let mut part = part.clone();
                part.dedup();
                self.cut_at_nodes(line, &part)?;
            }
        }
        Ok(())
    }

    fn cut_at_nodes(&mut self, line: &Line, part: &[[f64; 2]]) -> Result<(), Problem> {
        let mut source = None;
        let mut bends = Vec::new();
        let nodes = part.iter().filter(|&&place| self.snap.find(place).is_some()).count();
        // The length of the whole does not apply to its parts.
        let is_whole = nodes <= 2 && line.parts.len() == 1;
        for &place in part {
            let Some(target) = self.snap.find(place) else {
                bends.push(place);
                continue;
            };
            if let Some(source) = source.replace(target) {
                let bends = std::mem::take(&mut bends);
                let ends = [source, target].map(|node: usize| self.draft.nodes[node].place);
                let [Some(first), Some(last)] = ends else { continue };
                let inner = bends.iter().copied();
                let whole: Vec<_> = [first].into_iter().chain(inner).chain([last]).collect();
                let mut attributes = line.attributes.clone();
                if !is_whole {
                    columns::take_length(&mut attributes, None);
                }
                self.draft.connect(DraftEdge {
                    source,
                    target,
                    length: Some(length(&whole, self.system)),
                    bends,
                    attributes,
                    line: Some(line.at),
                    direction: self.declared,
                    ..DraftEdge::default()
                })?;
            }
        }
        Ok(())
    }
}

//! Writing `GeoJSON`.

use super::feature::has_ends;
use super::ids::value_of;
use super::{COORDINATE_SYSTEM, DIRECTED, ELEVATION, NAV2_ENDS, PLAIN_ENDS};
use crate::columns;
use crate::distance::is_on_earth;
use crate::map::{Attributes, Edge, Map, System};
use crate::travel::{UNIT_FIELD, put_time};
use crate::write::{Losses, ids};
use graph_bandit::NodeId;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

/// The dialect of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Each edge once, `source` and `target`.
    Plain,
    /// Each edge once per direction, `startid` and `endid`, integers as ids.
    Nav2,
}

impl Dialect {
    fn ends(self) -> [&'static str; 2] {
        match self {
            Self::Plain => PLAIN_ENDS[0],
            Self::Nav2 => NAV2_ENDS,
        }
    }
}

/// The text of a file that holds the map.
pub(crate) fn write(map: &Map, dialect: Dialect, losses: &mut Losses) -> String {
    let mut writer = Writer { map, dialect, ids: Vec::new(), lost: BTreeSet::new() };
    writer.ids = writer.node_ids(losses);
    let mut text = String::from("{\"type\":\"FeatureCollection\"");
    for (name, value) in writer.members(losses) {
        let _ = write!(text, ",\n{}:{value}", json!(name));
    }
    text += ",\n\"features\":[";
    let mut separator = "\n";
    let mut push = |feature: Value| {
        let _ = write!(text, "{separator}{feature}");
        separator = ",\n";
    };
    for node in map.graph().nodes() {
        push(writer.node(node));
    }
    writer.push_edges(&mut push);
    let lost = format!("attributes {:?}", writer.lost);
    losses.add(writer.lost.len(), lost, "ids, ends and times are written under these names");
    text + "\n]}\n"
}

struct Writer<'a> {
    map: &'a Map,
    dialect: Dialect,
    ids: Vec<Value>,
    lost: BTreeSet<String>,
}

impl Writer<'_> {
    fn node_ids(&self, losses: &mut Losses) -> Vec<Value> {
        let is_number = |name: &str| name.parse::<u32>().is_ok_and(|id| id.to_string() == name);
        let survives = |name: &str| self.dialect == Dialect::Plain || is_number(name);
        ids(self.map, survives, losses).iter().map(|id| value_of(id)).collect()
    }

    /// The members of the collection besides its features.
    fn members(&self, losses: &mut Losses) -> Attributes {
        let mut members = self.map.attributes().clone();
        let mut lost = Vec::new();
        let is_directed =
            self.map.is_directed() || members.get(DIRECTED).is_some_and(Value::is_boolean);
        let own = [DIRECTED].into_iter().filter(|_| is_directed);
        for name in ["type", "features", COORDINATE_SYSTEM].into_iter().chain(own) {
            if members.remove(name).is_some() {
                lost.push(name);
            }
        }
        if self.map.is_directed() && self.dialect == Dialect::Plain {
            members.insert(DIRECTED.to_owned(), json!(true));
        }
        losses.add(
            lost.len(),
            format!("attributes {lost:?}"),
            "they are members of the file itself",
        );
        let (Some(system), None) = (self.map.system(), columns::system_of(&members)) else {
            return members;
        };
        let places = self.map.coordinates().unwrap_or_default().iter();
        let bends = self.map.edges().iter().flat_map(|edge| &edge.bends);
        let is_guessed = match (system, self.dialect) {
            (System::Plane, Dialect::Nav2) => true,
            (System::Plane, Dialect::Plain) => {
                !places.chain(bends).all(|&place| is_on_earth(place))
            }
            (System::Geographic, Dialect::Plain) => places.chain(bends).all(|&p| is_on_earth(p)),
            (System::Geographic, Dialect::Nav2) => false,
        };
        if !is_guessed {
            let name = if system == System::Plane { "plane" } else { "geographic" };
            members.insert(COORDINATE_SYSTEM.to_owned(), json!(name));
        }
        members
    }

    fn node(&mut self, node: NodeId) -> Value {
        let mut properties = self.map.nodes()[node as usize].clone();
        let place = self.map.coordinates().map(|places| places[node as usize]);
        let geometry = place.map(|[x, y]| {
            let elevation = properties.get(ELEVATION).filter(|value| value.is_number()).cloned();
            if elevation.is_some() {
                properties.remove(ELEVATION);
            }
            let numbers: Vec<Value> = [json!(x), json!(y)].into_iter().chain(elevation).collect();
            json!({"type": "Point", "coordinates": numbers})
        });
        if geometry.is_none() && has_ends(&properties) {
            // Without a place it would be read as an edge.
            for name in PLAIN_ENDS.into_iter().chain([NAV2_ENDS]).flatten() {
                self.give_way(&mut properties, name);
            }
        }
        self.own(&mut properties, "id", self.ids[node as usize].clone());
        json!({"type": "Feature", "geometry": geometry, "properties": properties})
    }

    fn push_edges(&mut self, push: &mut impl FnMut(Value)) {
        let map = self.map;
        match self.dialect {
            Dialect::Plain => {
                for edge in map.edges() {
                    push(self.edge(edge, None));
                }
            }
            Dialect::Nav2 => {
                let in_use = self
                    .ids
                    .iter()
                    .chain(map.edges().iter().filter_map(|edge| edge.attributes.get("id")));
                let mut used = HashSet::new();
                let mut next = in_use.filter_map(Value::as_u64).max().map_or(0, |id| id + 1);
                for edge in map.edges() {
                    let own = edge.attributes.get("id").filter(|id| id.is_u64()).cloned();
                    let mut fresh = || {
                        next += 1;
                        json!(next - 1)
                    };
                    // One edge in a file may be two in a map.
                    let own = own.filter(|id| id.as_u64().is_some_and(|id| used.insert(id)));
                    let there = own.unwrap_or_else(&mut fresh);
                    if map.is_directed() {
                        push(self.edge(edge, Some(there)));
                        continue;
                    }
                    let back = fresh();
                    let mut reversed = edge.clone();
                    (reversed.source, reversed.target) = (edge.target, edge.source);
                    reversed.bends.reverse();
                    push(self.edge(edge, Some(there)));
                    push(self.edge(&reversed, Some(back)));
                }
            }
        }
    }

    fn edge(&mut self, edge: &Edge, id: Option<Value>) -> Value {
        let mut properties = edge.attributes.clone();
        // These would be read as the ends.
        for name in NAV2_ENDS {
            self.give_way(&mut properties, name);
        }
        let ends = [edge.source, edge.target].map(|end| self.ids[end as usize].clone());
        for (name, id) in self.dialect.ends().into_iter().zip(ends) {
            self.own(&mut properties, name, id);
        }
        if let Some(id) = id {
            properties.insert("id".to_owned(), id);
        }
        match edge.length {
            Some(length) => drop(properties.insert("length".to_owned(), json!(length))),
            // Distinguishes it from a file that leaves lengths to be computed.
            None => drop(properties.entry("length").or_insert(Value::Null)),
        }
        if let Some(time) = edge.time
            && put_time(&mut properties, time)
        {
            self.lost.insert(UNIT_FIELD.to_owned());
        }
        let geometry =
            self.map.shape(edge).map(|places| json!({"type": "LineString", "coordinates": places}));
        json!({"type": "Feature", "geometry": geometry, "properties": properties})
    }

    fn own(&mut self, properties: &mut Attributes, name: &str, value: Value) {
        self.give_way(properties, name);
        properties.insert(name.to_owned(), value);
    }

    fn give_way(&mut self, properties: &mut Attributes, name: &str) {
        if properties.remove(name).is_some() {
            self.lost.insert(name.to_owned());
        }
    }
}

//! Coordinates, lengths and shapes stored as attributes, for formats without another place for
//! them: reading and writing.

use crate::distance::is_on_earth;
use crate::map::{Attributes, Edge, Map, System};
use crate::spelling::number_of;
use crate::travel::{UNIT_FIELD, put_time};
use crate::wkt;
use serde_json::{Value, json};

/// Names of coordinates, and their system. `x` and `y` may be anything; the map's attribute `crs`
/// decides.
const PLACES: [([&str; 2], System); 4] = [
    (["x", "y"], System::Plane),
    (["lon", "lat"], System::Geographic),
    (["longitude", "latitude"], System::Geographic),
    (["lng", "lat"], System::Geographic),
];

/// Names of lengths. A weight may be anything, so it stays an attribute.
const LENGTHS: [&str; 3] = ["length", "distance", "len"];

/// The map's attribute that names a coordinate reference system.
pub(crate) const SYSTEM: &str = "crs";

/// The system of the coordinates, according to the map's own attributes.
pub(crate) fn system_of(attributes: &Attributes) -> Option<System> {
    let text = match attributes.get(SYSTEM)? {
        Value::Null => return None,
        Value::String(text) => text.to_ascii_lowercase(),
        other => other.to_string().to_ascii_lowercase(),
    };
    let geographic = ["4326", "crs84", "wgs84", "wgs 84"].iter().any(|name| text.contains(name));
    // UTM zones are named after WGS 84 as well.
    let is_projected = text.contains("utm") || text.contains("proj=merc");
    let system = if geographic && !is_projected { System::Geographic } else { System::Plane };
    Some(system)
}

/// The coordinates found in the attributes of every node, and their names.
pub(crate) struct Found {
    pub(crate) places: Vec<[f64; 2]>,
    pub(crate) system: System,
}

/// Removes the coordinates from the attributes, if all nodes have them under the same names.
pub(crate) fn take_places(nodes: &mut [Attributes]) -> Option<Found> {
    for (names, system) in PLACES {
        let places: Option<Vec<[f64; 2]>> = nodes.iter().map(|node| place(node, names)).collect();
        let Some(places) = places else { continue };
        for node in nodes {
            node.retain(|name, _| !names.contains(&name.as_str()));
        }
        return Some(Found { places, system });
    }
    None
}

/// Removes coordinates that only repeat known ones.
pub(crate) fn drop_repeated_places(nodes: &mut [Attributes], places: &[[f64; 2]]) {
    for (names, _) in PLACES {
        let repeats =
            nodes.iter().zip(places).all(|(node, &known)| place(node, names) == Some(known));
        if repeats {
            for node in &mut *nodes {
                node.retain(|name, _| !names.contains(&name.as_str()));
            }
        }
    }
}

/// Whether a node has coordinates under any name.
pub(crate) fn has_place(node: &Attributes) -> bool {
    PLACES.iter().any(|&(names, _)| place(node, names).is_some())
}

fn place(node: &Attributes, [x, y]: [&str; 2]) -> Option<[f64; 2]> {
    Some([number_of(node.get(x)?)?, number_of(node.get(y)?)?])
}

/// The first place that is not a longitude and latitude.
pub(crate) fn first_off_earth(places: &[[f64; 2]]) -> Option<usize> {
    places.iter().position(|&place| !is_on_earth(place))
}

/// Removes an edge's length from its attributes; `computed` is the default.
pub(crate) fn take_length(attributes: &mut Attributes, computed: Option<f64>) -> Option<f64> {
    let valid = |value: &Value| number_of(value).filter(|length| *length >= 0.0);
    for name in LENGTHS {
        match attributes.get(name) {
            None => {}
            Some(Value::Null) if name == LENGTHS[0] => {
                attributes.remove(name);
                return None;
            }
            Some(value) => match valid(value) {
                Some(length) => {
                    attributes.remove(name);
                    return Some(length);
                }
                // No other attribute may stand in for it.
                None if name == LENGTHS[0] => return None,
                None => {}
            },
        }
    }
    computed.filter(|length| length.is_finite() && *length >= 0.0)
}

/// Removes an edge's bends from its attributes, if its shape is a line from one end to the other.
pub(crate) fn take_bends(edge: &mut Edge, places: &[[f64; 2]]) {
    let Some(Value::String(text)) = edge.attributes.get(SHAPE) else { return };
    let Some(mut line) = wkt::places_of(text).filter(|line| line.len() > 1) else { return };
    let ends = [places[edge.source as usize], places[edge.target as usize]];
    if line[0] == ends[1] && line[line.len() - 1] == ends[0] && ends[0] != ends[1] {
        line.reverse();
    }
    if line[0] == ends[0] && line[line.len() - 1] == ends[1] && edge.bends.is_empty() {
        edge.bends = line[1..line.len() - 1].to_vec();
        edge.attributes.remove(SHAPE);
    }
}

const SHAPE: &str = "geometry";

/// A map whose coordinates, lengths and shapes are attributes, and what was lost to make room.
pub(crate) struct Flat {
    pub(crate) nodes: Vec<Attributes>,
    pub(crate) edges: Vec<Attributes>,
    /// Names of node attributes replaced by coordinates.
    pub(crate) lost_of_nodes: Vec<String>,
    /// Names of edge attributes replaced by shapes and times.
    pub(crate) lost_of_edges: Vec<String>,
}

impl Flat {
    fn lose_of_edges(&mut self, name: &str) {
        if !self.lost_of_edges.iter().any(|lost| lost == name) {
            self.lost_of_edges.push(name.to_owned());
        }
    }
}

/// Puts coordinates, lengths, times and shapes among the attributes.
pub(crate) fn flatten(map: &Map) -> Flat {
    let mut flat = Flat {
        nodes: map.nodes.clone(),
        edges: Vec::with_capacity(map.edges.len()),
        lost_of_nodes: Vec::new(),
        lost_of_edges: Vec::new(),
    };
    if let Some(places) = map.coordinates() {
        let is_named = system_of(&map.attributes).is_some();
        let names = match map.system {
            Some(System::Geographic) if !is_named => ["lon", "lat"],
            _ => ["x", "y"],
        };
        for (node, &place) in flat.nodes.iter_mut().zip(places) {
            // A reader would take `x` and `y` for the coordinates.
            for name in ["x", "y"].into_iter().chain(names) {
                if node.remove(name).is_some()
                    && !flat.lost_of_nodes.iter().any(|lost| lost == name)
                {
                    flat.lost_of_nodes.push(name.to_owned());
                }
            }
            for (name, number) in names.into_iter().zip(place) {
                node.insert(name.to_owned(), json!(number));
            }
        }
    }
    for edge in &map.edges {
        let mut attributes = edge.attributes.clone();
        if let Some(length) = edge.length {
            attributes.insert(LENGTHS[0].to_owned(), json!(length));
        }
        if let Some(time) = edge.time
            && put_time(&mut attributes, time)
        {
            flat.lose_of_edges(UNIT_FIELD);
        }
        if let Some(shape) = map.shape(edge).filter(|_| !edge.bends.is_empty()) {
            let line = json!(wkt::text_of(&shape));
            if attributes.insert(SHAPE.to_owned(), line).is_some() {
                flat.lose_of_edges(SHAPE);
            }
        }
        flat.edges.push(attributes);
    }
    flat
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Attributes {
        match value {
            Value::Object(object) => object,
            _ => Attributes::new(),
        }
    }

    #[test]
    fn reference_systems() {
        for (crs, system) in [
            (json!("epsg:4326"), System::Geographic),
            (json!("EPSG:32610"), System::Plane),
            (json!("WGS 84 / UTM zone 10N"), System::Plane),
            (json!({"properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}), System::Geographic),
            (json!({"properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}), System::Plane),
        ] {
            assert_eq!(system_of(&object(json!({"crs": crs}))), Some(system), "{crs}");
        }
        assert_eq!(system_of(&Attributes::new()), None);
    }

    #[test]
    fn lengths() {
        let length = |value, computed| {
            let mut attributes = object(value);
            (take_length(&mut attributes, computed), attributes.len())
        };
        assert_eq!(length(json!({"length": "12.5", "distance": 3}), None), (Some(12.5), 1));
        assert_eq!(length(json!({"distance": 3}), Some(1.0)), (Some(3.0), 0));
        assert_eq!(length(json!({"length": null}), Some(1.0)), (None, 0));
        assert_eq!(length(json!({"length": -1, "len": 2}), Some(1.0)), (None, 2));
        assert_eq!(length(json!({"weight": 2}), Some(1.0)), (Some(1.0), 1));
    }
}

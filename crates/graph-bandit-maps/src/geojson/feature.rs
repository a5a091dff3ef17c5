//! One feature: a node, an edge, or neither.

use super::ids::id_of;
use super::{ELEVATION, NAV2_ENDS, PLAIN_ENDS};
use crate::error::Problem;
use crate::map::Attributes;
use serde_json::Value;

/// A node or an edge as it is in the file.
pub(super) enum Feature {
    Point(Point),
    Line(Line),
    Other,
}

pub(super) struct Point {
    pub(super) id: Option<String>,
    pub(super) place: Option<[f64; 2]>,
    pub(super) attributes: Attributes,
    pub(super) line: u64,
}

/// A line; it may have several parts if ids do not say which nodes it joins, and has none if its shape
/// cannot be read and need not be.
pub(super) struct Line {
    pub(super) parts: Vec<Vec<[f64; 2]>>,
    pub(super) attributes: Attributes,
    pub(super) at: u64,
}

/// What was left out.
#[derive(Default)]
pub(super) struct Ignored {
    pub(super) elevations: usize,
    pub(super) members: usize,
    pub(super) shapes: usize,
}

impl Feature {
    /// Reads a feature, or a geometry on its own.
    pub(super) fn parse(value: Value, line: u64, ignored: &mut Ignored) -> Result<Self, Problem> {
        let Value::Object(mut feature) = value else {
            return Err(Problem::at(line, "a feature must be an object"));
        };
        let is_feature = feature.get("type").and_then(Value::as_str) == Some("Feature");
        let geometry = if is_feature {
            match feature.remove("geometry") {
                Some(Value::Object(geometry)) => geometry,
                None | Some(Value::Null) => Attributes::new(),
                Some(_) => {
                    return Err(Problem::at(line, "a geometry must be an object or null"));
                }
            }
        } else {
            std::mem::take(&mut feature)
        };
        let mut attributes = match feature.remove("properties") {
            Some(Value::Object(properties)) => properties,
            None | Some(Value::Null) => Attributes::new(),
            Some(_) => return Err(Problem::at(line, "properties must be an object or null")),
        };
        feature.remove("type");
        feature.remove("bbox");
        let own_id = feature.remove("id");
        ignored.members += feature.len();
        let kind = geometry.get("type").and_then(Value::as_str).unwrap_or("");
        let coordinates = geometry.get("coordinates").unwrap_or(&Value::Null);
        let has_ends = has_ends(&attributes);
        match kind {
            "Point" => {
                let place = place_of(coordinates, line)?;
                keep_elevation(coordinates, &mut attributes, ignored);
                Ok(Self::Point(point(own_id, Some(place), attributes, line)))
            }
            "LineString" | "MultiLineString" => {
                let read = match kind {
                    "LineString" => places_of(coordinates, line, ignored).map(|part| vec![part]),
                    _ => list(coordinates, line).and_then(|parts| {
                        parts.iter().map(|part| places_of(part, line, ignored)).collect()
                    }),
                };
                let parts = match read {
                    Ok(parts) if has_ends => vec![parts.concat()],
                    // Nav2 looks only at the ids of the ends.
                    Err(_) if ends_of(&attributes, NAV2_ENDS).is_some() => {
                        ignored.shapes += 1;
                        Vec::new()
                    }
                    read => read?,
                };
                keep_id(own_id, &mut attributes);
                Ok(Self::Line(Line { parts, attributes, at: line }))
            }
            "" if has_ends => {
                keep_id(own_id, &mut attributes);
                Ok(Self::Line(Line { parts: vec![Vec::new()], attributes, at: line }))
            }
            "" if is_feature && geometry.is_empty() => {
                Ok(Self::Point(point(own_id, None, attributes, line)))
            }
            "Polygon" | "MultiPolygon" | "MultiPoint" | "GeometryCollection" => Ok(Self::Other),
            _ => Err(Problem::at(line, "this is neither a feature nor a geometry of GeoJSON")),
        }
    }
}

/// The ids of an edge's ends under these names.
pub(super) fn ends_of(attributes: &Attributes, names: [&str; 2]) -> Option<[String; 2]> {
    let [source, target] = names.map(|name| attributes.get(name).and_then(id_of));
    Some([source?, target?])
}

/// Whether these are attributes of an edge.
pub(super) fn has_ends(attributes: &Attributes) -> bool {
    let mut names = PLAIN_ENDS.into_iter().chain([NAV2_ENDS]);
    names.any(|names| ends_of(attributes, names).is_some())
}

fn point(
    own_id: Option<Value>,
    place: Option<[f64; 2]>,
    mut attributes: Attributes,
    line: u64,
) -> Point {
    let own_id = own_id.filter(|id| !id.is_null());
    let property = attributes.get("id").and_then(id_of);
    let id = match (property, &own_id) {
        (Some(id), own) => {
            attributes.remove("id");
            if let Some(own) = own.as_ref().filter(|own| id_of(own).as_ref() != Some(&id)) {
                attributes.entry("feature_id").or_insert((*own).clone());
            }
            Some(id)
        }
        (None, Some(own)) => id_of(own),
        (None, None) => attributes.get("osmid").and_then(id_of),
    };
    Point { id, place, attributes, line }
}

/// The id of an edge becomes an attribute.
fn keep_id(own_id: Option<Value>, attributes: &mut Attributes) {
    let Some(own) = own_id.filter(|id| !id.is_null()) else { return };
    match attributes.get("id") {
        None => drop(attributes.insert("id".to_owned(), own)),
        Some(id) if *id == own => {}
        Some(_) => drop(attributes.entry("feature_id").or_insert(own)),
    }
}

/// A point's third number is its elevation.
fn keep_elevation(coordinates: &Value, attributes: &mut Attributes, ignored: &mut Ignored) {
    let Some(third) = coordinates.get(2).filter(|third| third.is_number()) else { return };
    match attributes.get(ELEVATION) {
        None => drop(attributes.insert(ELEVATION.to_owned(), third.clone())),
        Some(known) => ignored.elevations += usize::from(known != third),
    }
}

fn places_of(value: &Value, line: u64, ignored: &mut Ignored) -> Result<Vec<[f64; 2]>, Problem> {
    let places = list(value, line)?;
    let read = places.iter().map(|place| place_of(place, line)).collect::<Result<_, _>>()?;
    ignored.elevations += usize::from(places.iter().any(|place| place.get(2).is_some()));
    Ok(read)
}

fn list(value: &Value, line: u64) -> Result<&Vec<Value>, Problem> {
    value
        .as_array()
        .ok_or_else(|| Problem::at(line, "the coordinates of a line must be a list of places"))
}

fn place_of(value: &Value, line: u64) -> Result<[f64; 2], Problem> {
    let number =
        |i: usize| value.get(i).and_then(Value::as_f64).filter(|number| number.is_finite());
    number(0).zip(number(1)).map(|(x, y)| [x, y]).ok_or_else(|| {
        Problem::at(line, "a place of this feature is not two numbers such as [13.4, 52.5]")
    })
}

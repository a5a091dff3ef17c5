//! `GeoJSON`: points are nodes, lines are edges.
//!
//! The ids of an edge's ends define it if its properties have them (`startid` and `endid` as in the
//! route graphs of Nav2, `source` and `target`, `from` and `to`, `u` and `v`). Otherwise the ends
//! of its line do: ends on one spot are one node, and so is a spot that several lines pass.

mod broken;
mod feature;
mod guard;
mod ids;
mod read;
mod snap;
mod write;

use crate::format::{Beginning, FormatEntry};
use crate::read::text_of;
use write::{Dialect, write};

pub(crate) const FORMAT: FormatEntry = FormatEntry {
    name: "geojson",
    extensions: &["geojson"],
    begins: |bytes| match bytes.trim_ascii_start().first() {
        Some(b'{') => Beginning::Like,
        _ => Beginning::Unlike,
    },
    read: |bytes, options| read::read(text_of(bytes, "GeoJSON")?, options.limits),
    write: Ok(|map, losses| write(map, Dialect::Plain, losses)),
};

pub(crate) const NAV2: FormatEntry = FormatEntry {
    name: "nav2",
    extensions: &[],
    begins: |_bytes| Beginning::Unlike,
    write: Ok(|map, losses| write(map, Dialect::Nav2, losses)),
    ..FORMAT
};

/// A member of the file with the coordinate system, if `crs` does not give it.
const COORDINATE_SYSTEM: &str = "coordinate_system";
/// A member of the file: whether its lines lead one way.
const DIRECTED: &str = "directed";
/// The property for a point's third number.
const ELEVATION: &str = "elevation";
/// The ends of an edge in the dialect of Nav2.
const NAV2_ENDS: [&str; 2] = ["startid", "endid"];
/// The ends of an edge elsewhere, in order of preference.
const PLAIN_ENDS: [[&str; 2]; 3] = [["source", "target"], ["from", "to"], ["u", "v"]];

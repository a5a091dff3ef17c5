//! `GraphML`, as networkx, `OSMnx` and Gephi write it.
//!
//! Values have the types that their keys declare. Values that fit no `GraphML` type (lists,
//! objects, control characters) are written as JSON under a key whose `desc` says `JSON`; to other
//! programs they are text. The parser is roxmltree, without document types, so a file cannot define
//! entities, external or not.

mod guard;
mod read;
mod write;

use crate::format::{Beginning, FormatEntry};
use crate::read::text_of;

pub(crate) const FORMAT: FormatEntry = FormatEntry {
    name: "graphml",
    extensions: &["graphml"],
    begins,
    read: |bytes, options| read::read(text_of(bytes, "GraphML")?, options.limits),
    write: Ok(write::write),
};

fn begins(bytes: &[u8]) -> Beginning {
    let text = bytes.trim_ascii_start();
    if text.first() != Some(&b'<') {
        return Beginning::Unlike;
    }
    not_graphml(text).map_or(Beginning::Like, Beginning::NotRead)
}

fn not_graphml(text: &[u8]) -> Option<&'static str> {
    let head = &text[..text.len().min(1000)];
    let has = |tag: &[u8]| head.windows(tag.len()).any(|window| window == tag);
    if has(b"<osm ") || has(b"<osm>") {
        return Some(
            "this is OpenStreetMap XML; convert it to .osm.pbf first, as with \
             `osmium cat map.osm -o map.osm.pbf`",
        );
    }
    if has(b"<gexf") {
        return Some("this is GEXF; export it as GraphML instead");
    }
    None
}

/// The description of a key whose values are JSON.
const JSON: &str = "JSON";

/// Whether XML can represent a character.
fn is_in_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

//! `OpenStreetMap` extracts, `.osm.pbf`: ways become edges between junctions and ends.
//!
//! Read-only: an extract holds far more than a map. Written by hand in a few dozen lines of
//! Protocol Buffers: the crate for it brings a dozen dependencies with a code generator, and adds
//! numbers from a damaged file without checking for overflow.

mod blocks;
mod elements;
mod read;
mod ways;
mod wire;

pub use ways::Ways;

use crate::format::{Beginning, FormatEntry};

pub(crate) const FORMAT: FormatEntry = FormatEntry {
    name: "osm",
    extensions: &["pbf"],
    begins: |bytes| match bytes.get(4..15) {
        Some(b"\x0a\x09OSMHeader") => Beginning::Like,
        _ => Beginning::Unlike,
    },
    read: |bytes, options| read::read(bytes, options.ways, options.limits),
    write: Err(
        "OpenStreetMap extracts can only be read; write .graphml or .geojson, which keep everything that was read",
    ),
};

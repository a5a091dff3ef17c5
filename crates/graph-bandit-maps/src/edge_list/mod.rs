//! Edge lists: one edge per line, separated by commas, tabs or blanks.
//!
//! Lines that start with `#` are comments. A first line `source,target` (or `from,to`) is a header
//! that also names further columns; a single further column without a header is a weight. A line
//! from a node to itself without further values only names the node. networkx's `a b {'weight': 3}`
//! is supported, too.

mod python;
mod read;
mod write;

use crate::format::{Beginning, FormatEntry};
use crate::read::text_of;

pub(crate) const FORMAT: FormatEntry = FormatEntry {
    name: "edge-list",
    extensions: &["csv", "tsv", "edgelist", "edges"],
    begins: |_bytes| Beginning::Perhaps,
    read: |bytes, options| read::read(text_of(bytes, "an edge list")?, options.limits),
    write: Ok(write::write),
};

const HEADERS: [[&str; 2]; 2] = [["source", "target"], ["from", "to"]];

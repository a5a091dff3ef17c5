//! Edge lists: one edge per line, separated by commas, tabs or blanks.
//!
//! Lines that start with `#` are comments. A first line `source,target` (or `from,to`) is a header, and
//! names what further columns hold; a single further column without a header is a weight. A line
//! from a node to itself that says nothing else names the node. networkx's `a b {'weight': 3}` is read
//! too.

mod python;
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

const HEADERS: [[&str; 2]; 2] = [["source", "target"], ["from", "to"]];

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
    begins: |bytes| {
        if is_dot(bytes) { Beginning::NotRead(DOT) } else { Beginning::Perhaps }
    },
    read: |bytes, options| read::read(text_of(bytes, "an edge list")?, options.limits),
    write: Ok(write::write),
};

const DOT: &str = "this is DOT; convert it first, as with networkx and pydot: \
                   `nx.write_edgelist(nx.nx_pydot.read_dot(\"map.dot\"), \"map.tsv\", delimiter=\"\\t\", data=False)`";

/// Whether this is a file of Graphviz: its lines would be read as strange edges.
fn is_dot(bytes: &[u8]) -> bool {
    let has = |sign: &[u8]| bytes.windows(2).any(|two| two == sign);
    let words: [&[u8]; 3] = [b"graph", b"digraph", b"strict"];
    words.iter().any(|word| after_comments(bytes).starts_with(word))
        && bytes.contains(&b'{')
        && (has(b"--") || has(b"->"))
}

/// What follows the comments that a file of Graphviz begins with.
fn after_comments(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = bytes.trim_ascii_start();
        let end: &[u8] = match bytes {
            [b'/', b'*', ..] => b"*/",
            [b'/', b'/', ..] | [b'#', ..] => b"\n",
            _ => return bytes,
        };
        let Some(length) = bytes.windows(end.len()).position(|some| some == end) else {
            return bytes;
        };
        bytes = &bytes[length + end.len()..];
    }
}

const HEADERS: [[&str; 2]; 2] = [["source", "target"], ["from", "to"]];

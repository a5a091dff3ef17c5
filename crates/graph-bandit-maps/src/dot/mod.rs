//! DOT, the language of Graphviz.
//!
//! The parser is written by hand: of the crates that parse DOT, one is under the GPL, and the other
//! brings two dozen dependencies for a parser generator and for running Graphviz. Values have no
//! types, so their text decides ([`crate::spelling`]).

mod lexer;
mod read;
mod text;
mod tokens;
mod write;

use crate::format::{Beginning, FormatEntry};
use crate::read::text_of;

pub(crate) const FORMAT: FormatEntry = FormatEntry {
    name: "dot",
    extensions: &["dot", "gv"],
    begins: |bytes| {
        if begins_like_dot(bytes.trim_ascii_start()) { Beginning::Like } else { Beginning::Unlike }
    },
    read: |bytes, options| read::read(text_of(bytes, "DOT")?, options.limits),
    write: Ok(write::write),
};

fn begins_like_dot(text: &[u8]) -> bool {
    if text.starts_with(b"//") || text.starts_with(b"/*") {
        return true;
    }
    let word = |text: &[u8], word: &[u8]| {
        let is_word = text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        let next = text.get(word.len()).copied().unwrap_or(b' ');
        is_word && (next.is_ascii_whitespace() || next == b'{' || next == b'"')
    };
    let text =
        if word(text, b"strict") { text[b"strict".len()..].trim_ascii_start() } else { text };
    (word(text, b"graph") || word(text, b"digraph")) && text.contains(&b'{')
}

/// The attribute in which Graphviz stores places: `1.5,2` or `1.5,2!`.
const PLACE: &str = "pos";

/// The place in a value of `pos`.
fn place_of(value: &serde_json::Value) -> Option<[f64; 2]> {
    let text = value.as_str()?;
    let (x, y) = text.strip_suffix('!').unwrap_or(text).split_once(',')?;
    let place = [x.trim().parse().ok()?, y.trim().parse().ok()?];
    place.iter().all(|number: &f64| number.is_finite()).then_some(place)
}

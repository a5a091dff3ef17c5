//! DOT, the language of Graphviz.
//!
//! Written by hand: of the crates that parse it, one is under the GPL, and the other brings two dozen
//! others for a parser generator and for running Graphviz. Values have no types, so they are what they spell ([`crate::spelling`]).

mod lexer;
mod read;
mod text;
mod tokens;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

/// The attribute that Graphviz keeps places under: `1.5,2` or `1.5,2!`.
const PLACE: &str = "pos";

/// The place that a value of `pos` spells.
fn place_of(value: &serde_json::Value) -> Option<[f64; 2]> {
    let text = value.as_str()?;
    let (x, y) = text.strip_suffix('!').unwrap_or(text).split_once(',')?;
    let place = [x.trim().parse().ok()?, y.trim().parse().ok()?];
    place.iter().all(|number: &f64| number.is_finite()).then_some(place)
}

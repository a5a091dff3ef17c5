//! `GraphML`, as networkx, `OSMnx` and Gephi write it.
//!
//! Values have the types their keys declare. What no type of `GraphML` fits (lists, objects, control
//! characters) is written as JSON under a key whose `desc` says `JSON`; to other programs it is text.
//! The parser is roxmltree: no document type, hence no entities of a file's own, external or not.

mod guard;
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

/// What the description of a key says whose values are JSON.
const JSON: &str = "JSON";

/// Whether XML can hold a character at all.
fn is_in_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

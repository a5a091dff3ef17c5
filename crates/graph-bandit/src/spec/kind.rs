//! What a list of specs says of each of its kinds.

use serde::Serialize;

/// What to tell a user of one kind of graph, noise or means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KindInfo {
    /// The name in specs.
    pub name: &'static str,
    /// How its text is written.
    pub usage: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// A text that parses.
    pub example: &'static str,
}

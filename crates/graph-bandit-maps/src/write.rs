//! From a map to a file.

use crate::error::{MapError, Problem, Reason};
use crate::format::Format;
use crate::map::Map;
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// Something in a map that a format cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// What, in the plural.
    pub what: String,
    /// How many.
    pub count: usize,
    /// Why.
    pub reason: &'static str,
}

impl LeftOut {
    /// What an edge list cannot record, in [`LeftOut::what`]: each line leads one way only if the
    /// reader asks for it.
    pub const DIRECTIONS: &'static str = "directions of edges";
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} left out: {}", self.count, self.what, self.reason)
    }
}

/// Collects what a writer has to leave out.
#[derive(Debug, Default)]
pub struct Losses(pub(crate) Vec<LeftOut>);

impl Losses {
    /// Adds a loss, if there is one.
    pub fn add(&mut self, count: usize, what: impl Into<String>, reason: &'static str) {
        if count > 0 {
            self.0.push(LeftOut { what: what.into(), count, reason });
        }
    }
}

/// A map as the bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// What the format could not hold; if empty, reading the bytes gives an equal map.
    pub left_out: Vec<LeftOut>,
}

/// Writes a map as the bytes of a file.
///
/// # Errors
/// When the format is read-only.
pub fn write_bytes(map: &Map, format: Format) -> Result<Written, Problem> {
    let mut losses = Losses::default();
    let write = format.entry().write.map_err(Problem::in_file)?;
    let text = write(map, &mut losses);
    Ok(Written { bytes: text.into_bytes(), left_out: losses.0 })
}

/// Writes a map to a file; returns what the format could not hold.
///
/// # Errors
/// When the name does not show a format, the format is read-only, or writing fails.
pub fn write_file(
    map: &Map,
    path: &Path,
    format: Option<Format>,
) -> Result<Vec<LeftOut>, MapError> {
    let error = |reason: Reason| MapError { path: path.to_owned(), line: None, reason };
    let format = format.or_else(|| Format::of_name(path));
    let format = format.ok_or_else(|| error(Reason::NoFormat { formats: Format::names() }))?;
    let written = write_bytes(map, format).map_err(|problem| error(problem.reason))?;
    let failed = |cause: std::io::Error| error(Reason::Content(cause.to_string()));
    std::fs::write(path, written.bytes).map_err(failed)?;
    Ok(written.left_out)
}

/// The ids of the nodes in a file: their names, or numbers if a name would not survive.
pub(crate) fn ids(map: &Map, survives: impl Fn(&str) -> bool, losses: &mut Losses) -> Vec<String> {
    let graph = map.graph();
    let Some(names) = graph.names() else {
        return graph.nodes().map(|node| node.to_string()).collect();
    };
    let lost = names.iter().filter(|name| !survives(name)).count();
    // All names are integers, and one is spelled 3.0: it would be read as 3.
    let whole = crate::spelling::whole_number;
    let changes = names.iter().all(|name| whole(name).is_some())
        && names.iter().any(|name| whole(name) != Some(name));
    // Names that are exactly 0 to n - 1 in another order than the nodes would be read as numbers.
    let numbers = names
        .iter()
        .all(|name| name.parse::<usize>().is_ok_and(|n| n < names.len() && n.to_string() == *name));
    if lost == 0 && !changes && !numbers {
        return names.to_vec();
    }
    losses.add(
        names.len(),
        "node names",
        "some would not read back the same, so all nodes are numbered",
    );
    graph.nodes().map(|node| node.to_string()).collect()
}

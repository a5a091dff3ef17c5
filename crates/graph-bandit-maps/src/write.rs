//! From a map to a file.

use crate::error::{MapError, Problem, Reason};
use crate::format::Format;
use crate::map::Map;
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// Something of a map that a format cannot hold.
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
    /// What an edge list cannot say, as [`LeftOut::what`] calls it: each line of it leads one way only
    /// where the reader is told so.
    pub const DIRECTIONS: &'static str = "directions of edges";
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} left out: {}", self.count, self.what, self.reason)
    }
}

/// What a writer had to leave out, gathered.
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
    /// What the file holds.
    pub bytes: Vec<u8>,
    /// What the format could not hold: nothing, and reading the bytes gives an equal map.
    pub left_out: Vec<LeftOut>,
}

/// Writes a map as the bytes of a file.
///
/// # Errors
/// When the format is only read.
pub fn write_bytes(map: &Map, format: Format) -> Result<Written, Problem> {
    let mut losses = Losses::default();
    let write = format.entry().write.map_err(Problem::whole)?;
    let text = write(map, &mut losses);
    Ok(Written { bytes: text.into_bytes(), left_out: losses.0 })
}

/// Writes a map into a file; answers what the format could not hold.
///
/// # Errors
/// When the name tells no format, the format is only read, or writing fails.
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

/// How to call the nodes in a file: by their names, or by numbers where a name would not survive.
pub(crate) fn ids(map: &Map, survives: impl Fn(&str) -> bool, losses: &mut Losses) -> Vec<String> {
    let graph = map.graph();
    let Some(names) = graph.names() else {
        return graph.nodes().map(|node| node.to_string()).collect();
    };
    let lost = names.iter().filter(|name| !survives(name)).count();
    // All names whole numbers, and one spelled 3.0: it would be read as 3.
    let whole = crate::spelling::whole_number;
    let changes = names.iter().all(|name| whole(name).is_some())
        && names.iter().any(|name| whole(name) != Some(name));
    // Names that are exactly 0 to n - 1 in another order than the nodes would be taken for numbers.
    let numbers = names
        .iter()
        .all(|name| name.parse::<usize>().is_ok_and(|n| n < names.len() && n.to_string() == *name));
    if lost == 0 && !changes && !numbers {
        return names.to_vec();
    }
    losses.add(
        names.len(),
        "node names",
        "some would be read back otherwise, so numbers stand for all",
    );
    graph.nodes().map(|node| node.to_string()).collect()
}

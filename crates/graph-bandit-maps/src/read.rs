//! From a file to a map.

use crate::assemble::{Component, Reading};
use crate::error::{MapError, Problem, Reason};
use crate::format::Format;
use crate::limits::Limits;
use crate::lines::line_ends;
use crate::osm::Ways;
use crate::travel::{Rates, Travel};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How to read a map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadOptions {
    /// The format. Default: determined by the file's name, then by its content.
    pub format: Option<Format>,
    /// What to do with a map that is not connected.
    pub component: Component,
    /// Which ways of an `OpenStreetMap` extract to take.
    pub ways: Ways,
    /// Which directions and times become part of the graph.
    pub travel: Travel,
    /// Whether roads close at the rates in the file.
    pub rates: Rates,
    /// The limits of a file.
    pub limits: Limits,
}

/// Reads a map from a file.
///
/// # Errors
/// Names file, line and remedy if the file cannot be read, is too large, is not a map, or is not
/// connected.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Reading, MapError> {
    let error = |Problem { line, reason }| MapError { path: path.to_owned(), line, reason };
    let bytes = bytes_of(path, options.limits).map_err(error)?;
    let format = options.format.or_else(|| Format::of_name(path));
    read_bytes(&bytes, &ReadOptions { format, ..options.clone() }).map_err(error)
}

/// Reads a map from the bytes of a file.
///
/// # Errors
/// As [`read_file`], without the file.
pub fn read_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Reading, Problem> {
    check_size(bytes.len() as u64, options.limits)?;
    let format = options.format.map_or_else(|| Format::of_content(bytes), Ok)?;
    let mut draft = (format.entry().read)(bytes, options)?;
    if options.rates == Rates::Used {
        draft.take_rates()?;
    }
    draft.assemble_for(options.component, &options.travel)
}

fn bytes_of(path: &Path, limits: Limits) -> Result<Vec<u8>, Problem> {
    let problem = |error: std::io::Error| Problem::in_file(error.to_string());
    let file = File::open(path).map_err(problem)?;
    if let Ok(metadata) = file.metadata() {
        check_size(metadata.len(), limits)?;
    }
    let mut bytes = Vec::new();
    // A file that grows while it is read, or has no length, is stopped one byte beyond the limit.
    file.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(problem)?;
    Ok(bytes)
}

fn check_size(bytes: u64, limits: Limits) -> Result<(), Problem> {
    if bytes <= limits.file_bytes {
        return Ok(());
    }
    Err(Reason::TooLarge { most: limits.file_bytes }.into())
}

/// The text of a file, without a byte-order mark; `wanted` names the expected content.
///
/// # Errors
/// Names the first line that is not text.
pub fn text_of<'a>(bytes: &'a [u8], wanted: &str) -> Result<&'a str, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = line_ends(&bytes[..error.valid_up_to()]) + 1;
        Problem::at(line, format!("this is not text (not UTF-8); give {wanted}"))
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

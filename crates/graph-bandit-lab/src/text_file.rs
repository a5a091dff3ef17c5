//! Reading a file as text.

use crate::error::FileError;
use std::path::Path;

/// The text of a file, without a byte-order mark; `wanted` names the expected content.
///
/// # Errors
/// When it cannot be read, or is not UTF-8; the latter with the line.
pub(crate) fn read_text(path: &Path, wanted: &str) -> Result<String, FileError> {
    let error = |line, reason| FileError { path: path.to_owned(), line, reason };
    let bytes = std::fs::read(path).map_err(|cause| error(None, cause.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|cause| {
        let before = &cause.as_bytes()[..cause.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count() as u64;
        error(Some(line), format!("this is not text (not UTF-8); give {wanted}"))
    })?;
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}

/// The comma-separated fields of a line, without the spaces around them. Fields may be quoted.
pub(crate) fn fields_of(line: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_reader(line.as_bytes());
    let first = reader.records().next().and_then(Result::ok).unwrap_or_default();
    first.iter().map(str::to_owned).collect()
}

/// The same, of a file in which every row is one line.
///
/// # Errors
/// When a quote opens a field and does not close it on this line.
pub(crate) fn whole_fields_of(line: &str) -> Result<Vec<String>, String> {
    if line.matches('"').count().is_multiple_of(2) {
        return Ok(fields_of(line));
    }
    Err("a field begins with a quote (\") and does not end with one on the same line; close it"
        .to_owned())
}

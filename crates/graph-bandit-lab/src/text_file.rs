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

/// The comma-separated fields of a line, without the spaces around them. A field may be in quotes;
/// in it, two quotes stand for one. Every row of the file is one line.
///
/// # Errors
/// When a quote opens a field and does not close it.
pub(crate) fn fields_of(line: &str) -> Result<Vec<String>, String> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => split_quoted(quoted)?,
            None => match rest.split_once(',') {
                Some((field, after)) => (field.trim().to_owned(), Some(after)),
                None => (rest.trim().to_owned(), None),
            },
        };
        fields.push(field);
        match after {
            Some(after) => rest = after,
            None => return Ok(fields),
        }
    }
}

/// The field up to its closing quote, and what comes after the next comma.
fn split_quoted(text: &str) -> Result<(String, Option<&str>), String> {
    let mut field = String::new();
    let mut rest = text;
    while let Some((part, after)) = rest.split_once('"') {
        field.push_str(part);
        if let Some(more) = after.strip_prefix('"') {
            field.push('"');
            rest = more;
            continue;
        }
        return match after.trim_start().strip_prefix(',') {
            Some(next) => Ok((field, Some(next))),
            None if after.trim().is_empty() => Ok((field, None)),
            None => Err(format!(
                "after the closing quote of {field:?} comes {:?}; write a comma, or two quotes for \
                 a quote in the field",
                after.trim()
            )),
        };
    }
    Err("a field begins with a quote (\") and does not end with one on the same line; close it"
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_be_in_quotes() {
        for (line, expected) in [
            ("a,b", vec!["a", "b"]),
            (" a , \"b\" ,c", vec!["a", "b", "c"]),
            ("\"a,b\",\"say \"\"hi\"\"\"", vec!["a,b", "say \"hi\""]),
            ("5\" shelf,1", vec!["5\" shelf", "1"]),
            ("1,,", vec!["1", "", ""]),
            ("\"\"", vec![""]),
            ("", vec![""]),
        ] {
            assert_eq!(fields_of(line).unwrap(), expected, "{line}");
        }
        assert!(fields_of("1,\"2").unwrap_err().contains("does not end with one"));
        assert!(fields_of("\"a\"b,1").unwrap_err().contains("comes \"b,1\""));
    }
}

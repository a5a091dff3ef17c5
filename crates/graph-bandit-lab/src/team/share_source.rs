//! What a node pays several walkers: by name, or from a file with one row per node.

use crate::error::{FileError, LabError};
use crate::text_file::{fields_of, read_text};
use graph_bandit::SpecError;
use graph_bandit::spec::ShareSpec;
use graph_bandit::team::Sharing;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where shares come from.
#[derive(Debug, Clone, PartialEq)]
pub enum ShareSource {
    /// All nodes share alike.
    Named(ShareSpec),
    /// Each node has its own row.
    Table(ShareTable),
}

/// A table of shares: one row per node, `f(1)`, `f(2)` and so on. In a file, it has no header.
#[derive(Debug, Clone, PartialEq)]
pub struct ShareTable {
    /// The file, if it comes from one.
    path: Option<PathBuf>,
    rows: Vec<Vec<f64>>,
}

impl Default for ShareSource {
    fn default() -> Self {
        #[expect(clippy::expect_used, reason = "the registry has this entry")]
        Self::Named("equal".parse().expect("a share of the registry"))
    }
}

impl ShareSource {
    /// Reads the text of a share, such as `log:0.05`, or `file:FILE`. A relative path starts at
    /// `base`.
    ///
    /// # Errors
    /// When the text is neither, or the file is wrong.
    pub fn parse(text: &str, base: &Path) -> Result<Self, LabError> {
        if let Some(path) = text.strip_prefix("file:") {
            return Ok(Self::Table(ShareTable::read(&base.join(path))?));
        }
        let spec = text.parse().map_err(|error| match error {
            SpecError::Unknown { .. } => {
                LabError::setting("share", format!("{error}, or file:FILE"))
            }
            other => LabError::setting("share", other),
        })?;
        Ok(Self::Named(spec))
    }

    /// The shares of a team of `walkers` on `nodes` nodes.
    ///
    /// # Errors
    /// When there is not one valid row per node.
    pub fn sharing(&self, walkers: usize, nodes: usize) -> Result<Sharing, LabError> {
        match self {
            Self::Named(spec) => {
                spec.sharing_of(walkers, nodes).map_err(|error| LabError::setting("share", error))
            }
            Self::Table(table) => Sharing::by_node(walkers, nodes, &table.rows).map_err(|error| {
                let Some(path) = table.path.clone() else {
                    return LabError::setting("share", error);
                };
                FileError { path, line: None, reason: error.to_string() }.into()
            }),
        }
    }
}

impl ShareTable {
    /// Its rows.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// A table with these rows.
    pub fn new(rows: Vec<Vec<f64>>) -> Self {
        Self { path: None, rows }
    }

    fn read(path: &Path) -> Result<Self, LabError> {
        let wanted = "one row per node: f(1),f(2),.. without a header";
        let text = read_text(path, wanted)?;
        let mut rows = Vec::new();
        for (line, row) in text.lines().enumerate().filter(|(_, row)| !row.trim().is_empty()) {
            let number = |value: &String| {
                value.parse().map_err(|_| format!("{value:?} is not a number; give {wanted}"))
            };
            let fields = fields_of(row);
            let values = fields.and_then(|fields| fields.iter().map(number).collect());
            let values: Vec<f64> = values.map_err(|reason| FileError {
                path: path.to_owned(),
                line: Some(line as u64 + 1),
                reason,
            })?;
            rows.push(values);
        }
        Ok(Self { path: Some(path.to_owned()), rows })
    }
}

impl fmt::Display for ShareSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(spec) => spec.fmt(f),
            Self::Table(ShareTable { path: Some(path), .. }) => {
                write!(f, "file:{}", path.display())
            }
            Self::Table(ShareTable { path: None, .. }) => f.write_str("table"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_file_may_be_quoted() {
        let path = std::env::temp_dir().join(format!("gb-shares-{}.csv", std::process::id()));
        let of = |text: &str| {
            std::fs::write(&path, text).unwrap();
            ShareTable::read(&path).map_err(|error| error.to_string())
        };
        let rows = [vec![1.0, 1.5], vec![1.0, 2.0]];
        assert_eq!(of("\"1\",\"1.5\"\n\n 1 , 2\n").unwrap().rows(), rows);
        let error = of("1,1.5\n1,\"x,y\"\n").unwrap_err();
        assert!(error.contains(":2: \"x,y\" is not a number; give one row per node"), "{error}");
        let error = of("1,\"1.5\n").unwrap_err();
        assert!(error.contains(":1: a field begins with a quote (\") and does not end"), "{error}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn rows_without_a_file_are_shares_by_node() {
        let share = ShareSource::Table(ShareTable::new(vec![vec![1.0, 1.5], vec![1.0, 2.0]]));
        let sharing = share.sharing(2, 2).unwrap();
        assert_eq!((sharing.multiple(0, 2), sharing.multiple(1, 2)), (1.5, 2.0));
        assert_eq!(share.to_string(), "table");
        let error = share.sharing(2, 3).unwrap_err().to_string();
        assert_eq!(error, "share: 2 rows of shares for 3 nodes; give one row per node");
    }
}

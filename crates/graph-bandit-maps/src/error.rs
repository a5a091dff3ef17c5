//! What is wrong with a map, and where.

use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// Something wrong with what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1, where it can be told.
    pub line: Option<u64>,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl Problem {
    /// A problem of a line.
    pub fn at(line: impl Into<Option<u64>>, reason: impl Into<String>) -> Self {
        Self { line: line.into(), reason: reason.into() }
    }

    /// A problem of the whole file.
    pub fn whole(reason: impl Into<String>) -> Self {
        Self { line: None, reason: reason.into() }
    }
}

/// Something wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct MapError {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1, where it can be told.
    pub line: Option<u64>,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.reason)
    }
}

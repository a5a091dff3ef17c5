//! What can go wrong around a study, sorted by whose mistake it is.

#[cfg(feature = "report")]
use crate::output::Occupied;
use graph_bandit::Raised;
use graph_bandit_maps::MapError;
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Something wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1, where it can be told.
    pub line: Option<u64>,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.as_os_str().is_empty() {
            f.write_str("\"\"")?;
        }
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.reason)
    }
}

/// Why a study could not be made or run.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LabError {
    /// A setting's own text or value is wrong.
    #[error("{setting}: {reason}")]
    Setting {
        /// Which setting, by its name.
        setting: &'static str,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// A file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file of a map is wrong.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A result directory may not be written.
    #[cfg(feature = "report")]
    #[error("{} {by}", .directory.display())]
    Occupied {
        /// The directory.
        directory: PathBuf,
        /// What would be lost there.
        by: Occupied,
    },
    /// Something failed while running.
    #[error("run {run} of {agent}: {error}")]
    Run {
        /// Which agent.
        agent: String,
        /// Which run.
        run: u64,
        /// What happened; what an agent or a law of your own failed with, as it is.
        error: Raised,
    },
    /// Somebody said stop.
    #[error("interrupted")]
    Interrupted,
    /// A study of a file is wrong.
    #[error("study {study}: {reason}")]
    Study {
        /// Which study.
        study: String,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// Results could not be written or read back.
    #[error("{reason}")]
    Store {
        /// What happened, with the file.
        reason: String,
    },
    /// The threads could not be started.
    #[error("cannot start {jobs} threads: {reason}")]
    Threads {
        /// How many were asked for.
        jobs: usize,
        /// What the system said.
        reason: String,
    },
}

impl LabError {
    /// A setting that is wrong for the given reason.
    pub fn setting(setting: &'static str, reason: impl fmt::Display) -> Self {
        Self::Setting { setting, reason: reason.to_string() }
    }

    /// A mistake in a study that came from a file is a mistake of that file.
    #[must_use]
    pub fn in_file(self, file: &Path) -> Self {
        match self {
            Self::Study { reason, .. } => {
                Self::File(FileError { path: file.to_owned(), line: None, reason })
            }
            other => other,
        }
    }
}

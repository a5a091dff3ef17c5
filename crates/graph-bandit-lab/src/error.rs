//! Errors around a study, sorted by whose mistake they are.

#[cfg(feature = "report")]
use crate::output::Occupied;
use graph_bandit::Raised;
use graph_bandit::team::BestStaticError;
use graph_bandit_maps::MapError;
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Something wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1, if known.
    pub line: Option<u64>,
    /// What is wrong, and the remedy.
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
        /// The name of the setting.
        setting: &'static str,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// A file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// A map file is wrong.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A result directory cannot be written.
    #[cfg(feature = "report")]
    #[error("{} {by}", .directory.display())]
    Occupied {
        /// The directory.
        directory: PathBuf,
        /// What would be lost there.
        by: Occupied,
    },
    /// What regret of a team is measured against is not known.
    #[error("walkers: {0}")]
    BestStatic(BestStaticError),
    /// Something failed while running.
    #[error("run {run} of {agent}: {error}")]
    Run {
        /// Which agent.
        agent: String,
        /// Which run.
        run: u64,
        /// The error; an error of your own agent or law is passed on unchanged.
        error: Raised,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A study in a file is wrong.
    #[error("study {study}: {reason}")]
    Study {
        /// Which study.
        study: String,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// Results could not be written or read back.
    #[error("{reason}")]
    Store {
        /// The cause, with the file.
        reason: String,
    },
    /// The threads could not be started.
    #[error("cannot start {jobs} threads: {reason}")]
    Threads {
        /// The number of threads.
        jobs: usize,
        /// The system's error.
        reason: String,
    },
}

impl LabError {
    /// An error about a setting, with the reason.
    pub fn setting(setting: &'static str, reason: impl fmt::Display) -> Self {
        Self::Setting { setting, reason: reason.to_string() }
    }

    /// Attributes a mistake in a study to the file it came from.
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

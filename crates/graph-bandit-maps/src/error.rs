//! What is wrong with a map, and where.
//!
//! The words name no option of the command line, the service or Python: whoever offers one matches
//! on [`Reason`] and says how it is spelled there. A text that an option would help ends with what
//! that option does, so that its spelling can follow.

use crate::osm::Ways;
use crate::reading::Part;
use crate::travel::Helps;
use std::fmt;
use std::path::PathBuf;
use thiserror::Error;

/// How many parts an error lists.
const LISTED: usize = 5;

/// Why a map cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Reason {
    /// What the bytes say cannot be taken, or the system refused them.
    #[error("{0}")]
    Content(String),
    /// The file is larger than may be read.
    #[error("the file has more than {most} bytes; cut the map to a smaller area")]
    TooLarge {
        /// How many bytes it may have.
        most: u64,
    },
    /// Not all nodes can be reached; [`Component::Largest`](crate::Component) takes what can.
    #[error(
        "node {:?} is cut off from node {:?}: {} parts ({}); a graph bandit needs a connected \
         graph: add the missing edges, or keep the largest part",
        .apart[1], .apart[0], .parts.len(), listed(.parts)
    )]
    Disconnected {
        /// All parts, the largest first.
        parts: Vec<Part>,
        /// Two nodes that no way leads between, the earlier one first.
        apart: [String; 2],
    },
    /// Some roads cannot be taken back; [`Component::Largest`](crate::Component) takes what can be
    /// reached from everywhere in it.
    #[error(
        "no way leads back from node {:?} to node {:?}: {} parts have ways there and back ({}); add the \
         missing roads, or keep the largest part",
        .road[1], .road[0], .parts.len(), listed(.parts)
    )]
    OneWayTrap {
        /// All parts that have ways there and back, the largest first.
        parts: Vec<Part>,
        /// The ends of a road that cannot be taken back.
        road: [String; 2],
    },
    /// What was asked for of directions and times cannot be had.
    #[error("{text}")]
    Travel {
        /// What is wrong and what would be right.
        text: String,
        /// What of [`Travel`](crate::Travel) would help, if anything does.
        helps: Option<Helps>,
    },
    /// An extract has no ways of the kind that was asked for.
    #[error(
        "there are no {} ways in this extract; take another extract, or other ways",
        .wanted.name()
    )]
    NoWays {
        /// The kind.
        wanted: Ways,
    },
    /// A file is to be written, and nothing says how.
    #[error(
        "the name does not tell the format; end it in .graphml, .geojson, .csv or .dot, or say \
         which of {} it is", .formats.join(", ")
    )]
    NoFormat {
        /// The names of all formats.
        formats: Vec<&'static str>,
    },
}

fn listed(parts: &[Part]) -> String {
    let more = parts.len().saturating_sub(LISTED);
    let list = parts.iter().take(LISTED).map(ToString::to_string);
    let list = list.chain((more > 0).then(|| format!("and {more} smaller")));
    list.collect::<Vec<_>>().join("; ")
}

/// Something wrong with what was read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Problem {
    /// The line, counted from 1, where it can be told.
    pub line: Option<u64>,
    /// What is wrong and what would be right.
    pub reason: Reason,
}

impl Problem {
    /// A problem of a line.
    pub fn at(line: impl Into<Option<u64>>, content: impl Into<String>) -> Self {
        Self { line: line.into(), reason: Reason::Content(content.into()) }
    }

    /// A problem of the whole file.
    pub fn whole(content: impl Into<String>) -> Self {
        Self::from(Reason::Content(content.into()))
    }
}

impl From<Reason> for Problem {
    fn from(reason: Reason) -> Self {
        Self { line: None, reason }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.reason.fmt(f)
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
    pub reason: Reason,
}

impl fmt::Display for MapError {
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

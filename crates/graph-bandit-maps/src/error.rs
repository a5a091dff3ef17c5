//! What is wrong with a map, and where.
//!
//! Messages name no option of the command line, the service or Python: each of these matches on
//! [`Reason`] and adds its own spelling. A message that an option would help ends with what that
//! option does, so that its spelling can follow.

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
    /// The bytes are not a valid map, or the system refused to read them.
    #[error("{0}")]
    Content(String),
    /// The file is larger than the limit.
    #[error("the file has more than {most} bytes; cut the map to a smaller area")]
    TooLarge {
        /// The limit in bytes.
        most: u64,
    },
    /// The file describes more nodes and edges than the limit allows.
    #[error(
        "the file has {nodes} nodes and {edges} edges, and the limit is {most} together; \
         cut the map to a smaller area"
    )]
    TooMany {
        /// How many nodes it has.
        nodes: usize,
        /// How many edges it has, each as often as the file gives it.
        edges: usize,
        /// The most nodes and edges together.
        most: usize,
    },
    /// Not all nodes can be reached; [`Component::Largest`](crate::Component) takes the largest
    /// part.
    #[error(
        "node {:?} is cut off from node {:?}: {} parts ({}); a graph bandit needs a connected \
         graph: add the missing edges, or keep the largest part",
        .apart[1], .apart[0], .parts.len(), listed(.parts)
    )]
    Disconnected {
        /// All parts, the largest first.
        parts: Vec<Part>,
        /// Two nodes without a way between them, the earlier one first.
        apart: [String; 2],
    },
    /// Some roads have no way back; [`Component::Largest`](crate::Component) takes the largest part
    /// whose nodes all reach each other.
    #[error(
        "there is no way back from node {:?} to node {:?}: {} parts are connected in both directions ({}); \
         add the missing roads, or keep the largest part",
        .road[1], .road[0], .parts.len(), listed(.parts)
    )]
    OneWayTrap {
        /// All parts that are connected in both directions, the largest first.
        parts: Vec<Part>,
        /// The ends of a road without a way back.
        road: [String; 2],
    },
    /// The requested directions and times cannot be read.
    #[error("{text}")]
    Travel {
        /// What is wrong, and the remedy.
        text: String,
        /// The field of [`Travel`](crate::Travel) that would help, if any.
        helps: Option<Helps>,
    },
    /// An extract has no ways of the requested kind.
    #[error(
        "this extract has no {} ways; take another extract, or other ways",
        .wanted.name()
    )]
    NoWays {
        /// The kind.
        wanted: Ways,
    },
    /// A file is to be written in an unknown format.
    #[error(
        "the file name does not show the format; end it in .graphml, .geojson or .csv, or choose \
         one of {}", .formats.join(", ")
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

/// Something is wrong with the input.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Problem {
    /// The line, counted from 1, if known.
    pub line: Option<u64>,
    /// What is wrong, and the remedy.
    pub reason: Reason,
}

impl Problem {
    /// A problem in a line.
    pub fn at(line: impl Into<Option<u64>>, content: impl Into<String>) -> Self {
        Self { line: line.into(), reason: Reason::Content(content.into()) }
    }

    /// A problem of the whole file.
    pub fn in_file(content: impl Into<String>) -> Self {
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

/// Something is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct MapError {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1, if known.
    pub line: Option<u64>,
    /// What is wrong, and the remedy.
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

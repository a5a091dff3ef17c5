//! What was left out or taken otherwise while reading.

use serde::Serialize;
use std::fmt;

/// Something a reader did that the user should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Note {
    /// Edges from a node to itself, which say nothing: staying put is always allowed.
    SelfLoops {
        /// How many.
        count: usize,
        /// One of the nodes.
        example: String,
    },
    /// Further edges between two nodes that one joins already.
    ParallelEdges {
        /// How many were left out.
        count: usize,
        /// How many of these said something else than the one that was kept.
        differing: usize,
        /// The ends of one.
        example: [String; 2],
    },
    /// Edges of one direction, taken for both.
    Directed {
        /// How many.
        count: usize,
    },
    /// Numbers such as 3.0 among the ids, taken for 3.
    WholeNumbers {
        /// How many.
        count: usize,
        /// One of them as it stands.
        example: String,
    },
    /// All parts but the largest.
    SmallerParts {
        /// How many parts.
        parts: usize,
        /// Their nodes together.
        nodes: usize,
    },
    /// Some nodes have coordinates and others none, so they stay attributes.
    SomeCoordinates {
        /// How many nodes have none.
        without: usize,
        /// One of them.
        example: String,
    },
    /// Coordinates called geographic that are no longitudes and latitudes.
    OutOfRange {
        /// A node with such coordinates.
        example: String,
    },
    /// Something a format has and a map has not.
    Ignored {
        /// What.
        what: String,
        /// How many.
        count: usize,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SelfLoops { count, example } => write!(
                f,
                "{count} self-loop{} left out, as at {example:?}: staying put is always allowed",
                s(*count)
            ),
            Self::ParallelEdges { count, differing, example: [a, b] } => {
                write!(f, "{count} repeated edge{} left out, as {a:?}-{b:?}", s(*count))?;
                match differing {
                    0 => write!(f, ": they say the same"),
                    _ => write!(
                        f,
                        "; {differing} of them said something else: the shortest is kept, or the \
                         first where no length is given"
                    ),
                }
            }
            Self::Directed { count } => {
                write!(f, "{count} directed edge{} taken for both directions", s(*count))
            }
            Self::WholeNumbers { count, example } => {
                write!(f, "{count} id{} such as {example} taken for whole numbers", s(*count))
            }
            Self::SmallerParts { parts, nodes } => write!(
                f,
                "{parts} smaller part{} with {nodes} node{} left out",
                s(*parts),
                s(*nodes)
            ),
            Self::SomeCoordinates { without, example } => write!(
                f,
                "{without} node{} without coordinates, as {example:?}; the map has none",
                s(*without)
            ),
            Self::OutOfRange { example } => write!(
                f,
                "the coordinates of {example:?} are no longitude and latitude; all are taken for \
                 places in the plane"
            ),
            Self::Ignored { what, count } => write!(f, "{count} {what} left out"),
        }
    }
}

fn s(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

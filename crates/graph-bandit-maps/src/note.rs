//! What a reader left out or changed.

use serde::Serialize;
use std::fmt;

/// Something a reader did that the user should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Note {
    /// Edges from a node to itself, which have no effect: staying put is always allowed.
    SelfLoops {
        /// How many.
        count: usize,
        /// One of the nodes.
        example: String,
    },
    /// Further edges between two nodes that an edge already joins.
    ParallelEdges {
        /// How many were left out.
        count: usize,
        /// How many of these differed from the one that was kept.
        differing: usize,
        /// The ends of one.
        example: [String; 2],
    },
    /// Roads that the file has once for each direction, each read as one edge.
    BothDirections {
        /// How many roads.
        count: usize,
        /// The ends of one.
        example: [String; 2],
    },
    /// Roads that a list has once for each direction, though every line was read as leading both ways, and
    /// reading each line as one direction would give another graph.
    OppositeLines {
        /// How many roads.
        count: usize,
        /// The ends of one.
        example: [String; 2],
    },
    /// Directed edges, read as leading both ways.
    Directed {
        /// How many.
        count: usize,
    },
    /// Numbers such as 3.0 among the ids, read as 3.
    WholeNumbers {
        /// How many.
        count: usize,
        /// One of them as written.
        example: String,
    },
    /// All parts but the largest.
    SmallerParts {
        /// How many parts.
        parts: usize,
        /// Their nodes together.
        nodes: usize,
    },
    /// Only some nodes have coordinates, so they stay attributes.
    SomeCoordinates {
        /// How many nodes have none.
        without: usize,
        /// One of them.
        example: String,
    },
    /// Geographic coordinates that are not longitudes and latitudes.
    OutOfRange {
        /// A node with such coordinates.
        example: String,
    },
    /// Something that the format has and a map does not.
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
                    0 => write!(f, ": they are the same"),
                    _ => write!(
                        f,
                        "; {differing} of them differ: the shortest is kept, or the \
                         first if no length is given"
                    ),
                }
            }
            Self::BothDirections { count, example: [a, b] } => write!(
                f,
                "{count} road{} given once for each direction, as {a:?}-{b:?}: each is one edge, \
                 with the shorter length",
                if *count == 1 { " is" } else { "s are" }
            ),
            Self::OppositeLines { count, example: [a, b] } => write!(
                f,
                "{count} road{} listed in both directions, as {a:?}-{b:?}, but every line was read as leading both \
                 ways; if each line is one direction, add --directed (Python: directed=True, HTTP: directed=true)",
                if *count == 1 { " is" } else { "s are" }
            ),
            Self::Directed { count } => {
                write!(f, "{count} directed edge{} taken for both directions", s(*count))
            }
            Self::WholeNumbers { count, example } => {
                write!(f, "{count} id{} such as {example} read as whole numbers", s(*count))
            }
            Self::SmallerParts { parts, nodes } => write!(
                f,
                "{parts} smaller part{} with {nodes} node{} left out",
                s(*parts),
                s(*nodes)
            ),
            Self::SomeCoordinates { without, example } => write!(
                f,
                "{without} node{} without coordinates, as {example:?}; the map has no coordinates",
                s(*without)
            ),
            Self::OutOfRange { example } => write!(
                f,
                "the coordinates of {example:?} are not a longitude and latitude; all coordinates are \
                 read as places in the plane"
            ),
            Self::Ignored { what, count } => write!(f, "{count} {what} left out"),
        }
    }
}

fn s(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

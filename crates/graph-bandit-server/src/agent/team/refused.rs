//! Why a team cannot be created, or a walker cannot join. Every message names its field.

use super::super::name::LONGEST_NAME;
use super::super::place::NoSuchNode;
use super::definition::{MOST_CONFINED, MOST_WALKERS};
use graph_bandit::team::{SessionError, SetupError, ShareError};
use graph_bandit::{Graph, NodeId, SpecError};
use thiserror::Error;

/// Why a team cannot be created, or a walker cannot join.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TeamRefused {
    /// There is no such text of a share.
    #[error("share: {0}")]
    ShareText(SpecError),
    /// The shares are in a file, which only the client can read.
    #[error(
        "share: {text:?} names a file, but the service reads no files; give its rows as a list, with f(1), f(2) and so \
         on for every node, such as [[1, 1.5], [1, 2]] for 2 nodes"
    )]
    ShareFile {
        /// The text.
        text: String,
    },
    /// The shares are invalid.
    #[error("share: {0}")]
    Share(#[from] ShareError),
    /// The rows have no numbers.
    #[error("share: the rows have no numbers; give f(1), f(2) and so on for every node")]
    EmptyRows,
    /// Something of a team was given for an agent alone.
    #[error("`{field}` is for teams; give `walkers`, too, or leave it out")]
    NotATeam {
        /// The field.
        field: &'static str,
    },
    /// Something was given that teams do not have.
    #[error("`{field}` is for agents alone; leave it out: {instead}")]
    NotForTeams {
        /// The field.
        field: &'static str,
        /// What teams do instead.
        instead: &'static str,
    },
    /// Too many walkers.
    #[error("walkers: {walkers} walkers are too many; {}", room_for(*most))]
    TooMany {
        /// How many were given.
        walkers: usize,
        /// The most.
        most: usize,
    },
    /// Too many walkers for a team in which some are confined to some nodes.
    #[error(
        "walkers: {walkers} walkers are too many for a team with walkers that are confined to some nodes; the \
         limit is {MOST_CONFINED}: send fewer, allow all of them on all nodes, or report which blocked edges are \
         open again"
    )]
    TooManyConfined {
        /// How many were given.
        walkers: usize,
    },
    /// Planning for all of them at once takes too long.
    #[error(
        "walkers: planning for {walkers} walkers at once on a graph of this size takes too long; create the team \
         with at most {most}, and let the others join"
    )]
    TooMuchPlanning {
        /// How many were given.
        walkers: usize,
        /// How many would do.
        most: u64,
    },
    /// A name is invalid.
    #[error(
        "name: {name:?} is not a name for a walker; write 1 to {LONGEST_NAME} letters, digits, `-` or `_`, not only digits"
    )]
    BadName {
        /// The name.
        name: String,
    },
    /// A name is not new.
    #[error(
        "name: {name:?} was given to another walker of this team; choose a name that no walker had before"
    )]
    NameTaken {
        /// The name.
        name: String,
    },
    /// There is no such node.
    #[error("{field}: walker {walker}: {error}")]
    Node {
        /// Where it was named: `start` or `nodes`.
        field: &'static str,
        /// The walker's name or number.
        walker: String,
        /// What is wrong.
        error: NoSuchNode,
    },
    /// The walker does not fit the graph or the team.
    #[error("{field}: {reason}")]
    Member {
        /// The field that is wrong.
        field: &'static str,
        /// What is wrong, with the names of nodes.
        reason: String,
    },
    /// The agent cannot lead this team.
    #[error("agent: {0}")]
    Leader(String),
}

/// How many walkers there is room for, and what to do.
fn room_for(most: usize) -> String {
    if most == MOST_WALKERS {
        return format!("the limit is {most}: send fewer");
    }
    format!(
        "the rows of `share` are for at most {most}: send fewer, or give rows with more numbers"
    )
}

/// Why a session refused a walker.
pub(super) fn refused(error: SessionError, graph: &Graph, most: usize) -> TeamRefused {
    match error {
        SessionError::Member(error) => does_not_fit(&error, graph),
        SessionError::Full { .. } => TeamRefused::TooMany { walkers: most + 1, most },
        SessionError::TooMany { walkers, .. } => TeamRefused::TooMany { walkers, most },
        other => TeamRefused::Leader(other.to_string()),
    }
}

/// Why a walker does not fit the graph or the team, and the field that says so.
pub(super) fn does_not_fit(error: &SetupError, graph: &Graph) -> TeamRefused {
    let field = match error {
        SetupError::StartOutside { .. } | SetupError::StartForbidden { .. } => "start",
        SetupError::TooFewSeats { seats: 0, .. } => "seats",
        SetupError::Speed { .. } | SetupError::TooSlow { .. } => "speed",
        SetupError::AllowedCount { .. } | SetupError::CutOff { .. } => "nodes",
        SetupError::OtherShares { .. } | SetupError::ShareRows { .. } => "share",
        _ => "walkers",
    };
    let names = graph.names().unwrap_or_default();
    let name = |node: NodeId| {
        names.get(node as usize).map_or_else(|| node.to_string(), |name| format!("{name:?}"))
    };
    TeamRefused::Member { field, reason: error.named(name) }
}

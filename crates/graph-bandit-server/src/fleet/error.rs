//! Why a request to an agent failed.

use crate::agent::{DefinitionError, EventError, LONGEST_NAME, ResumeError};
use crate::store::StoreError;
use thiserror::Error;

/// Why a request to an agent failed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FleetError {
    /// The name is not valid.
    #[error(
        "{id:?} is not a name for an agent; write 1 to {LONGEST_NAME} letters, digits, `-` or `_`"
    )]
    BadName {
        /// The name.
        id: String,
    },
    /// The agent cannot be created.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// The imported snapshot does not belong to such an agent.
    #[error("the snapshot cannot be imported: {0}")]
    Import(ResumeError),
    /// The reported event cannot have happened.
    #[error(transparent)]
    Event(#[from] EventError),
    /// Another agent has the name.
    #[error(
        "another agent is already named {id:?}; choose another id, delete that agent, or repeat its exact \
         settings"
    )]
    NameTaken {
        /// The name.
        id: String,
    },
    /// No agent has the name.
    #[error("there is no agent {id:?}")]
    NoSuchAgent {
        /// The name.
        id: String,
    },
    /// Another report has the number.
    #[error(
        "another report already has the number {sequence}, so this one was not counted. Nothing is lost: ask \
         again. If this report is new, send it as {next}; name the node of each visit, with `at` or `visits`"
    )]
    OtherReport {
        /// The number.
        sequence: u64,
        /// The next free number.
        next: u64,
    },
    /// Somebody else reported an edge as blocked or open, which changed the order that this report answers.
    #[error(
        "order {sequence} has changed, because an edge was blocked or opened, so this report was not counted. \
         Nothing is lost: ask again, then report the same visits as {next}; name the node of each, with `at` or \
         `visits`"
    )]
    OrderChanged {
        /// The number.
        sequence: u64,
        /// The next free number.
        next: u64,
    },
    /// A report for an agent that was deleted.
    #[error(
        "the report is for agent {id:?} with number {number}, which was deleted; the agent of that name \
         has number {there} now: ask it, and report its order"
    )]
    OtherAgent {
        /// The name.
        id: String,
        /// The number in the report.
        number: u64,
        /// The number of the present agent.
        there: u64,
    },
    /// A report of an order that is not in this log.
    #[error(
        "report {sequence} answers an order that is not in the log: the service has lost earlier \
         records, for instance because a backup was restored; ask again, and report the new order"
    )]
    OtherPast {
        /// The number.
        sequence: u64,
        /// The number of the next report.
        next: u64,
    },
    /// Reports are missing in between.
    #[error(
        "report {sequence} is ahead of the log, whose next report is {next}; ask again, and go on from \
         there. If report {before} was answered, the service has lost it: its store was restored from \
         a backup, or is a standby that lagged behind",
        before = sequence - 1
    )]
    Gap {
        /// The number.
        sequence: u64,
        /// The next free number.
        next: u64,
    },
    /// A report that was accepted and is no longer kept.
    #[error(
        "report {sequence} was accepted, but is not kept any more: the history begins at {first}, so \
         a repeat cannot be recognized; ask again, and send your next report as {next}"
    )]
    NotKept {
        /// The number.
        sequence: u64,
        /// The first record that is kept.
        first: u64,
        /// The next free number.
        next: u64,
    },
    /// The records are no longer kept.
    #[error("the history of agent {id:?} begins at {first}; earlier records are not kept any more")]
    Removed {
        /// The agent.
        id: String,
        /// The first record that is kept.
        first: u64,
    },
    /// Other clients write to the agent all the time.
    #[error("other clients report to agent {id:?} at the same time; try again")]
    Contended {
        /// The agent.
        id: String,
    },
    /// The stored data of an agent is damaged.
    #[error("the stored data of agent {id:?} is damaged: {reason}")]
    Damaged {
        /// The agent.
        id: String,
        /// The damage.
        reason: String,
    },
    /// The store failed.
    #[error("{reason}")]
    Store {
        /// The store's error.
        reason: String,
    },
    /// Work waits too long for its turn.
    #[error(
        "work has waited {seconds} seconds for its turn: there is more to plan than the service can plan in time"
    )]
    Overloaded {
        /// How long it has waited.
        seconds: u64,
    },
    /// No client waits for the report any more, or its agent is being deleted.
    #[error("the report to agent {id:?} was given up before it was accepted; send it again")]
    GivenUp {
        /// The agent.
        id: String,
    },
    /// A defect of the service.
    #[error("the service has a defect; the request was not carried out")]
    Defect,
}

impl From<StoreError> for FleetError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Exists { id } => Self::NameTaken { id },
            StoreError::NoSuchAgent { id } => Self::NoSuchAgent { id },
            StoreError::Conflict { id, .. } | StoreError::Diverged { id, .. } => {
                Self::Contended { id }
            }
            StoreError::Removed { id, first } => Self::Removed { id, first },
            StoreError::Damaged { id, reason } => Self::Damaged { id, reason },
            StoreError::Failed { .. } => Self::Store { reason: error.to_string() },
        }
    }
}

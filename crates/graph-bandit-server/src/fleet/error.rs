//! Why a request to an agent failed.

use crate::agent::{DefinitionError, EventError, LONGEST_NAME, ResumeError};
use crate::store::StoreError;
use thiserror::Error;

/// Why a request to an agent failed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FleetError {
    /// A name that no agent may bear.
    #[error(
        "{id:?} is no name for an agent; write 1 to {LONGEST_NAME} letters, digits, `-` or `_`"
    )]
    BadName {
        /// The name.
        id: String,
    },
    /// No such agent can be.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// What was imported is not an agent.
    #[error("the snapshot cannot be imported: {0}")]
    Import(ResumeError),
    /// What was reported cannot have happened.
    #[error(transparent)]
    Event(#[from] EventError),
    /// Another agent bears the name.
    #[error(
        "there is another agent {id:?} already; choose another id, delete that agent, or create it with \
         exactly the settings that it has"
    )]
    NameTaken {
        /// The name.
        id: String,
    },
    /// No agent bears the name.
    #[error("there is no agent {id:?}")]
    NoSuchAgent {
        /// The name.
        id: String,
    },
    /// Another report bore the number.
    #[error("report {sequence} was another one; ask, and report what came after it as {next}")]
    OtherReport {
        /// The number.
        sequence: u64,
        /// The number that is free.
        next: u64,
    },
    /// A report for an agent that was deleted.
    #[error(
        "the report is for the agent {id:?} of number {number}, and that name is borne by number \
         {there} now: the other one was deleted; ask, and report what {there} orders"
    )]
    OtherAgent {
        /// The name.
        id: String,
        /// The number of the agent that is meant.
        number: u64,
        /// The number of the agent that is there.
        there: u64,
    },
    /// A report of an order that this log never gave.
    #[error(
        "report {sequence} answers an order that is not in the log: the service has lost what came \
         before it, for instance because a backup was restored; ask, and report as the new order says"
    )]
    OtherPast {
        /// The number.
        sequence: u64,
    },
    /// Something that a process of version 0.1 could not read.
    #[error(
        "a process of version 0.1 uses the same database, and cannot read `robot`, `time`, reports of a new kind or \
         edges without which nodes are cut off; report without them, or stop that process and try again"
    )]
    NotYet,
    /// Reports are missing in between.
    #[error(
        "report {sequence} is ahead of the log, whose next report is {next}; ask, and go on from \
         there. If report {before} was answered, the service has lost it: its store was restored from \
         a backup, or is a standby that lagged behind",
        before = sequence - 1
    )]
    Gap {
        /// The number.
        sequence: u64,
        /// The number that is free.
        next: u64,
    },
    /// A report that was taken in, and is not kept any more.
    #[error(
        "report {sequence} was taken in, and is not kept any more: the history begins at {first}. \
         Whether this is the same one cannot be told; ask, and report what came after it as {next}"
    )]
    NotKept {
        /// The number.
        sequence: u64,
        /// The first that is kept.
        first: u64,
        /// The number that is free.
        next: u64,
    },
    /// Records that are not kept any more.
    #[error("the history of agent {id:?} begins at {first}; what was before is not kept any more")]
    Removed {
        /// The agent.
        id: String,
        /// The first that is kept.
        first: u64,
    },
    /// Others write to the agent all the time.
    #[error("others report to agent {id:?} at the same time; ask again")]
    Contended {
        /// The agent.
        id: String,
    },
    /// What is stored of an agent makes no sense.
    #[error("what is stored of agent {id:?} is damaged: {reason}")]
    Damaged {
        /// The agent.
        id: String,
        /// What is wrong.
        reason: String,
    },
    /// The store failed.
    #[error("{reason}")]
    Store {
        /// What it says.
        reason: String,
    },
    /// There is more to plan than can be planned in time.
    #[error(
        "work has waited for {seconds} seconds for its turn: there is more to plan than can be planned in time"
    )]
    Overloaded {
        /// How long it has waited.
        seconds: u64,
    },
    /// Nobody waits for the report any more, or its agent is being deleted.
    #[error("the report to agent {id:?} was given up before it was taken in; send it again")]
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

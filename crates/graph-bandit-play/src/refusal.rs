//! Why a request is refused, and which field of the set-up is wrong.

use graph_bandit_lab::LabError;
use std::fmt;
use thiserror::Error;

/// A refusal: nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A field of the set-up is wrong.
    #[error("{reason}")]
    Field {
        /// Which field.
        field: &'static str,
        /// The problem and the remedy.
        reason: String,
    },
    /// The program no longer keeps the race: others were used since, or the program was restarted.
    #[error("race {id} is no longer running; start it again with the same set-up")]
    Gone {
        /// The race.
        id: u64,
    },
    /// The race is at another moment.
    #[error("the race is at t = {now}, not at {asked}; send the change for t = {now}")]
    OtherMoment {
        /// The requested moment.
        asked: u64,
        /// The present moment.
        now: u64,
    },
}

impl Refusal {
    /// Refuses a field of the set-up for this reason.
    pub fn field(field: &'static str, reason: impl fmt::Display) -> Self {
        Self::Field { field, reason: reason.to_string() }
    }
}

impl From<LabError> for Refusal {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Setting { setting, reason } => Self::Field { field: setting, reason },
            // The agent cannot be built on this graph.
            LabError::Run { agent, error, .. } => {
                Self::field("agents", format!("{agent}: {error}"))
            }
            other => Self::field("graph", other),
        }
    }
}

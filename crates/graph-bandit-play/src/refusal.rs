//! Why something is refused, and which field of the set-up is to blame.

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
        /// What is wrong and what would be right.
        reason: String,
    },
    /// The race was put away: others were looked at since, or the program was started anew.
    #[error("race {id} is not under way any more; start it again with the same set-up")]
    Gone {
        /// The race.
        id: u64,
    },
    /// The race is at another moment.
    #[error("the race is at t = {now}, not at {asked}; ask for what is to happen now or later")]
    OtherMoment {
        /// The moment asked for.
        asked: u64,
        /// The moment that it is.
        now: u64,
    },
}

impl Refusal {
    /// A field of the set-up is wrong for this reason.
    pub fn field(field: &'static str, reason: impl fmt::Display) -> Self {
        Self::Field { field, reason: reason.to_string() }
    }
}

impl From<LabError> for Refusal {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Setting { setting, reason } => Self::Field { field: setting, reason },
            // What an agent cannot be built for is the agent's.
            LabError::Run { agent, error, .. } => {
                Self::field("agents", format!("{agent}: {error}"))
            }
            other => Self::field("graph", other),
        }
    }
}

//! Who decides when a leg is over: the agent, or the log that says what it decided.

use super::error::EventError;
use graph_bandit::{AskTell, Decision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A plan that was made while something happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// After how many visits of the report.
    pub after: u64,
    /// The leg, whose idea it was, and the place in the random stream.
    pub leg: Decision,
}

/// Who decides.
pub(super) enum Deciding<'a> {
    /// The agent; what it decides is kept.
    Agent(Vec<Planned>),
    /// Nobody: what was decided is known, in order.
    Log(std::slice::Iter<'a, Planned>),
}

impl Deciding<'_> {
    /// Sees to it that there is a leg after so many visits of the report. A log may say of none: then
    /// the next visit was made without.
    pub(super) fn next(&mut self, session: &mut AskTell, after: u64) -> Result<(), EventError> {
        if !session.is_idle() {
            return Ok(());
        }
        match self {
            Self::Agent(plans) => {
                session.ask().map_err(EventError::failed)?;
                plans.push(Planned { after, leg: session.decision() });
                Ok(())
            }
            Self::Log(plans) => {
                let Some(plan) = plans.as_slice().first().filter(|plan| plan.after == after) else {
                    return Ok(());
                };
                plans.next();
                session.decide(&plan.leg).map_err(EventError::failed)
            }
        }
    }

    /// What was decided; all that the log says must have been used.
    pub(super) fn done(self, session: &AskTell) -> Result<Vec<Planned>, EventError> {
        match self {
            Self::Agent(plans) => Ok(plans),
            Self::Log(plans) if plans.len() > 0 => {
                Err(EventError::failed("the log has a plan that was never due"))
            }
            Self::Log(_) if session.is_idle() => {
                Err(EventError::failed("the log does not say what was planned next"))
            }
            Self::Log(_) => Ok(Vec::new()),
        }
    }
}

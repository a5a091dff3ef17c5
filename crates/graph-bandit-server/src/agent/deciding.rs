//! Who decides when a leg is over: the agent, or the log that says what it decided.

use super::error::EventError;
use super::planning::{Planning, work_of_plan};
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
    /// The agent, as far as planning goes; what it decides is kept.
    Agent(Agent<'a>),
    /// Nobody: what was decided is known, in order.
    Log(std::slice::Iter<'a, Planned>),
}

/// An agent that decides.
pub(super) struct Agent<'a> {
    name: &'static str,
    planning: &'a mut Planning,
    plans: Vec<Planned>,
    /// After how many visits a leg was wanted last.
    visits: u64,
}

impl Agent<'_> {
    fn plan(&mut self, session: &mut AskTell) -> Result<(), EventError> {
        let work = work_of_plan(self.name, session.graph(), session.at());
        session.ask().map_err(EventError::failed)?;
        let leg = session.decision();
        self.planning.spend(work, leg.path.len());
        self.plans.push(Planned { after: self.visits, leg });
        Ok(())
    }
}

impl<'a> Deciding<'a> {
    /// The agent of that name decides.
    pub(super) fn agent(name: &'static str, planning: &'a mut Planning) -> Self {
        Self::Agent(Agent { name, planning, plans: Vec::new(), visits: 0 })
    }

    /// Sees to it that there is a leg after so many visits of the report. A log may say of none: then
    /// the next visit was made without.
    pub(super) fn next(&mut self, session: &mut AskTell, after: u64) -> Result<(), EventError> {
        if !session.is_idle() {
            return Ok(());
        }
        match self {
            Self::Agent(agent) => {
                agent.visits = after;
                if !agent.planning.goes_on() {
                    return Err(EventError::GivenUp);
                }
                // What is left of the report is told without orders in between.
                if agent.planning.is_spent() { Ok(()) } else { agent.plan(session) }
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

    /// What was decided: there is always an order in the end. All that the log says must have been
    /// used.
    pub(super) fn done(self, session: &mut AskTell) -> Result<Vec<Planned>, EventError> {
        match self {
            Self::Agent(mut agent) => {
                if session.is_idle() {
                    agent.plan(session)?;
                }
                Ok(agent.plans)
            }
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

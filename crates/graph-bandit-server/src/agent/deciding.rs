//! Who decides when a leg is over: the agent, or the log that holds its decisions.

use super::error::EventError;
use super::event::is_false;
use super::planning::{Planning, work_of_plan};
use graph_bandit::team::WalkerId;
use graph_bandit::{AskTell, Decision, Phase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A plan that the agent made while it processed a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// How many visits of the report came before this plan.
    pub after: u64,
    /// Whether the robot was already on the node of the report's next visit when the agent planned. This happens if
    /// the map allows no step to that node from the robot's previous node: somebody carried the robot there, or it took
    /// a way that the map lacks.
    #[serde(default, skip_serializing_if = "is_false")]
    pub carried: bool,
    /// The leg, who decided it, and the position in the random stream.
    pub leg: Decision,
    /// In a team, the walker that the plan is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walker: Option<WalkerId>,
}

/// When a leg is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// After this many visits of the report.
    After(u64),
    /// After this many visits, once the robot was carried to the node of the next one.
    Carried(u64),
}

impl Planned {
    fn at(moment: Moment, leg: Decision) -> Self {
        match moment {
            Moment::After(after) => Self { after, carried: false, leg, walker: None },
            Moment::Carried(after) => Self { after, carried: true, leg, walker: None },
        }
    }

    fn moment(&self) -> Moment {
        if self.carried { Moment::Carried(self.after) } else { Moment::After(self.after) }
    }
}

/// Who decides.
pub(super) enum Deciding<'a> {
    /// The agent, within its planning budget; its decisions are kept.
    Agent(Agent<'a>),
    /// The log: the decisions are known, in order.
    Log(std::slice::Iter<'a, Planned>),
}

/// An agent that decides.
pub(super) struct Agent<'a> {
    name: &'static str,
    planning: &'a mut Planning,
    plans: Vec<Planned>,
    /// When a leg was last needed.
    wanted: Moment,
    /// Who decided the leg before, and how far its cover could fall back.
    before: (Phase, u64),
}

impl Agent<'_> {
    fn plan(&mut self, session: &mut AskTell) -> Result<(), EventError> {
        let work = work_of_plan(self.name, session.graph(), session.at());
        session.ask().map_err(EventError::failed)?;
        let leg = session.decision();
        self.planning.spend(work, leg.path.len());
        self.plans.push(Planned::at(self.wanted, leg));
        Ok(())
    }
}

impl<'a> Deciding<'a> {
    /// The agent of this name decides, continuing from the session.
    pub(super) fn agent(name: &'static str, planning: &'a mut Planning, session: &AskTell) -> Self {
        let Decision { phase, trail, .. } = session.decision();
        let (wanted, before) = (Moment::After(0), (phase, trail));
        Self::Agent(Agent { name, planning, plans: Vec::new(), wanted, before })
    }

    /// Whether a plan can follow. A log may have none where an agent would plan now.
    pub(super) fn has_plan(&self) -> bool {
        match self {
            Self::Agent(_) => true,
            Self::Log(plans) => plans.len() > 0,
        }
    }

    /// Makes sure that there is a leg. A log may have none: then the next visit was made without one.
    pub(super) fn next(&mut self, session: &mut AskTell, moment: Moment) -> Result<(), EventError> {
        if !session.is_idle() {
            return Ok(());
        }
        match self {
            Self::Agent(agent) => {
                agent.wanted = moment;
                if !agent.planning.goes_on() {
                    return Err(EventError::GivenUp);
                }
                // The budget is spent: the rest of the report is applied without orders in between.
                if agent.planning.is_spent() { Ok(()) } else { agent.plan(session) }
            }
            Self::Log(plans) => {
                let next = plans.as_slice().first();
                let Some(plan) = next.filter(|plan| plan.moment() == moment) else {
                    return Ok(());
                };
                plans.next();
                session.decide(&plan.leg).map_err(EventError::failed)
            }
        }
    }

    /// Returns the decisions. There is always an order at the end, and every decision of the log must
    /// have been used.
    pub(super) fn done(self, session: &mut AskTell) -> Result<Vec<Planned>, EventError> {
        match self {
            Self::Agent(mut agent) => {
                if session.is_idle() {
                    agent.plan(session)?;
                }
                Ok(needed(agent.plans, agent.before))
            }
            Self::Log(plans) if plans.len() > 0 => {
                Err(EventError::failed("the log has a plan that was never due"))
            }
            Self::Log(_) if session.is_idle() => {
                Err(EventError::failed("the log has no plan for the next order"))
            }
            Self::Log(_) => Ok(Vec::new()),
        }
    }
}

/// The plans of a report that replay needs: the last one, which is the order from then on, and those
/// before it that ended or began a cover, or changed how the cover finds its way back. The others were
/// dropped within the report, before anybody could ask for them; a visit that was not ordered has the
/// same effect as one that was.
fn needed(mut plans: Vec<Planned>, mut before: (Phase, u64)) -> Vec<Planned> {
    let mut left = plans.len();
    plans.retain(|Planned { leg: Decision { phase, trail, .. }, .. }| {
        left -= 1;
        let now = (*phase, *trail);
        let is_needed = left == 0 || now != before;
        before = now;
        is_needed
    });
    plans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(after: u64, phase: Phase, trail: u64) -> Planned {
        let leg = Decision { path: vec![], stay: 1, phase, drawn: 0, trail };
        Planned::at(Moment::After(after), leg)
    }

    #[test]
    fn plans_dropped_within_a_report_are_not_kept() {
        use Phase::{Cover, Learn};
        let kept = |before, plans: &[(u64, Phase, u64)]| -> Vec<u64> {
            let plans = plans.iter().map(|&(after, phase, trail)| plan(after, phase, trail));
            needed(plans.collect(), before).into_iter().map(|plan| plan.after).collect()
        };
        assert_eq!(kept((Learn, 0), &[]), [0_u64; 0]);
        assert_eq!(kept((Learn, 0), &[(1, Learn, 0)]), [1]);
        assert_eq!(kept((Learn, 0), &[(1, Learn, 0), (2, Learn, 0), (5, Learn, 0)]), [5]);
        let covered = [(1, Cover, 0), (2, Cover, 0), (5, Learn, 0), (6, Learn, 0), (7, Learn, 0)];
        assert_eq!(kept((Cover, 0), &covered), [5, 7]);
        // Depth first, every leg leads deeper or back.
        let deep = [(1, Cover, 1), (2, Cover, 2), (3, Cover, 1), (4, Cover, 1), (5, Cover, 1)];
        assert_eq!(kept((Cover, 0), &deep), [1, 2, 3, 5]);
    }
}

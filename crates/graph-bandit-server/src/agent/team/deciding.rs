//! Who decides when a walker's leg is over: the agent, or the log that holds its decisions.

use super::super::EventError;
use super::super::deciding::Planned;
use super::super::planning::Planning;
use super::definition::work_of_team_plan;
use graph_bandit::team::{TeamSession, WalkerId};

/// Who decides.
pub(super) enum TeamDeciding<'a> {
    /// The agent, within its planning budget; its decisions are kept.
    Agent { name: &'static str, planning: &'a mut Planning, plans: Vec<Planned> },
    /// The log: the decisions are known, in order.
    Log(std::slice::Iter<'a, Planned>),
}

impl<'a> TeamDeciding<'a> {
    pub(super) fn agent(name: &'static str, planning: &'a mut Planning) -> Self {
        Self::Agent { name, planning, plans: Vec::new() }
    }

    /// Makes sure that the walker has a leg, after this many visits of the report. A log may have none:
    /// then the next visit was made without one.
    pub(super) fn next(
        &mut self,
        session: &mut TeamSession,
        walker: WalkerId,
        after: u64,
    ) -> Result<(), EventError> {
        if !is_idle(session, walker)? {
            return Ok(());
        }
        match self {
            Self::Agent { planning, .. } => {
                if !planning.goes_on() {
                    return Err(EventError::GivenUp);
                }
                // The budget is spent: the rest of the report is applied without orders in between.
                if planning.is_spent() { Ok(()) } else { self.plan(session, walker, after) }
            }
            Self::Log(plans) => {
                let is_due = |plan: &&Planned| (plan.walker, plan.after) == (Some(walker), after);
                let Some(plan) = plans.as_slice().first().filter(is_due) else { return Ok(()) };
                plans.next();
                session.decide(walker, &plan.leg).map_err(EventError::failed)
            }
        }
    }

    fn plan(
        &mut self,
        session: &mut TeamSession,
        walker: WalkerId,
        after: u64,
    ) -> Result<(), EventError> {
        let Self::Agent { name, planning, plans } = self else { return Ok(()) };
        let work = work_of_team_plan(name, session);
        session.ask(walker).map_err(EventError::failed)?;
        let leg = session.decision(walker).map_err(EventError::failed)?;
        planning.spend(work, leg.path.len());
        // An earlier plan of this report was dropped before anybody could ask for it. A visit that was not
        // ordered has the same effect as one that was.
        plans.retain(|plan| plan.walker != Some(walker));
        plans.push(Planned { after, carried: false, leg, walker: Some(walker) });
        Ok(())
    }

    /// Returns the decisions. These walkers have orders at the end, and every decision of the log must
    /// have been used.
    pub(super) fn done(
        mut self,
        session: &mut TeamSession,
        (walkers, after): (&[WalkerId], u64),
    ) -> Result<Vec<Planned>, EventError> {
        for &walker in walkers {
            if !is_idle(session, walker)? {
                continue;
            }
            match &mut self {
                Self::Agent { .. } => self.plan(session, walker, after)?,
                Self::Log(plans) => {
                    let missing = "the log has no plan for the next order";
                    let plan = plans.next().filter(|plan| plan.walker == Some(walker));
                    let plan = plan.ok_or_else(|| EventError::failed(missing))?;
                    session.decide(walker, &plan.leg).map_err(EventError::failed)?;
                }
            }
        }
        match self {
            Self::Agent { plans, .. } => Ok(plans),
            Self::Log(plans) if plans.len() > 0 => {
                Err(EventError::failed("the log has a plan that was never due"))
            }
            Self::Log(_) => Ok(Vec::new()),
        }
    }
}

fn is_idle(session: &TeamSession, walker: WalkerId) -> Result<bool, EventError> {
    session.is_idle(walker).map_err(EventError::failed)
}

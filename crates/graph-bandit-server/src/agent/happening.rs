//! Applies events to an agent: visits, failed legs, edges that close and open.

use super::deciding::{Deciding, Moment, Planned};
use super::event::in_runs;
use super::live::Live;
use super::team::Numbered;
use super::{Event, EventError, FoundChange, NodeName, Planning, Receipt, Spoken, Visits};
use graph_bandit::reward::MAX_MAGNITUDE;
use graph_bandit::{MAX_VISITS, NodeId, Paid};

/// The outcome of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Happened {
    /// The answer.
    pub receipt: Receipt,
    /// The plans that were made.
    pub plans: Vec<Planned>,
    /// The report numbers of a team's walkers that it used up.
    pub numbered: Vec<Numbered>,
}

impl Live {
    /// The next visits of the leg, with these rewards in order; each may have the time of its step.
    ///
    /// # Errors
    /// When there are more rewards than visits.
    pub fn as_ordered<P: Into<Paid>>(&self, rewards: Vec<P>) -> Result<Vec<Visits>, EventError> {
        let order = self.order();
        let visits = order.visits();
        if rewards.len() as u64 > visits {
            return Err(EventError::TooManyRewards { rewards: rewards.len(), visits });
        }
        Ok(in_runs(order.nodes().zip(rewards)))
    }

    /// Applies an event.
    ///
    /// # Errors
    /// When it cannot have happened; nothing changes then. When the agent fails
    /// ([`EventError::AgentFailed`]), part of it has happened, and the agent must be loaded from its log
    /// again.
    pub fn apply(&mut self, event: &Event) -> Result<Happened, EventError> {
        self.apply_within(event, &mut Planning::unlimited())
    }

    /// Like [`apply`](Self::apply), within a planning budget. When it is spent, the rest of the report is
    /// applied without orders in between, and one plan is made at the end.
    ///
    /// # Errors
    /// As [`apply`](Self::apply). When no client waits any more ([`EventError::GivenUp`]), part of it has
    /// happened, too.
    pub fn apply_within(
        &mut self,
        event: &Event,
        planning: &mut Planning,
    ) -> Result<Happened, EventError> {
        let mut deciding = Deciding::agent(self.definition.agent.name(), planning, &self.session);
        let replanned = self.happen(event, &mut deciding)?;
        let plans = deciding.done(&mut self.session)?;
        let (receipt, numbered) = (self.counted(replanned), Vec::new());
        Ok(Happened { receipt, plans, numbered })
    }

    /// Applies the event; returns whether the order was dropped and planned again.
    pub(super) fn happen(
        &mut self,
        event: &Event,
        deciding: &mut Deciding<'_>,
    ) -> Result<bool, EventError> {
        match event {
            Event::Told { visits } => return self.told(visits, deciding),
            Event::LegFailed { at, .. } => {
                self.find(&NodeName::Number(*at))?;
                // On a graph of one node the leg goes on.
                if self.graph().len() > 1 {
                    self.session.abandon();
                }
                self.stand_on(*at)?;
            }
            Event::EdgeBlocked { edge, at, directions, reopening_rate } => {
                let at = at.unwrap_or(self.place());
                self.find(&NodeName::Number(at))?;
                self.close(*edge, *directions, *reopening_rate)?;
                self.stand_on(at)?;
            }
            Event::EdgeOpened { edge, directions } => self.open(*edge, *directions)?,
            Event::Observed { observations } => {
                self.observed(observations)?;
                if deciding.has_plan() {
                    self.session.leave_cover();
                }
                let is_dropped = self.session.is_idle();
                deciding.next(&mut self.session, Moment::After(0))?;
                return Ok(is_dropped);
            }
            Event::Moved { at, .. } => {
                self.find(&NodeName::Number(*at))?;
                self.session.abandon();
                self.stand_on(*at)?;
            }
            Event::Joined { .. } | Event::Left { .. } => return Err(EventError::NotATeam),
        }
        deciding.next(&mut self.session, Moment::After(0))?;
        Ok(true)
    }

    /// The receipt of the event that just happened.
    pub(super) fn counted(&mut self, replanned: bool) -> Receipt {
        let sequence = self.sequence;
        self.sequence += 1;
        Receipt {
            sequence,
            next_sequence: self.sequence,
            at: Some(self.place()),
            visits: self.estimates().visits(),
            replanned,
            walker: None,
            log: None,
        }
    }

    /// Refuses impossible visits.
    fn check_visits(&self, visits: &[Visits]) -> Result<(), EventError> {
        let mut count = 0_u64;
        for Visits { node, rewards, .. } in visits {
            self.find(&NodeName::Number(*node))?;
            if let Some(&reward) = rewards.iter().find(|reward| !in_range(**reward)) {
                let node = Spoken::of(self.graph(), *node);
                return Err(EventError::RewardOutOfRange { node, reward });
            }
            count = count.saturating_add(rewards.len() as u64);
        }
        if count == 0 {
            return Err(EventError::NoVisit);
        }
        if count > MAX_VISITS - self.estimates().visits() {
            return Err(EventError::TooManyVisits);
        }
        Ok(())
    }

    /// Adds rewards that others observed. The order stands until its leg ends, or initialization with it.
    fn observed(&mut self, observations: &[Visits]) -> Result<(), EventError> {
        self.check_visits(observations)?;
        for Visits { node, rewards, .. } in observations {
            for &reward in rewards {
                self.session.observe(*node, reward).map_err(EventError::failed)?;
                self.curve.observe(reward);
                self.see(*node);
            }
        }
        Ok(())
    }

    /// Applies a visit; returns whether it was not the one that was ordered.
    fn told(&mut self, visits: &[Visits], deciding: &mut Deciding<'_>) -> Result<bool, EventError> {
        self.check_visits(visits)?;
        self.check_took(visits)?;
        let (mut replanned, mut made) = (false, 0);
        for run in visits {
            for paid in run.each() {
                replanned |= !self.is_ordered(run.node);
                if !self.session.graph().allows(self.place(), run.node) {
                    // The robot was carried, or went along a way that the map does not have.
                    self.stand_on(run.node)?;
                    deciding.next(&mut self.session, Moment::Carried(made))?;
                }
                self.pay(run.node, paid)?;
                self.curve.push(paid.reward);
                self.see(run.node);
                if self.session.found_change() {
                    let visits = self.curve.visits();
                    self.found.push(FoundChange { visits, node: run.node });
                }
                made += 1;
                deciding.next(&mut self.session, Moment::After(made))?;
            }
        }
        Ok(replanned)
    }

    /// Applies one visit and what the agent learns from it.
    fn pay(&mut self, node: NodeId, paid: Paid) -> Result<(), EventError> {
        if self.is_ordered(node) {
            self.session.tell(node, paid).map_err(EventError::failed)
        } else {
            self.session.visit(node, paid).map_err(EventError::failed)
        }
    }

    /// Whether the order's next visit is to this node.
    fn is_ordered(&self, node: NodeId) -> bool {
        !self.session.is_idle() && self.session.pending().node == node
    }

    /// Puts the walker on `at`.
    fn stand_on(&mut self, at: NodeId) -> Result<(), EventError> {
        self.session.move_to(at).map_err(EventError::failed)
    }
}

pub(super) fn in_range(reward: f64) -> bool {
    // False for NaN, too.
    reward.abs() <= MAX_MAGNITUDE
}

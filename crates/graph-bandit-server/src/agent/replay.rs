//! What a record of the log did to the agent, done again.
//!
//! Records of the first format, which version 0.1 wrote, have no plans: they are made again by the rules of
//! 0.1. Nothing that a report says depends on them, but what is ordered next does, and with it whether
//! a visit was the one ordered. Where that is not what 0.1 answered, its planner answers otherwise
//! today: what was answered stands, and the order is planned anew.

use super::deciding::Deciding;
use super::error::ReplayError;
use super::event::{Receipt, Record};
use super::planning::Planning;
use super::{FORMAT, Live};

impl Live {
    /// Does again what the next record of the log did.
    ///
    /// # Errors
    /// When it cannot have been the next one. The agent must be had from its log again then.
    pub fn replay(&mut self, record: &Record) -> Result<(), ReplayError> {
        if record.format < FORMAT {
            return self.replay_planning(record);
        }
        if let Some(ordered) = &record.ordered {
            self.session.decide(ordered).map_err(ReplayError::Ordered)?;
        }
        let mut deciding = Deciding::Log(record.plans.iter());
        self.happen(&record.event, &mut deciding)?;
        deciding.done(&mut self.session)?;
        (self.is_order_unsaid, self.planned_anew) = (false, false);
        // Whether it was ordered is what the log says of it.
        let there = self.counted(record.receipt.replanned);
        same(there, &record.receipt)
    }

    fn replay_planning(&mut self, record: &Record) -> Result<(), ReplayError> {
        // Version 0.1 planned as long as it took.
        let mut planning = Planning::unlimited();
        let mut deciding =
            Deciding::agent(self.definition.agent.name(), &mut planning, &self.session);
        let replanned = self.happen(&record.event, &mut deciding)?;
        (self.is_order_unsaid, self.is_order_in_snapshot) = (true, false);
        if replanned != record.receipt.replanned {
            self.planned_anew = true;
            self.session.abandon();
            self.session.ask().map_err(super::EventError::failed)?;
        }
        let there = self.counted(record.receipt.replanned);
        same(there, &record.receipt)
    }

    /// Whether neither the log nor a snapshot says what is ordered.
    pub fn is_order_unkept(&self) -> bool {
        self.is_order_unsaid && !self.is_order_in_snapshot
    }

    /// The record of what just happened does not say what was planned.
    pub(crate) fn leave_order_unsaid(&mut self) {
        (self.is_order_unsaid, self.is_order_in_snapshot) = (true, false);
    }

    /// Whether that order is not the one that an earlier version gave.
    pub fn is_planned_anew(&self) -> bool {
        self.planned_anew
    }
}

fn same(there: Receipt, stored: &Receipt) -> Result<(), ReplayError> {
    if there == *stored {
        return Ok(());
    }
    Err(ReplayError::Receipt { there, stored: stored.clone() })
}

//! Replays records of the log.
//!
//! Records of the first format, which version 0.1 wrote, have no plans: replay makes them again by the rules of
//! 0.1. The content of a report does not depend on plans, but the next order does, and with it whether a visit
//! was the ordered one. If that differs from 0.1's answer, the planner has changed since. Then the answer
//! stands, and the order is planned again.

use super::deciding::Deciding;
use super::error::ReplayError;
use super::event::{Receipt, Record};
use super::planning::Planning;
use super::{ClockKind, Event, FORMAT, Live};

impl Live {
    /// Applies the next record of the log.
    ///
    /// # Errors
    /// When it cannot be the next one. The agent must be loaded from its log again then.
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
        self.replay_time(record)?;
        (self.is_order_unsaid, self.planned_anew) = (false, false);
        // The log says whether it was ordered.
        let there = self.counted(record.receipt.replanned);
        same(there, &record.receipt)
    }

    /// The time of the last visit, on a clock that follows times.
    fn replay_time(&mut self, record: &Record) -> Result<(), ReplayError> {
        if self.clock() == ClockKind::Stamps && matches!(record.event, Event::Told { .. }) {
            let time = record.time.as_ref().and_then(|time| time.parse().ok());
            let wrong = || ReplayError::Time { time: record.time.clone() };
            self.come_to(time.filter(|time: &f64| time.is_finite()).ok_or_else(wrong)?);
        }
        Ok(())
    }

    fn replay_planning(&mut self, record: &Record) -> Result<(), ReplayError> {
        // Version 0.1 planned without limits.
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

    /// Whether neither the log nor a snapshot has the present order.
    pub fn lacks_order(&self) -> bool {
        self.is_order_unsaid && !self.is_order_in_snapshot
    }

    /// Notes that the last record has no plans.
    pub(crate) fn note_missing_order(&mut self) {
        (self.is_order_unsaid, self.is_order_in_snapshot) = (true, false);
    }

    /// Whether the order differs from the one that an earlier version gave.
    pub fn is_planned_anew(&self) -> bool {
        self.planned_anew
    }
}

fn same(there: Receipt, stored: &Receipt) -> Result<(), ReplayError> {
    if there == *stored {
        return Ok(());
    }
    Err(ReplayError::Receipt { there: Box::new(there), stored: Box::new(stored.clone()) })
}

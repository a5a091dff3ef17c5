//! Replays records of the log.

use super::deciding::Deciding;
use super::error::ReplayError;
use super::event::{Receipt, Record};
use super::{ClockKind, Event, Live};

impl Live {
    /// Applies the next record of the log.
    ///
    /// # Errors
    /// When it cannot be the next one. The agent must be loaded from its log again then.
    pub fn replay(&mut self, record: &Record) -> Result<(), ReplayError> {
        let mut deciding = Deciding::Log(record.plans.iter());
        self.happen(&record.event, &mut deciding)?;
        deciding.done(&mut self.session)?;
        self.replay_time(record)?;
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
}

fn same(there: Receipt, stored: &Receipt) -> Result<(), ReplayError> {
    if there == *stored {
        return Ok(());
    }
    Err(ReplayError::Receipt { there: Box::new(there), stored: Box::new(stored.clone()) })
}

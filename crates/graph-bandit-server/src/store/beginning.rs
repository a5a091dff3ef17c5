//! When a base may replace the beginning of a log, and when records may be removed.

use super::{End, StoreError, seal_of};

/// The beginning of a log, where a base is to replace records.
pub(crate) struct Beginning<'a> {
    /// The end of the log.
    pub(crate) end: u64,
    /// How many records the present base covers.
    pub(crate) base: Option<u64>,
    /// The head of the last record that the new base covers, if the log has it.
    pub(crate) last: Option<&'a str>,
}

/// Whether there is something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    Yes,
    /// The present base already covers more.
    No,
}

impl Beginning<'_> {
    /// Checks that a base for the records before `at` may be stored.
    pub(crate) fn may_put(&self, at: &End, id: &str) -> Result<Due, StoreError> {
        let (id, end) = (id.to_owned(), self.end);
        if at.sequence > end {
            return Err(StoreError::Conflict { id, expected: at.sequence, end });
        }
        if self.base.is_some_and(|base| base > at.sequence) {
            return Ok(Due::No);
        }
        if self.last.is_none_or(|last| seal_of(last) != at.seal) {
            return Err(StoreError::Diverged { id, end });
        }
        Ok(Due::Yes)
    }

    /// Checks that the records before `at` may be removed.
    pub(crate) fn may_release(&self, at: &End, id: &str) -> Result<Due, StoreError> {
        let due = self.may_put(at, id)?;
        if due == Due::Yes && self.base != Some(at.sequence) {
            return Err(StoreError::Diverged { id: id.to_owned(), end: self.end });
        }
        Ok(due)
    }

    /// Checks that the log may begin with a base.
    pub(crate) fn may_begin(&self, id: &str) -> Result<(), StoreError> {
        if self.end > 0 || self.base.is_some() {
            let (id, end) = (id.to_owned(), self.end);
            return Err(StoreError::Conflict { id, expected: 0, end });
        }
        Ok(())
    }
}

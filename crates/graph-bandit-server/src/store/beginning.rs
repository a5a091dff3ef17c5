//! When a base may stand for the beginning of a log, and when its records may go.

use super::{End, StoreError, seal_of};

/// What a log has where a base is to stand for its beginning.
pub(crate) struct Beginning<'a> {
    /// Where the log ends.
    pub(crate) end: u64,
    /// How many records the base stands for that is there.
    pub(crate) base: Option<u64>,
    /// The head of the last record that the new one stands for, if it is there.
    pub(crate) last: Option<&'a str>,
}

/// Whether something is left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    Yes,
    /// A base stands for more already.
    No,
}

impl Beginning<'_> {
    /// Whether a base for the records before `at` may be kept here.
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

    /// Whether the records before `at` may go from here.
    pub(crate) fn may_release(&self, at: &End, id: &str) -> Result<Due, StoreError> {
        let due = self.may_put(at, id)?;
        if due == Due::Yes && self.base != Some(at.sequence) {
            return Err(StoreError::Diverged { id: id.to_owned(), end: self.end });
        }
        Ok(due)
    }

    /// Whether the log may begin with a base.
    pub(crate) fn may_begin(&self, id: &str) -> Result<(), StoreError> {
        if self.end > 0 || self.base.is_some() {
            let (id, end) = (id.to_owned(), self.end);
            return Err(StoreError::Conflict { id, expected: 0, end });
        }
        Ok(())
    }
}

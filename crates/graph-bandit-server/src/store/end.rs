//! Where a log ends: a number and a seal.

use super::StoreError;

/// Where a log ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// How many records it has.
    pub sequence: u64,
    /// The seal of its last record, or of its agent's definition if it has none.
    pub seal: String,
}

impl End {
    /// The end after this many records. `last` is the last record, or the definition if there is none.
    pub fn after(sequence: u64, last: &str) -> Self {
        Self { sequence, seal: seal_of(last).to_owned() }
    }

    /// Refuses to append here if the log ends elsewhere.
    pub(crate) fn expect(&self, there: &Self, id: &str) -> Result<(), StoreError> {
        let (id, end) = (id.to_owned(), there.sequence);
        if self.sequence != end {
            return Err(StoreError::Conflict { id, expected: self.sequence, end });
        }
        if self.seal != there.seal {
            return Err(StoreError::Diverged { id, end });
        }
        Ok(())
    }
}

/// The most characters of a seal.
pub const LONGEST_SEAL: usize = 64;

/// The seal of a record or a definition: its first line, up to [`LONGEST_SEAL`] characters. The writer makes
/// sure that texts with the same seal are equal.
pub fn seal_of(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or_default();
    line.char_indices().nth(LONGEST_SEAL).map_or(line, |(end, _)| &line[..end])
}

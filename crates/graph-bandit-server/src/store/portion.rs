//! How much of a log is read at once.

/// A part of a log, limited by number and by bytes.
///
/// It is full with the record that reaches either limit. So it has at least one record, of any size, and
/// exceeds `bytes` by at most one record. A portion that is not full reaches the end of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Portion {
    /// The most records.
    pub records: usize,
    /// No further record once the records have this many bytes.
    pub bytes: usize,
}

impl Portion {
    /// At most this many records, of any size.
    pub const fn of(records: usize) -> Self {
        Self { records, bytes: usize::MAX }
    }

    /// Whether the portion is full.
    pub fn is_full(self, records: &[String]) -> bool {
        let bytes: usize = records.iter().map(String::len).sum();
        records.len() >= self.records || (!records.is_empty() && bytes >= self.bytes)
    }

    /// Takes numbered records until the portion is full.
    ///
    /// # Errors
    /// When a record is an error.
    pub fn fill<E>(
        self,
        records: impl IntoIterator<Item = Result<(u64, String), E>>,
    ) -> Result<Vec<(u64, String)>, E> {
        let (mut taken, mut bytes) = (Vec::new(), 0_usize);
        if self.records == 0 {
            return Ok(taken);
        }
        for record in records {
            let record = record?;
            bytes = bytes.saturating_add(record.1.len());
            taken.push(record);
            if taken.len() >= self.records || bytes >= self.bytes {
                break;
            }
        }
        Ok(taken)
    }
}

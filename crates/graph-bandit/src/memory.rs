//! An agent's memory in a form that can be stored.

use crate::estimates::MAX_VISITS;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An agent's memory in a form that can be stored.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Learned values.
    pub values: Vec<f64>,
    /// Counts.
    pub counts: Vec<u64>,
}

/// Why a memory does not fit an agent.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The memory has another size.
    #[error(
        "the agent's memory holds {values} values and {counts} counts; this agent on this graph \
         needs {expected_values} and {expected_counts}"
    )]
    WrongSize {
        /// The number of values.
        values: usize,
        /// The number of counts.
        counts: usize,
        /// The expected number of values.
        expected_values: usize,
        /// The expected number of counts.
        expected_counts: usize,
    },
    /// A count above the limit.
    #[error("count {position} of the agent's memory is {count}; the limit is {MAX_VISITS}")]
    TooMany {
        /// Its position.
        position: usize,
        /// The count.
        count: u64,
    },
    /// A value that is not finite.
    #[error("value {position} of the agent's memory is {value}; it must be a finite number")]
    NotFinite {
        /// Its position.
        position: usize,
        /// The value.
        value: f64,
    },
}

impl Memory {
    /// Returns the memory if it has the expected size and valid numbers.
    ///
    /// # Errors
    /// When the size or a number is wrong.
    pub fn expect(&self, values: usize, counts: usize) -> Result<&Self, MemoryError> {
        if self.values.len() != values || self.counts.len() != counts {
            return Err(MemoryError::WrongSize {
                values: self.values.len(),
                counts: self.counts.len(),
                expected_values: values,
                expected_counts: counts,
            });
        }
        if let Some(position) = self.values.iter().position(|value| !value.is_finite()) {
            return Err(MemoryError::NotFinite { position, value: self.values[position] });
        }
        if let Some(position) = self.counts.iter().position(|&count| count > MAX_VISITS) {
            return Err(MemoryError::TooMany { position, count: self.counts[position] });
        }
        Ok(self)
    }
}

//! What an agent remembers, in a form that can be stored.

use crate::estimates::MAX_VISITS;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What an agent remembers, in a form that can be stored.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Memory {
    /// What it learned.
    pub values: Vec<f64>,
    /// What it counted.
    pub counts: Vec<u64>,
}

/// A memory of another agent, or none.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// Of another size.
    #[error(
        "the agent's memory holds {values} values and {counts} counts, this agent on this graph has \
         {expected_values} and {expected_counts}"
    )]
    WrongSize {
        /// How many values there are.
        values: usize,
        /// How many counts.
        counts: usize,
        /// How many values there should be.
        expected_values: usize,
        /// How many counts.
        expected_counts: usize,
    },
    /// A count beyond what a session can count.
    #[error("count {position} of the agent's memory is {count}, above {MAX_VISITS}")]
    TooMany {
        /// Which.
        position: usize,
        /// What it is.
        count: u64,
    },
    /// A value that no agent learns.
    #[error("value {position} of the agent's memory is {value}, not a finite number")]
    NotFinite {
        /// Which.
        position: usize,
        /// What it is.
        value: f64,
    },
}

impl Memory {
    /// The memory itself, when it is of that size and its numbers are such as agents have.
    ///
    /// # Errors
    /// Says what is wrong with it.
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

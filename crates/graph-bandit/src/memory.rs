//! An agent's memory in a form that can be stored.

use crate::estimates::{MAX_VISITS, Sample};
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
    /// Numbers that do not belong together.
    #[error("the agent's memory is damaged: its numbers do not belong together")]
    Impossible,
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

/// Reads a memory of variable size, number by number.
///
/// Beyond the end it reads zeros, and [`finish`](Self::finish) fails.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    memory: &'a Memory,
    values: usize,
    counts: usize,
}

impl<'a> Reader<'a> {
    /// Reads `memory` from its beginning.
    ///
    /// # Errors
    /// When a number is invalid.
    pub fn new(memory: &'a Memory) -> Result<Self, MemoryError> {
        memory.expect(memory.values.len(), memory.counts.len())?;
        Ok(Self { memory, values: 0, counts: 0 })
    }

    /// The next count.
    pub fn count(&mut self) -> u64 {
        let count = self.memory.counts.get(self.counts).copied();
        self.counts = self.counts.saturating_add(1);
        count.unwrap_or_default()
    }

    /// The next value.
    pub fn value(&mut self) -> f64 {
        let value = self.memory.values.get(self.values).copied();
        self.values = self.values.saturating_add(1);
        value.unwrap_or_default()
    }

    /// The next `count` values; none if there are not that many.
    pub fn values(&mut self, count: u64) -> Vec<f64> {
        let begin = self.values;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        self.values = begin.saturating_add(count);
        self.memory.values.get(begin..self.values).unwrap_or_default().to_vec()
    }

    /// The next `count` counts; none if there are not that many.
    pub fn counts(&mut self, count: u64) -> Vec<u64> {
        let begin = self.counts;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        self.counts = begin.saturating_add(count);
        self.memory.counts.get(begin..self.counts).unwrap_or_default().to_vec()
    }

    /// The next sample: one count and two values.
    ///
    /// # Errors
    /// When no rewards have these totals.
    pub fn sample(&mut self) -> Result<Sample, MemoryError> {
        let (count, sum, sum_of_squares) = (self.count(), self.value(), self.value());
        let is_empty = sum == 0.0 && sum_of_squares == 0.0;
        if count == 0 && !is_empty {
            return Err(self.impossible());
        }
        Ok(Sample { count, sum, sum_of_squares })
    }

    /// The error for numbers that do not belong together, or for a memory that ended before them.
    pub fn impossible(&self) -> MemoryError {
        self.ended().err().unwrap_or(MemoryError::Impossible)
    }

    /// Fails if more was read than there is.
    fn ended(&self) -> Result<(), MemoryError> {
        let Memory { values, counts } = self.memory;
        if self.values > values.len() || self.counts > counts.len() {
            return Err(self.wrong_size());
        }
        Ok(())
    }

    fn wrong_size(&self) -> MemoryError {
        MemoryError::WrongSize {
            values: self.memory.values.len(),
            counts: self.memory.counts.len(),
            expected_values: self.values,
            expected_counts: self.counts,
        }
    }

    /// Ends reading.
    ///
    /// # Errors
    /// When the memory holds more or fewer numbers than were read.
    pub fn finish(self) -> Result<(), MemoryError> {
        let Memory { values, counts } = self.memory;
        if self.values != values.len() || self.counts != counts.len() {
            return Err(self.wrong_size());
        }
        Ok(())
    }
}

impl Memory {
    /// Appends a sample.
    pub fn push_sample(&mut self, sample: &Sample) {
        self.counts.push(sample.count);
        self.values.extend([sample.sum, sample.sum_of_squares]);
    }
}

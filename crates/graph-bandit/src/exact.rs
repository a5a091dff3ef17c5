//! Counts as numbers for formulas.

/// Converts a count to floating point; counts stay below 2^53. Converting a signed number takes one
/// instruction, an unsigned one eight.
#[inline]
#[allow(clippy::cast_possible_wrap, reason = "counts stay below 2^53")]
pub(crate) fn exact(count: u64) -> f64 {
    count as i64 as f64
}

//! Counts as numbers for formulas.

/// The count as a floating-point number: counts stay below 2^53. Signed numbers become floating ones
/// in one instruction where unsigned ones take eight.
#[inline]
#[allow(clippy::cast_possible_wrap, reason = "counts stay below 2^53")]
pub(crate) fn exact(count: u64) -> f64 {
    count as i64 as f64
}

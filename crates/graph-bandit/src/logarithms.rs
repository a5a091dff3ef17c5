//! Logarithms of counts.
//!
//! Bounds and bonuses need `ln t` or `ln n` at every step, for the same small counts in every run.
//! They are computed once, a block at a time, and then looked up. Otherwise they would be a third
//! of the cost of agents that decide at every step.

use crate::exact::exact;
use std::sync::OnceLock;

const BLOCK: usize = 1 << 10;
const BLOCKS: usize = 1 << 5;

/// The logarithm of a count, equal to `libm`'s to the last bit; minus infinity for zero.
#[inline]
pub(crate) fn log(count: u64) -> f64 {
    static KNOWN: [OnceLock<Box<[f64]>>; BLOCKS] = [const { OnceLock::new() }; BLOCKS];
    let compute = |count| libm::log(exact(count));
    match KNOWN.get(usize::try_from(count / BLOCK as u64).unwrap_or(usize::MAX)) {
        Some(block) => {
            let first = count - count % BLOCK as u64;
            let block = block.get_or_init(|| (first..first + BLOCK as u64).map(compute).collect());
            block[(count % BLOCK as u64) as usize]
        }
        None => compute(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabulated_and_computed_values_equal_libm() {
        let end = (BLOCK * BLOCKS) as u64;
        for count in (0..end + 2_000).rev().chain([1 << 40, 1 << 53]) {
            assert_eq!(log(count), libm::log(count as f64), "{count}");
        }
    }
}

//! The settings of all property tests of this crate: the same cases each time, and no file of
//! failures.

use proptest::test_runner::{Config, RngSeed};

/// This many cases, always the same.
pub(crate) fn same_draws(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x5eed),
        ..Config::default()
    }
}

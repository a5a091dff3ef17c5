//! The source of all random choices in a battle: one seed.

/// `SplitMix64`: a stream of numbers that is the same for the same seed.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    /// A separate stream for every name.
    pub(crate) fn new(seed: u64, name: &str) -> Self {
        let salted = name.bytes().fold(seed, |mixed, byte| {
            (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
        });
        Self(salted)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// Between 0 and 1, with few digits.
    pub(crate) fn share(&mut self) -> f64 {
        self.below(1_000) as f64 / 1_000.0
    }
}

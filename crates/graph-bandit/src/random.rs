//! Randomness as a pure function of a key and a counter.
//!
//! The generator is `SplitMix64` (Steele, Lea and Flood, 2014): value `k` of a stream is `mix(key +
//! (k + 1) * 0x9e3779b97f4a7c15)`. It passes `BigCrush`, needs no state but a counter, and computes
//! any value without its predecessors. So the k-th visit to a node pays the same reward for every
//! agent, in any order, on any thread. A cryptographic counter generator (`ChaCha8`) was rejected:
//! it costs three times as much per reward, and rewards need not be hidden from anybody.

#[cfg(feature = "rand_core")]
mod generator;

use crate::exact::exact;
use serde::{Deserialize, Serialize};

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Stafford's thirteenth mixer, the output function of `SplitMix64`.
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A source of randomness. Seeds derive further seeds by label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed for `label` under this one. Seeds of different labels are independent for
    /// simulation purposes.
    ///
    /// Two rounds of mixing ensure that neighbouring seeds or labels do not give overlapping
    /// streams.
    #[inline]
    #[must_use]
    pub const fn child(self, label: u64) -> Self {
        self.family().child(label)
    }

    /// The part that all children of this seed share. Use it to derive many.
    #[inline]
    pub(crate) const fn family(self) -> Family {
        Family(mix(self.0.wrapping_add(GAMMA)))
    }

    /// Value `k` of the stream under this seed.
    #[inline]
    pub const fn bits(self, k: u64) -> u64 {
        mix(self.0.wrapping_add(GAMMA.wrapping_mul(k.wrapping_add(1))))
    }

    /// Value `k` as a number in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(self, k: u64) -> f64 {
        unit(self.bits(k))
    }

    /// The stream under this seed, from its beginning.
    pub const fn stream(self) -> Stream {
        Stream { seed: self, position: 0 }
    }
}

/// One seed's part of the seeds of all its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Family(u64);

impl Family {
    #[inline]
    pub(crate) const fn child(self, label: u64) -> Seed {
        Seed(mix(self.0 ^ mix(label.wrapping_add(GAMMA)).rotate_left(32)))
    }
}

/// The labels under a run's seed, in one list so that no two purposes share a stream.
pub mod label {
    /// Rewards, with one child per node.
    pub const REWARDS: u64 = 1;
    /// The mean rewards of a run, if they are drawn.
    pub const MEANS: u64 = 2;
    /// An agent's own randomness.
    pub const AGENT: u64 = 3;
    /// A random graph.
    pub const GRAPH: u64 = 4;
    /// The runs of a study, with one child per run.
    pub const RUNS: u64 = 5;
    /// The noise of each node, if nodes differ.
    pub const NOISE: u64 = 6;
    /// When roads close and reopen, with one child per road.
    pub const CLOSURES: u64 = 7;
    /// How long drives take, with one child per road.
    pub const TRAVEL: u64 = 8;
    /// How mean rewards change over time, if they do.
    pub const CHANGES: u64 = 9;
    /// Where the walkers of a team start.
    pub const STARTS: u64 = 10;
    /// The seeds of walkers that learn by themselves, with one child per walker after the first.
    pub const WALKERS: u64 = 11;
}

/// A position in the stream of a seed: sixteen bytes that you can store and resume from.
///
/// With the feature `rand_core`, it is a generator for the distributions of `rand`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    seed: Seed,
    position: u64,
}

impl Stream {
    /// The number of values drawn so far.
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Moves to the position after `position` values.
    pub(crate) const fn go_to(&mut self, position: u64) {
        self.position = position;
    }

    /// The 64 bits that come after `draws` more.
    #[inline]
    pub(crate) const fn bits_ahead(&self, draws: u64) -> u64 {
        self.seed.bits(self.position + draws)
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let bits = self.seed.bits(self.position);
        self.position += 1;
        bits
    }

    /// The next number in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self.bits())
    }

    /// The next whole number below `bound`, by Lemire's multiplication.
    ///
    /// # Panics
    /// When `bound` is zero.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            // Rejecting the short remainder makes all outcomes equally likely.
            if wide as u64 >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }

    /// The next draw of N(0, 1).
    #[inline]
    pub fn normal(&mut self) -> f64 {
        normal_from(self.bits())
    }
}

/// The draw of N(0, 1) that these bits stand for.
#[inline]
pub(crate) fn normal_from(bits: u64) -> f64 {
    crate::normal::quantile(open_unit(bits))
}

/// Upper bounds on [`normal_from`] by the eight highest bits, for the price of a table lookup.
#[derive(Debug, Clone)]
pub(crate) struct NormalCeilings([f64; 256]);

impl NormalCeilings {
    /// At least `normal_from(bits)`.
    #[inline]
    pub(crate) fn above(&self, bits: u64) -> f64 {
        self.0[(bits >> 56) as usize]
    }
}

impl Default for NormalCeilings {
    fn default() -> Self {
        // One step above the quantile at the upper edge: the quantile is monotone, but its rounding
        // may not be.
        let ceiling = |high: usize| crate::normal::quantile((high + 1) as f64 / 256.0) + 1e-9;
        Self(std::array::from_fn(ceiling))
    }
}

#[inline]
fn unit(bits: u64) -> f64 {
    exact(bits >> 11) * (1.0 / 9_007_199_254_740_992.0)
}

/// The bits as a number strictly between 0 and 1, for inverse distribution functions.
#[inline]
pub(crate) fn open_unit(bits: u64) -> f64 {
    (exact(bits >> 12) + 0.5) * (1.0 / 4_503_599_627_370_496.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_splitmix64() {
        // The first outputs of the reference implementation for seed 1234567.
        let expected = [
            6_457_827_717_110_365_317_u64,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        let mut stream = Seed(1_234_567).stream();
        assert_eq!(expected.map(|_| stream.bits()), expected);
        assert_eq!(Seed(1_234_567).bits(4), expected[4]);
    }

    /// A change here changes every trajectory: see "Trajectory changes" in CHANGELOG.md. The values
    /// were computed from the formulas above by another program.
    #[test]
    fn values_are_stable() {
        assert_eq!(Seed(0).child(1), Seed(0x5f9f_93dd_b50c_cd57));
        assert_eq!(Seed(0).child(1).child(2), Seed(0x7a99_d3e8_a4d5_c9ec));
        assert_eq!(Seed(u64::MAX).child(u64::MAX), Seed(0x81d6_fce8_396d_9d1f));
        assert_eq!(Seed(7).bits(u64::MAX), 0x12ae_3023_7b17_df14);
        assert_eq!(Seed(3).unit(9).to_bits(), 0x3fec_6ed5_3634_406d);
        let mut stream = Seed(5).stream();
        assert_eq!([0; 6].map(|_| stream.below(1000)), [386, 752, 232, 99, 187, 380]);
        let mut stream = Seed(5).stream();
        for expected in [-0.287_752_640_602_643, 0.681_767_515_060_161_2] {
            assert!((stream.normal() - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn units_stay_inside_their_interval() {
        assert_eq!((unit(0), unit(u64::MAX)), (0.0, 1.0 - f64::EPSILON / 2.0));
        assert!(open_unit(0) > 0.0 && open_unit(u64::MAX) < 1.0);
    }

    #[test]
    fn ceilings_are_above_every_draw_beneath_them() {
        let ceilings = NormalCeilings::default();
        for high in 0..256_u64 {
            for low in (0..64).map(|bit| (1 << bit) - 1).chain([0, 0xab_cdef]) {
                // From the top of each range down by every power of two.
                let bits = (high << 56) | ((u64::MAX >> 8) - (low & (u64::MAX >> 8)));
                assert!(normal_from(bits) <= ceilings.above(bits), "{bits:x}");
            }
        }
        assert_eq!(ceilings.above(u64::MAX), f64::INFINITY);
    }

    #[test]
    fn below_is_fair() {
        let mut stream = Seed(5).stream();
        let mut seen = [0_u32; 7];
        for _ in 0..70_000 {
            seen[stream.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n.abs_diff(10_000) < 450), "{seen:?}");
    }
}

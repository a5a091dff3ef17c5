//! How many of an interval's successes lie in its first half.

use super::factorials::{both_divergences, rest, rest_of};
use super::ratio_of_uniforms::Hat;
use crate::random::Stream;

/// Up to this many successes, placing them one by one is cheapest.
const FEW: u64 = 32;

/// A hypergeometric draw: if `successes` of `2 half` visits pay, how many of the first `half` do.
pub(super) fn draw(half: u64, successes: u64, stream: &mut Stream) -> u64 {
    let failures = 2 * half - successes;
    if successes > failures {
        return half - draw(half, failures, stream);
    }
    if successes <= FEW {
        return place(half, successes, stream);
    }
    let law = Peak::new(half as f64, successes as f64);
    law.hat().draw(law.successes, stream, |x| law.log_ratio(x)) as u64
}

/// Puts the successes into free places one after another.
fn place(half: u64, successes: u64, stream: &mut Stream) -> u64 {
    let mut first = 0;
    for placed in 0..successes {
        let free = 2 * half - placed;
        first += u64::from(super::chance(half - first, free, stream));
    }
    first
}

/// The law around half the successes, its peak: the law is symmetric.
#[derive(Debug, Clone, Copy)]
struct Peak {
    half: f64,
    successes: f64,
    /// Half the successes and half the failures, each plus one half.
    paying: f64,
    others: f64,
    rests: f64,
}

impl Peak {
    /// For at most `half` successes.
    fn new(half: f64, successes: f64) -> Self {
        let paying = 0.5 * successes + 0.5;
        let others = half - 0.5 * successes + 0.5;
        Self { half, successes, paying, others, rests: 2.0 * (rest(paying) + rest(others)) }
    }

    fn hat(&self) -> Hat {
        let visits = 2.0 * self.half;
        let variance = 0.25 * self.successes * ((visits - self.successes) / (visits - 1.0));
        Hat::new(0.5 * self.successes, variance)
    }

    /// `log(f(x) / f(peak))`.
    fn log_ratio(&self, x: f64) -> f64 {
        let d = x - 0.5 * self.successes;
        let rests = rest_of(x)
            + rest_of(self.successes - x)
            + rest_of(self.half - x)
            + rest_of(self.half - (self.successes - x));
        self.rests - rests - both_divergences(self.paying, d) - both_divergences(self.others, d)
    }
}

#[cfg(test)]
mod tests {
    use super::super::goodness_of_fit::{Masses, assert_draws_follow, assert_normal};
    use super::super::ratio_of_uniforms::MARGIN;
    use super::*;
    use crate::random::Seed;

    /// All relevant probabilities, from ratios of neighbours instead of factorials.
    fn masses(half: u64, successes: u64) -> Masses {
        let (n, k) = (half as f64, successes as f64);
        let up = |x: f64| (k - x) / (x + 1.0) * ((n - x) / (n - k + x + 1.0));
        Masses::around((0.5 * k).floor(), (k - n).max(0.0)..=k.min(n), up)
    }

    #[test]
    fn draws_follow_the_law() {
        let cases = [
            (1, 0),
            (1, 1),
            (1, 2),
            (2, 2),
            (4, 3),
            (4, 7),
            (64, 31),
            (64, 32),
            (64, 33),
            (64, 34),
            (64, 64),
            (64, 95),
            (64, 97),
            (64, 128),
            (1 << 12, 1),
            (1 << 12, 33),
            (1 << 12, 1001),
            (1 << 12, 1 << 12),
            (1 << 12, (1 << 13) - 40),
            (1 << 33, 50),
            (1 << 33, 123_456_789),
            (1 << 33, (1 << 33) + 1),
        ];
        for (i, (half, successes)) in cases.into_iter().enumerate() {
            let seed = Seed(71).child(i as u64);
            let draw = |k| draw(half, successes, &mut seed.child(k).stream());
            assert_draws_follow(
                &masses(half, successes),
                draw,
                &format!("{successes} of 2 {half}"),
            );
        }
    }

    #[test]
    fn small_laws_equal_counts_of_subsets() {
        for half in 1..=5_u64 {
            for successes in 0..=2 * half {
                let mut counts = vec![0.0; half as usize + 1];
                for subset in 0_u32..1 << (2 * half) {
                    if u64::from(subset.count_ones()) == successes {
                        let first = subset & ((1 << half) - 1);
                        counts[first.count_ones() as usize] += 1.0;
                    }
                }
                let subsets: f64 = counts.iter().sum();
                for (x, count) in counts.into_iter().enumerate() {
                    let mass = masses(half, successes).of(x as f64);
                    assert!((mass - count / subsets).abs() < 1e-15, "{x}: {successes} of 2 {half}");
                }
            }
        }
    }

    #[test]
    fn draws_of_huge_laws_are_normal() {
        for (i, (m, share)) in [(51, 0.7), (61, 0.5), (62, 0.001)].into_iter().enumerate() {
            let seed = Seed(72).child(i as u64);
            let visits = libm::exp2(f64::from(m + 1));
            let successes = visits * share;
            let deviation = (0.25 * successes * (1.0 - share)).sqrt();
            let scaled = |k| {
                let x = draw(1 << m, successes as u64, &mut seed.child(k).stream());
                (x as f64 - 0.5 * successes) / deviation
            };
            assert_normal(scaled, &format!("{share} of 2^{m}"));
        }
    }

    #[test]
    fn the_hat_covers_every_value() {
        for half in [17, 32, 33, 64, 100, 1000, 20_000] {
            for i in 0..40 {
                let few = FEW as u32 + 1 + i;
                for successes in [few, half * i / 40, half - i.min(half)] {
                    if !(FEW as u32 + 1..=half).contains(&successes) {
                        continue;
                    }
                    let law = Peak::new(f64::from(half), f64::from(successes));
                    let hat = law.hat();
                    for x in 0..=successes {
                        let log = law.log_ratio(f64::from(x));
                        assert!(log <= MARGIN, "{successes} of 2 {half}: {log:e} at {x}");
                        let fill = hat.fill(f64::from(x), log);
                        assert!(fill <= 1.0, "{successes} of 2 {half}: {fill} at {x}");
                    }
                    let exact = masses(half.into(), successes.into());
                    exact.assert_same_ratios(|x| law.log_ratio(x));
                }
            }
        }
    }
}

//! The number of successes in many independent trials.

use super::factorials::{divergence, rest, rest_of};
use super::ratio_of_uniforms::Hat;
use crate::random::Stream;

/// Up to this many expected successes, inversion from 0 is cheaper.
const FEW: f64 = 10.0;

/// A draw of Binomial(trials, probability).
pub(super) fn draw(trials: u64, probability: f64, stream: &mut Stream) -> u64 {
    if probability > 0.5 {
        // Exact: the two numbers are within a factor of two of each other.
        return trials - draw(trials, 1.0 - probability, stream);
    }
    if trials as f64 * probability < FEW {
        return invert(trials, probability, stream);
    }
    let law = Peak::new(trials as f64, probability);
    law.hat().draw(law.trials, stream, |x| law.log_ratio(x)) as u64
}

/// Inversion from 0 upwards.
fn invert(trials: u64, probability: f64, stream: &mut Stream) -> u64 {
    let n = trials as f64;
    let odds = probability / (1.0 - probability);
    let mut mass = libm::exp(n * libm::log1p(-probability));
    let mut left = stream.unit();
    let mut x = 0_u64;
    // Beyond negligible mass, only rounding error is left.
    while left >= mass && x < trials && mass > 1e-30 {
        left -= mass;
        mass *= odds * (n - x as f64) / (x + 1) as f64;
        x += 1;
    }
    x
}

/// A binomial law around `c = (n + 1) p - 1/2`, which is its peak up to a millionth.
#[derive(Debug, Clone, Copy)]
struct Peak {
    trials: f64,
    probability: f64,
    /// `c + 1/2` and `n - c + 1/2`.
    successes: f64,
    failures: f64,
    rests: f64,
}

impl Peak {
    fn new(trials: f64, probability: f64) -> Self {
        let successes = (trials + 1.0) * probability;
        let failures = (trials + 1.0) * (1.0 - probability);
        let rests = rest(successes) + rest(failures);
        Self { trials, probability, successes, failures, rests }
    }

    fn hat(&self) -> Hat {
        let mean = self.trials * self.probability;
        Hat::new(mean, mean * (1.0 - self.probability))
    }

    /// `log(f(x) / f(c))`. The odds `p / q` cancel against the ratio of the two numbers at the
    /// peak.
    fn log_ratio(&self, x: f64) -> f64 {
        let d = x + 0.5 - self.successes;
        self.rests
            - rest_of(x)
            - rest_of(self.trials - x)
            - divergence(self.successes, d)
            - divergence(self.failures, -d)
    }
}

#[cfg(test)]
mod tests {
    use super::super::goodness_of_fit::{Masses, assert_draws_follow, assert_normal};
    use super::super::ratio_of_uniforms::MARGIN;
    use super::*;
    use crate::random::Seed;

    /// All relevant probabilities, from ratios of neighbours instead of factorials.
    fn masses(trials: u64, p: f64) -> Masses {
        let (n, mode) = (trials as f64, (trials as f64 * p).floor());
        let up = |x: f64| (n - x) / (x + 1.0) * (p / (1.0 - p));
        Masses::around(mode, 0.0..=n, up)
    }

    #[test]
    fn draws_follow_the_law() {
        let cases = [
            (1, 0.3),
            (1, 1e-300),
            (5, 0.5),
            (64, 0.01),
            (64, 0.155),
            (64, 0.157),
            (64, 0.5),
            (64, 0.9),
            (128, 0.99),
            (1 << 14, 0.0007),
            (1 << 14, 0.3),
            (1 << 20, 1e-5),
            (1 << 20, 9e-6),
            (1 << 34, 0.25),
            (1 << 34, 1.0 - 1e-8),
            (1 << 50, 2e-14),
        ];
        for (i, (trials, p)) in cases.into_iter().enumerate() {
            let seed = Seed(61).child(i as u64);
            let draw = |k| draw(trials, p, &mut seed.child(k).stream());
            assert_draws_follow(&masses(trials, p), draw, &format!("{trials} trials at {p}"));
        }
    }

    #[test]
    fn draws_of_huge_laws_are_normal() {
        for (i, (m, p)) in [(52, 0.3_f64), (62, 0.5), (63, 0.001)].into_iter().enumerate() {
            let seed = Seed(62).child(i as u64);
            let n = libm::exp2(f64::from(m));
            let deviation = (n * p * (1.0 - p)).sqrt();
            let scaled = |k| {
                let x = draw(1 << m, p, &mut seed.child(k).stream());
                libm::fma(-n, p, x as f64 + 0.5) / deviation
            };
            assert_normal(scaled, &format!("2^{m} trials at {p}"));
        }
    }

    #[test]
    fn certain_outcomes_are_certain() {
        for trials in [0, 1, 64, 1 << 40, 1 << 63] {
            let stream = &mut Seed(1).stream();
            assert_eq!((draw(trials, 0.0, stream), draw(trials, 1.0, stream)), (0, trials));
        }
    }

    #[test]
    fn the_hat_covers_every_value() {
        for trials in [20_u32, 21, 64, 100, 1000, 20_000] {
            for p in [1e-3_f64, 0.01, 0.05, 0.1, 0.15, 0.16, 0.2, 0.3, 0.4, 0.45, 0.49, 0.5] {
                let n = f64::from(trials);
                for p in [p, p.max(10.0 / n)] {
                    if n * p < FEW {
                        continue;
                    }
                    let (law, hat) = (Peak::new(n, p), Peak::new(n, p).hat());
                    let exact = masses(trials.into(), p);
                    for x in 0..=trials {
                        let x = f64::from(x);
                        let log = law.log_ratio(x);
                        assert!(log <= MARGIN, "{trials} trials at {p}: {log:e} at {x}");
                        let fill = hat.fill(x, log);
                        assert!(fill <= 1.0, "{trials} trials at {p}: {fill} at {x}");
                    }
                    exact.assert_same_ratios(|x| law.log_ratio(x));
                }
            }
        }
    }
}

//! How far apart two laws of rewards are, given their means.

/// The Kullback-Leibler divergence between two laws of one family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Divergence {
    /// For rewards within `[0, 1]`: 0 or 1, or anything between.
    Bernoulli,
    /// For rewards of any range, with noise of this variance; also for noise whose sub-Gaussian
    /// scale is its root.
    Gaussian {
        /// The variance of one reward.
        variance: f64,
    },
}

impl Divergence {
    /// The divergence between Gaussian laws with noise of this sub-Gaussian scale.
    pub fn gaussian(noise_scale: f64) -> Self {
        Self::Gaussian { variance: noise_scale * noise_scale }
    }

    /// The divergence of the law of mean `p` from the law of mean `q`.
    pub fn between(self, p: f64, q: f64) -> f64 {
        match self {
            Self::Bernoulli => {
                let (p, q) = (p.clamp(0.0, 1.0), q.clamp(0.0, 1.0));
                of_outcome(p, q) + of_outcome(1.0 - p, 1.0 - q)
            }
            // Equal means do not differ, even without noise.
            Self::Gaussian { .. } if p == q => 0.0,
            Self::Gaussian { variance } => (p - q) * (p - q) / (2.0 * variance),
        }
    }

    /// The highest mean within divergence `level` of mean `p`.
    pub fn highest(self, p: f64, level: f64) -> f64 {
        match self {
            // Rewards outside `[0, 1]` are scored by their mean alone.
            Self::Bernoulli if !(0.0..1.0).contains(&p) || level <= 0.0 => p,
            Self::Bernoulli => highest_bernoulli(p, level),
            Self::Gaussian { variance } => p + (2.0 * variance * level).sqrt(),
        }
    }
}

/// A step of Newton's method after which nothing changes but the last digits.
const NEGLIGIBLE: f64 = 1e-8;

/// One outcome's part of a divergence: an outcome without probability has no part.
#[inline]
fn of_outcome(p: f64, q: f64) -> f64 {
    if p > 0.0 { p * libm::log(p / q) } else { 0.0 }
}

/// Newton's method from above: the divergence is convex in `q`, so every step stays above the root
/// and comes closer.
fn highest_bernoulli(p: f64, level: f64) -> f64 {
    // By Pinsker's inequality, kl(p, q) is at least 2 (q - p)^2.
    let mut q = p + (0.5 * level).sqrt();
    if q > 0.95 {
        // It is also at least (1 - p) ln(1 / (1 - q)) less the entropy of p.
        let entropy = -(of_outcome(p, 1.0) + of_outcome(1.0 - p, 1.0));
        q = q.min(1.0 - libm::exp(-(level + entropy) / (1.0 - p)));
    }
    for _ in 0..60 {
        if q <= p || q >= 1.0 {
            return q.clamp(p, 1.0);
        }
        let excess = of_outcome(p, q) + of_outcome(1.0 - p, 1.0 - q) - level;
        let step = excess * q * (1.0 - q) / (q - p);
        q -= step;
        // The error is now at most about the square of the step, relative to 1 - q.
        if step <= NEGLIGIBLE * (1.0 - q) {
            break;
        }
    }
    q.clamp(p, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divergences_by_hand() {
        let (p, q) = (0.25, 0.75_f64);
        let expected = 0.25 * libm::log(1.0 / 3.0) + 0.75 * libm::log(3.0);
        assert!((Divergence::Bernoulli.between(p, q) - expected).abs() < 1e-15);
        assert_eq!(Divergence::Bernoulli.between(0.3, 0.3), 0.0);
        assert_eq!(Divergence::Bernoulli.between(0.0, 0.0), 0.0);
        assert_eq!(Divergence::Bernoulli.between(1.0, 0.0), f64::INFINITY);
        let gaussian = Divergence::gaussian(0.5);
        assert_eq!(gaussian.between(7.0, 8.0), 2.0);
        assert_eq!(gaussian.highest(7.0, 2.0), 8.0);
        assert_eq!(Divergence::gaussian(0.0).between(1.0, 1.0), 0.0);
    }

    #[test]
    fn the_highest_mean_has_the_requested_divergence() {
        for p in [0.0, 1e-9, 0.01, 0.25, 0.5, 0.9, 0.999, 1.0 - 1e-9] {
            for level in [1e-12, 1e-6, 0.01, 0.3, 2.0, 10.0] {
                let q = Divergence::Bernoulli.highest(p, level);
                assert!((p..=1.0).contains(&q), "{p} {level}: {q}");
                let reached = Divergence::Bernoulli.between(p, q);
                // Close to 1, the next number above `q` may be much farther than `level`.
                let rounding = 1e-9 * (1.0 + level) + 4.0 * f64::EPSILON / (1.0 - q);
                assert!((reached - level).abs() <= rounding, "{p} {level}: {q} {reached}");
            }
        }
        // Only zeros: 1 - q = exp(-level).
        let q = Divergence::Bernoulli.highest(0.0, 0.5);
        assert!((q - (1.0 - libm::exp(-0.5))).abs() < 1e-14, "{q}");
        assert_eq!(Divergence::Bernoulli.highest(0.3, 0.0), 0.3);
        assert_eq!(Divergence::Bernoulli.highest(1.0, 3.0), 1.0);
        assert_eq!(Divergence::Bernoulli.highest(4.5, 3.0), 4.5);
        assert!(Divergence::Bernoulli.highest(0.999_999, 1e300) <= 1.0);
    }
}

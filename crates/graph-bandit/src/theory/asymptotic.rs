//! The least regret for each unit of `ln T` (Lai and Robbins, 1985).
//!
//! An agent is *consistent* if its regret grows more slowly than every power of `T`, whatever the
//! means. Then `liminf regret(T) / ln T >= sum over nodes of gap / d(mean, best mean)`, where `d` is
//! the divergence between laws with these means. Travel does not enter: a walk on a graph is one way
//! to choose arms of an ordinary bandit, so the bound holds; and an agent that bundles its visits
//! makes so few trips that their cost is small against `ln T`.

use crate::divergence::Divergence;

/// `sum over nodes of gap / d(mean, best mean)`: no consistent agent has less regret for each unit
/// of `ln T`, as `T` grows. Best nodes do not count.
///
/// ```
/// use graph_bandit::divergence::Divergence;
/// use graph_bandit::theory::least_regret_rate;
/// // A gap of 1/2 and variance 1/4: 0.5 / (0.25 / 0.5).
/// assert_eq!(least_regret_rate(&[0.0, 0.5], Divergence::gaussian(0.5)), 1.0);
/// ```
pub fn least_regret_rate(means: &[f64], divergence: Divergence) -> f64 {
    let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worse = means.iter().filter(|&&mean| mean < best);
    worse.map(|&mean| (best - mean) / divergence.between(mean, best)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_by_hand() {
        // Gaussian: 2 variance / gap for each node.
        let gaussian = Divergence::Gaussian { variance: 0.09 };
        let rate = least_regret_rate(&[1.0, 0.9, 0.4, 1.0], gaussian);
        assert!((rate - (0.18 / 0.1 + 0.18 / 0.6)).abs() < 1e-12);
        // kl(0.25, 0.75) = 0.5 ln 3.
        let rate = least_regret_rate(&[0.25, 0.75], Divergence::Bernoulli);
        assert!((rate - 0.5 / (0.5 * libm::log(3.0))).abs() < 1e-12);
        // One zero reveals that a node is not the best, if the best always pays.
        assert_eq!(least_regret_rate(&[0.5, 1.0], Divergence::Bernoulli), 0.0);
        assert_eq!(least_regret_rate(&[0.5, 0.5], Divergence::Bernoulli), 0.0);
        assert_eq!(least_regret_rate(&[], Divergence::Bernoulli), 0.0);
    }
}

//! The parameters of published agents, which follow from the number of changes and the horizon.

use crate::clock::Visits;
use crate::exact::exact;
use crate::forgetting::Scope;
use crate::index::Horizon;
use std::f64::consts::E;

/// What the agents of the literature assume: how often means change, and for how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// `Y`, the number of changes until the horizon; less than one counts as one.
    pub changes: f64,
    /// `T`. While it is unknown, it is twice the visits so far, rounded up to a power of two.
    pub horizon: Horizon,
    /// `K`, the number of nodes.
    pub nodes: usize,
}

impl Tuning {
    /// `T`, after `t` visits.
    pub fn steps(&self, t: Visits) -> f64 {
        match self.horizon {
            Horizon::Known(visits) => visits.max(2.0),
            Horizon::Unknown => {
                let past = t.0.max(self.nodes as u64).max(1);
                exact(past.saturating_mul(2).checked_next_power_of_two().unwrap_or(1 << 53))
            }
        }
    }

    /// `Y`, at most `T`.
    pub fn changes(&self, t: Visits) -> f64 {
        self.changes.clamp(1.0, self.steps(t))
    }

    /// `K`.
    pub fn nodes(&self) -> f64 {
        exact(self.nodes as u64)
    }
}

/// The published formulas, with `Y` changes, horizon `T` and `K` nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Formula {
    /// The false-alarm probability of GLR: `1 / sqrt(K Y T)`, without `K` for global restarts.
    GlrDelta(Scope),
    /// The exploration of GLR: `0.05 sqrt(K Y ln T / T)`, without `K` for global restarts.
    GlrExploration(Scope),
    /// The sliding window: `2 sqrt(T ln T / Y)`.
    Window,
    /// The discount: `1 - sqrt(Y / T) / 4`.
    Discount,
    /// The probability whose logarithm is CUSUM's threshold: `Y / T`.
    CusumDelta,
    /// The exploration of CUSUM: `sqrt(Y ln(T / Y) / T)`.
    CusumExploration,
    /// The false-alarm probability of one test of M-UCB: `1 / (K T^2)`.
    HalvesDelta,
    /// The exploration of M-UCB: `sqrt(Y K (2 b + 3 sqrt(w)) / (2 T))`, with
    /// `b = sqrt(w ln(2 K T^2) / 2)`.
    HalvesExploration {
        /// `w`, the number of rewards compared.
        window: f64,
    },
    /// The exploration of EXP3.S: `sqrt(K ((Y + 1) ln(K T) + e) / ((e - 1) T))`.
    Exp3Exploration,
    /// The share of weight that EXP3.S spreads over all nodes: `1 / T`.
    Exp3Share,
}

impl Formula {
    /// The number that follows after `t` visits; probabilities are at most 1.
    fn at(self, tuning: &Tuning, t: Visits) -> f64 {
        let (changes, steps, nodes) = (tuning.changes(t), tuning.steps(t), tuning.nodes());
        let of_scope = |scope| match scope {
            Scope::Local => nodes * changes,
            Scope::Global => changes,
        };
        match self {
            Self::GlrDelta(scope) => 1.0 / (of_scope(scope) * steps).sqrt(),
            Self::GlrExploration(scope) => {
                (0.05 * (of_scope(scope) * libm::log(steps) / steps).sqrt()).min(1.0)
            }
            Self::Window => 2.0 * (steps * libm::log(steps) / changes).sqrt(),
            Self::Discount => 1.0 - 0.25 * (changes / steps).sqrt(),
            Self::CusumDelta => changes / steps,
            Self::CusumExploration => {
                (changes * libm::log(steps / changes) / steps).sqrt().min(1.0)
            }
            Self::HalvesDelta => 1.0 / (nodes * steps * steps),
            Self::HalvesExploration { window } => {
                let bound = (0.5 * window * libm::log(2.0 * nodes * steps * steps)).sqrt();
                let cost = 2.0 * bound + 3.0 * window.sqrt();
                (changes * nodes * cost / (2.0 * steps)).sqrt().min(1.0)
            }
            Self::Exp3Exploration => {
                let hardness = (changes + 1.0) * libm::log(nodes * steps) + E;
                (nodes * hardness / ((E - 1.0) * steps)).sqrt().min(1.0)
            }
            Self::Exp3Share => 1.0 / steps,
        }
    }
}

/// A number that is given, or follows from the number of changes and the horizon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tuned {
    /// Given.
    Fixed(f64),
    /// Follows by a formula.
    By(Tuning, Formula),
}

impl Tuned {
    /// The number after `t` visits.
    #[inline]
    pub fn at(&self, t: Visits) -> f64 {
        match self {
            Self::Fixed(number) => *number,
            Self::By(tuning, formula) => formula.at(tuning, t),
        }
    }
}

impl From<f64> for Tuned {
    fn from(number: f64) -> Self {
        Self::Fixed(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_by_hand() {
        let tuning = Tuning { changes: 4.0, horizon: Horizon::Known(5_000.0), nodes: 3 };
        // ln 5000 = 8.517193, ln 1250 = 7.130899, ln(2 * 3 * 5000^2) = 18.826146.
        let expected = [
            (Formula::GlrDelta(Scope::Local), 0.004_082_483),
            (Formula::GlrDelta(Scope::Global), 0.007_071_068),
            (Formula::GlrExploration(Scope::Local), 0.007_148_653),
            (Formula::GlrExploration(Scope::Global), 0.004_127_277),
            (Formula::Window, 206.363_8),
            (Formula::Discount, 0.992_928_932),
            (Formula::CusumDelta, 0.000_8),
            (Formula::CusumExploration, 0.075_529_9),
            (Formula::HalvesDelta, 1.0 / 75e6),
            (Formula::HalvesExploration { window: 150.0 }, 0.366_433_323),
            (Formula::Exp3Exploration, 0.133_182_996),
            (Formula::Exp3Share, 0.000_2),
        ];
        for (formula, number) in expected {
            let found = Tuned::By(tuning, formula).at(Visits(17));
            assert!((found - number).abs() < 1e-5 * number, "{formula:?}: {found} {number}");
        }
        assert_eq!(Tuned::from(0.3).at(Visits(5)), 0.3);
    }

    #[test]
    fn an_unknown_horizon_is_twice_the_past() {
        let tuning = Tuning { changes: 1e9, horizon: Horizon::Unknown, nodes: 3 };
        let steps = |t| tuning.steps(Visits(t));
        assert_eq!([0, 4, 5, 8, 9, 1_000].map(steps), [8.0, 8.0, 16.0, 16.0, 32.0, 2_048.0]);
        assert_eq!(steps(1 << 53), exact(1 << 54));
        // No more changes than steps, and at least one.
        assert_eq!(tuning.changes(Visits(9)), 32.0);
        assert_eq!(Tuning { changes: 0.0, ..tuning }.changes(Visits(9)), 1.0);
    }
}

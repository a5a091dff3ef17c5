//! Theorem 10: the regret of any heuristic under a certificate, and of sweeping alone.
//!
//! The agent is [`Certified`](crate::agents::Certified); g-safe and g-sweep are two of its kind.
//! Proved in `docs/explanations/theory.md`, "A guarantee for any heuristic".

use crate::agents::{Epoch, SafeRule};
use std::f64::consts::SQRT_2;

/// `3 / sqrt 2`: the stays between sweeps cost at most this times `omega R sqrt(|S| tau)`.
const SETTLED: f64 = 3.0 / SQRT_2;

/// `12 (1 + sqrt 2)`: the stays of sweeps cost at most this times `R sqrt(|S| tau) / omega`.
const SWEPT: f64 = 12.0 * (1.0 + SQRT_2);

/// `3 sqrt(10) / 4`, for the stays between sweeps by gaps.
const SETTLED_BY_GAPS: f64 = 2.371_708_245_126_284_5;

/// Theorem 10 with its constants.
///
/// For a graph without roads, `diameter` is `D` in hops, `round` the length of a closed walk through
/// all nodes ([`patrol_time`](super::patrol_time) of [`patrol_walk`](super::patrol_walk), at most
/// `2 (|S| - 1)`), and `worst_step` the largest gap. On roads they are the time diameter, the time
/// of the walk, and the larger of the largest gap and the best mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SafeBound {
    /// The agent's constants.
    pub rule: SafeRule,
    /// `|S|`.
    pub nodes: usize,
    /// `g`, the most that a unit of time costs, or a bound on it.
    pub worst_step: f64,
    /// `D`, or a bound on it.
    pub diameter: f64,
    /// `C`, or a bound on it.
    pub round: f64,
    /// `T`.
    pub steps: u64,
    /// `t_1`: the time that initialization takes, visits included.
    pub init_time: f64,
}

impl SafeBound {
    /// `tau = T + t_1`.
    fn time(&self) -> f64 {
        self.steps as f64 + self.init_time
    }

    /// The epochs that begin before `tau`, and end at `t_1` or later.
    fn epochs(&self) -> Vec<Epoch> {
        let begin = self.rule.epoch_at(self.init_time);
        let later = |epoch: &Epoch| (epoch.end < self.time()).then(|| self.rule.next_epoch(epoch));
        std::iter::successors(Some(begin), later).collect()
    }

    /// `R sqrt(|S| tau)`, with the `R` of the last epoch.
    pub fn unit(&self) -> f64 {
        let reach = self.rule.epoch_at(self.time()).reach;
        reach * (self.nodes as f64 * self.time()).sqrt()
    }

    /// The cost of the heuristic's legs, and of the stays between sweeps.
    pub fn heuristic_and_stays(&self) -> f64 {
        self.rule.budget.max(SETTLED * self.rule.resolution) * self.unit()
    }

    /// The cost of the stays of sweeps.
    pub fn sweeps(&self) -> f64 {
        SWEPT / self.rule.resolution * self.unit()
    }

    /// How many rounds the sweeps make after the heuristic's last leg.
    pub fn rounds(&self) -> u32 {
        let end = |epoch: &Epoch| epoch.end.min(self.time());
        self.epochs().iter().map(|epoch| self.rule.levels(self.nodes, end(epoch))).sum()
    }

    /// How many ways the agent makes between sweeps after the heuristic's last leg.
    pub fn ways(&self) -> u32 {
        let mut begin = self.init_time;
        let mut ways = 0;
        for epoch in self.epochs() {
            let end = epoch.end.min(self.time());
            let levels = |t| self.rule.levels(self.nodes, t);
            ways += levels(end) - levels(begin) + 1;
            begin = end;
        }
        ways
    }

    /// The cost of all rounds and ways.
    pub fn travel(&self) -> f64 {
        let time = f64::from(self.rounds()) * self.round + f64::from(self.ways()) * self.diameter;
        time * self.worst_step
    }

    /// The expected cost of epochs in which some interval does not hold its mean, and of a visit
    /// under way at `T`. Legs of an epoch end at twice its end at the latest, those of the last one
    /// at `T`.
    pub fn bad_epochs(&self) -> f64 {
        let ends = 2.0 * self.epochs().len() as f64 - 1.0;
        (ends * self.nodes as f64 + 1.0) * self.worst_step
    }

    /// The bound on the expected regret, whatever the heuristic and the gaps.
    pub fn regret(&self) -> f64 {
        self.heuristic_and_stays() + self.sweeps() + self.travel() + self.bad_epochs()
    }

    /// The bound by the gaps of all nodes, ties allowed, for sweeping alone; `None` with a
    /// heuristic, which may spend its budget whatever the gaps.
    pub fn regret_by_gaps(&self, gaps: &[f64]) -> Option<f64> {
        let reach = self.rule.epoch_at(self.time()).reach;
        let positive = || gaps.iter().copied().filter(|&gap| gap > 0.0);
        let swept: f64 = positive().map(|gap| 20.0 * reach * reach / gap).sum();
        let least = positive().fold(f64::INFINITY, f64::min);
        let widest = self.rule.resolution * reach;
        let settled = SETTLED_BY_GAPS * widest * widest * self.nodes as f64 / least;
        let regret = swept + settled + self.travel() + self.bad_epochs();
        (self.rule.budget == 0.0).then_some(regret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Horizon;

    const BOUND: SafeBound = SafeBound {
        rule: SafeRule {
            scale: 0.5,
            budget: 8.0,
            resolution: 4.0,
            horizon: Horizon::Known(10_000.0),
        },
        nodes: 25,
        worst_step: 0.5,
        diameter: 8.0,
        round: 48.0,
        steps: 9_960,
        init_time: 40.0,
    };

    #[test]
    fn theorem_10_by_hand() {
        // tau = 10,000, ln tau = 9.2103404. Eleven pieces: cosh^2(0.2093259) ln(220,000) =
        // 1.0444611 * 12.3013828 = 12.8483156; ten give 12.8647, twelve 12.8501.
        // R = sqrt(12.8483156 / 2) = 2.5345922, and sqrt(25 * 10,000) = 500.
        assert!((BOUND.unit() - 500.0 * 2.534_592_2).abs() < 1e-3, "{}", BOUND.unit());
        // 3 / sqrt 2 * 4 = 8.4852814 is above the budget; 12 * 2.4142136 / 4 = 7.2426407.
        assert!((BOUND.heuristic_and_stays() / BOUND.unit() - 8.485_281_4).abs() < 1e-6);
        assert!((BOUND.sweeps() / BOUND.unit() - 7.242_640_7).abs() < 1e-6);
        // (2 / 4) sqrt(400) = 10, so K = 4; from t = 40 on, where (1/2) sqrt(1.6) < 1, K = 0.
        assert_eq!((BOUND.rounds(), BOUND.ways()), (4, 5));
        assert_eq!(BOUND.travel(), (4.0 * 48.0 + 5.0 * 8.0) * 0.5);
        assert_eq!(BOUND.bad_epochs(), 13.0);
        let total = (8.485_281_4 + 7.242_640_7) * 500.0 * 2.534_592_2 + 116.0 + 13.0;
        assert!((BOUND.regret() - total).abs() < 0.01, "{}", BOUND.regret());
        let trusting = SafeRule { budget: 10.0, ..BOUND.rule };
        let trusting = SafeBound { rule: trusting, ..BOUND };
        assert_eq!(trusting.heuristic_and_stays(), 10.0 * BOUND.unit());
    }

    #[test]
    fn theorem_10_by_gaps_by_hand() {
        let sweeping = SafeRule { budget: 0.0, ..BOUND.rule };
        let sweeping = SafeBound { rule: sweeping, ..BOUND };
        // R^2 = 6.4241578: 20 R^2 (4 + 2) + 2.3717082 * 16 R^2 * 25 / 0.25.
        let by_hand = 6.424_157_8 * (120.0 + 2.371_708_2 * 1600.0) + 129.0;
        let regret = sweeping.regret_by_gaps(&[0.0, 0.25, 0.5, 0.0]).unwrap();
        assert!((regret - by_hand).abs() < 0.1, "{regret}");
        assert_eq!(BOUND.regret_by_gaps(&[0.0, 0.25]), None);
    }

    #[test]
    fn without_a_horizon_there_are_epochs() {
        let rule = SafeRule { horizon: Horizon::Unknown, ..BOUND.rule };
        let anytime = SafeBound { rule, ..BOUND };
        // They end at 64, 181.0, 664.0, 3,370 and 25,700. (1/2) sqrt(t / 25) is 0.8, 1.3, 2.6, 5.8,
        // and 10 at the end: K = 0, 1, 2, 3, 4.
        assert_eq!(anytime.rounds(), 10);
        // K rises from 0 to 0, 0 to 1, 1 to 2, 2 to 3, 3 to 4: 1 + 2 + 2 + 2 + 2.
        assert_eq!(anytime.ways(), 9);
        assert_eq!(anytime.bad_epochs(), (9.0 * 25.0 + 1.0) * 0.5);
        assert!(anytime.regret() < 1.2 * BOUND.regret());
    }
}

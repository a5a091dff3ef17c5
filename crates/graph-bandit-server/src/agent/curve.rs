//! The sum of rewards over time, in as many points as a screen can show, for agents of any age.
//!
//! At first a sum is kept after every visit. When there are too many, every second one is dropped, and
//! from then on half as many are kept. So the curve depends only on the rewards: an agent that resumes
//! from a snapshot has the same curve as one that never stopped.
//!
//! The curve holds what the agent's own visits paid. What others observed is summed separately; both
//! together are all known rewards.

use graph_bandit::{Estimates, Sample};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The most points of a curve, its beginning and its end among them.
pub const MOST_POINTS: usize = 512;
/// The most sums kept in between.
const MOST_SUMS: usize = MOST_POINTS - 2;

/// The sum of rewards over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    visits: u64,
    reward: f64,
    /// How many visits lie between two sums.
    every: u64,
    /// The sum of rewards after `every` visits, after twice as many, and so on.
    sums: Vec<f64>,
    /// The rewards that others observed.
    observed: Sample,
}

/// A curve that does not fit the rewards.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("the curve of rewards is wrong: {reason}")]
pub struct CurveError {
    reason: String,
}

impl Default for Curve {
    /// Before the first reward.
    fn default() -> Self {
        Self { visits: 0, reward: 0.0, every: 1, sums: Vec::new(), observed: Sample::default() }
    }
}

impl Curve {
    /// Adds the reward of the next visit.
    pub fn push(&mut self, reward: f64) {
        self.visits += 1;
        self.reward += reward;
        if self.visits.is_multiple_of(self.every) {
            self.sums.push(self.reward);
        }
        if self.sums.len() > MOST_SUMS {
            let mut number = 0_usize;
            self.sums.retain(|_| {
                number += 1;
                number.is_multiple_of(2)
            });
            self.every *= 2;
        }
    }

    /// Adds a reward that another observed.
    pub fn observe(&mut self, reward: f64) {
        self.observed.push(reward);
    }

    /// How many rewards others observed.
    pub fn observed(&self) -> u64 {
        self.observed.count
    }

    /// How many rewards there were.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Their sum, added in order.
    pub fn reward(&self) -> f64 {
        self.reward
    }

    /// Visits and the sum of rewards after them, from none to all; at most [`MOST_POINTS`] points.
    pub fn points(&self) -> Vec<(u64, f64)> {
        let kept = (1..).map(|number| number * self.every).zip(self.sums.iter().copied());
        let before = kept.take_while(|&(visits, _)| visits < self.visits);
        let now = (self.visits > 0).then_some((self.visits, self.reward));
        std::iter::once((0, 0.0)).chain(before).chain(now).collect()
    }

    /// Checks the curve against the rewards of a session.
    ///
    /// # Errors
    /// When it does not fit.
    pub(super) fn check(&self, estimates: &Estimates) -> Result<(), CurveError> {
        let observed = &self.observed;
        let is_number = observed.sum.is_finite() && observed.sum_of_squares.is_finite();
        if observed.count > estimates.visits() || !is_number {
            let reason = format!("the observed rewards are {observed:?}");
            return Err(CurveError { reason });
        }
        self.check_sums(estimates.visits() - observed.count)?;
        let samples = estimates.samples().iter();
        let (reward, squares) = samples.fold((0.0, 0.0), |(reward, squares), sample| {
            (reward + sample.sum, squares + sample.sum_of_squares)
        });
        // The estimates add the same rewards in another order, node by node. The tolerance is twice the
        // rounding error by Cauchy's bound on the sum of magnitudes; it covers squares that underflow.
        let n = estimates.visits() as f64;
        let rounding = 2.0 * f64::EPSILON * n * (n * squares).sqrt() + n * 1e-150;
        let known = self.reward + observed.sum;
        if (known - reward).abs() <= rounding {
            return Ok(());
        }
        let reason = format!("it sums to {known}, the rewards to {reward}");
        Err(CurveError { reason })
    }

    fn check_sums(&self, visits: u64) -> Result<(), CurveError> {
        let wrong = |reason: String| Err(CurveError { reason });
        if self.visits != visits {
            return wrong(format!("it is of {} visits, but there were {visits}", self.visits));
        }
        if !self.every.is_power_of_two() {
            return wrong(format!("its sums are {} visits apart", self.every));
        }
        let due = visits / self.every;
        // A finer curve would have been kept otherwise. Check this before using the count as a size.
        let too_coarse = self.every > 1 && visits / (self.every / 2) <= MOST_SUMS as u64;
        if due != self.sums.len() as u64 || due > MOST_SUMS as u64 || too_coarse {
            let (sums, every) = (self.sums.len(), self.every);
            return wrong(format!("it has {sums} sums, one every {every} of {visits} visits"));
        }
        if !self.sums.iter().chain([&self.reward]).all(|sum| sum.is_finite()) {
            return wrong("a sum is not a number".to_owned());
        }
        let at_sum = visits.is_multiple_of(self.every);
        let last = if at_sum { self.sums.last().copied().unwrap_or(0.0) } else { self.reward };
        if last != self.reward {
            return wrong(format!("it ends at {last}, but sums to {}", self.reward));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::Seed;

    /// The curve computed from all sums: one at every multiple of the smallest power of two that fits.
    fn naive(rewards: &[f64]) -> Vec<(u64, f64)> {
        let mut sum = 0.0;
        let mut all = vec![(0, 0.0)];
        for (reward, visits) in rewards.iter().zip(1..) {
            sum += reward;
            all.push((visits, sum));
        }
        let fits = |every: &usize| rewards.len() / every <= 510;
        let every = (0..64).map(|power| 1_usize << power).find(fits).unwrap();
        let last = all[rewards.len()];
        let mut points: Vec<_> = all.into_iter().step_by(every).collect();
        if points.last() != Some(&last) {
            points.push(last);
        }
        points
    }

    #[test]
    fn a_thinned_curve_equals_one_made_from_all_sums() {
        let mut stream = Seed(4).stream();
        let rewards: Vec<f64> = (0..3_000).map(|_| stream.unit() - 0.3).collect();
        let mut curve = Curve::default();
        assert_eq!(curve.points(), [(0, 0.0)]);
        for (&reward, visits) in rewards.iter().zip(1..) {
            curve.push(reward);
            let points = curve.points();
            assert_eq!(points, naive(&rewards[..visits]), "{visits}");
            assert!(points.len() <= MOST_POINTS);
            assert_eq!(points.last(), Some(&(visits as u64, curve.reward())));
            curve.check_sums(visits as u64).unwrap();
        }
        // The curve uses all the room there is.
        let mut curve = Curve::default();
        rewards[..1021].iter().for_each(|&reward| curve.push(reward));
        assert_eq!(curve.points().len(), MOST_POINTS);
    }

    #[test]
    fn a_curve_that_was_stored_goes_on_the_same() {
        let mut stream = Seed(5).stream();
        let mut whole = Curve::default();
        let mut again = whole.clone();
        for _ in 0..3_000 {
            let reward = stream.unit();
            whole.push(reward);
            again.push(reward);
            if stream.below(50) == 0 {
                again = serde_json::from_str(&serde_json::to_string(&again).unwrap()).unwrap();
            }
            assert_eq!(again, whole);
        }
    }

    #[test]
    fn only_rounding_errors_are_tolerated() {
        for scale in [1.0, 1e-170, 1e99] {
            let mut stream = Seed(6).stream();
            let mut curve = Curve::default();
            let mut estimates = Estimates::new(7);
            for _ in 0..2_001 {
                let (node, reward) = (stream.below(7) as u32, (stream.unit() - 0.5) * scale);
                estimates.push(node, reward);
                curve.push(reward);
                curve.check(&estimates).unwrap();
            }
            curve.reward += (1e-9 * scale).max(1e-140);
            assert!(curve.check(&estimates).unwrap_err().to_string().contains("the rewards to"));
        }
    }

    #[test]
    fn rewards_of_others_are_known_but_not_on_the_curve() {
        let mut stream = Seed(7).stream();
        let (mut curve, mut alone, mut estimates) =
            (Curve::default(), Curve::default(), Estimates::new(3));
        for step in 0..1_200 {
            let (node, reward) = (stream.below(3) as u32, stream.unit());
            estimates.push(node, reward);
            if step % 3 == 0 {
                curve.observe(reward);
            } else {
                curve.push(reward);
                alone.push(reward);
            }
            curve.check(&estimates).unwrap();
        }
        assert_eq!((curve.points(), curve.visits()), (alone.points(), 800));
        assert_eq!(curve.observed(), 400);
        let again: Curve = serde_json::from_str(&serde_json::to_string(&curve).unwrap()).unwrap();
        assert_eq!(again, curve);
        assert!(alone.check(&estimates).unwrap_err().to_string().contains("of 800 visits"));
        for wrong in
            [Sample { count: 401, ..curve.observed }, Sample { sum: 1e9, ..curve.observed }]
        {
            assert!(Curve { observed: wrong, ..curve.clone() }.check(&estimates).is_err());
        }
        let many = Sample { count: u64::MAX, ..curve.observed };
        assert!(Curve { observed: many, ..curve.clone() }.check(&estimates).is_err());
        let endless = Sample { sum: f64::INFINITY, ..curve.observed };
        assert!(Curve { observed: endless, ..curve }.check(&estimates).is_err());
    }

    #[test]
    fn wrong_curves_are_refused() {
        let mut curve = Curve::default();
        (0..1_500).for_each(|reward| curve.push(f64::from(reward)));
        curve.check_sums(1_500).unwrap();
        let wrong = |change: &dyn Fn(&mut Curve)| {
            let mut wrong = curve.clone();
            change(&mut wrong);
            wrong.check_sums(1_500).unwrap_err().to_string()
        };
        assert!(wrong(&|curve| curve.visits = 1_501).contains("of 1501 visits"));
        assert!(wrong(&|curve| curve.every = 3).contains("3 visits apart"));
        assert!(wrong(&|curve| curve.every = 0).contains("0 visits apart"));
        assert!(wrong(&|curve| curve.every = 8).contains("one every 8"));
        assert!(wrong(&|curve| curve.every = 1 << 63).contains("one every"));
        assert!(wrong(&|curve| curve.sums.truncate(374)).contains("374 sums"));
        assert!(wrong(&|curve| curve.sums[3] = f64::NAN).contains("not a number"));
        assert!(wrong(&|curve| curve.reward = f64::INFINITY).contains("not a number"));
        assert!(wrong(&|curve| curve.reward += 1.0).contains("sums to"));
        // Half as fine, or twice as fine, as it should be.
        let coarse = wrong(&|curve| {
            curve.every = 8;
            curve.sums = curve.sums.iter().skip(1).step_by(2).copied().collect();
        });
        assert!(coarse.contains("one every 8"), "{coarse}");
        let fine = wrong(&|curve| {
            curve.every = 2;
            curve.sums = vec![0.0; 750];
        });
        assert!(fine.contains("750 sums"), "{fine}");
    }
}

//! The factor that turns a score into a gain: the visits that one improvement is expected to last.

use super::MARGIN;
use super::districts::Districts;
use super::improvements::Improvements;
use crate::agent::Situation;
use crate::index::ExpectedImprovement;

/// The factor, known as exactly as was needed so far.
#[derive(Debug)]
pub(super) struct VisitsToGain<'a> {
    now: &'a Situation<'a>,
    scores: &'a ExpectedImprovement,
    /// The visits left.
    left: f64,
    /// The highest score.
    highest: f64,
    /// It is between these.
    pub(super) least: f64,
    pub(super) most: f64,
    /// How often tighter bounds were computed.
    looks: u32,
    exact: Option<f64>,
}

impl<'a> VisitsToGain<'a> {
    /// The factor within the bounds that are at hand.
    pub(super) fn new(
        now: &'a Situation<'a>,
        scores: &'a ExpectedImprovement,
        left: f64,
        improvements: &Improvements,
        districts: &Districts,
    ) -> Self {
        let highest = improvements.highest_now(scores, now.estimates, districts);
        let (least, most, looks, exact) = (0.0, 0.0, 0, None);
        let mut visits = Self { now, scores, left, highest, least, most, looks, exact };
        if highest > 0.0 {
            visits.bound(improvements.sum());
        }
        visits
    }

    fn bound(&mut self, sum: (f64, f64)) {
        if sum.0 > 0.0 && sum.1 < f64::INFINITY {
            self.least = self.left * self.highest / sum.1 * (1.0 - MARGIN);
            self.most = self.left * self.highest / sum.0 * (1.0 + MARGIN);
        } else {
            let visits = self.exactly();
            (self.least, self.most) = (visits, visits);
        }
    }

    /// Whether a node of this score per price is a bargain; `None` if only exact numbers tell.
    pub(super) fn make_bargain(
        &mut self,
        worth: f64,
        improvements: &mut Improvements,
    ) -> Option<bool> {
        loop {
            let decided = self.decide(worth);
            if decided.is_some() || self.exact.is_some() {
                return decided;
            }
            let sum = match self.looks {
                0 => improvements.close_sum(self.scores, self.now.estimates),
                1 => improvements.of_clear(self.scores, self.now.estimates),
                2 => improvements.of_all(self.scores, self.now.estimates),
                _ => return None,
            };
            self.looks += 1;
            self.bound(sum);
        }
    }

    fn decide(&self, worth: f64) -> Option<bool> {
        let is_bargain = self.least * worth > 1.0 + MARGIN;
        (is_bargain || self.most * worth < 1.0 - MARGIN).then_some(is_bargain)
    }

    /// The factor to the bit: all scores added up in order.
    pub(super) fn exactly(&mut self) -> f64 {
        let (now, scores, left) = (self.now, self.scores, self.left);
        *self.exact.get_or_insert_with(|| {
            let (mut sum, mut most) = (0.0, 0.0_f64);
            for node in now.graph.nodes() {
                let score = scores.of(now.estimates, node);
                sum += score;
                most = most.max(score);
            }
            if sum > 0.0 { left * most / sum } else { 0.0 }
        })
    }
}

//! The factor that turns a score into a gain: the visits that one improvement is expected to last.

use super::super::SharedFuture;
use super::MARGIN;
use super::alike::Alike;
use super::districts::Districts;
use super::improvements::Improvements;
use crate::agent::Situation;
use crate::index::ExpectedImprovement;

/// Bounds this close are not improved by a close look at the sum.
const CLOSE: f64 = 1.04;

/// The factor, known as exactly as was needed so far.
#[derive(Debug)]
pub(super) struct VisitsToGain<'a> {
    now: &'a Situation<'a>,
    scores: &'a ExpectedImprovement,
    alike: Alike<'a>,
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
        improvements: &mut Improvements,
        districts: &Districts,
    ) -> Self {
        let mut alike = Alike::new(scores);
        let highest = improvements.highest_now(&mut alike, now.estimates, districts);
        let (least, most, looks, exact) = (0.0, 0.0, 0, None);
        let mut visits = Self { now, scores, alike, left, highest, least, most, looks, exact };
        if highest > 0.0 {
            let usual = improvements.sum();
            let closer = match improvements.close_sum_at_hand(scores) {
                Some(sum) if sum.0.max(usual.0) > 0.0 => sum,
                None if usual.0 > 0.0 => usual,
                _ => improvements.close_sum(scores, now.estimates),
            };
            visits.bound((usual.0.max(closer.0), usual.1.min(closer.1)));
        }
        visits
    }

    /// Looks closely at the sum of all scores, unless its bounds are close.
    fn look_closely(&mut self, improvements: &mut Improvements) {
        if self.looks == 0 {
            self.looks = 1;
            if self.most > CLOSE * self.least {
                self.tighten(improvements.close_sum(self.scores, self.now.estimates));
            }
        }
    }

    /// The bounds that follow from closer bounds on the sum of all scores.
    fn tighten(&mut self, (least, most): (f64, f64)) {
        self.least = self.least.max(self.left * self.highest / most * (1.0 - MARGIN));
        if least > 0.0 {
            self.most = self.most.min(self.left * self.highest / least * (1.0 + MARGIN));
        }
    }

    fn bound(&mut self, sum: (f64, f64)) {
        if sum.0 > 0.0 && sum.1 < f64::INFINITY {
            (self.least, self.most) = (0.0, f64::INFINITY);
            self.tighten(sum);
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
            if self.looks == 0 {
                self.look_closely(improvements);
                continue;
            }
            let sum = match self.looks {
                1 => improvements.of_clear(self.scores, self.now.estimates),
                2 => improvements.of_all(self.scores, self.now.estimates),
                _ => return None,
            };
            self.looks += 1;
            self.tighten(sum);
        }
    }

    fn decide(&self, worth: f64) -> Option<bool> {
        let is_bargain = self.least * worth > 1.0 + MARGIN;
        (is_bargain || self.most * worth < 1.0 - MARGIN).then_some(is_bargain)
    }

    /// The factor to the bit: all scores added up in order.
    pub(super) fn exactly(&mut self) -> f64 {
        let (now, alike, left) = (self.now, &mut self.alike, self.left);
        *self.exact.get_or_insert_with(|| {
            let mut future = SharedFuture::default();
            for node in now.graph.nodes() {
                future.add(alike.of(now.estimates, node));
            }
            future.visits(left)
        })
    }
}

//! What is certain about every node: an interval that holds its mean, and never grows within an
//! epoch.

use super::rule::{Epoch, SafeRule};
use crate::agent::{Phase, Situation, Visit};
use crate::estimates::{Estimate, Estimates};
use crate::exact::exact;
use crate::memory::{Memory, MemoryError, Reader};

/// The bounds of a node that was never visited. They are finite, so that they can be stored.
const UNKNOWN: (f64, f64) = (f64::MIN, f64::MAX);

/// The intervals of all nodes, and what the agent did itself. It hears every visit by itself, so
/// that the intervals do not depend on how visits are grouped.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    pub(super) epoch: Epoch,
    /// The highest lower bound of each node since the epoch began.
    lower: Vec<f64>,
    /// The lowest upper bound of each node since the epoch began.
    upper: Vec<f64>,
    /// The visits to each node since initialization.
    own: Vec<u64>,
    /// The time on roads until initialization ended.
    travel_before: f64,
}

/// The time so far, or the number of rewards if that is larger.
pub(super) fn moment(now: &Situation<'_>) -> f64 {
    now.clock.now().0.max(exact(now.estimates.visits()))
}

/// The interval of `estimate` alone.
fn interval(estimate: Estimate, reach: f64) -> (f64, f64) {
    if estimate.spread > 0.0 {
        let radius = reach * estimate.spread;
        (estimate.mean - radius, estimate.mean + radius)
    } else {
        UNKNOWN
    }
}

impl Bounds {
    pub(super) fn new(nodes: usize, rule: &SafeRule) -> Self {
        Self {
            epoch: rule.first_epoch(),
            lower: vec![UNKNOWN.0; nodes],
            upper: vec![UNKNOWN.1; nodes],
            own: vec![0; nodes],
            travel_before: 0.0,
        }
    }

    pub(super) fn observe(&mut self, rule: &SafeRule, now: &Situation<'_>, visit: &Visit) {
        if visit.phase == Phase::Cover {
            self.travel_before = now.clock.travel();
        } else {
            self.own[visit.node as usize] += visit.sample.count;
        }
        let t = moment(now);
        if t > self.epoch.end {
            self.begin(rule.epoch_at(t), now.estimates);
            return;
        }
        let node = visit.node as usize;
        let (lower, upper) = self.of(now.estimates, node);
        (self.lower[node], self.upper[node]) = (lower, upper);
    }

    /// Begins an epoch. Intervals of earlier epochs were less certain, so they no longer count.
    fn begin(&mut self, epoch: Epoch, estimates: &Estimates) {
        self.epoch = epoch;
        for (node, &estimate) in estimates.all().iter().enumerate() {
            (self.lower[node], self.upper[node]) = interval(estimate, epoch.reach);
        }
    }

    /// The interval of a node. It includes rewards that others reported, which agents do not hear.
    #[inline]
    pub(super) fn of(&self, estimates: &Estimates, node: usize) -> (f64, f64) {
        let (lower, upper) = interval(estimates.all()[node], self.epoch.reach);
        (lower.max(self.lower[node]), upper.min(self.upper[node]))
    }

    /// The agent's own visits to a node.
    #[inline]
    pub(super) fn own(&self, node: usize) -> u64 {
        self.own[node]
    }

    /// The time that the agent itself has spent on roads.
    pub(super) fn travel(&self, now: &Situation<'_>) -> f64 {
        (now.clock.travel() - self.travel_before).max(0.0)
    }

    pub(super) fn store(&self, memory: &mut Memory) {
        memory.values.extend(&self.lower);
        memory.values.extend(&self.upper);
        memory.values.push(self.travel_before);
        memory.counts.extend(&self.own);
        memory.counts.push(u64::from(self.epoch.number));
    }

    pub(super) fn recall(
        &self,
        rule: &SafeRule,
        stored: &mut Reader<'_>,
    ) -> Result<Self, MemoryError> {
        let nodes = self.own.len() as u64;
        let (lower, upper) = (stored.values(nodes), stored.values(nodes));
        let travel_before = stored.value();
        let (own, number) = (stored.counts(nodes), stored.count());
        let is_whole = lower.len() == self.own.len() && upper.len() == self.own.len();
        if !is_whole || own.len() != self.own.len() || travel_before < 0.0 {
            return Err(stored.impossible());
        }
        let mut epoch = rule.first_epoch();
        while u64::from(epoch.number) < number {
            let next = rule.next_epoch(&epoch);
            if next.end <= epoch.end {
                return Err(stored.impossible());
            }
            epoch = next;
        }
        Ok(Self { epoch, lower, upper, own, travel_before })
    }
}

//! Bounds on all expected improvements that outlive a leg.
//!
//! An improvement grows with the variance that nodes have in common and with the caution of the leg,
//! and shrinks as the leader's mean rises. So between two values of each, it lies between the
//! improvements at two corners. These change only where the agent was, and are computed again only
//! when one of the three leaves its interval.
//!
//! A lucky node often leads only for a while. Its mean is higher, so upper bounds stay true, and are kept
//! meanwhile; the sum of all improvements is then known from a closer look.
//!
//! Most nodes are *faint*: even together they promise next to nothing. Their bounds hold in wider
//! intervals, so they are rarely computed again.

mod close;
mod corners;
mod promise;
mod sums;
#[cfg(test)]
mod tests;

use super::ENDLESS;
use super::alike::Alike;
use super::districts::Districts;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::index::{ExpectedImprovement, Leader};
use crate::schedule::Amortized;
use close::Close;
use corners::{Corners, Intervals, between, upper};
use promise::Promise;
use sums::{ROUNDING, Sums};

/// The intervals for faint nodes are this many times as wide.
const WIDER: f64 = 6.0;
/// The share of the sum of all upper bounds that faint nodes have together, at most.
const FAINT: f64 = 1e-3;
/// If their share has become larger than this, some are no longer faint.
const NO_LONGER_FAINT: f64 = 1e-2;
/// A lucky node often leads only for a while. For this many legs, upper bounds are kept though the
/// leader's mean is above its interval.
const PATIENCE: u32 = 8;
/// Close looks at the sum that are kept.
const LOOKS: usize = 3;
/// Districts that share a highest upper bound.
const GROUP: usize = 64;

/// Bounds on the improvement of every node, on their sum and on the highest.
#[derive(Debug, Clone)]
pub(super) struct Improvements {
    /// The entry cost of a node besides its gap.
    step: f64,
    /// New visits per earlier visit.
    growth: f64,
    corners: Option<Corners>,
    leader: Leader,
    least: Vec<f64>,
    most: Vec<f64>,
    faint: Faint,
    /// What each district promises, and what its faint nodes alone promise.
    promises: Vec<Promise>,
    faint_promises: Vec<Promise>,
    /// The highest upper bound in each group of districts.
    tops: Vec<f64>,
    /// Close looks at the sum, the last one first.
    close: Vec<Close>,
    /// The legs for which the leader's mean has been above its interval.
    raised: u32,
    highest: (NodeId, f64),
    sum: Sums,
    /// How much of the log of visits the bounds account for.
    pub(super) seen: usize,
}

/// The nodes whose bounds hold in wider intervals.
#[derive(Debug, Clone, Default)]
struct Faint {
    intervals: Option<Intervals>,
    /// The sum of their upper bounds.
    sum: f64,
    /// All other nodes, mostly in order: they are read again and again.
    clear: Vec<NodeId>,
    is_clear: Vec<bool>,
}

impl Faint {
    /// Takes out a node with this upper bound.
    fn clear_up(&mut self, node: NodeId, most: f64) -> bool {
        let is_new = !std::mem::replace(&mut self.is_clear[node as usize], true);
        if is_new {
            self.clear.push(node);
            self.sum -= most;
        }
        is_new
    }
}

impl Improvements {
    /// No bounds yet.
    pub(super) fn new(step: f64, growth: f64) -> Self {
        Self {
            step,
            growth,
            corners: None,
            leader: Leader::default(),
            least: Vec::new(),
            most: Vec::new(),
            faint: Faint::default(),
            promises: Vec::new(),
            faint_promises: Vec::new(),
            tops: Vec::new(),
            close: vec![Close::default(); LOOKS],
            raised: 0,
            highest: (0, 0.0),
            sum: Sums::default(),
            seen: 0,
        }
    }

    /// Forgets all bounds.
    pub(super) fn forget(&mut self) {
        self.corners = None;
        self.faint.intervals = None;
        self.close.iter_mut().for_each(Close::forget);
    }

    /// Makes the bounds hold now, after visits to these nodes.
    pub(super) fn refresh(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        districts: &Districts,
        visited: &[NodeId],
    ) {
        let is_lost = self.sum.are_lost()
            || self.faint.sum > NO_LONGER_FAINT * self.sum.most
            || self.sum.updates + visited.len() > estimates.samples().len();
        let hold = |intervals: Option<&Intervals>| {
            intervals.is_some_and(|intervals| intervals.hold(scores)) && !is_lost
        };
        if hold(self.faint.intervals.as_ref()) {
            let leaders = [self.leader.node, scores.leader().node];
            self.leader = scores.leader();
            for &node in visited.iter().chain(&leaders) {
                if self.faint.clear_up(node, self.most[node as usize]) {
                    let district = districts.of(node);
                    self.faint_promises[district as usize] =
                        self.promise_of(estimates, districts.members(district), false);
                }
            }
            for close in &mut self.close {
                close.refresh(scores, estimates, visited.iter().chain(&leaders));
            }
            let intervals = self.corners.as_ref().map(|corners| &corners.intervals);
            let do_hold = hold(intervals);
            self.raised = if do_hold { 0 } else { self.raised + 1 };
            let is_brief = self.raised <= PATIENCE && !is_lost;
            let may_wait = |intervals: &Intervals| intervals.bound_from_above(scores);
            if do_hold || (is_brief && intervals.is_some_and(may_wait)) {
                self.update(estimates, districts, visited.iter().chain(&leaders));
            } else {
                self.sharpen(scores, estimates, districts);
            }
        } else {
            self.compute(scores, estimates, districts);
        }
        self.highest = self.find_highest(districts);
    }

    /// Computes all bounds.
    fn compute(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        districts: &Districts,
    ) {
        let nodes = estimates.samples().len();
        let wide = Intervals::around(scores, WIDER);
        let highest = wide.most(scores);
        self.leader = scores.leader();
        self.most.clear();
        self.most.extend((0..nodes as NodeId).map(|node| upper(&highest, estimates, node)));
        self.least.clear();
        self.least.resize(nodes, 0.0);
        self.close.iter_mut().for_each(Close::forget);

        let faint = &mut self.faint;
        // Where the intervals are wide, nodes with many visits promise far too much.
        let usual = Intervals::around(scores, 1.0).most(scores);
        let all = (0..nodes as NodeId).map(|node| upper(&usual, estimates, node));
        let limit = faint_below(&self.most, FAINT * all.sum::<f64>());
        faint.intervals = Some(wide);
        faint.is_clear.clear();
        faint.is_clear.extend(self.most.iter().map(|&most| most >= limit));
        faint.clear.clear();
        let all = 0..nodes as NodeId;
        faint.clear.extend(all.filter(|&node| faint.is_clear[node as usize]));
        faint.sum = self.most.iter().filter(|&&most| most < limit).sum();
        // The leader improves on nothing only as long as it leads.
        faint.clear_up(self.leader.node, self.most[self.leader.node as usize]);
        self.faint_promises.clear();
        for district in 0..districts.len() as u32 {
            let promise = self.promise_of(estimates, districts.members(district), false);
            self.faint_promises.push(promise);
        }
        self.sharpen(scores, estimates, districts);
    }

    /// Computes the bounds of nodes that are not faint.
    fn sharpen(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        districts: &Districts,
    ) {
        let corners = Corners::around(scores, 1.0);
        let (mut least, mut most) = (0.0, self.faint.sum);
        for &node in &self.faint.clear {
            let bounds = between(&corners, estimates, node);
            (least, most) = (least + bounds.0, most + bounds.1);
            (self.least[node as usize], self.most[node as usize]) = bounds;
        }
        self.sum = Sums { least, most, highest: most, updates: 0 };
        self.corners = Some(corners);
        self.raised = 0;
        self.promises.clone_from(&self.faint_promises);
        let nearest = self.nearest(true);
        for &node in &self.faint.clear {
            let most = self.most[node as usize];
            if most > 0.0 {
                let district = districts.of(node) as usize;
                let promise = Promise::new(&nearest, estimates, node, most, self.growth, self.step);
                self.promises[district] = self.promises[district].or(promise);
            }
        }
        self.tops.resize(self.promises.len().div_ceil(GROUP), 0.0);
        (0..self.tops.len()).for_each(|group| self.find_top(group));
    }

    /// The leader with the lowest mean for which the bounds of nodes hold.
    fn nearest(&self, is_clear: bool) -> Leader {
        let usual = self.corners.as_ref().map(|corners| &corners.intervals);
        let intervals = if is_clear { usual } else { self.faint.intervals.as_ref() };
        let mean = intervals.map_or(f64::NEG_INFINITY, |intervals| intervals.top.0);
        Leader { mean, ..self.leader }
    }

    /// What these nodes promise: those that are faint, or the others.
    fn promise_of(&self, estimates: &Estimates, nodes: &[NodeId], is_clear: bool) -> Promise {
        let nearest = self.nearest(is_clear);
        let mut promise = Promise::default();
        for &node in nodes {
            let most = self.most[node as usize];
            if most > 0.0 && self.faint.is_clear[node as usize] == is_clear {
                let (growth, step) = (self.growth, self.step);
                promise = promise.or(Promise::new(&nearest, estimates, node, most, growth, step));
            }
        }
        promise
    }

    /// Computes the bounds of these nodes, none of them faint, while the corners hold.
    fn update<'a>(
        &mut self,
        estimates: &Estimates,
        districts: &Districts,
        nodes: impl Iterator<Item = &'a NodeId> + Clone,
    ) {
        let Some(corners) = &mut self.corners else { return };
        corners.follow(self.leader.node);
        for &node in nodes.clone() {
            let place = node as usize;
            let (least, most) = between(corners, estimates, node);
            self.sum.replace((self.least[place], self.most[place]), (least, most));
            (self.most[place], self.least[place]) = (most, least);
        }
        for &node in nodes {
            let district = districts.of(node);
            let clear = self.promise_of(estimates, districts.members(district), true);
            let faint = self.faint_promises[district as usize];
            self.promises[district as usize] = faint.or(clear);
            self.find_top(district as usize / GROUP);
        }
    }

    /// Finds the highest upper bound in a group of districts.
    fn find_top(&mut self, group: usize) {
        let districts = self.promises[group * GROUP..].iter().take(GROUP);
        self.tops[group] = districts.map(|promise| promise.most).fold(0.0, f64::max);
    }

    /// The districts in which an upper bound is above `floor`, which may rise while they are seen.
    fn districts_above(&self, floor: f64, mut see: impl FnMut(u32, f64) -> f64) {
        let mut floor = floor;
        for (group, &top) in self.tops.iter().enumerate() {
            if top > floor {
                let first = group * GROUP;
                for (district, promise) in (first as u32..).zip(&self.promises[first..]).take(GROUP)
                {
                    if promise.most > floor {
                        floor = see(district, promise.most);
                    }
                }
            }
        }
    }

    /// An upper bound on the improvement of a node.
    #[inline]
    pub(super) fn at_most(&self, node: NodeId) -> f64 {
        self.most[node as usize]
    }

    /// A node of highest upper bound, and that bound.
    pub(super) fn highest(&self) -> (NodeId, f64) {
        self.highest
    }

    fn find_highest(&self, districts: &Districts) -> (NodeId, f64) {
        let (mut best, mut highest) = (0, 0.0);
        self.districts_above(0.0, |district, most| {
            (best, highest) = (district, most);
            most
        });
        let members = districts.members(best);
        let node = members.iter().find(|&&node| self.at_most(node) == highest);
        (node.copied().unwrap_or(0), highest)
    }

    /// Bounds on the sum of all improvements, however it is rounded; the lower one is zero if it is not
    /// known.
    pub(super) fn sum(&self) -> (f64, f64) {
        let (least, most) = self.sum.rounded();
        (if self.raised > 0 { 0.0 } else { least }, most)
    }

    /// The highest improvement now.
    pub(super) fn highest_now(
        &self,
        scores: &mut Alike<'_>,
        estimates: &Estimates,
        districts: &Districts,
    ) -> f64 {
        let mut highest = scores.of(estimates, self.highest.0);
        self.districts_above(highest, |district, _| {
            for &node in districts.members(district) {
                if self.at_most(node) > highest {
                    highest = highest.max(scores.of(estimates, node));
                }
            }
            highest
        });
        highest
    }

    /// Closer bounds on the sum of all improvements, if they are at hand.
    pub(super) fn close_sum_at_hand(&self, scores: &ExpectedImprovement) -> Option<(f64, f64)> {
        let sums = self.close.iter().filter_map(|close| close.sum(scores));
        let (least, most) = sums.reduce(|a, b| (a.0.max(b.0), a.1.min(b.1)))?;
        Some((least, most + self.faint.sum * (1.0 + ROUNDING)))
    }

    /// Closer bounds on the sum of all improvements. They are kept for the next legs.
    pub(super) fn close_sum(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
    ) -> (f64, f64) {
        // Another look replaces one that is out of date, or the oldest.
        let unknown = self.close.iter().position(|close| !close.is_known());
        let place = unknown.unwrap_or(LOOKS - 1);
        self.close[..=place].rotate_right(1);
        self.close[0].compute(scores, estimates, &self.faint.clear);
        self.close_sum_at_hand(scores).unwrap_or_else(|| self.sum())
    }

    /// Tighter bounds on the sum of all improvements, computed for this from all nodes that are not
    /// faint.
    pub(super) fn of_clear(
        &self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
    ) -> (f64, f64) {
        tight(scores, estimates, self.faint.clear.iter().copied(), self.faint.sum)
    }

    /// Even tighter bounds, from all nodes.
    pub(super) fn of_all(&self, scores: &ExpectedImprovement, estimates: &Estimates) -> (f64, f64) {
        let nodes = (0..self.most.len() as NodeId).filter(|&node| self.at_most(node) > 0.0);
        tight(scores, estimates, nodes, 0.0)
    }

    /// Passes to `see` every node whose improvement may be at least `floor` times its price, if it
    /// takes at least as much time to get there as `time` says of its district; and some others.
    pub(super) fn contenders(
        &self,
        districts: &Districts,
        (floor, stays): (f64, Amortized),
        time: impl Fn(u32) -> f64,
        mut see: impl FnMut(NodeId),
    ) {
        for (district, promise) in (0..).zip(&self.promises) {
            if promise.per_price < floor {
                continue;
            }
            // One visit less: visits are rounded down.
            let stay = (stays.per_hop * time(district) - 1.0).clamp(0.0, ENDLESS);
            if promise.per_gap >= floor * stay {
                districts.members(district).iter().copied().for_each(&mut see);
            }
        }
    }
}

/// Bounds on the sum of all improvements, given these nodes and the sum of the upper bounds of all
/// others.
fn tight(
    scores: &ExpectedImprovement,
    estimates: &Estimates,
    nodes: impl Iterator<Item = NodeId>,
    rest: f64,
) -> (f64, f64) {
    let (mut least, mut most) = (0.0, rest);
    for node in nodes {
        let bounds = scores.between(estimates, node);
        (least, most) = (least + bounds.0, most + bounds.1);
    }
    (least * (1.0 - ROUNDING), most * (1.0 + ROUNDING))
}

/// A power of two such that all numbers below it together are at most `limit`.
fn faint_below(most: &[f64], limit: f64) -> f64 {
    let exponent = |x: f64| (x.to_bits() >> (f64::MANTISSA_DIGITS - 1)) as usize;
    let mut sums = vec![0.0; exponent(f64::INFINITY) + 1];
    for &x in most {
        sums[exponent(x)] += x;
    }
    let mut sum = 0.0;
    let enough = sums.iter().position(|added| {
        sum += added;
        sum > limit
    });
    f64::from_bits((enough.unwrap_or(exponent(f64::INFINITY)) as u64) << (f64::MANTISSA_DIGITS - 1))
}

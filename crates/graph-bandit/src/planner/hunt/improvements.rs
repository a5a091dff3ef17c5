//! Bounds on all expected improvements that outlive a leg.
//!
//! An improvement grows with the variance that nodes have in common and with the caution of the leg,
//! and shrinks as the leader's mean rises. So between two values of each, it lies between the
//! improvements at two corners. These change only where the agent was, and are computed again only
//! when one of the three leaves its interval.
//!
//! Most nodes are *faint*: even together they promise next to nothing. Their bounds hold in wider
//! intervals, so they are rarely computed again.

use super::ENDLESS;
use super::districts::Districts;
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::index::{ExpectedImprovement, Leader};
use crate::schedule::Amortized;

/// The half widths of the intervals of the common variance and of the caution, as shares of them.
const VARIANCE_SPAN: f64 = 2e-2;
const CAUTION_SPAN: f64 = 2e-2;
/// The half width of the interval of the leader's mean, in standard deviations of one reward.
const MEAN_SPAN: f64 = 5e-2;
/// The intervals for faint nodes are this many times as wide.
const WIDER: f64 = 6.0;
/// The intervals for a close look at the sum are this many times as wide.
const CLOSE: f64 = 0.0625;
/// The share of the sum of all upper bounds that faint nodes have together, at most.
const FAINT: f64 = 1e-3;
/// If their share has become larger than this, some are no longer faint.
const NO_LONGER_FAINT: f64 = 1e-2;
/// How far rounding may move an improvement across a corner, as a share of it, and a sum of updates
/// from its true value, as a share of the highest sum.
const ROUNDING: f64 = 1e-9;
/// Sums much smaller than they were are taken again.
const SHRUNK: f64 = 1e-3;

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
    close: Close,
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

/// Bounds on the improvements of nodes that are not faint, in narrower intervals: for decisions that
/// the usual bounds on the sum leave open.
#[derive(Debug, Clone, Default)]
struct Close {
    /// Unless the bounds are out of date.
    corners: Option<Corners>,
    bounds: Vec<(f64, f64)>,
    sum: Sums,
}

impl Close {
    /// Computes all bounds.
    fn compute(&mut self, scores: &ExpectedImprovement, estimates: &Estimates, clear: &[NodeId]) {
        let corners = Corners::around(scores, CLOSE);
        self.bounds.clear();
        self.bounds.resize(estimates.samples().len(), (0.0, 0.0));
        let (mut least, mut most) = (0.0, 0.0);
        for &node in clear {
            let bounds = between(&corners, estimates, node);
            (least, most) = (least + bounds.0, most + bounds.1);
            self.bounds[node as usize] = bounds;
        }
        self.sum = Sums { least, most, highest: most, updates: 0 };
        self.corners = Some(corners);
    }

    /// Accounts for visits to these nodes, if the corners still hold.
    fn refresh<'a>(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        nodes: impl Iterator<Item = &'a NodeId>,
    ) {
        let Some(mut corners) = self.corners.take() else { return };
        let is_lost = self.sum.are_lost() || self.sum.updates > self.bounds.len();
        if !corners.intervals.hold(scores) || is_lost {
            return;
        }
        corners.follow(scores.leader().node);
        for &node in nodes {
            let bounds = between(&corners, estimates, node);
            let before = std::mem::replace(&mut self.bounds[node as usize], bounds);
            self.sum.replace(before, bounds);
        }
        self.corners = Some(corners);
    }
}

/// Where bounds hold.
#[derive(Debug, Clone)]
struct Intervals {
    common: (f64, f64),
    caution: (f64, f64),
    top: (f64, f64),
}

impl Intervals {
    /// Intervals this many times as wide as usual.
    fn around(scores: &ExpectedImprovement, wider: f64) -> Self {
        let around = |x: f64, share: f64| (x * (1.0 - wider * share), x * (1.0 + wider * share));
        let common = around(scores.common(), VARIANCE_SPAN);
        let caution = around(scores.current_caution(), CAUTION_SPAN);
        let (top, mean_span) = (scores.leader().mean, wider * MEAN_SPAN * scores.spread());
        Self { common, caution, top: (top - mean_span, top + mean_span) }
    }

    /// The least improvements within the intervals.
    fn least(&self, scores: &ExpectedImprovement) -> ExpectedImprovement {
        scores.supposing(self.common.0, self.caution.0, self.top.1)
    }

    /// The highest improvements within the intervals.
    fn most(&self, scores: &ExpectedImprovement) -> ExpectedImprovement {
        scores.supposing(self.common.1, self.caution.1, self.top.0)
    }

    fn hold(&self, scores: &ExpectedImprovement) -> bool {
        let within = |(low, high): (f64, f64), x: f64| low <= x && x <= high;
        within(self.common, scores.common())
            && within(self.caution, scores.current_caution())
            && within(self.top, scores.leader().mean)
    }
}

/// The improvements at the ends of all intervals.
#[derive(Debug, Clone)]
struct Corners {
    intervals: Intervals,
    least: ExpectedImprovement,
    most: ExpectedImprovement,
}

impl Corners {
    /// The corners of intervals this many times as wide as usual.
    fn around(scores: &ExpectedImprovement, wider: f64) -> Self {
        let intervals = Intervals::around(scores, wider);
        Self { least: intervals.least(scores), most: intervals.most(scores), intervals }
    }

    /// Makes `leader` the node that improves on nothing.
    fn follow(&mut self, leader: NodeId) {
        self.least.follow(leader);
        self.most.follow(leader);
    }
}

impl Sums {
    /// Replaces the bounds of one term.
    fn replace(&mut self, before: (f64, f64), now: (f64, f64)) {
        self.least += now.0 - before.0;
        self.most += now.1 - before.1;
        self.highest = self.highest.max(self.most);
        self.updates += 1;
    }

    /// Whether rounding may have moved the sums too far.
    fn are_lost(&self) -> bool {
        self.least < SHRUNK * self.highest
    }

    /// The sums, however they are rounded.
    fn rounded(&self) -> (f64, f64) {
        let slack = ROUNDING * self.highest;
        (self.least - slack, self.most + slack)
    }
}

/// The most that the nodes of a district promise.
#[derive(Debug, Clone, Copy, Default)]
struct Promise {
    /// The highest upper bound on an improvement.
    most: f64,
    /// The highest bound per gap.
    per_gap: f64,
    /// The highest bound per price of the visits that earlier visits alone ask for.
    per_price: f64,
}

impl Promise {
    /// What a node with this upper bound promises, if the leader is as `nearest` says.
    #[inline]
    fn new(
        nearest: &Leader,
        estimates: &Estimates,
        node: NodeId,
        most: f64,
        growth: f64,
        step: f64,
    ) -> Self {
        let gap = nearest.gap(estimates, node);
        // One visit less than they ask for: visits are rounded down.
        let stay = (growth * exact(estimates.count(node)) - 1.0).clamp(1.0, ENDLESS);
        Self { most, per_gap: most / gap, per_price: most / (gap * stay + step) }
    }

    /// The more of both.
    #[inline]
    fn or(self, other: Self) -> Self {
        Self {
            most: self.most.max(other.most),
            per_gap: self.per_gap.max(other.per_gap),
            per_price: self.per_price.max(other.per_price),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    least: f64,
    most: f64,
    highest: f64,
    updates: usize,
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
            close: Close::default(),
            highest: (0, 0.0),
            sum: Sums::default(),
            seen: 0,
        }
    }

    /// Forgets all bounds.
    pub(super) fn forget(&mut self) {
        self.corners = None;
        self.faint.intervals = None;
        self.close.corners = None;
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
            self.close.refresh(scores, estimates, visited.iter().chain(&leaders));
            if hold(self.corners.as_ref().map(|corners| &corners.intervals)) {
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
        self.close.corners = None;

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
        for (district, promise) in (0..).zip(&self.promises) {
            if promise.most > highest {
                (best, highest) = (district, promise.most);
            }
        }
        let members = districts.members(best);
        let node = members.iter().find(|&&node| self.at_most(node) == highest);
        (node.copied().unwrap_or(0), highest)
    }

    /// Bounds on the sum of all improvements, however it is rounded.
    pub(super) fn sum(&self) -> (f64, f64) {
        self.sum.rounded()
    }

    /// The highest improvement now.
    pub(super) fn highest_now(
        &self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        districts: &Districts,
    ) -> f64 {
        let mut highest = scores.of(estimates, self.highest.0);
        for (district, promise) in (0..).zip(&self.promises) {
            if promise.most > highest {
                for &node in districts.members(district) {
                    if self.at_most(node) > highest {
                        highest = highest.max(scores.of(estimates, node));
                    }
                }
            }
        }
        highest
    }

    /// Closer bounds on the sum of all improvements. They are kept for the next legs.
    pub(super) fn close_sum(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
    ) -> (f64, f64) {
        if self.close.corners.is_none() {
            self.close.compute(scores, estimates, &self.faint.clear);
        }
        let (least, most) = self.close.sum.rounded();
        (least, most + self.faint.sum * (1.0 + ROUNDING))
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

#[inline]
fn upper(scores: &ExpectedImprovement, estimates: &Estimates, node: NodeId) -> f64 {
    scores.between(estimates, node).1 * (1.0 + ROUNDING)
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

/// Bounds on the improvement of a node between two corners.
#[inline]
fn between(corners: &Corners, estimates: &Estimates, node: NodeId) -> (f64, f64) {
    match upper(&corners.most, estimates, node) {
        // Where nothing can be gained at best, nothing can be gained at worst.
        0.0 => (0.0, 0.0),
        most => (corners.least.between(estimates, node).0 * (1.0 - ROUNDING), most),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Situation;
    use crate::clock::{Clock, Reading};
    use crate::graph::Graph;
    use crate::index::{Index, Noise, Variance};
    use crate::planner::hunt::distances::Distances;
    use crate::random::Seed;

    #[test]
    fn bounds_hold_and_the_alluring_are_listed() {
        let graph = Graph::line(700).unwrap();
        let districts = Districts::new(&graph, &Distances::of(&graph));
        let mut stream = Seed(2).stream();
        for (levels, variance, trust) in [
            (1 << 30, Variance::Estimated, 0.0),
            (2, Variance::Estimated, 0.0),
            (1 << 30, Variance::Pooled, 0.0),
            (1 << 30, Variance::Declared, 0.0),
            (1 << 30, Variance::Estimated, 0.9),
        ] {
            let mut estimates = Estimates::new(700);
            for node in 0..700 {
                estimates.push(node, 3.0 * stream.unit());
            }
            let scores = ExpectedImprovement::new(Noise::new(0.5, variance), 1.5);
            let mut scores = scores.with_trust(trust);
            let mut bounds = Improvements::new(1e-9, 0.5);
            let (mut kept, mut spared, mut faint, mut looked) = (0, 0, 0, 0);
            let mut least_width = f64::INFINITY;
            let mut visited = Vec::new();
            for _ in 0..400 {
                let clock = Clock::default();
                let now = Situation { graph: &graph, at: 0, estimates: &estimates, clock: &clock };
                scores.prepare(&now, crate::clock::Visits::of(&now));
                let corners = bounds.corners.as_ref().map(|corners| corners.intervals.common);
                bounds.refresh(&scores, &estimates, &districts, &visited);
                kept +=
                    usize::from(corners == bounds.corners.as_ref().map(|now| now.intervals.common));
                let of = |node| scores.of(&estimates, node);
                let all: Vec<f64> = (0..700).map(of).collect();
                let sum: f64 = all.iter().sum();
                let most = all.iter().copied().fold(0.0, f64::max);
                assert!(bounds.sum().0 <= sum && sum <= bounds.sum().1);
                for sums in
                    [bounds.of_clear(&scores, &estimates), bounds.of_all(&scores, &estimates)]
                {
                    assert!(sums.0 <= sum && sum <= sums.1 && sums.1 < 1.05 * sums.0);
                }
                looked += usize::from(bounds.close.corners.is_some());
                if stream.below(3) == 0 {
                    let (low, high) = bounds.close_sum(&scores, &estimates);
                    assert!(low <= sum && sum <= high && high < 1.1 * low);
                }
                assert_eq!(bounds.highest_now(&scores, &estimates, &districts), most);
                faint += bounds.faint.is_clear.iter().filter(|&&is_clear| !is_clear).count();
                assert!(all.iter().zip(&bounds.most).all(|(score, most)| score <= most));
                assert!(all.iter().zip(&bounds.least).all(|(score, least)| score >= least));
                assert_eq!(bounds.highest().1, bounds.most.iter().copied().fold(0.0, f64::max));
                assert!(most <= bounds.highest().1);
                least_width = least_width.min(bounds.sum().1 / bounds.sum().0);

                let gap = |node| scores.leader().gap(&estimates, node);
                let floor = 0.02 + stream.unit();
                let stays = Amortized { growth: 0.5, per_hop: 0.1 };
                let least = stream.below(50) as f64;
                let mut seen = vec![false; 700];
                bounds.contenders(
                    &districts,
                    (floor, stays),
                    |_| least,
                    |node| {
                        seen[node as usize] = true;
                    },
                );
                for node in 0..700 {
                    let stay = stays.visits(estimates.count(node), least);
                    if all[node as usize] >= floor * (gap(node) * exact(stay) + 1e-9) {
                        assert!(seen[node as usize], "{node}");
                    }
                }
                spared += seen.iter().filter(|&&is_seen| !is_seen).count();
                visited.clear();
                for _ in 0..=stream.below(20) {
                    let node = stream.below(700) as NodeId;
                    let reward = stream.below(levels) as f64 / levels as f64;
                    estimates.push(node, f64::from(node) / 350.0 + reward - 0.5);
                    visited.push(node);
                }
            }
            assert!(kept > 30 && least_width < 1.3, "{kept} {least_width}");
            assert!(looked > 10, "{looked}");
            assert!(spared > 10_000 && faint > 10_000, "{spared} {faint}");
        }
    }
}

//! Bounds on all expected improvements that outlive a leg.
//!
//! An improvement grows with the variance that nodes have in common, and shrinks as the leader's
//! mean rises. So between two variances and two means, it lies between the improvements at two
//! corners. These change only where the agent was, and are computed again for all nodes only when
//! variance or mean leaves its interval.

use super::ENDLESS;
use super::districts::Districts;
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::index::{ExpectedImprovement, Leader};
use crate::schedule::Amortized;

/// The half width of the interval of the common variance, as a share of it.
const VARIANCE_SPAN: f64 = 2e-2;
/// The half width of the interval of the leader's mean, in standard deviations of one reward.
const MEAN_SPAN: f64 = 5e-2;
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
    /// What each district promises.
    promises: Vec<Promise>,
    highest: (NodeId, f64),
    sum: Sums,
    /// How much of the log of visits the bounds account for.
    pub(super) seen: usize,
}

/// The improvements at the ends of both intervals.
#[derive(Debug, Clone)]
struct Corners {
    common: (f64, f64),
    top: (f64, f64),
    least: ExpectedImprovement,
    most: ExpectedImprovement,
}

impl Corners {
    fn around(scores: &ExpectedImprovement) -> Self {
        let (common, top) = (scores.common(), scores.leader().mean);
        let mean_span = MEAN_SPAN * scores.spread();
        let common = (common * (1.0 - VARIANCE_SPAN), common * (1.0 + VARIANCE_SPAN));
        let top = (top - mean_span, top + mean_span);
        Self {
            common,
            top,
            least: scores.supposing(common.0, top.1),
            most: scores.supposing(common.1, top.0),
        }
    }

    fn hold(&self, scores: &ExpectedImprovement) -> bool {
        let within = |(low, high): (f64, f64), x: f64| low <= x && x <= high;
        within(self.common, scores.common()) && within(self.top, scores.leader().mean)
    }
}

/// The most that the nodes of a district promise.
#[derive(Debug, Clone, Copy)]
struct Promise {
    /// The highest upper bound on an improvement.
    most: f64,
    /// The highest bound per gap.
    per_gap: f64,
    /// The highest bound per price of the visits that earlier visits alone ask for.
    per_price: f64,
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
            promises: Vec::new(),
            highest: (0, 0.0),
            sum: Sums::default(),
            seen: 0,
        }
    }

    /// Forgets all bounds.
    pub(super) fn forget(&mut self) {
        self.corners = None;
    }

    /// Makes the bounds hold now, after visits to these nodes.
    pub(super) fn refresh(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        districts: &Districts,
        visited: &[NodeId],
    ) {
        let is_lost = self.sum.least < SHRUNK * self.sum.highest
            || self.sum.updates + visited.len() > estimates.samples().len();
        match &mut self.corners {
            Some(corners) if corners.hold(scores) && !is_lost => {
                let leaders = [self.leader.node, scores.leader().node];
                self.leader = scores.leader();
                for bound in [&mut corners.least, &mut corners.most] {
                    bound.follow(self.leader.node);
                }
                for &node in visited.iter().chain(&leaders) {
                    self.update(estimates, node);
                }
                for &node in visited.iter().chain(&leaders) {
                    let district = districts.of(node);
                    let promise = self.promise(estimates, districts.members(district));
                    self.promises[district as usize] = promise;
                }
            }
            _ => self.compute(scores, estimates, districts),
        }
        self.highest = self.find_highest(districts);
    }

    fn compute(
        &mut self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
        districts: &Districts,
    ) {
        let nodes = estimates.samples().len();
        let corners = Corners::around(scores);
        self.leader = scores.leader();
        let all = || 0..nodes as NodeId;
        self.most.clear();
        self.most.extend(all().map(|node| upper(&corners.most, estimates, node)));
        self.least.clear();
        // Where nothing can be gained at best, nothing can be gained at worst.
        let least = |node: NodeId| match self.most[node as usize] {
            0.0 => 0.0,
            _ => lower(&corners.least, estimates, node),
        };
        self.least.extend(all().map(least));
        let (least, most) = (self.least.iter().sum(), self.most.iter().sum());
        self.sum = Sums { least, most, highest: most, updates: 0 };
        self.corners = Some(corners);
        let promise = |district| self.promise(estimates, districts.members(district));
        let promises = (0..districts.len() as u32).map(promise).collect();
        self.promises = promises;
    }

    fn promise(&self, estimates: &Estimates, members: &[NodeId]) -> Promise {
        let top = self.corners.as_ref().map_or(self.leader.mean, |corners| corners.top.0);
        let nearest = Leader { mean: top, ..self.leader };
        let mut promise = Promise { most: 0.0, per_gap: 0.0, per_price: 0.0 };
        for &node in members {
            let most = self.most[node as usize];
            if most == 0.0 {
                continue;
            }
            let gap = nearest.gap(estimates, node);
            // One visit less than they ask for: visits are rounded down.
            let stay = (self.growth * exact(estimates.count(node)) - 1.0).clamp(1.0, ENDLESS);
            promise.most = promise.most.max(most);
            promise.per_gap = promise.per_gap.max(most / gap);
            promise.per_price = promise.per_price.max(most / (gap * stay + self.step));
        }
        promise
    }

    fn update(&mut self, estimates: &Estimates, node: NodeId) {
        let Some(corners) = &self.corners else { return };
        let place = node as usize;
        let most = upper(&corners.most, estimates, node);
        let least = if most == 0.0 { 0.0 } else { lower(&corners.least, estimates, node) };
        self.sum.most += most - self.most[place];
        self.sum.least += least - self.least[place];
        self.sum.highest = self.sum.highest.max(self.sum.most);
        self.sum.updates += 1;
        (self.most[place], self.least[place]) = (most, least);
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
        let slack = ROUNDING * self.sum.highest;
        (self.sum.least - slack, self.sum.most + slack)
    }

    /// Tighter bounds on the sum of all improvements and on the highest, computed for this.
    pub(super) fn now(
        &self,
        scores: &ExpectedImprovement,
        estimates: &Estimates,
    ) -> ((f64, f64), (f64, f64)) {
        let (mut sum, mut highest) = ((0.0, 0.0), (0.0_f64, 0.0_f64));
        for (node, &most) in (0..).zip(&self.most) {
            if most > 0.0 {
                let (least, most) = scores.between(estimates, node);
                sum = (sum.0 + least, sum.1 + most);
                highest = (highest.0.max(least), highest.1.max(most));
            }
        }
        let widen = |(least, most)| (least * (1.0 - ROUNDING), most * (1.0 + ROUNDING));
        (widen(sum), widen(highest))
    }

    /// Passes to `see` every node whose improvement may be at least `floor` times its price, if it
    /// is at least as many hops away as `hops` says of its district; and some others.
    pub(super) fn contenders(
        &self,
        districts: &Districts,
        (floor, stays): (f64, Amortized),
        hops: impl Fn(u32) -> u32,
        mut see: impl FnMut(NodeId),
    ) {
        for (district, promise) in (0..).zip(&self.promises) {
            if promise.per_price < floor {
                continue;
            }
            // One visit less: visits are rounded down.
            let stay = (stays.per_hop * f64::from(hops(district)) - 1.0).clamp(0.0, ENDLESS);
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

#[inline]
fn lower(scores: &ExpectedImprovement, estimates: &Estimates, node: NodeId) -> f64 {
    scores.between(estimates, node).0 * (1.0 - ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Situation;
    use crate::clock::{Clock, Reading};
    use crate::graph::{Graph, Landmarks};
    use crate::index::{Index, Noise, Variance};
    use crate::random::Seed;

    #[test]
    fn bounds_hold_and_the_alluring_are_listed() {
        let graph = Graph::line(700).unwrap();
        let districts = Districts::new(&graph, &Landmarks::with_width(&graph, 2));
        let mut stream = Seed(2).stream();
        for (levels, variance) in [
            (1 << 30, Variance::Estimated),
            (2, Variance::Estimated),
            (1 << 30, Variance::Pooled),
            (1 << 30, Variance::Declared),
        ] {
            let mut estimates = Estimates::new(700);
            for node in 0..700 {
                estimates.push(node, 3.0 * stream.unit());
            }
            let mut scores = ExpectedImprovement::new(Noise::new(0.5, variance), 1.5);
            let mut bounds = Improvements::new(1e-9, 0.5);
            let (mut kept, mut spared, mut least_width) = (0, 0, f64::INFINITY);
            let mut visited = Vec::new();
            for _ in 0..400 {
                let clock = Clock::default();
                let now = Situation { graph: &graph, at: 0, estimates: &estimates, clock: &clock };
                scores.prepare(&now, crate::clock::Visits::of(&now));
                let corners = bounds.corners.as_ref().map(|corners| corners.common);
                bounds.refresh(&scores, &estimates, &districts, &visited);
                kept += usize::from(corners == bounds.corners.as_ref().map(|now| now.common));
                let of = |node| scores.of(&estimates, node);
                let all: Vec<f64> = (0..700).map(of).collect();
                let sum: f64 = all.iter().sum();
                let most = all.iter().copied().fold(0.0, f64::max);
                assert!(bounds.sum().0 <= sum && sum <= bounds.sum().1);
                assert!(all.iter().zip(&bounds.most).all(|(score, most)| score <= most));
                assert!(all.iter().zip(&bounds.least).all(|(score, least)| score >= least));
                assert_eq!(bounds.highest().1, bounds.most.iter().copied().fold(0.0, f64::max));
                assert!(most <= bounds.highest().1);
                least_width = least_width.min(bounds.sum().1 / bounds.sum().0);

                let gap = |node| scores.leader().gap(&estimates, node);
                let floor = 0.02 + stream.unit();
                let stays = Amortized { growth: 0.5, per_hop: 0.1 };
                let least = stream.below(50) as u32;
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
                    let stay = stays.visits(estimates.count(node), f64::from(least));
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
            assert!(spared > 10_000, "{spared}");
        }
    }
}

//! Bounds on all expected improvements that outlive a leg.
//!
//! An improvement grows with the variance that nodes have in common, and shrinks as the leader's
//! mean rises. So between two variances and two means, it lies between the improvements at two
//! corners. These change only where the agent was, and are computed again for all nodes only when
//! variance or mean leaves its interval.

use super::ENDLESS;
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::index::{ExpectedImprovement, Leader};

/// The half width of the interval of the common variance, as a share of it.
const VARIANCE_SPAN: f64 = 1e-2;
/// The half width of the interval of the leader's mean, in standard deviations of one reward.
const MEAN_SPAN: f64 = 1e-2;
/// How far rounding may move an improvement across a corner, as a share of it, and a sum of updates
/// from its true value, as a share of the highest sum.
const ROUNDING: f64 = 1e-9;
/// Sums much smaller than they were are taken again.
const SHRUNK: f64 = 1e-3;
/// More than the rounding of a short number, as a share of it.
const IN_SHORT: f64 = 1e-6;
/// Nodes that share a highest bound.
const BLOCK: usize = 256;
/// Contenders are listed if they are at least this share as alluring as asked.
const LISTED: f64 = 0.25;
/// Lists of contenders, each for nodes up to twice as alluring as the one before.
const OCTAVES: usize = 48;

/// Bounds on the improvement of every node, on their sum and on the highest.
#[derive(Debug, Clone)]
pub(super) struct Improvements {
    /// The entry cost of a node besides its gap.
    step: f64,
    corners: Option<Corners>,
    leader: Leader,
    least: Vec<f64>,
    most: Vec<f64>,
    /// The highest upper bound of each block.
    highest: Vec<f64>,
    sum: Sums,
    /// The nodes worth a look, by how alluring they were when listed.
    octaves: Vec<Vec<Listed>>,
    /// Nodes that changed since.
    changed: Vec<NodeId>,
    has_changed: Vec<bool>,
    /// The least allure listed.
    floor: f64,
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

/// A node worth a look as it was when listed, so that a look at most nodes needs nothing else.
#[derive(Debug, Clone, Copy)]
struct Listed {
    node: NodeId,
    count: u32,
    /// At least its improvement.
    most: f32,
    /// At most its gap.
    gap: f32,
}

impl Listed {
    fn new(node: NodeId, count: u64, (most, gap): (f64, f64)) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let (most, gap) = ((most * (1.0 + IN_SHORT)) as f32, (gap * (1.0 - IN_SHORT)) as f32);
        Self {
            node,
            count,
            most: if most.is_normal() { most } else { f32::INFINITY },
            gap: if gap.is_subnormal() { 0.0 } else { gap.min(f32::MAX) },
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
    pub(super) fn new(step: f64) -> Self {
        Self {
            step,
            corners: None,
            leader: Leader::default(),
            least: Vec::new(),
            most: Vec::new(),
            highest: Vec::new(),
            sum: Sums::default(),
            octaves: Vec::new(),
            changed: Vec::new(),
            has_changed: Vec::new(),
            floor: f64::INFINITY,
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
            }
            _ => self.compute(scores, estimates),
        }
    }

    fn compute(&mut self, scores: &ExpectedImprovement, estimates: &Estimates) {
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
        self.highest.clear();
        self.highest.extend(self.most.chunks(BLOCK).map(highest));
        let (least, most) = (self.least.iter().sum(), self.most.iter().sum());
        self.sum = Sums { least, most, highest: most, updates: 0 };
        self.corners = Some(corners);
        self.floor = f64::INFINITY;
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
        let block = place / BLOCK;
        let end = self.most.len().min((block + 1) * BLOCK);
        self.highest[block] = highest(&self.most[block * BLOCK..end]);
        if self.floor < f64::INFINITY && !self.has_changed[place] {
            self.has_changed[place] = true;
            self.changed.push(node);
        }
    }

    /// An upper bound on the improvement of a node.
    #[inline]
    pub(super) fn at_most(&self, node: NodeId) -> f64 {
        self.most[node as usize]
    }

    /// The node of highest upper bound, and that bound.
    pub(super) fn highest(&self) -> (NodeId, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (block, &most) in self.highest.iter().enumerate() {
            if most > best.1 {
                best = (block, most);
            }
        }
        let start = best.0 * BLOCK;
        let within = &self.most[start..self.most.len().min(start + BLOCK)];
        let place = within.iter().position(|&most| most == best.1).unwrap_or(0);
        ((start + place) as NodeId, best.1)
    }

    /// Bounds on the sum of all improvements, however it is rounded.
    pub(super) fn sum(&self) -> (f64, f64) {
        let slack = ROUNDING * self.sum.highest;
        (self.sum.least - slack, self.sum.most + slack)
    }

    /// Passes to `see` every node whose improvement may be at least `allure` times the cost of
    /// `growth` visits per earlier visit, at least `least`; and some others, some of them twice.
    pub(super) fn contenders(
        &mut self,
        (estimates, allure): (&Estimates, f64),
        (growth, least): (f64, u64),
        mut see: impl FnMut(&Self, NodeId),
    ) {
        if allure < self.floor {
            self.list(estimates, LISTED * allure);
        }
        let (least, list) = (exact(least), &*self);
        let lowest = if allure > list.floor { octave(allure / list.floor) } else { 0 };
        for listed in list.octaves[lowest..].iter().flatten() {
            // One visit less than the least: visits are rounded down.
            let stay = least.max((growth * f64::from(listed.count) - 1.0).min(ENDLESS));
            if f64::from(listed.most) >= allure * (f64::from(listed.gap) * stay) {
                see(list, listed.node);
            }
        }
        for &node in &list.changed {
            see(list, node);
        }
    }

    fn list(&mut self, estimates: &Estimates, floor: f64) {
        self.floor = floor;
        self.octaves.resize_with(OCTAVES, Vec::new);
        self.octaves.iter_mut().for_each(Vec::clear);
        self.changed.clear();
        self.has_changed.clear();
        self.has_changed.resize(self.most.len(), false);
        let top = self.corners.as_ref().map_or(self.leader.mean, |corners| corners.top.0);
        let nearest = Leader { mean: top, ..self.leader };
        for (node, &most) in (0..).zip(&self.most) {
            if most == 0.0 {
                continue;
            }
            let gap = nearest.gap(estimates, node);
            let allure = most / (gap + self.step);
            if allure >= floor {
                let listed = Listed::new(node, estimates.count(node), (most, gap));
                self.octaves[octave(allure / floor)].push(listed);
            }
        }
    }
}

fn highest(bounds: &[f64]) -> f64 {
    bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[inline]
fn upper(scores: &ExpectedImprovement, estimates: &Estimates, node: NodeId) -> f64 {
    scores.of(estimates, node) * (1.0 + ROUNDING)
}

#[inline]
fn lower(scores: &ExpectedImprovement, estimates: &Estimates, node: NodeId) -> f64 {
    scores.of(estimates, node) * (1.0 - ROUNDING)
}

/// The list of nodes that are `times` as alluring as the least listed.
#[inline]
fn octave(times: f64) -> usize {
    let exponent = (times.to_bits() >> 52) as usize;
    exponent.saturating_sub(1_023).min(OCTAVES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Situation;
    use crate::clock::{Clock, Reading};
    use crate::graph::Graph;
    use crate::index::{Index, Noise, Variance};
    use crate::random::Seed;

    #[test]
    fn bounds_hold_and_the_alluring_are_listed() {
        let graph = Graph::line(700).unwrap();
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
            let mut bounds = Improvements::new(1e-9);
            let (mut kept, mut least_width) = (0, f64::INFINITY);
            let mut visited = Vec::new();
            for _ in 0..400 {
                let clock = Clock::default();
                let now = Situation { graph: &graph, at: 0, estimates: &estimates, clock: &clock };
                scores.prepare(&now, crate::clock::Visits::of(&now));
                let corners = bounds.corners.as_ref().map(|corners| corners.common);
                bounds.refresh(&scores, &estimates, &visited);
                kept += usize::from(corners == bounds.corners.as_ref().map(|now| now.common));
                let of = |node| scores.of(&estimates, node);
                let all: Vec<f64> = (0..700).map(of).collect();
                let sum: f64 = all.iter().sum();
                let most = all.iter().copied().fold(0.0, f64::max);
                assert!(bounds.sum().0 <= sum && sum <= bounds.sum().1);
                assert!(all.iter().zip(&bounds.most).all(|(score, most)| score <= most));
                assert!(all.iter().zip(&bounds.least).all(|(score, least)| score >= least));
                assert_eq!(bounds.highest().1, highest(&bounds.most));
                assert!(most <= bounds.highest().1);
                least_width = least_width.min(bounds.sum().1 / bounds.sum().0);

                let gap = |node| scores.leader().gap(&estimates, node);
                let allure = 0.02 + stream.unit();
                let least = 1 + stream.below(5);
                let mut seen = vec![false; 700];
                bounds.contenders((&estimates, allure), (0.5, least), |_, node| {
                    seen[node as usize] = true;
                });
                for node in 0..700 {
                    let stay = exact(least).max((0.5 * estimates.sample(node).n()).floor());
                    if all[node as usize] >= allure * (gap(node) * stay + 1e-9) {
                        assert!(seen[node as usize], "{node}");
                    }
                }
                visited.clear();
                for _ in 0..=stream.below(20) {
                    let node = stream.below(700) as NodeId;
                    let reward = stream.below(levels) as f64 / levels as f64;
                    estimates.push(node, f64::from(node) / 350.0 + reward - 0.5);
                    visited.push(node);
                }
            }
            assert!(kept > 30 && least_width < 1.2, "{kept} {least_width}");
        }
    }
}

//! The intervals of all nodes within reach, and what follows from them, updated only where the
//! agent was.
//!
//! The certified regret is a sum over all nodes. Each of its terms changes with the highest upper
//! bound, but only its comparison with the budget matters, and bounds on the sum nearly always decide
//! that: `sum of n(v) (H - L(v)) = H sum of n(v) - sum of n(v) L(v)`, up to rounding. Where they do
//! not decide, all terms are added up in order. So every decision is that of adding them up, to the
//! bit. We rejected an upper bound in place of the sum on large graphs: it would have changed legs,
//! and saved nothing.

use super::bounds::Bounds;
use super::highest::Highest;
use super::rule::is_within;
use crate::estimates::{Estimates, MAX_VISITS};
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::leg::{Leg, travel_time};

/// How far rounding may move a sum, as a share of the sizes of its terms.
const ROUNDING: f64 = 1e-9;

/// Sums are taken anew after this many updates.
const UPDATES: usize = 1_000_000;

/// The intervals of the nodes of a graph, and what follows from them.
#[derive(Debug, Clone, Default)]
pub(super) struct Outlook {
    lower: Highest,
    upper: Highest,
    /// The agent's own visits.
    own: Vec<u64>,
    sums: Sums,
    news: News,
    /// A node of highest upper bound.
    top: usize,
    /// The highest upper bound, and the highest of all other nodes.
    highest: (f64, f64),
    /// The node of highest lower bound; ties go to the lowest number.
    pub(super) safest: NodeId,
    /// The time on roads so far costs at most this.
    roads: f64,
}

/// Sums over the agent's own visits.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    visits: f64,
    /// Of the lower bounds, and of their sizes.
    lower: f64,
    size: f64,
    /// The largest that the last one has been.
    largest: f64,
    updates: usize,
}

impl Sums {
    fn add(&mut self, visits: u64, lower: f64) {
        if visits > 0 {
            self.visits += exact(visits);
            self.lower += exact(visits) * lower;
            self.size += exact(visits) * lower.abs();
            self.largest = self.largest.max(self.size);
        }
        self.updates += 1;
    }

    fn remove(&mut self, visits: u64, lower: f64) {
        if visits > 0 {
            self.visits -= exact(visits);
            self.lower -= exact(visits) * lower;
            self.size -= exact(visits) * lower.abs();
        }
    }
}

/// Which visits an outlook on a whole graph accounts for.
#[derive(Debug, Clone, Default)]
struct News {
    /// Whether the outlook accounts for `visits` visits, except for those to `changed`.
    is_known: bool,
    visits: u64,
    changed: Vec<NodeId>,
    epoch: u32,
}

impl Outlook {
    /// Records visits.
    #[inline]
    pub(super) fn visited(&mut self, node: NodeId, times: u64) {
        if self.news.is_known {
            self.news.visits += times;
            // Agents hear of a stay visit by visit.
            if self.news.changed.last() != Some(&node) {
                self.news.changed.push(node);
            }
        }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.news.is_known = false;
    }

    /// Looks at all nodes. `travel` is the time spent on roads.
    pub(super) fn look(&mut self, bounds: &Bounds, estimates: &Estimates, travel: f64) {
        let nodes = estimates.all().len();
        let news = &self.news;
        let is_known = news.is_known
            && news.visits == estimates.visits()
            && news.epoch == bounds.epoch.number
            && news.changed.len() < nodes
            && self.own.len() == nodes
            && self.sums.updates < UPDATES;
        let mut changed = std::mem::take(&mut self.news.changed);
        if is_known {
            for &node in &changed {
                self.update(bounds, estimates, node);
            }
        } else {
            self.fill(bounds, estimates, 0..nodes as NodeId);
        }
        changed.clear();
        let (visits, epoch) = (estimates.visits(), bounds.epoch.number);
        self.news = News { is_known: true, visits, changed, epoch };
        self.conclude(travel);
    }

    /// Looks at these nodes only.
    pub(super) fn look_within(
        &mut self,
        bounds: &Bounds,
        estimates: &Estimates,
        nodes: &[NodeId],
        travel: f64,
    ) {
        self.forget();
        self.fill(bounds, estimates, nodes.iter().copied());
        self.conclude(travel);
    }

    fn update(&mut self, bounds: &Bounds, estimates: &Estimates, node: NodeId) {
        let node = node as usize;
        let (lower, upper) = bounds.of(estimates, node);
        self.sums.remove(self.own[node], self.lower.values()[node]);
        self.own[node] = bounds.own(node);
        self.sums.add(self.own[node], lower);
        self.lower.set(node, lower);
        self.upper.set(node, upper);
    }

    fn fill(
        &mut self,
        bounds: &Bounds,
        estimates: &Estimates,
        nodes: impl Iterator<Item = NodeId> + Clone,
    ) {
        let of = |node: NodeId| bounds.of(estimates, node as usize);
        self.lower.fill(nodes.clone().map(|node| of(node).0));
        self.upper.fill(nodes.clone().map(|node| of(node).1));
        self.own.clear();
        self.own.extend(nodes.map(|node| bounds.own(node as usize)));
        self.sums = Sums::default();
        for (&visits, &lower) in self.own.iter().zip(self.lower.values()) {
            self.sums.add(visits, lower);
        }
        self.sums.updates = 0;
    }

    fn conclude(&mut self, travel: f64) {
        self.top = self.upper.first();
        self.highest = (self.upper.values()[self.top], self.upper.second());
        self.safest = self.lower.first() as NodeId;
        self.roads = self.cost_of_time(travel);
    }

    /// A visit to this node costs at most this, if all intervals hold.
    #[inline]
    fn cost(&self, node: usize) -> f64 {
        let best = if node == self.top { self.highest.1 } else { self.highest.0 };
        (best - self.lower.values()[node]).max(0.0)
    }

    /// Time on roads costs at most this, if all intervals hold.
    fn cost_of_time(&self, time: f64) -> f64 {
        if time > 0.0 { self.highest.0.max(0.0) * time } else { 0.0 }
    }

    /// Whether `Q`, which the regret by the end of the leg does not exceed if all intervals hold, is
    /// within this allowance.
    pub(super) fn is_certified(
        &self,
        graph: &Graph,
        at: NodeId,
        leg: &Leg,
        allowance: f64,
    ) -> bool {
        let path: f64 = leg.path.iter().map(|&node| self.cost(node as usize)).sum();
        let stay = match leg.stay {
            0 => 0.0,
            // A stay may be endless.
            stay => exact(stay.min(MAX_VISITS)) * self.cost(leg.destination(at) as usize),
        };
        let roads = match graph.roads() {
            None => 0.0,
            Some(_) => travel_time(graph, at, &leg.path) - exact(leg.path.len() as u64),
        };
        let by_the_end = |so_far: f64| so_far + path + stay + self.cost_of_time(roads);
        let (least, most) = self.so_far_between();
        if by_the_end(most) <= allowance {
            true
        } else if by_the_end(least) > allowance {
            false
        } else {
            by_the_end(self.so_far()) <= allowance
        }
    }

    /// The regret so far is at most this, if all intervals hold: the terms of all nodes, in order.
    fn so_far(&self) -> f64 {
        let mut sum = self.roads;
        for (node, &visits) in self.own.iter().enumerate() {
            if visits > 0 {
                sum += exact(visits) * self.cost(node);
            }
        }
        sum
    }

    /// Bounds on [`so_far`](Self::so_far), however that is rounded.
    fn so_far_between(&self) -> (f64, f64) {
        // Intervals that do not hold may contradict each other: then visits to some nodes count as
        // free, which the formula does not know.
        if self.lower.values()[self.safest as usize] > self.highest.0 {
            return (0.0, f64::INFINITY);
        }
        let at_top = exact(self.own[self.top]);
        let elsewhere = self.sums.visits - at_top;
        let lower = self.sums.lower - at_top * self.lower_if_visited(self.top);
        let top = if at_top > 0.0 { at_top * self.cost(self.top) } else { 0.0 };
        let sum = self.roads + self.highest.0 * elsewhere - lower + top;
        let size = self.roads + self.highest.0.abs() * elsewhere + self.sums.largest + top;
        (sum - ROUNDING * size, sum + ROUNDING * size)
    }

    /// The lower bound of a node; zero if the agent was never there.
    fn lower_if_visited(&self, node: usize) -> f64 {
        if self.own[node] > 0 { self.lower.values()[node] } else { 0.0 }
    }

    /// How well the best mean is known: the highest upper bound minus the highest lower one.
    pub(super) fn width(&self) -> f64 {
        self.loss(self.safest)
    }

    /// How much better than `node` some node may be.
    pub(super) fn loss(&self, node: NodeId) -> f64 {
        self.highest.0 - self.lower.values()[node as usize]
    }

    /// Whether `node` may be better than the highest lower bound by more than half a level.
    #[inline]
    pub(super) fn is_swept(&self, node: NodeId, level: f64) -> bool {
        let safest = self.lower.values()[self.safest as usize];
        !is_within(self.upper.values()[node as usize] - safest, level / 2.0)
    }

    /// The upper bounds, by node.
    pub(super) fn upper(&self) -> &[f64] {
        self.upper.values()
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule::SafeRule;
    use super::*;
    use crate::agent::{Phase, Situation, Visit};
    use crate::clock::Clock;
    use crate::estimates::Sample;
    use crate::index::Horizon;
    use crate::random::Seed;

    /// The same by two passes over all nodes.
    struct Plain {
        lower: Vec<f64>,
        upper: Vec<f64>,
        highest: (f64, f64),
        safest: usize,
        so_far: f64,
    }

    fn plain(bounds: &Bounds, estimates: &Estimates) -> Plain {
        let nodes = 0..estimates.all().len();
        let lower: Vec<f64> = nodes.clone().map(|node| bounds.of(estimates, node).0).collect();
        let upper: Vec<f64> = nodes.clone().map(|node| bounds.of(estimates, node).1).collect();
        let best = |values: &[f64], except| {
            let mut best = None;
            for (node, &value) in values.iter().enumerate() {
                if Some(node) != except && best.is_none_or(|best| value > values[best]) {
                    best = Some(node);
                }
            }
            best
        };
        let top = best(&upper, None).unwrap();
        let second = best(&upper, Some(top)).map_or(f64::NEG_INFINITY, |node| upper[node]);
        let mut so_far = 0.0;
        for node in nodes {
            let highest = if node == top { second } else { upper[top] };
            if bounds.own(node) > 0 {
                so_far += bounds.own(node) as f64 * (highest - lower[node]).max(0.0);
            }
        }
        let (highest, safest) = ((upper[top], second), best(&lower, None).unwrap());
        Plain { lower, upper, highest, safest, so_far }
    }

    #[test]
    fn the_outlook_is_that_of_two_passes_over_all_nodes() {
        let mut stream = Seed(21).stream();
        let (mut looks, mut close, mut undecided) = (0, 0, 0);
        // Rewards of few levels tie; the third kind of noise is larger than declared, so that
        // intervals are false; means far from zero leave little to the bounds.
        let kinds = [(3, 0.5, 0.0), (1 << 40, 0.5, 0.0), (1 << 40, 40.0, 0.0), (1 << 40, 0.5, 1e7)];
        for (nodes, (levels, width, offset)) in
            [1, 2, 40, 300].into_iter().flat_map(|nodes| kinds.map(|kind| (nodes, kind)))
        {
            let graph = Graph::line(nodes).unwrap();
            let horizon = Horizon::Unknown;
            let rule = SafeRule { scale: 0.5, budget: 1.0, resolution: 2.0, horizon };
            let mut bounds = Bounds::new(nodes, &rule);
            let (mut outlook, mut estimates) = (Outlook::default(), Estimates::new(nodes));
            let means: Vec<f64> = (0..nodes).map(|_| offset + 3.0 * stream.unit()).collect();
            let mut at = 0;
            for round in 0..400 {
                let visits = if round == 0 { nodes as u64 } else { stream.below(12) };
                for number in 0..visits {
                    let best = outlook.upper().iter().position(|&upper| upper == outlook.highest.0);
                    at = match (round, stream.below(3)) {
                        (0, _) => number as NodeId,
                        (_, 0) => best.unwrap_or(0) as NodeId,
                        _ => stream.below(nodes as u64) as NodeId,
                    };
                    let noise = stream.below(levels) as f64 / (levels - 1) as f64 - 0.5;
                    let reward = means[at as usize] + 2.0 * width * noise;
                    estimates.push(at, reward);
                    // Some rewards are those of others, which the agent does not hear of.
                    if round % 50 != 49 {
                        let phase = if round == 0 { Phase::Cover } else { Phase::Learn };
                        let mut sample = Sample::default();
                        sample.push(reward);
                        let visit = Visit { from: at, node: at, sample, phase };
                        let clock = Clock::default();
                        let now =
                            Situation { graph: &graph, at, estimates: &estimates, clock: &clock };
                        bounds.observe(&rule, &now, &visit);
                        outlook.visited(at, 1);
                    }
                }
                outlook.look(&bounds, &estimates, 0.0);
                let plain = plain(&bounds, &estimates);
                let what = format!("{nodes} nodes, round {round}");
                assert_eq!(outlook.lower.values(), plain.lower, "{what}");
                assert_eq!(outlook.upper.values(), plain.upper, "{what}");
                assert_eq!(outlook.highest, plain.highest, "{what}");
                assert_eq!(outlook.safest as usize, plain.safest, "{what}");
                assert_eq!(outlook.so_far().to_bits(), plain.so_far.to_bits(), "{what}");
                let (least, most) = outlook.so_far_between();
                assert!(least <= plain.so_far && plain.so_far <= most, "{what}: {least} {most}");
                close += usize::from(most - least <= 1e-3 * plain.so_far);
                looks += 1;
                let stay = Leg { path: vec![], stay: 3 };
                let end = plain.so_far + 0.0 + 3.0 * outlook.cost(at as usize) + 0.0;
                for allowance in [end, end.next_down(), end.next_up(), end / 2.0, 2.0 * end] {
                    let is_certified = outlook.is_certified(&graph, at, &stay, allowance);
                    assert_eq!(is_certified, end <= allowance, "{what}");
                    undecided += usize::from(least <= allowance && allowance <= most);
                }
            }
        }
        assert!(3 * close > looks && undecided > looks, "{looks} {close} {undecided}");
    }
}

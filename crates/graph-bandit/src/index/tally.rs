//! What an index knows about all nodes together, updated only where the agent was: the pooled
//! variance and the leader.
//!
//! Both have the bits of a pass over all nodes ([`Noise::prepare`], [`Leader::find`]). So has the lead
//! in quiet, which takes a pass over what was kept.

use super::ordered_sum::OrderedSum;
use super::{Leader, Noise};
use crate::agent::Situation;
use crate::estimates::{Estimate, Estimates};
use crate::graph::NodeId;

/// Below this many nodes, a pass over all nodes is faster.
const LARGE: usize = 1_000;

/// Nodes that share a highest mean.
const BLOCK: usize = 256;

/// The shared terms of a large graph, kept from leg to leg.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Whether the rest accounts for `visits` visits, except for those to `changed`.
    is_known: bool,
    visits: u64,
    changed: Vec<NodeId>,
    scatters: OrderedSum,
    weights: Vec<u8>,
    weight: u64,
    /// The highest mean of each block.
    tops: Vec<f64>,
}

impl Tally {
    /// Records visits.
    #[inline]
    pub(super) fn visited(&mut self, node: NodeId, times: u64) {
        if self.is_known {
            self.visits += times;
            // Agents may hear of a long stay visit by visit.
            if self.changed.last() != Some(&node) {
                self.changed.push(node);
            }
        }
    }

    /// Forgets all visits.
    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    /// Pools the variance of all rewards so far, and finds the leader.
    pub(super) fn prepare(&mut self, now: &Situation<'_>, noise: &mut Noise) -> Leader {
        let estimates = now.estimates;
        if estimates.samples().len() < LARGE {
            noise.prepare(estimates);
            return Leader::find(now);
        }
        self.pool_large(estimates, noise);
        self.leader(now)
    }

    /// The same for an index that needs no leader.
    pub(super) fn pool(&mut self, estimates: &Estimates, noise: &mut Noise) {
        if estimates.samples().len() < LARGE || noise.is_declared() {
            noise.prepare(estimates);
        } else {
            self.pool_large(estimates, noise);
        }
    }

    fn pool_large(&mut self, estimates: &Estimates, noise: &mut Noise) {
        self.catch_up(estimates, noise);
        noise.pool(self.weight, |start| self.scatters.after(start));
    }

    /// [`Noise::lead_in_quiet`], right after [`prepare`](Self::prepare).
    pub(super) fn lead_in_quiet(
        &self,
        noise: &Noise,
        estimates: &Estimates,
        leader: NodeId,
    ) -> f64 {
        if !noise.is_estimated() || estimates.samples().len() < LARGE {
            return noise.lead_in_quiet(estimates, leader);
        }
        let known = self.scatters.terms().iter().copied().zip(self.weights.iter().copied());
        let rivals = (0..).zip(known).filter(|&(node, (_, weighs))| node != leader && weighs > 0);
        noise.lead_over(estimates.sample(leader), rivals.map(|(_, known)| known))
    }

    fn catch_up(&mut self, estimates: &Estimates, noise: &Noise) {
        let nodes = estimates.samples().len();
        let is_known = self.is_known
            && self.visits == estimates.visits()
            && self.weights.len() == nodes
            && self.changed.len() < nodes;
        if is_known {
            for node in self.changed.drain(..) {
                let (scatter, weight) = noise.weighed(estimates.sample(node));
                self.scatters.set(node as usize, scatter);
                let before = std::mem::replace(&mut self.weights[node as usize], weight);
                self.weight = self.weight - u64::from(before) + u64::from(weight);
                let block = node as usize / BLOCK;
                let end = nodes.min((block + 1) * BLOCK);
                self.tops[block] = highest(&estimates.all()[block * BLOCK..end]);
            }
        } else {
            let weighed = || estimates.samples().iter().map(|sample| noise.weighed(sample));
            self.changed.clear();
            self.scatters.fill(weighed().map(|(scatter, _)| scatter));
            self.weights.clear();
            self.weights.extend(weighed().map(|(_, weight)| weight));
            self.weight = self.weights.iter().map(|&weight| u64::from(weight)).sum();
            self.tops.clear();
            self.tops.extend(estimates.all().chunks(BLOCK).map(highest));
        }
        (self.is_known, self.visits) = (true, estimates.visits());
    }

    fn leader(&self, now: &Situation<'_>) -> Leader {
        let here = now.estimates.estimate(now.at).mean;
        let (mut best, mut mean) = (None, here);
        for (block, &top) in self.tops.iter().enumerate() {
            if top > mean {
                (best, mean) = (Some(block), top);
            }
        }
        let Some(block) = best else { return Leader { node: now.at, mean: here } };
        let start = block * BLOCK;
        let nodes = now.estimates.all()[start..].iter();
        let place = nodes.take(BLOCK).position(|seen| seen.mean == mean).unwrap_or(0);
        Leader { node: (start + place) as NodeId, mean }
    }
}

fn highest(block: &[Estimate]) -> f64 {
    block.iter().map(|seen| seen.mean).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::graph::Graph;
    use crate::index::Variance;
    use crate::random::Seed;

    /// Rewards of few levels, so that means tie; or of many.
    #[test]
    fn the_bits_are_those_of_a_pass_over_all_nodes() {
        let graph = Graph::line(3_000).unwrap();
        let mut stream = Seed(3).stream();
        let mut quieter = 0;
        for (levels, offset) in [(2, 0.0), (1 << 30, 0.0), (1 << 30, 1e9), (3, -1e5)] {
            for variance in [Variance::Estimated, Variance::Pooled, Variance::Declared] {
                let (mut tally, mut estimates) = (Tally::default(), Estimates::new(3_000));
                let mut noise = Noise::new(0.5, variance);
                let mut at = 0;
                for round in 0..60 {
                    // Visits that nobody reported, forgotten ones, and reported ones.
                    let is_reported = round % 9 != 4;
                    for _ in 0..stream.below(if round == 0 { 9_000 } else { 40 }) {
                        at = stream.below(3_000) as NodeId;
                        let reward = offset + stream.below(levels) as f64 / levels as f64;
                        let times = 1 + stream.below(3);
                        (0..times).for_each(|_| estimates.push(at, reward));
                        if is_reported {
                            tally.visited(at, times);
                        }
                    }
                    if round % 20 == 19 {
                        estimates.forget(at);
                        tally.forget();
                    }
                    let now = Situation {
                        graph: &graph,
                        at,
                        estimates: &estimates,
                        clock: &Clock::default(),
                    };
                    let mut plain = noise;
                    plain.prepare(&estimates);
                    let mut alone = noise;
                    tally.clone().pool(&estimates, &mut alone);
                    assert_eq!(alone, plain);
                    let leader = tally.prepare(&now, &mut noise);
                    assert_eq!(noise, plain);
                    assert_eq!(leader, Leader::find(&now));
                    if estimates.count(at) > 0 {
                        let lead = plain.lead_in_quiet(&estimates, at);
                        let found = tally.lead_in_quiet(&noise, &estimates, at);
                        assert_eq!(found.to_bits(), lead.to_bits());
                        quieter += usize::from(found > 0.0);
                    }
                }
            }
        }
        assert!(quieter > 50, "{quieter}");
    }
}

//! Discounting: a reward counts `gamma` times less with every later visit, to whichever node
//! (Kocsis and Szepesvari, 2006).

use super::{Forgot, Recollection};
use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::estimates::{Estimate, Estimates, Sample};
use crate::exact::exact;
use crate::graph::NodeId;
use crate::memory::{Memory, MemoryError, Reader};
use crate::tuning::Tuned;
use std::borrow::Cow;

/// Below this weight a node counts as unvisited: its spread would soon overflow.
const FORGOTTEN: f64 = 1e-200;

/// Discounted totals of a node as they were at its last visit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Faded {
    weight: f64,
    sum: f64,
    sum_of_squares: f64,
    /// The number of visits to all nodes by then.
    at: u64,
}

impl Faded {
    /// The totals `visits` visits later.
    fn after(self, visits: u64, log_gamma: f64) -> Self {
        let left = if visits == 0 { 1.0 } else { libm::exp(log_gamma * exact(visits)) };
        Self {
            weight: self.weight * left,
            sum: self.sum * left,
            sum_of_squares: self.sum_of_squares * left,
            at: self.at + visits,
        }
    }
}

/// Counts every visit; older ones count less.
///
/// The means and spreads of its estimates are exact. Their samples, which count whole rewards, are
/// rounded.
#[derive(Debug, Clone)]
pub struct Discount {
    gamma: Tuned,
    /// The logarithm of `gamma` by which totals fade now.
    log_gamma: f64,
    seen: u64,
    faded: Vec<Faded>,
    estimates: Estimates,
}

impl Discount {
    /// Discounts by `gamma` per visit, on `nodes` nodes.
    pub fn new(nodes: usize, gamma: impl Into<Tuned>) -> Self {
        let mut new = Self {
            gamma: gamma.into(),
            log_gamma: 0.0,
            seen: 0,
            faded: vec![Faded::default(); nodes],
            estimates: Estimates::new(nodes),
        };
        new.log_gamma = new.log_gamma_now();
        new
    }

    fn log_gamma_now(&self) -> f64 {
        libm::log(self.gamma.at(Visits(self.seen)).clamp(f64::MIN_POSITIVE, 1.0))
    }

    /// The totals of a node now.
    fn now(&self, faded: &Faded) -> Faded {
        faded.after(self.seen - faded.at, self.log_gamma)
    }

    /// What a node's rewards count for now.
    fn counted(&self, faded: &Faded) -> (Sample, Estimate) {
        let Faded { weight, sum, sum_of_squares, .. } = self.now(faded);
        if weight <= FORGOTTEN {
            return (Sample::default(), Estimate::UNVISITED);
        }
        let count = (weight.round() as u64).max(1);
        let per_reward = exact(count) / weight;
        let sample =
            Sample { count, sum: sum * per_reward, sum_of_squares: sum_of_squares * per_reward };
        (sample, Estimate { mean: sum / weight, spread: 1.0 / weight.sqrt() })
    }
}

impl Recollection for Discount {
    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Forgot {
        let reward = visit.sample.mean();
        for _ in 0..visit.sample.count {
            self.seen += 1;
            let node = visit.node as usize;
            let mut totals = self.now(&self.faded[node]);
            totals.weight += 1.0;
            totals.sum += reward;
            totals.sum_of_squares += reward * reward;
            self.faded[node] = totals;
            let log_gamma = self.log_gamma_now();
            if log_gamma != self.log_gamma {
                // What faded by the old factor must not fade by the new one.
                self.faded = self.faded.iter().map(|faded| self.now(faded)).collect();
                self.log_gamma = log_gamma;
            }
        }
        Forgot::Gradually
    }

    fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    fn refresh(&mut self) {
        for node in 0..self.faded.len() {
            let (sample, estimate) = self.counted(&self.faded[node]);
            self.estimates.weigh(node as NodeId, sample, estimate);
        }
    }

    fn refreshed(&self) -> Cow<'_, Estimates> {
        let mut estimates = Estimates::new(self.faded.len());
        for (node, faded) in (0..).zip(&self.faded) {
            let (sample, estimate) = self.counted(faded);
            estimates.weigh(node, sample, estimate);
        }
        Cow::Owned(estimates)
    }

    fn store(&self, memory: &mut Memory) {
        memory.counts.push(self.seen);
        for Faded { weight, sum, sum_of_squares, at } in &self.faded {
            memory.counts.push(*at);
            memory.values.extend([weight, sum, sum_of_squares]);
        }
    }

    fn recall(&self, stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let mut new = self.clone();
        new.seen = stored.count();
        new.log_gamma = new.log_gamma_now();
        for faded in &mut new.faded {
            *faded = Faded {
                at: stored.count(),
                weight: stored.value(),
                sum: stored.value(),
                sum_of_squares: stored.value(),
            };
            if faded.at > new.seen || faded.weight < 0.0 {
                return Err(stored.impossible());
            }
        }
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Phase;
    use crate::clock::Clock;
    use crate::graph::Graph;
    use crate::index::Horizon;
    use crate::tuning::{Formula, Tuning};

    fn visit(discount: &mut Discount, node: NodeId, reward: f64) {
        let (graph, field) = (Graph::line(3).unwrap(), Estimates::new(3));
        let mut sample = Sample::default();
        sample.push(reward);
        let clock = Clock::default();
        let now = Situation { graph: &graph, at: node, estimates: &field, clock: &clock };
        discount.observe(&now, &Visit { from: node, node, sample, phase: Phase::Learn });
    }

    #[test]
    fn weights_by_hand() {
        let mut discount = Discount::new(3, 0.5);
        for (node, reward) in [(0, 1.0), (1, 4.0), (0, 2.0), (1, 8.0)] {
            visit(&mut discount, node, reward);
        }
        discount.refresh();
        // Node 0: 1 / 8 and 1 / 2; node 1: 1 / 4 and 1.
        let [first, second] = [0, 1].map(|node| discount.estimates().estimate(node));
        assert!((first.weight() - 0.625).abs() < 1e-12);
        assert!((first.mean - 1.125 / 0.625).abs() < 1e-12);
        assert!((second.weight() - 1.25).abs() < 1e-12);
        assert!((second.mean - 9.0 / 1.25).abs() < 1e-12);
        assert_eq!([0, 1, 2].map(|node| discount.estimates().count(node)), [1, 1, 0]);
        assert!((discount.estimates().sample(1).mean() - 7.2).abs() < 1e-12);
        // A node never visited again is forgotten in the end.
        for _ in 0..1_000 {
            visit(&mut discount, 1, 3.0);
        }
        discount.refresh();
        assert_eq!(discount.estimates().count(0), 0);
        assert!((discount.estimates().estimate(1).weight() - 2.0).abs() < 1e-12);
        assert_eq!(discount.estimates().count(1), 2);
    }

    /// An unknown horizon grows, and the discount with it; earlier totals keep their old fading.
    #[test]
    fn a_discount_that_changes_keeps_the_past() {
        let tuning = Tuning { changes: 1.0, horizon: Horizon::Unknown, nodes: 3 };
        let gamma = Tuned::By(tuning, Formula::Discount);
        let mut discount = Discount::new(3, gamma);
        let mut weights = [0.0_f64; 3];
        let mut factor = gamma.at(Visits(0));
        for t in 1..=100_u64 {
            let node = (t * t % 3) as usize;
            visit(&mut discount, node as NodeId, 1.0);
            weights = weights.map(|weight| weight * factor);
            weights[node] += 1.0;
            factor = gamma.at(Visits(t));
        }
        discount.refresh();
        for (node, weight) in weights.into_iter().enumerate() {
            let seen = discount.estimates().estimate(node as NodeId).weight();
            assert!((seen - weight).abs() < 1e-9 * (1.0 + weight), "{seen} {weight}");
        }
    }
}

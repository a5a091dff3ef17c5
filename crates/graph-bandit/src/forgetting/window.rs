//! A sliding window: only the last visits count (Garivier and Moulines, 2011).

use super::{Forgot, Recollection, recall_estimates, store_estimates};
use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::memory::{Memory, MemoryError, Reader};
use crate::tuning::Tuned;
use std::collections::VecDeque;

/// Counts the last visits, to whichever node.
#[derive(Debug, Clone)]
pub struct Window {
    size: Tuned,
    seen: u64,
    last: VecDeque<(NodeId, f64)>,
    estimates: Estimates,
}

impl Window {
    /// A window of `size` visits on `nodes` nodes; at least one visit counts.
    pub fn new(nodes: usize, size: impl Into<Tuned>) -> Self {
        Self { size: size.into(), seen: 0, last: VecDeque::new(), estimates: Estimates::new(nodes) }
    }

    fn drop_first(&mut self) {
        let Some((node, reward)) = self.last.pop_front() else { return };
        let Sample { count, sum, sum_of_squares } = *self.estimates.sample(node);
        let left = if count > 1 {
            Sample {
                count: count - 1,
                sum: sum - reward,
                sum_of_squares: (sum_of_squares - reward * reward).max(0.0),
            }
        } else {
            // Whatever rounding left of the sums goes as well.
            Sample::default()
        };
        self.estimates.replace(node, left);
    }
}

impl Recollection for Window {
    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Forgot {
        let reward = visit.sample.mean();
        let mut forgot = Forgot::Nothing;
        for _ in 0..visit.sample.count {
            self.seen += 1;
            self.last.push_back((visit.node, reward));
            self.estimates.push(visit.node, reward);
            let size = (self.size.at(Visits(self.seen)) as usize).max(1);
            while self.last.len() > size {
                self.drop_first();
                forgot = Forgot::Gradually;
            }
        }
        forgot
    }

    fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    fn store(&self, memory: &mut Memory) {
        // Sums depend on the rewards that have left the window, by their rounding.
        store_estimates(&self.estimates, memory);
        memory.counts.extend([self.seen, self.last.len() as u64]);
        memory.counts.extend(self.last.iter().map(|(node, _)| u64::from(*node)));
        memory.values.extend(self.last.iter().map(|(_, reward)| reward));
    }

    fn recall(&self, stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let nodes = self.estimates.samples().len();
        let estimates = recall_estimates(nodes, stored)?;
        let (seen, length) = (stored.count(), stored.count());
        let (visited, rewards) = (stored.counts(length), stored.values(length));
        let mut counts = vec![0; nodes];
        let mut last = VecDeque::with_capacity(rewards.len());
        for (node, reward) in visited.into_iter().zip(rewards) {
            let Some(count) = counts.get_mut(node as usize) else {
                return Err(stored.impossible());
            };
            *count += 1;
            last.push_back((node as NodeId, reward));
        }
        let is_whole = estimates.samples().iter().zip(&counts).all(|(s, &count)| s.count == count);
        if !is_whole || seen < length {
            return Err(stored.impossible());
        }
        Ok(Self { size: self.size, seen, last, estimates })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Phase;
    use crate::clock::Clock;
    use crate::graph::Graph;

    #[test]
    fn only_the_last_visits_count() {
        let graph = Graph::line(3).unwrap();
        let field = Estimates::new(3);
        let mut window = Window::new(3, 4.0);
        let visits = [(0, 5.0), (1, 0.1), (1, 0.2), (1, 0.3), (2, 7.0), (1, 0.4), (1, 0.5)];
        for (node, reward) in visits {
            let mut sample = Sample::default();
            sample.push(reward);
            let now =
                Situation { graph: &graph, at: node, estimates: &field, clock: &Clock::default() };
            window.observe(&now, &Visit { from: node, node, sample, phase: Phase::Learn });
        }
        let counts = [0, 1, 2].map(|node| window.estimates().count(node));
        assert_eq!((counts, window.estimates().visits()), ([0, 3, 1], 4));
        assert!((window.estimates().sample(1).mean() - 0.4).abs() < 1e-15);
        assert_eq!(window.estimates().sample(0), &Sample::default());

        let mut memory = Memory::default();
        window.store(&mut memory);
        let mut reader = Reader::new(&memory).unwrap();
        let again = Window::new(3, 4.0).recall(&mut reader).unwrap();
        reader.finish().unwrap();
        assert_eq!((again.last, again.estimates), (window.last, window.estimates));
        memory.counts[5] = 9;
        let damaged = Window::new(3, 4.0).recall(&mut Reader::new(&memory).unwrap());
        assert_eq!(damaged.unwrap_err(), MemoryError::Impossible);
    }
}

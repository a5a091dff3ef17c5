//! Value iteration sweep by sweep: `u_i(s) = mu_s + max over s' in N_s of u_{i-1}(s')`
//! (Algorithm 4), in plain sums. For few sweeps; [`KineticSweeps`](super::KineticSweeps) is for many.

use crate::graph::Graph;

/// The sweeps of value iteration, with memory that is reused from plan to plan.
#[derive(Debug, Clone, Default)]
pub struct Sweeps {
    values: Vec<f64>,
    previous: Vec<f64>,
}

/// What one sweep did to the values.
struct Change {
    lowest: f64,
    highest: f64,
    /// The highest value there is now.
    top: f64,
}

impl Change {
    fn none() -> Self {
        Self { lowest: f64::INFINITY, highest: f64::NEG_INFINITY, top: f64::NEG_INFINITY }
    }

    #[inline]
    fn note(&mut self, value: f64, previous: f64) {
        let change = value - previous;
        self.lowest = if change < self.lowest { change } else { self.lowest };
        self.highest = higher(self.highest, change);
        self.top = higher(self.top, value);
    }
}

/// `f64::max` for numbers that are never NaN, in one instruction.
#[inline]
fn higher(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

impl Sweeps {
    /// Sweeps from zero until the span of the last change is below `tolerance` or `most` sweeps are
    /// made; answers the number of sweeps and the lowest and highest last change.
    ///
    /// # Complexity
    /// O(|S| + |E|) per sweep; next to nothing for nodes that are neighbours of all others.
    pub fn run(
        &mut self,
        graph: &Graph,
        rewards: &[f64],
        tolerance: f64,
        most: u64,
    ) -> (u64, (f64, f64)) {
        for values in [&mut self.values, &mut self.previous] {
            values.clear();
            values.resize(graph.len(), 0.0);
        }
        let mut top = 0.0;
        let mut sweeps = 0;
        loop {
            std::mem::swap(&mut self.values, &mut self.previous);
            let change = self.sweep(graph, rewards, top);
            sweeps += 1;
            if change.highest - change.lowest < tolerance || sweeps >= most {
                return (sweeps, (change.lowest, change.highest));
            }
            top = change.top;
        }
    }

    /// Writes the values that follow from the previous ones, of which the highest is `top`.
    fn sweep(&mut self, graph: &Graph, rewards: &[f64], top: f64) -> Change {
        let mut change = Change::none();
        let nodes = graph.nodes().zip(rewards).zip(&self.previous).zip(&mut self.values);
        for (((s, reward), &previous), value) in nodes {
            let around = graph.neighborhood(s);
            let best = if around.len() == rewards.len() {
                top
            } else {
                let around = around.iter().map(|&v| self.previous[v as usize]);
                around.fold(f64::NEG_INFINITY, higher)
            };
            *value = reward + best;
            change.note(*value, previous);
        }
        change
    }

    /// The values after the last sweep.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values before the last sweep.
    pub fn previous(&self) -> &[f64] {
        &self.previous
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::plan::kinetic_sweeps::tests::{graphs, real_means};
    use crate::random::Seed;

    /// Algorithm 4 as printed, with a limit on its sweeps: the reference for all faster ways.
    /// Answers the sweeps, the lowest and highest last change, and the last two lists of values.
    pub(crate) fn literal(
        graph: &Graph,
        rewards: &[f64],
        tolerance: f64,
        most: u64,
    ) -> (u64, (f64, f64), [Vec<f64>; 2]) {
        let mut values = vec![0.0; graph.len()];
        let mut sweeps = 0;
        loop {
            let previous = values;
            let next = graph.nodes().map(|s| {
                let around = graph.neighborhood(s).iter().map(|&v| previous[v as usize]);
                rewards[s as usize] + around.fold(f64::NEG_INFINITY, f64::max)
            });
            values = next.collect();
            sweeps += 1;
            let changes = || values.iter().zip(&previous).map(|(new, old)| new - old);
            let lowest = changes().fold(f64::INFINITY, f64::min);
            let highest = changes().fold(f64::NEG_INFINITY, f64::max);
            if highest - lowest < tolerance || sweeps >= most {
                return (sweeps, (lowest, highest), [values, previous]);
            }
        }
    }

    #[test]
    fn same_bits_as_the_literal_sweeps() {
        let mut stream = Seed(1).stream();
        let mut sweeps = Sweeps::default();
        for graph in graphs(&mut stream, 40) {
            for most in [1, 2, 3, 15, 140] {
                let means = real_means(&mut stream, graph.len());
                let (made, change, [values, previous]) = literal(&graph, &means, 0.01, most);
                assert_eq!(sweeps.run(&graph, &means, 0.01, most), (made, change));
                assert_eq!((sweeps.values(), sweeps.previous()), (&values[..], &previous[..]));
            }
        }
    }
}

//! Value iteration sweep by sweep: `u_i(s) = mu_s + max over s' in N_s of u_{i-1}(s')` (Algorithm
//! 4), in plain sums. Best for few sweeps; [`KineticSweeps`](super::KineticSweeps) is for many.

use super::highest::{higher, highest};
use crate::graph::{Graph, NodeId};

/// The sweeps of value iteration, with memory reused between plans.
#[derive(Debug, Clone, Default)]
pub struct Sweeps {
    values: Vec<f64>,
    previous: Vec<f64>,
}

#[inline]
fn highest_of(values: &[f64], nodes: &[NodeId]) -> f64 {
    nodes.iter().map(|&v| values[v as usize]).fold(f64::NEG_INFINITY, higher)
}

/// Shapes of graphs that make sweeps cheaper.
#[derive(Clone, Copy)]
enum Shape {
    Sparse,
    /// Some nodes are neighbours of all others.
    WithHubs,
    /// One node is a neighbour of all others, which have no further neighbours.
    Star {
        hub: NodeId,
    },
}

impl Shape {
    fn of(graph: &Graph) -> Self {
        let Some(hub) = graph.nodes().find(|&s| graph.degree(s) + 1 == graph.len()) else {
            return Self::Sparse;
        };
        let is_star = graph.nodes().all(|s| s == hub || graph.degree(s) == 1);
        if is_star { Self::Star { hub } } else { Self::WithHubs }
    }
}

impl Sweeps {
    /// Sweeps from zero until the span of the last change is below `tolerance` or `most` sweeps are
    /// made; returns the number of sweeps and the lowest and highest last change.
    ///
    /// # Complexity
    /// O(|S| + |E|) per sweep; almost nothing for nodes that are neighbours of all others.
    ///
    /// # Panics
    /// When the graph has roads that run one way or take time: a sweep is one step of all nodes.
    pub fn run(
        &mut self,
        graph: &Graph,
        rewards: &[f64],
        tolerance: f64,
        most: u64,
    ) -> (u64, (f64, f64)) {
        assert!(graph.roads().is_none(), "sweeps need two-way edges");
        for values in [&mut self.values, &mut self.previous] {
            values.clear();
            values.resize(graph.len(), 0.0);
        }
        let shape = Shape::of(graph);
        let mut top = 0.0;
        // Two nodes whose changes were a tolerance apart probably still are, and then the others
        // need not be checked.
        let mut witnesses = (0, 0);
        for sweeps in 1.. {
            std::mem::swap(&mut self.values, &mut self.previous);
            match shape {
                Shape::Sparse => self.sweep(graph, rewards),
                Shape::WithHubs => top = self.sweep_with_hubs(graph, rewards, top),
                Shape::Star { hub } => top = self.sweep_star(hub, rewards, top),
            }
            let change = |s: usize| self.values[s] - self.previous[s];
            if sweeps < most && change(witnesses.1) - change(witnesses.0) >= tolerance {
                continue;
            }
            for s in 0..rewards.len() {
                witnesses.0 = if change(s) < change(witnesses.0) { s } else { witnesses.0 };
                witnesses.1 = if change(s) > change(witnesses.1) { s } else { witnesses.1 };
            }
            let (lowest, highest) = (change(witnesses.0), change(witnesses.1));
            if highest - lowest < tolerance || sweeps >= most {
                return (sweeps, (lowest, highest));
            }
        }
        unreachable!("there is a sweep for every number")
    }

    /// Computes the values from the previous ones.
    #[inline]
    fn sweep(&mut self, graph: &Graph, rewards: &[f64]) {
        for ((s, reward), value) in graph.nodes().zip(rewards).zip(&mut self.values) {
            *value = reward + highest_of(&self.previous, graph.neighborhood(s));
        }
    }

    /// The same if some nodes are neighbours of all others: their values follow from `top`, the
    /// highest previous value. Returns the highest new value.
    #[inline(never)]
    fn sweep_with_hubs(&mut self, graph: &Graph, rewards: &[f64], top: f64) -> f64 {
        let mut new_top = f64::NEG_INFINITY;
        for ((s, reward), value) in graph.nodes().zip(rewards).zip(&mut self.values) {
            let around = graph.neighborhood(s);
            let is_hub = around.len() == rewards.len();
            *value = reward + if is_hub { top } else { highest_of(&self.previous, around) };
            new_top = higher(new_top, *value);
        }
        new_top
    }

    /// The same on a star, without reading rows.
    #[inline(never)]
    fn sweep_star(&mut self, hub: NodeId, rewards: &[f64], top: f64) -> f64 {
        let centre = self.previous[hub as usize];
        let previous = self.values.iter_mut().zip(rewards).zip(&self.previous);
        for ((value, reward), &before) in previous {
            *value = reward + higher(before, centre);
        }
        self.values[hub as usize] = rewards[hub as usize] + top;
        highest(&self.values)
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

    /// Algorithm 4 as printed, with a limit on its sweeps: the reference for all faster methods.
    /// Returns the sweeps, the lowest and highest last change, and the last two lists of values.
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

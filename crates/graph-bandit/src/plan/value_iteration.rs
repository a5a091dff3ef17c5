//! Value iteration with span stopping (Algorithm 4):
//! `u_i(s) = mu_s + max over s' in N_s of u_{i-1}(s')` until the span of `u_i - u_{i-1}` is small.

use super::{Policy, assert_one_per_node};
use crate::graph::{Graph, NodeId};
use thiserror::Error;

/// Why value iteration could not start.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ValueIterationError {
    /// A tolerance that is never reached.
    #[error("tolerance {0} is never reached; give a positive number")]
    Tolerance(f64),
}

/// The result of value iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueIterationPlan {
    /// The best neighbour of every node by the last values; of equals the first listed.
    pub policy: Policy,
    /// The last values.
    pub values: Vec<f64>,
    /// The number of sweeps made.
    pub sweeps: u64,
    /// The lowest and the highest last increment: the best average reward lies between them, and
    /// the policy's average reward from every node is at least the first.
    pub average_reward: (f64, f64),
}

/// The sweeps of value iteration, with memory that is reused from plan to plan.
#[derive(Debug, Clone, Default)]
pub struct Sweeps {
    values: Vec<f64>,
    previous: Vec<f64>,
}

impl Sweeps {
    /// Sweeps from zero until the span of the last change is below `tolerance` or `most` sweeps are
    /// made; answers the number of sweeps and the lowest and highest last change.
    pub fn run(
        &mut self,
        graph: &Graph,
        rewards: &[f64],
        tolerance: f64,
        most: u64,
    ) -> (u64, (f64, f64)) {
        self.values.clear();
        self.values.resize(graph.len(), 0.0);
        self.previous.resize(graph.len(), 0.0);
        let mut sweeps = 0;
        loop {
            std::mem::swap(&mut self.values, &mut self.previous);
            sweeps += 1;
            let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
            for s in graph.nodes() {
                let around = graph.neighborhood(s).iter().map(|&v| self.previous[v as usize]);
                let best = around.fold(f64::NEG_INFINITY, f64::max);
                let value = rewards[s as usize] + best;
                let change = value - self.previous[s as usize];
                lowest = lowest.min(change);
                highest = highest.max(change);
                self.values[s as usize] = value;
            }
            if highest - lowest < tolerance || sweeps >= most {
                return (sweeps, (lowest, highest));
            }
        }
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

/// The node of highest value in the neighbourhood of `node`, of equals the first listed.
pub(crate) fn best_neighbor(graph: &Graph, values: &[f64], node: NodeId) -> NodeId {
    let mut best = node;
    let mut highest = f64::NEG_INFINITY;
    for &v in graph.neighborhood(node) {
        if values[v as usize] > highest {
            highest = values[v as usize];
            best = v;
        }
    }
    best
}

/// Algorithm 4: a policy whose average reward is within `tolerance` of the best.
///
/// # Errors
/// When `tolerance` is not a positive number.
///
/// # Panics
/// When there is not one mean per node.
pub fn value_iteration(
    graph: &Graph,
    means: &[f64],
    tolerance: f64,
) -> Result<ValueIterationPlan, ValueIterationError> {
    assert_one_per_node(graph, means);
    if tolerance.is_nan() || tolerance <= 0.0 {
        return Err(ValueIterationError::Tolerance(tolerance));
    }
    let mut sweeps = Sweeps::default();
    let (made, average_reward) = sweeps.run(graph, means, tolerance, u64::MAX);
    let next = graph.nodes().map(|s| best_neighbor(graph, &sweeps.values, s)).collect();
    let policy = Policy::trusted(next);
    Ok(ValueIterationPlan { policy, values: sweeps.values, sweeps: made, average_reward })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarse_tolerance_stays_on_second_best_for_ever() {
        // Line with means 1, 0, 0.95: within 0.1 of the best average, never on the best node.
        let line = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let means = [1.0, 0.0, 0.95];
        let plan = value_iteration(&line, &means, 0.1).unwrap();
        assert_eq!(plan.policy.next(2), 2);
        assert_eq!(plan.policy.long_run_cost(&means, 2), f64::INFINITY);
        let fine = value_iteration(&line, &means, 0.01).unwrap();
        assert_eq!(fine.policy.path(2), [1, 0]);
    }

    #[test]
    fn tolerance_must_be_positive() {
        let one = Graph::from_edges(1, []).unwrap();
        for bad in [0.0, -1.0, f64::NAN] {
            assert!(value_iteration(&one, &[1.0], bad).is_err());
        }
    }
}

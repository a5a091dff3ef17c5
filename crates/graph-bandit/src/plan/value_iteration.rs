//! Value iteration with span stopping (Algorithm 4):
//! `u_i(s) = mu_s + max over s' in N_s of u_{i-1}(s')` until the span of `u_i - u_{i-1}` is small.
//!
//! The number of sweeps grows with the inverse of the tolerance and of the gaps between means. The
//! time does not, because [`KineticSweeps`] skips sweeps at which nothing changes.

use super::{KineticSweeps, Policy, assert_one_per_node};
use crate::graph::{Graph, NodeId};
use thiserror::Error;

/// Why value iteration could not start.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ValueIterationError {
    /// The tolerance is not positive.
    #[error("tolerance {0:?} is never reached; give a positive number")]
    Tolerance(f64),
    /// The graph has roads that run one way or take time.
    #[error(
        "value iteration needs two-way edges that take no time, but this graph has roads; \
         use shortest_path, which has the same policy in the limit"
    )]
    OnRoads,
}

/// The result of value iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueIterationPlan {
    /// The best neighbour of every node by the last values; ties go to the first listed.
    pub policy: Policy,
    /// The last values.
    pub values: Vec<f64>,
    /// The number of sweeps made.
    pub sweeps: u64,
    /// The lowest and the highest last increment. The best average reward is between them, and the
    /// policy's average reward from every node is at least the lowest.
    pub average_reward: (f64, f64),
}

/// The node of highest value in the neighbourhood of `node`; ties go to the first listed.
#[inline]
pub(crate) fn best_neighbor<V: PartialOrd>(
    graph: &Graph,
    node: NodeId,
    value: impl Fn(NodeId) -> V,
) -> NodeId {
    let around = graph.neighborhood(node);
    let mut best = around[0];
    let mut highest = value(best);
    for &v in &around[1..] {
        let other = value(v);
        if other > highest {
            highest = other;
            best = v;
        }
    }
    best
}

/// Algorithm 4: a policy whose average reward is within `tolerance` of the best.
///
/// Sweeps, ties and policy are those of exact arithmetic; values and average reward are off by a
/// few roundings at most. It ends for any positive tolerance.
///
/// # Errors
/// When `tolerance` is not a positive number, or the graph has roads that run one way or take time.
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
    if graph.roads().is_some() {
        return Err(ValueIterationError::OnRoads);
    }
    let mut plan = KineticSweeps::default();
    let sweeps = plan.run(graph, means, tolerance);
    let next = graph.nodes().map(|s| best_neighbor(graph, s, |v| -plan.last_loss(v))).collect();
    Ok(ValueIterationPlan {
        policy: Policy::trusted(next),
        values: plan.values(),
        sweeps,
        average_reward: plan.change(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;

    #[test]
    fn a_coarse_tolerance_stays_on_the_second_best_node() {
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

    #[test]
    fn roads_are_refused() {
        for (there, back) in [(0.0, 0.5), (2.0, 2.0)] {
            let roads = [Road { from: 0, to: 1, time: there }, Road { from: 1, to: 0, time: back }];
            let pair = Graph::from_roads(2, roads).unwrap();
            let refused = value_iteration(&pair, &[0.0, 1.0], 0.1).unwrap_err();
            assert_eq!(refused, ValueIterationError::OnRoads);
            assert!(refused.to_string().contains("shortest_path"), "{refused}");
        }
    }
}

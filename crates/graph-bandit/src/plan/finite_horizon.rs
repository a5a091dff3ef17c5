//! The finite-horizon optimum `V(s, T)`, Eq. (34), by dynamic programming, and the horizon `T_G`
//! beyond which it agrees with the policy of infinite horizon (Appendix D).
//!
//! Roads may run one way. Roads that take time are refused: the remaining horizon would then depend
//! on the path, not on the number of steps.

use super::{StepsOnly, assert_one_per_node, costs};
use crate::graph::{Graph, NodeId};
use crate::plan::value_iteration::best_neighbor;

/// `V(s, t)` for all nodes and all `t` up to a horizon, with the paths that attain them.
#[derive(Debug, Clone, PartialEq)]
pub struct FiniteHorizon {
    /// `values[t][s] = V(s, t)`.
    values: Vec<Vec<f64>>,
}

impl FiniteHorizon {
    /// `V(s, t)`: the highest total reward of `s` and the best `t` steps from it.
    ///
    /// # Panics
    /// When `t` is beyond the horizon.
    pub fn value(&self, node: NodeId, t: usize) -> f64 {
        self.values[t][node as usize]
    }

    /// The horizon planned for.
    pub fn horizon(&self) -> usize {
        self.values.len() - 1
    }

    /// `s_0 = from, s_1, ..., s_T`: a path that attains `V(from, T)`; ties go to the first listed
    /// neighbour.
    pub fn path(&self, graph: &Graph, from: NodeId) -> Vec<NodeId> {
        let mut path = vec![from];
        let mut node = from;
        for values in self.values[..self.horizon()].iter().rev() {
            node = best_neighbor(graph, node, |v| values[v as usize]);
            path.push(node);
        }
        path
    }
}

/// `V(s, t)` for `t` from 0 to `horizon`, all kept for reading off paths.
///
/// # Complexity
/// O(T |E|) time, O(T |S|) memory; [`horizon_losses`] needs O(|S|) memory.
///
/// # Errors
/// When roads take time.
///
/// # Panics
/// When there is not one mean per node.
pub fn finite_horizon(
    graph: &Graph,
    means: &[f64],
    horizon: usize,
) -> Result<FiniteHorizon, StepsOnly> {
    assert_one_per_node(graph, means);
    StepsOnly::check(graph, "a finite horizon")?;
    let mut values = vec![means.to_vec()];
    for t in 0..horizon {
        let shorter = &values[t];
        let longer = graph.nodes().map(|s| {
            let best = best_neighbor(graph, s, |v| shorter[v as usize]);
            means[s as usize] + shorter[best as usize]
        });
        let longer = longer.collect();
        values.push(longer);
    }
    Ok(FiniteHorizon { values })
}

/// `(T + 1) mu* - V(s, T)` for every node: what the best `T` steps from it lose compared to staying
/// on the best node all the time, including the loss at `s` itself.
///
/// Losses stay small while values grow with `T`, so no digits are lost. Once a step changes none of
/// them, no later step will (Corollary 1), so the work is bounded by `T_G`, not by `T`.
///
/// # Complexity
/// O(min(T, `T_G`) |E|) time, O(|S|) memory.
///
/// # Errors
/// When roads take time.
///
/// # Panics
/// When there is not one mean per node.
pub fn horizon_losses(graph: &Graph, means: &[f64], horizon: u64) -> Result<Vec<f64>, StepsOnly> {
    assert_one_per_node(graph, means);
    StepsOnly::check(graph, "a finite horizon")?;
    let costs = costs(means);
    let mut losses = costs.clone();
    for _ in 0..horizon {
        let least = |s: NodeId| {
            let around = graph.neighborhood(s).iter().map(|&v| losses[v as usize]);
            costs[s as usize] + around.fold(f64::INFINITY, f64::min)
        };
        let longer: Vec<f64> = graph.nodes().map(least).collect();
        if longer == losses {
            break;
        }
        losses = longer;
    }
    Ok(losses)
}

/// `T_G = ceil(D mu* / Delta)`: from this horizon on, optimal paths end on a best node (Lemma 6).
///
/// `None` if all means are equal: every path is then optimal and the gap `Delta` undefined.
///
/// # Errors
/// When roads take time.
pub fn sufficient_horizon(graph: &Graph, means: &[f64]) -> Result<Option<u64>, StepsOnly> {
    StepsOnly::check(graph, "the sufficient horizon")?;
    let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let gap = costs(means).into_iter().filter(|&c| c > 0.0).fold(f64::INFINITY, f64::min);
    let diameter = f64::from(graph.diameter());
    Ok(gap.is_finite().then(|| (diameter * best / gap).ceil() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;

    /// One way round: from 1 the best node is two steps away, and the node behind it is not
    /// adjacent.
    #[test]
    fn directions_count_and_times_are_refused() {
        let round = |time| {
            let ends = [(0, 1), (1, 2), (2, 0)];
            let roads = ends.map(|(from, to)| Road { from, to, time });
            Graph::from_roads(3, roads).unwrap()
        };
        let means = [1.0, 0.5, 0.25];
        let plan = finite_horizon(&round(0.0), &means, 4).unwrap();
        // Staying on 1 pays 0.5 per step, four times; going round pays 0.25 and three times 1.
        assert_eq!((plan.value(1, 4), plan.path(&round(0.0), 1)), (3.75, vec![1, 2, 0, 0, 0]));
        assert_eq!(horizon_losses(&round(0.0), &means, 4).unwrap(), [0.0, 1.25, 0.75]);
        assert_eq!(sufficient_horizon(&round(0.0), &means), Ok(Some(4)));
        let slow = round(0.5);
        let refused = finite_horizon(&slow, &means, 4).unwrap_err();
        assert!(refused.to_string().contains("shortest_path"), "{refused}");
        assert!(horizon_losses(&slow, &means, 4).is_err());
        assert!(sufficient_horizon(&slow, &means).is_err());
    }

    #[test]
    fn by_hand_on_a_line() {
        let line = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let means = [1.0, 0.0, 0.75];
        let plan = finite_horizon(&line, &means, 9).unwrap();
        // Staying on 2 pays 0.75 per step; going to 0 costs 1.75 once and gains 0.25 per step.
        assert_eq!(plan.value(2, 2), 2.25);
        assert_eq!(plan.path(&line, 2)[..4], [2, 1, 0, 0]);
        assert_eq!(plan.value(2, 9), 0.75 + 0.0 + 8.0);
        assert_eq!(sufficient_horizon(&line, &means), Ok(Some(8)));
        assert_eq!(sufficient_horizon(&line, &[0.5; 3]), Ok(None));
        assert_eq!(horizon_losses(&line, &means, 2).unwrap()[2], 0.75);
        assert_eq!(horizon_losses(&line, &means, 1_000_000_000).unwrap(), [0.0, 1.0, 1.25]);
    }
}

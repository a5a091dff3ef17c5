//! Stationary policies `pi: S -> S` and their long-run cost, `R_infinity` of Eq. (4).

use crate::graph::{Graph, NodeId};
use thiserror::Error;

/// Why a list of next nodes is not a policy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The number of next nodes is not the number of nodes.
    #[error("{given} next nodes for {nodes} nodes; give exactly one per node")]
    WrongLength {
        /// How many were given.
        given: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// The graph does not allow this step.
    #[error("the policy leads from node {from} to node {to}, which is not among its neighbours")]
    IllegalStep {
        /// Where the step starts.
        from: NodeId,
        /// Where it leads.
        to: NodeId,
    },
}

/// One next node for every node, each a neighbour of it or the node itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    next: Vec<NodeId>,
}

impl Policy {
    /// The policy that leads from node `s` to `next[s]`.
    ///
    /// # Errors
    /// When the length is wrong or a step is not allowed by the graph.
    pub fn new(graph: &Graph, next: Vec<NodeId>) -> Result<Self, PolicyError> {
        if next.len() != graph.len() {
            return Err(PolicyError::WrongLength { given: next.len(), nodes: graph.len() });
        }
        for (from, &to) in graph.nodes().zip(&next) {
            if to as usize >= graph.len() || !graph.allows(from, to) {
                return Err(PolicyError::IllegalStep { from, to });
            }
        }
        Ok(Self { next })
    }

    pub(super) fn trusted(next: Vec<NodeId>) -> Self {
        Self { next }
    }

    /// The next node of the policy from `node`.
    pub fn next(&self, node: NodeId) -> NodeId {
        self.next[node as usize]
    }

    /// The nodes entered from `from` until the policy stays or repeats itself.
    pub fn path(&self, from: NodeId) -> Vec<NodeId> {
        let mut seen = vec![false; self.next.len()];
        let mut path = Vec::new();
        let mut node = from;
        seen[node as usize] = true;
        while !seen[self.next(node) as usize] {
            node = self.next(node);
            seen[node as usize] = true;
            path.push(node);
        }
        path
    }

    /// `R_infinity(pi, from)`: the cost of all steps from `from` on, without the cost of `from`
    /// itself; infinite if the policy never settles on a node without loss.
    ///
    /// Eq. (4) also counts the cost of the first node; Propositions 2 and 3 and the definition of
    /// regret do not, and neither does this function.
    pub fn long_run_cost(&self, means: &[f64], from: NodeId) -> f64 {
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.cost_of_all_steps(from, |_, to| best - means[to as usize])
    }

    /// Like [`long_run_cost`](Self::long_run_cost) for roads that take time, at `max(mu*, 0)` per
    /// unit.
    pub fn long_run_cost_by_road(&self, graph: &Graph, means: &[f64], from: NodeId) -> f64 {
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.cost_of_all_steps(from, |from, to| {
            let time = graph.travel(from, to).unwrap_or(0.0);
            best - means[to as usize] + best.max(0.0) * time
        })
    }

    /// The cost of all steps from `from` on.
    fn cost_of_all_steps(&self, from: NodeId, step: impl Fn(NodeId, NodeId) -> f64) -> f64 {
        let path = self.path(from);
        let last = path.last().copied().unwrap_or(from);
        // From here the policy repeats a cycle; one costly step in it makes the total cost
        // infinite.
        let round_start = self.next(last);
        let mut node = round_start;
        loop {
            let next = self.next(node);
            if step(node, next) > 0.0 {
                return f64::INFINITY;
            }
            node = next;
            if node == round_start {
                break;
            }
        }
        // Summed from the far end, as shortest-path searches do, so that both agree to the bit.
        let before = |place: usize| if place == 0 { from } else { path[place - 1] };
        path.iter().enumerate().rev().fold(0.0, |sum, (place, &to)| sum + step(before(place), to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;

    #[test]
    fn long_run_cost_by_hand() {
        let line = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let means = [1.0, 0.25, 0.5];
        let left = Policy::new(&line, vec![0, 0, 1]).unwrap();
        assert_eq!(left.long_run_cost(&means, 2), 0.75);
        assert_eq!(left.long_run_cost(&means, 0), 0.0);
        let stay = Policy::new(&line, vec![0, 1, 2]).unwrap();
        assert_eq!(stay.long_run_cost(&means, 2), f64::INFINITY);
        let round = Policy::new(&line, vec![1, 0, 1]).unwrap();
        assert_eq!(round.long_run_cost(&means, 2), f64::INFINITY);
        assert_eq!(round.long_run_cost(&[0.5; 3], 2), 0.0);
    }

    #[test]
    fn a_cycle_with_a_costly_road_has_infinite_cost() {
        // The road to 1 is free; the road back takes time.
        let road = |(from, to, time)| Road { from, to, time };
        let graph = Graph::from_roads(2, [(0, 1, 0.0), (1, 0, 2.0)].map(road)).unwrap();
        let round = Policy::new(&graph, vec![1, 0]).unwrap();
        let stay = Policy::new(&graph, vec![1, 1]).unwrap();
        for from in graph.nodes() {
            assert_eq!(round.long_run_cost_by_road(&graph, &[1.0, 1.0], from), f64::INFINITY);
            assert_eq!(stay.long_run_cost_by_road(&graph, &[1.0, 1.0], from), 0.0);
        }
    }

    #[test]
    fn illegal_steps_are_named() {
        let line = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let illegal = Policy::new(&line, vec![2, 1, 2]).unwrap_err();
        assert_eq!(illegal, PolicyError::IllegalStep { from: 0, to: 2 });
        assert!(Policy::new(&line, vec![9, 1, 2]).is_err());
        assert!(Policy::new(&line, vec![0]).is_err());
    }
}

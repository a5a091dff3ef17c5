//! The node of highest mean so far, and how far the others fall short.

use crate::agent::Situation;
use crate::estimates::Estimates;
use crate::graph::NodeId;

/// The node of highest mean. Ties go to the node that the agent stands on, then to the lowest
/// number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Leader {
    /// The node.
    pub node: NodeId,
    /// Its mean; infinite while there are unvisited nodes.
    pub mean: f64,
}

impl Leader {
    /// Finds the leader in one pass.
    pub fn find(now: &Situation<'_>) -> Self {
        let here = now.estimates.estimate(now.at).mean;
        let mut leader = Self { node: now.at, mean: here };
        for (node, seen) in now.graph.nodes().zip(now.estimates.all()) {
            if seen.mean > leader.mean {
                leader = Self { node, mean: seen.mean };
            }
        }
        leader
    }

    /// How far the mean of `node` is below the highest; never negative.
    #[inline]
    pub fn gap(&self, estimates: &Estimates, node: NodeId) -> f64 {
        // Unvisited nodes have infinite means; `max` turns the NaN of their difference into zero.
        (self.mean - estimates.estimate(node).mean).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::graph::Graph;

    #[test]
    fn ties_go_to_the_current_node_then_the_lowest_number() {
        let graph = Graph::line(4).unwrap();
        let mut estimates = Estimates::new(4);
        for (node, reward) in [(0, 1.0), (1, 3.0), (2, 0.5), (3, 3.0)] {
            estimates.push(node, reward);
        }
        let find = |at| {
            Leader::find(&Situation {
                graph: &graph,
                at,
                estimates: &estimates,
                clock: &Clock::default(),
            })
        };
        assert_eq!([0, 1, 2, 3].map(|at| find(at).node), [1, 1, 1, 3]);
        assert_eq!([0, 1, 2, 3].map(|s| find(0).gap(&estimates, s)), [2.0, 0.0, 2.5, 0.0]);
    }
}

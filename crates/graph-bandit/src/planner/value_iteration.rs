//! UCRL2's planner: value iteration to tolerance `1 / sqrt(t)` (Algorithms 3 and 4).

use super::{Planner, Rewards};
use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::plan::{Sweeps, best_neighbor};
use crate::random::Stream;
use serde::{Deserialize, Serialize};

/// How many sweeps value iteration may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SweepCap {
    /// As many as the tolerance needs, as in the paper.
    #[default]
    None,
    /// `floor(min(10^4, sqrt(t))) + 1`, as in the authors' program. It makes plans short-sighted.
    SquareRoot,
}

/// Which values the policy is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyValues {
    /// Those after the last sweep, as in the paper.
    #[default]
    Last,
    /// Those before the last sweep, as in the authors' program.
    Previous,
}

/// The best neighbour by the values of a finite number of sweeps.
#[derive(Debug, Clone, Default)]
pub struct ValueIteration {
    cap: SweepCap,
    policy: PolicyValues,
    rewards: Rewards,
    sweeps: Sweeps,
}

impl ValueIteration {
    /// A planner with the given cap that reads its policy from the given values.
    pub fn new(cap: SweepCap, policy: PolicyValues) -> Self {
        Self { cap, policy, ..Self::default() }
    }
}

impl Planner for ValueIteration {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.rewards.score(now, index, stream);
        let root = (now.estimates.visits() as f64).sqrt();
        let most = match self.cap {
            SweepCap::None => u64::MAX,
            SweepCap::SquareRoot => root.min(1e4) as u64 + 1,
        };
        self.sweeps.run(now.graph, &self.rewards.of, 1.0 / root, most);
    }

    fn next(&self, graph: &Graph, node: NodeId) -> NodeId {
        let values = match self.policy {
            PolicyValues::Last => self.sweeps.values(),
            PolicyValues::Previous => self.sweeps.previous(),
        };
        best_neighbor(graph, values, node)
    }
}

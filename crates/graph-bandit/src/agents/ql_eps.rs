//! QL-epsilon (Section V-A): Q-learning with a constant rate and decaying exploration.

use super::{Epsilon, ParameterError, QLearning, Recipe, Update, require, require_exploration};
use crate::agent::Agent;
use crate::graph::Graph;
use serde::{Deserialize, Serialize};

/// Epsilon-greedy Q-learning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct QlEps {
    /// Learning rate.
    pub alpha: f64,
    /// Discount.
    pub gamma: f64,
    /// Exploration at `t = 1`; the probability is `epsilon (w S + 1) / (w S + t)`.
    pub epsilon: f64,
    /// `w`: visits per node until exploration has roughly halved.
    pub warmup: f64,
}

impl Default for QlEps {
    fn default() -> Self {
        Self { alpha: 0.4, gamma: 0.9, epsilon: 1.5, warmup: 3.0 }
    }
}

impl Recipe for QlEps {
    const SUMMARY: &'static str = "QL-epsilon: Q-learning, epsilon-greedy";

    fn program() -> Self {
        Self::default()
    }

    fn check(&self) -> Result<(), ParameterError> {
        require(
            self.alpha > 0.0 && self.alpha <= 1.0,
            "alpha",
            self.alpha,
            "above 0 and at most 1",
        )?;
        require_exploration(self.gamma, self.epsilon, self.warmup)
    }

    fn build(&self, graph: &Graph) -> Box<dyn Agent + Send> {
        let epsilon = Epsilon { scale: self.epsilon, warmup: self.warmup };
        let update = Update::Constant { alpha: self.alpha };
        Box::new(QLearning::new(graph, epsilon, self.gamma, update))
    }
}

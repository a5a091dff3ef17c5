//! QL-UCB-H (Section V-A): Q-learning with Jin et al.'s Hoeffding bonus and decaying exploration.

use super::{Epsilon, ParameterError, QLearning, Recipe, Update, require, require_exploration};
use crate::agent::Agent;
use crate::graph::Graph;
use serde::{Deserialize, Serialize};

/// Q-learning with a Hoeffding-style bonus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct QlUcbH {
    /// Factor of the bonus.
    pub c: f64,
    /// Discount; the bonus takes `H = 1 / gamma`.
    pub gamma: f64,
    /// Exploration at `t = 1`; the probability is `epsilon (w S + 1) / (w S + t)`.
    pub epsilon: f64,
    /// `w`: visits per node until exploration has roughly halved.
    pub warmup: f64,
}

impl Default for QlUcbH {
    fn default() -> Self {
        Self { c: 1.0, gamma: 0.9, epsilon: 0.7, warmup: 3.0 }
    }
}

impl Recipe for QlUcbH {
    const SUMMARY: &'static str = "QL-UCB-H: Q-learning with a Hoeffding-style bonus";

    fn program() -> Self {
        Self::default()
    }

    fn check(&self) -> Result<(), ParameterError> {
        require(self.c >= 0.0 && self.c.is_finite(), "c", self.c, "zero or a positive number")?;
        require_exploration(self.gamma, self.epsilon, self.warmup)
    }

    fn build(&self, graph: &Graph) -> Box<dyn Agent + Send> {
        let epsilon = Epsilon { scale: self.epsilon, warmup: self.warmup };
        Box::new(QLearning::new(graph, epsilon, self.gamma, Update::Hoeffding { c: self.c }))
    }
}

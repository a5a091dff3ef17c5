//! Which figures a study asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A figure to draw. `cases` picks some by title; all unless said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", deny_unknown_fields, rename_all = "kebab-case")]
pub enum FigureRequest {
    /// One panel per case, a regret curve per agent with its 95% band.
    Curves {
        /// The caption.
        #[serde(default)]
        caption: String,
        /// Agents that get error bars of one standard deviation over runs.
        #[serde(default)]
        bars: Vec<String>,
        /// The agents to show; all unless said.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        agents: Vec<String>,
        /// The cases to show.
        #[serde(default)]
        cases: Vec<String>,
    },
    /// One panel, a curve per case of the first agent.
    Together {
        /// The caption.
        #[serde(default)]
        caption: String,
        /// The cases to show.
        #[serde(default)]
        cases: Vec<String>,
    },
    /// Regret at the last step against the cases' `x`, of the first agent.
    Final {
        /// The caption.
        #[serde(default)]
        caption: String,
        /// What the cases' `x` is.
        axis: String,
        /// The cases to show.
        #[serde(default)]
        cases: Vec<String>,
    },
    /// The realized regret of every run in light lines, their mean on top, of the first agent.
    Traces {
        /// The caption.
        #[serde(default)]
        caption: String,
        /// The cases to show.
        #[serde(default)]
        cases: Vec<String>,
    },
    /// The cases' graphs drawn.
    Networks {
        /// The caption.
        #[serde(default)]
        caption: String,
        /// Graphs to draw instead of the cases'.
        #[serde(default)]
        graphs: Vec<Drawing>,
        /// The cases to show.
        #[serde(default)]
        cases: Vec<String>,
    },
    /// Bars by case: each agent's mean regret as a multiple of the baseline's.
    Ratios {
        /// The caption.
        #[serde(default)]
        caption: String,
        /// The cases to show.
        #[serde(default)]
        cases: Vec<String>,
    },
    /// For each agent its mean regrets as multiples of the baseline's, sorted over the cases: how often
    /// it is how good.
    Profile {
        /// The caption.
        #[serde(default)]
        caption: String,
        /// The cases to show.
        #[serde(default)]
        cases: Vec<String>,
    },
    /// Measured run times of the agents by case, and their ratios.
    RunTimes {
        /// The caption.
        #[serde(default)]
        caption: String,
        /// The cases to show.
        #[serde(default)]
        cases: Vec<String>,
    },
}

/// A graph to draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Drawing {
    /// What a reader calls it.
    pub title: String,
    /// The graph: `grid:10x10` or the path of a map, relative to this file.
    pub graph: String,
}

impl FigureRequest {
    /// The titles of the cases to show; empty means all.
    pub fn cases(&self) -> &[String] {
        match self {
            Self::Curves { cases, .. }
            | Self::Together { cases, .. }
            | Self::Final { cases, .. }
            | Self::Traces { cases, .. }
            | Self::Networks { cases, .. }
            | Self::Ratios { cases, .. }
            | Self::Profile { cases, .. }
            | Self::RunTimes { cases, .. } => cases,
        }
    }
}

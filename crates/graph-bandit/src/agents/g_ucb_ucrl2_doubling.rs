//! G-UCB with UCRL2's doubling: the ablation of Appendix F-D.

use super::{Episodic, ParameterError, Recipe, require_bonus};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::Ucb;
use crate::planner::{Destinations, ShortestPath};
use crate::schedule::{Counting, DoubleAnywhere};
use serde::{Deserialize, Serialize};

/// G-UCB whose episodes end when any node doubles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GUcbUcrl2Doubling {
    /// Scales the confidence radius `sqrt(2 ln t / n)`.
    pub bonus: f64,
    /// What ends an episode.
    pub counting: Counting,
    /// Which of equally promising nodes to go to.
    pub destinations: Destinations,
}

impl Default for GUcbUcrl2Doubling {
    fn default() -> Self {
        Self { bonus: 1.0, counting: Counting::default(), destinations: Destinations::default() }
    }
}

impl Recipe for GUcbUcrl2Doubling {
    const SUMMARY: &'static str =
        "G-UCB whose episodes end as soon as any node doubles, as UCRL2's do";

    fn program() -> Self {
        Self {
            counting: Counting::Departures,
            destinations: Destinations::FirstBest,
            ..Self::default()
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        require_bonus(self.bonus)
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index: Ucb::new(self.bonus),
            planner: ShortestPath::new(self.destinations),
            schedule: DoubleAnywhere::new(self.counting),
        })
    }
}

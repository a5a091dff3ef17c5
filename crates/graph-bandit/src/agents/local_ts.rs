//! Local TS (Section V-A): every step to the neighbour of highest posterior sample.

use super::{Episodic, ParameterError, Recipe};
use crate::agent::Agent;
use crate::graph::Graph;
use crate::index::PosteriorSample;
use crate::planner::BestNeighbor;
use crate::schedule::EveryVisit;
use serde::{Deserialize, Serialize};

/// Thompson sampling without foresight.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LocalTs {}

impl Recipe for LocalTs {
    const SUMMARY: &'static str =
        "Local TS: each step to the neighbour of highest posterior sample";

    fn program() -> Self {
        Self::default()
    }

    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    fn build(&self, _graph: &Graph) -> Box<dyn Agent + Send> {
        Box::new(Episodic {
            index: PosteriorSample::default(),
            planner: BestNeighbor::default(),
            schedule: EveryVisit,
        })
    }
}

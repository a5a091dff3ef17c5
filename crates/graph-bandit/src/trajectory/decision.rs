//! A leg as it was decided, apart from whoever decided it: what is kept where decisions are facts.

use super::fault::LegError;
use crate::agent::Phase;
use crate::graph::NodeId;
use crate::leg::Leg;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A leg, and all that deciding on it changed: a walker that is handed the decision stands as if it
/// had planned, and nobody plans.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The nodes to enter in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<NodeId>,
    /// Further visits where the path ends.
    #[serde(default, skip_serializing_if = "is_none")]
    pub stay: u64,
    /// Whose idea it was.
    pub phase: Phase,
    /// How many numbers of the agent's random stream have been drawn.
    #[serde(default, skip_serializing_if = "is_none")]
    pub drawn: u64,
    /// How many nodes a cover that goes depth first can fall back to.
    #[serde(default, skip_serializing_if = "is_none")]
    pub trail: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_none(number: &u64) -> bool {
    *number == 0
}

impl Decision {
    pub(super) fn leg(&self) -> Leg {
        Leg { path: self.path.clone(), stay: self.stay }
    }
}

/// Why a decision is not one of this walker here; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DecisionError {
    /// A leg that the graph does not allow.
    #[error(transparent)]
    Leg(#[from] LegError),
    /// A cover adds one node at a time to what it can fall back to.
    #[error("the cover can fall back to {there} nodes, and a single leg cannot make that {wanted}")]
    Trail {
        /// How many there are.
        there: usize,
        /// How many there should be.
        wanted: u64,
    },
}

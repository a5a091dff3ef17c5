//! A decided leg, stored as a fact, independent of who decided it.

use super::fault::LegError;
use crate::agent::Phase;
use crate::graph::NodeId;
use crate::leg::Leg;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A leg that was decided, and the state of the random stream and of initialization after the
/// decision. A replay that takes a stored decision puts the walker in the same state as if it had
/// planned the leg itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The nodes to enter, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<NodeId>,
    /// How many more visits to make at the end of the path.
    #[serde(default, skip_serializing_if = "is_none")]
    pub stay: u64,
    /// Who decided: initialization or the agent.
    pub phase: Phase,
    /// The number of values drawn so far from the agent's random stream.
    #[serde(default, skip_serializing_if = "is_none")]
    pub drawn: u64,
    /// The number of nodes that a depth-first initialization can go back to.
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

/// Why a walker cannot take a decision here; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DecisionError {
    /// The graph does not allow the leg.
    #[error(transparent)]
    Leg(#[from] LegError),
    /// The fallback count is wrong: a cover adds one node at a time.
    #[error(
        "a depth-first cover that can go back to {there} nodes cannot go back to {wanted} after \
         one leg"
    )]
    Trail {
        /// The current number.
        there: usize,
        /// The number in the decision.
        wanted: u64,
    },
}

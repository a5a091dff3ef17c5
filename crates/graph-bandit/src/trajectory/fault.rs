//! Errors on the way.

use crate::graph::NodeId;
use crate::raised::Raised;
use thiserror::Error;

/// Why a walker cannot continue.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LegError {
    /// The graph does not allow a step of the agent's leg.
    #[error("the agent's leg steps from node {from} to node {to}, which is not a neighbour")]
    IllegalStep {
        /// Where the step starts.
        from: NodeId,
        /// Where it would lead.
        to: NodeId,
    },
    /// The agent's leg has no visits.
    #[error("the agent's leg on node {at} is empty; a leg needs at least one visit")]
    EmptyLeg {
        /// Where the agent stood.
        at: NodeId,
    },
    /// The agent failed.
    #[error("{0}")]
    Agent(Raised),
    /// The payer failed.
    #[error("{0}")]
    Payer(Raised),
}

/// An error on its way out. It is one word, so that the possibility of errors does not slow down
/// the normal case.
pub(super) struct Fault(pub(super) Box<LegError>);

impl Fault {
    #[cold]
    pub(super) fn of_agent(raised: Raised) -> Self {
        Self(Box::new(LegError::Agent(raised)))
    }

    #[cold]
    pub(super) fn of_payer(raised: Raised) -> Self {
        Self(Box::new(LegError::Payer(raised)))
    }
}

impl From<Fault> for LegError {
    #[cold]
    fn from(fault: Fault) -> Self {
        *fault.0
    }
}

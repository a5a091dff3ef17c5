//! What can go wrong on the way.

use crate::graph::NodeId;
use crate::raised::Raised;
use thiserror::Error;

/// Why a walker cannot go on.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LegError {
    /// The agent asked for a step that the graph does not have.
    #[error("the agent's leg steps from node {from} to node {to}, which is not a neighbour of it")]
    IllegalStep {
        /// Where the step starts.
        from: NodeId,
        /// Where it would lead.
        to: NodeId,
    },
    /// The agent answered with a leg of no visits.
    #[error("the agent answered with an empty leg on node {at}; a leg has at least one visit")]
    EmptyLeg {
        /// Where the agent stood.
        at: NodeId,
    },
    /// The agent failed.
    #[error("{0}")]
    Agent(Raised),
    /// Whoever pays failed.
    #[error("{0}")]
    Payer(Raised),
}

/// An error on its way out: a word, so that what goes well is not slowed down by what may go wrong.
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

//! Why the Bayes-optimal agent cannot be computed or followed.

use super::problem::{MOST_NODES, MOST_SEEN, MOST_STATES};
use crate::graph::NodeId;
use thiserror::Error;

/// Why the Bayes-optimal agent cannot be computed or followed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BayesError {
    /// The graph is too large.
    #[error(
        "the graph has {nodes} nodes; the Bayes-optimal agent can be computed for at most \
         {MOST_NODES}, and only for few steps if there are more than three"
    )]
    TooManyNodes {
        /// The number of nodes.
        nodes: usize,
    },
    /// The start is not a node.
    #[error("start {start} is outside the graph; the nodes are 0 to {last}")]
    StartOutside {
        /// The start given.
        start: NodeId,
        /// The highest node number.
        last: NodeId,
    },
    /// There are no steps.
    #[error("0 steps leave nothing to decide; give at least 1")]
    NoSteps,
    /// The rewards seen are not given for every node.
    #[error("rewards seen are given for {given} nodes, but the graph has {nodes}")]
    WrongLength {
        /// The number of entries given.
        given: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// More rewards were seen than can be handled.
    #[error("node {node} has {visits} rewards seen; give at most {MOST_SEEN}")]
    TooManySeen {
        /// The node.
        node: NodeId,
        /// The rewards given.
        visits: u64,
    },
    /// There are too many states to compute.
    #[error(
        "{} states are too many; the limit is {MOST_STATES:e}. Use fewer steps or fewer nodes",
        about(*states)
    )]
    TooManyStates {
        /// About how many there are; the limit itself if they are only known to be more.
        states: f64,
    },
    /// The values do not fit into the memory allowed.
    #[error(
        "{} states need {} GiB of memory, and {} GiB are allowed; use fewer steps or fewer \
         nodes, or allow more memory", about(*states), gib(*bytes), gib(*allowed)
    )]
    TooMuchMemory {
        /// The number of states.
        states: f64,
        /// The bytes needed.
        bytes: u64,
        /// The bytes allowed.
        allowed: u64,
    },
    /// The caller stopped the computation.
    #[error("the computation was stopped by its caller")]
    Stopped,
    /// The agent was asked about something that its computation does not cover.
    #[error(
        "the Bayes-optimal agent was computed for {steps} units of time from node {start} and has no \
         move for node {at} after {visits} visits; compute it for this walk"
    )]
    NotPlanned {
        /// The horizon of the computation.
        steps: u64,
        /// Its start.
        start: NodeId,
        /// Where the walker stands.
        at: NodeId,
        /// The visits it has made.
        visits: u64,
    },
    /// A reward is neither 0 nor 1.
    #[error(
        "node {node} paid {sum} in {visits} visits; the Bayes-optimal agent is for rewards of 0 and 1"
    )]
    NotBernoulli {
        /// The node.
        node: NodeId,
        /// The sum of its rewards.
        sum: f64,
        /// Its visits.
        visits: u64,
    },
}

/// A number of states as people say it.
fn about(states: f64) -> String {
    match states {
        few if few < 1e6 => format!("{few:.0}"),
        MOST_STATES => format!("more than {MOST_STATES:e}"),
        many => format!("about {many:.1e}"),
    }
}

fn gib(bytes: u64) -> String {
    let gib = bytes as f64 / f64::from(1 << 30);
    if gib < 100.0 { format!("{gib:.2}") } else { format!("{gib:.1e}") }
}

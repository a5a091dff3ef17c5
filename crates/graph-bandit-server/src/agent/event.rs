//! What can happen to an agent, as its log keeps it.
//!
//! Nodes are numbers here and every visit names its node, so that a record means the same whatever
//! came before it.

use graph_bandit::NodeId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The last number a report can bear: databases have whole numbers with a sign.
pub const LAST_SEQUENCE: u64 = i64::MAX as u64;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// Visits were made and paid.
    Told {
        /// In the order in which they were made.
        visits: Vec<Visits>,
    },
    /// The leg could not be finished.
    LegFailed {
        /// Where the walker stands now.
        at: NodeId,
        /// Why, in the robot's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// There is no way along an edge any more.
    EdgeBlocked {
        /// The edge.
        #[schemars(with = "[NodeId; 2]")]
        edge: (NodeId, NodeId),
        /// Where the walker stands now.
        at: NodeId,
    },
    /// There is a way along a blocked edge again.
    EdgeOpened {
        /// The edge.
        #[schemars(with = "[NodeId; 2]")]
        edge: (NodeId, NodeId),
    },
}

/// Visits to one node, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Visits {
    /// The node.
    pub node: NodeId,
    /// What they paid, in order.
    pub rewards: Vec<f64>,
}

/// What is answered to a report: kept in the log, so that a repeat is answered the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The number of the report.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub sequence: u64,
    /// The number the next report must bear.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub next_sequence: u64,
    /// Where the walker stands after it.
    pub at: NodeId,
    /// Visits in all, after it.
    pub visits: u64,
    /// Whether the order was dropped and the agent planned anew.
    pub replanned: bool,
}

/// One line of an agent's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What was reported, as a fingerprint: tells a repeat from a conflict.
    pub fingerprint: String,
    /// What happened.
    pub event: Event,
    /// What was answered.
    pub receipt: Receipt,
}

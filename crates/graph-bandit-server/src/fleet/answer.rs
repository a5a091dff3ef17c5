//! Reads an agent: its present order, and what it knows of nodes.

use super::{Fleet, FleetError};
use crate::agent::{NodeEstimate, Order, WalkerName};
use graph_bandit::{Graph, NodeId};
use std::ops::Range;
use std::sync::Arc;

/// What is known of some nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimates {
    /// The number of reports before it.
    pub sequence: u64,
    /// The graph of the nodes.
    pub graph: Arc<Graph>,
    /// The requested nodes that exist.
    pub nodes: Range<NodeId>,
    /// What is known of them.
    pub estimates: Vec<NodeEstimate>,
    /// How long ago each of them was last visited, where that is known and matters.
    pub ages: Vec<Option<f64>>,
}

impl Fleet {
    /// The present order and its reasons.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn ask(self: &Arc<Self>, id: &str) -> Result<Order, FleetError> {
        self.ask_for(id, None).await
    }

    /// The present order of a walker, if the agent is a team.
    ///
    /// # Errors
    /// As [`look`](Self::look), and when there is no such walker.
    pub async fn ask_for(
        self: &Arc<Self>,
        id: &str,
        walker: Option<WalkerName>,
    ) -> Result<Order, FleetError> {
        self.metrics.asks.add(1);
        let asked = self.look_at_version(id, move |live, version, seal| {
            live.ask(walker.as_ref(), version.number, seal)
        });
        Ok(asked.await??)
    }

    /// What is known of some nodes.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn estimates(
        self: &Arc<Self>,
        id: &str,
        nodes: Range<u32>,
    ) -> Result<Estimates, FleetError> {
        self.look(id, move |live| {
            let graph = Arc::clone(live.graph());
            let last = graph.len() as u32;
            let nodes = nodes.start.min(last)..nodes.end.min(last);
            let estimates = live.node_estimates(nodes.clone());
            let ages = nodes.clone().map(|node| live.age(node)).collect();
            Estimates { sequence: live.next_report(), graph, nodes, estimates, ages }
        })
        .await
    }
}

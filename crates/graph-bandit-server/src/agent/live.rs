//! An agent at work, and its readable state.

use super::{
    Curve, Definition, Directory, Format, FoundChanges, LastVisits, NoSuchNode, NodeName, Snapshot,
};
use graph_bandit::{AskTell, Edge, Estimates, Graph, MAX_VISITS, NodeId, RoadTimes};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::sync::OnceCell;

/// The position at which each node is drawn.
pub type Positions = Vec<[f64; 2]>;

/// An agent at work. Its next leg is always planned.
pub struct Live {
    pub(super) definition: Definition,
    pub(super) directory: Directory,
    pub(super) session: AskTell,
    pub(super) curve: Curve,
    pub(super) sequence: u64,
    pub(super) positions: Arc<OnceCell<Arc<Positions>>>,
    /// When the last visit ended, by the stamps of reports.
    pub(super) last_time: Option<f64>,
    pub(super) found: FoundChanges,
    pub(super) seen: LastVisits,
}

/// A blocked edge that is expected to reopen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Reopening {
    /// The edge, with its lower node number first, or the road, in its direction.
    pub edge: [NodeId; 2],
    /// The rate at which it is expected to reopen, per unit of time.
    pub rate: f64,
}

impl Live {
    /// Its definition.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Its graph, blocked edges included. Shared, so that readers need not hold the agent.
    pub fn graph(&self) -> &Arc<Graph> {
        self.session.field().map()
    }

    /// Where its nodes are drawn, computed by the first caller.
    pub(crate) fn positions(&self) -> Arc<OnceCell<Arc<Positions>>> {
        Arc::clone(&self.positions)
    }

    /// Whether roads run one way or take longer than a visit, on its map or by what it learned.
    pub fn has_roads(&self) -> bool {
        self.session.graph().roads().is_some() || self.definition.graph.visit_time().is_some()
    }

    /// The blocked edges, for good or for now, each with its lower node number first; roads in their direction.
    pub fn blocked(&self) -> Cow<'_, BTreeSet<Edge>> {
        self.session.closed()
    }

    /// The blocked edges that are expected to reopen, and the rates, per unit of time.
    pub fn reopening(&self) -> Vec<Reopening> {
        let rate = |edge: &Edge| {
            let rate = self.session.reopening_rate(*edge)?;
            Some(Reopening { edge: [edge.0, edge.1], rate })
        };
        self.blocked().iter().filter_map(rate).collect()
    }

    /// The reported times of roads, by direction.
    pub fn told_times(&self) -> &BTreeMap<Edge, RoadTimes> {
        self.session.field().told_times()
    }

    /// How many events it has seen, which is the number of the next report.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The walker's node.
    pub fn place(&self) -> NodeId {
        self.session.at()
    }

    /// The walker's clock, in units of one visit.
    pub fn time(&self) -> f64 {
        self.session.clock().now().0
    }

    /// The sum of all rewards over time.
    pub fn rewards(&self) -> &Curve {
        &self.curve
    }

    /// The changes that it found.
    pub fn found(&self) -> &FoundChanges {
        &self.found
    }

    /// All rewards, also those that it has forgotten.
    pub fn estimates(&self) -> &Estimates {
        self.session.estimates()
    }

    /// The present order, by node number. It stays the same until the next event.
    pub fn order(&self) -> graph_bandit::Order<&[NodeId]> {
        let order = self.session.pending();
        // An endless stay is as long as any agent lives.
        graph_bandit::Order { stay: order.stay.min(MAX_VISITS), ..order }
    }

    /// The state that is needed to resume from here.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            format: Format::CURRENT,
            seal: None,
            sequence: self.sequence,
            blocked: self.blocked().into_owned(),
            curve: self.curve.clone(),
            state: Some(self.session.state()),
            last_time: self.last_time,
            found: self.found.clone(),
            seen: self.seen.clone(),
            team: None,
        }
    }

    /// The number of a node.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn find(&self, node: &NodeName) -> Result<NodeId, NoSuchNode> {
        self.directory.find(node, self.graph().names().unwrap_or_default())
    }
}

//! The map of an agent and the positions of its nodes, laid out once without blocking the agent.

use super::workshop::Effort;
use super::{Fleet, FleetError, finished};
use crate::agent::{Positions, Served};
use graph_bandit::{Edge, Graph, NodeId};
use graph_bandit_figures::positions_of;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

impl Fleet {
    /// The graph of an agent, blocked edges included.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn graph(self: &Arc<Self>, id: &str) -> Result<Arc<Graph>, FleetError> {
        self.look(id, |live| Arc::clone(live.graph())).await
    }

    /// The map of an agent as it is now.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn map(self: &Arc<Self>, id: &str) -> Result<AgentMap, FleetError> {
        self.look(id, |live| AgentMap::of(live)).await
    }

    /// The map, and where its nodes are drawn (`graph_bandit_figures::positions_of`).
    ///
    /// The first request computes the positions. Meanwhile the agent goes on, and other requests for the
    /// positions wait for the same computation.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn drawn_map(
        self: &Arc<Self>,
        id: &str,
    ) -> Result<(AgentMap, Arc<Positions>), FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        finished(&id.clone(), async move {
            let seen = fleet.look(&id, |live| (AgentMap::of(live), live.positions()));
            let (map, positions) = seen.await?;
            let laid_out = || {
                let graph = Arc::clone(&map.graph);
                let effort = Effort::of_layout(&graph);
                fleet.workshop.done(effort, move || Arc::new(positions_of(&graph)))
            };
            let found = Arc::clone(positions.get_or_try_init(laid_out).await?);
            Ok((map, found))
        })
        .await
    }
}

/// The map of an agent, with its blocked edges.
#[derive(Debug, Clone)]
pub struct AgentMap {
    /// The graph, blocked edges included.
    pub graph: Arc<Graph>,
    /// How many seconds a visit takes, if given.
    pub visit_time: Option<f64>,
    /// The blocked edges, each with its lower node number first; roads in their direction.
    pub blocked: Vec<Edge>,
    /// The roads with reported times.
    pub learned: Vec<Learned>,
}

/// The learned time of a road.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Learned {
    /// The node where it begins.
    pub from: NodeId,
    /// The node where it ends.
    pub to: NodeId,
    /// The expected travel time, without the visit at its end: the mean of all reported times and the map's time,
    /// which counts as one report.
    pub time: f64,
    /// The number of reported times.
    pub told: u64,
}

impl Served {
    fn learned(&self) -> impl Iterator<Item = Learned> + '_ {
        self.told_times().into_iter().flatten().map(|(&(from, to), times)| {
            let mapped = self.graph().travel(from, to).unwrap_or(0.0);
            Learned { from, to, time: times.mean(mapped), told: times.count }
        })
    }
}

impl AgentMap {
    fn of(live: &Served) -> Self {
        Self {
            graph: Arc::clone(live.graph()),
            visit_time: live.definition().graph.visit_time(),
            blocked: live.blocked().iter().copied().collect(),
            learned: live.learned().collect(),
        }
    }
}

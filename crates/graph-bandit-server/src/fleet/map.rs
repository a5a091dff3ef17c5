//! The map of an agent, and where its nodes are drawn: laid out once, beside the agent.

use super::workshop::Effort;
use super::{Fleet, FleetError, finished};
use crate::agent::Positions;
use graph_bandit::Graph;
use graph_bandit_figures::positions_of;
use std::sync::Arc;

impl Fleet {
    /// The graph of an agent, blocked edges included.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn graph(self: &Arc<Self>, id: &str) -> Result<Arc<Graph>, FleetError> {
        self.look(id, |live| Arc::clone(live.graph())).await
    }

    /// The graph of an agent and where its nodes are drawn (`graph_bandit_figures::positions_of`).
    ///
    /// They are computed when they are asked for first. Meanwhile the agent goes on, and whoever asks
    /// for the same waits for the same.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn map(
        self: &Arc<Self>,
        id: &str,
    ) -> Result<(Arc<Graph>, Arc<Positions>), FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        finished(&id.clone(), async move {
            let seen = fleet.look(&id, |live| (Arc::clone(live.graph()), live.positions()));
            let (graph, positions) = seen.await?;
            let laid_out = || {
                let graph = Arc::clone(&graph);
                let effort = Effort::of_layout(&graph);
                fleet.workshop.done(effort, move || Arc::new(positions_of(&graph)))
            };
            let found = Arc::clone(positions.get_or_try_init(laid_out).await?);
            Ok((graph, found))
        })
        .await
    }
}

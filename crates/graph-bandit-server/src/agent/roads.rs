//! Edges that are blocked and opened: the same session goes on where there are other edges.

use super::{EventError, Live, refused};
use graph_bandit::{AskTell, Graph, GraphError, Memory, NodeId, SessionState};
use std::collections::BTreeSet;

/// The graph without some of its edges.
pub(super) fn without(
    whole: &Graph,
    blocked: &BTreeSet<(NodeId, NodeId)>,
) -> Result<Graph, GraphError> {
    let mut graph =
        Graph::from_edges(whole.len(), whole.edges().filter(|edge| !blocked.contains(edge)))?;
    if let Some(names) = whole.names() {
        graph = graph.with_names(names.to_vec())?;
    }
    if let Some(coordinates) = whole.coordinates() {
        graph = graph.with_coordinates(coordinates.to_vec())?;
    }
    Ok(graph)
}

fn lower_first((a, b): (NodeId, NodeId)) -> (NodeId, NodeId) {
    (a.min(b), a.max(b))
}

impl Live {
    pub(super) fn block(&mut self, edge: (NodeId, NodeId), at: NodeId) -> Result<(), EventError> {
        let edge = self.existing(edge)?;
        let mut blocked = self.blocked.clone();
        if !blocked.insert(edge) {
            return Err(EventError::EdgeIsSo { edge, state: "blocked" });
        }
        self.go_on_without(blocked, edge, at)
    }

    pub(super) fn open(&mut self, edge: (NodeId, NodeId)) -> Result<(), EventError> {
        let edge = self.existing(edge)?;
        let mut blocked = self.blocked.clone();
        if !blocked.remove(&edge) {
            return Err(EventError::EdgeIsSo { edge, state: "open" });
        }
        let at = self.place();
        self.go_on_without(blocked, edge, at)
    }

    fn existing(&self, edge: (NodeId, NodeId)) -> Result<(NodeId, NodeId), EventError> {
        let (a, b) = lower_first(edge);
        let is_edge = a != b && (b as usize) < self.whole.len() && self.whole.allows(a, b);
        if is_edge { Ok((a, b)) } else { Err(EventError::NoSuchEdge { edge: (a, b) }) }
    }

    fn go_on_without(
        &mut self,
        blocked: BTreeSet<(NodeId, NodeId)>,
        edge: (NodeId, NodeId),
        at: NodeId,
    ) -> Result<(), EventError> {
        let walked = without(&self.whole, &blocked).map_err(|error| match error {
            GraphError::Disconnected { cut_off, .. } => EventError::Bridge { edge, cut_off },
            other => refused(other),
        })?;
        let agent = self.definition.agent.build(&walked).map_err(refused)?;
        if agent.memory() != Memory::default() {
            return Err(EventError::RemembersEdges { agent: self.definition.agent.name() });
        }
        let before = self.session.state();
        self.drop_orders(at)?;
        let gone_on = forgetful(&self.session.state())
            .and_then(|state| AskTell::resume(walked, agent, state).map_err(refused));
        match gone_on {
            Ok(session) => {
                (self.session, self.blocked) = (session, blocked);
                self.session.ask();
                Ok(())
            }
            Err(error) => {
                self.take_back(before)?;
                Err(error)
            }
        }
    }

    fn take_back(&mut self, state: SessionState) -> Result<(), EventError> {
        let walked = without(&self.whole, &self.blocked).map_err(refused)?;
        let agent = self.definition.agent.build(&walked).map_err(refused)?;
        self.session = AskTell::resume(walked, agent, state).map_err(refused)?;
        Ok(())
    }
}

/// A state holds shortcuts through the graph it was made on; written down and read again it is
/// without them.
fn forgetful(state: &SessionState) -> Result<SessionState, EventError> {
    let written = serde_json::to_string(state).map_err(refused)?;
    serde_json::from_str(&written).map_err(refused)
}

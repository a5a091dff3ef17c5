//! A session that can be put aside: all of it that cannot be had again from graph and agent.

use super::AskTell;
use crate::agent::{Agent, Leg, Memory, MemoryError, Phase};
use crate::cover::Cover;
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::random::Stream;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// A session put aside. With the same graph and a fresh agent of the same spec it goes on as if it
/// never had been.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    at: NodeId,
    phase: Phase,
    leg: Leg,
    entered: usize,
    stream: Stream,
    cover: Cover,
    estimates: Estimates,
    memory: Memory,
}

/// Why a state is none of a session on this graph.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum StateError {
    /// Of a graph of another size.
    #[error("the session was on a graph of {stored} nodes, this one has {nodes}")]
    OtherGraph {
        /// How many nodes its graph had.
        stored: usize,
        /// How many this one has.
        nodes: usize,
    },
    /// A node that the graph does not have.
    #[error("the session speaks of node {node}; the nodes are 0 to {last}")]
    UnknownNode {
        /// The node.
        node: NodeId,
        /// The highest node number there is.
        last: NodeId,
    },
    /// Covering is said to be further than it is.
    #[error("the session says that all nodes below {lowest} are visited, but they are not")]
    NotCovered {
        /// Below which node.
        lowest: NodeId,
    },
    /// A leg that the graph does not allow, or more of it entered than there is.
    #[error(
        "the session's leg {path:?}, {entered} entered, is no walk from node {at} on this graph"
    )]
    IllegalLeg {
        /// Where the walker stands.
        at: NodeId,
        /// The path.
        path: Vec<NodeId>,
        /// How many of its nodes have been entered.
        entered: usize,
    },
    /// The memory of another agent.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl AskTell {
    /// The session as it stands.
    pub fn state(&self) -> SessionState {
        SessionState {
            at: self.at,
            phase: self.phase,
            leg: self.leg.clone(),
            entered: self.entered,
            stream: self.stream.clone(),
            cover: self.cover.clone(),
            estimates: self.estimates.clone(),
            memory: self.agent.memory(),
        }
    }

    /// Goes on with a session that was put aside; `agent` is a fresh one of the same spec.
    ///
    /// # Errors
    /// When the state does not belong to this graph and agent.
    pub fn resume(
        graph: impl Into<Arc<Graph>>,
        mut agent: Box<dyn Agent + Send>,
        state: SessionState,
    ) -> Result<Self, StateError> {
        let graph = graph.into();
        state.check(&graph)?;
        agent.recall(&state.memory)?;
        Ok(Self {
            graph,
            agent,
            estimates: state.estimates,
            stream: state.stream,
            cover: state.cover,
            at: state.at,
            leg: state.leg,
            phase: state.phase,
            entered: state.entered,
        })
    }
}

impl SessionState {
    fn check(&self, graph: &Graph) -> Result<(), StateError> {
        let (stored, nodes) = (self.estimates.samples().len(), graph.len());
        if stored != nodes {
            return Err(StateError::OtherGraph { stored, nodes });
        }
        let mut named = self.leg.path.iter().chain(self.cover.trail()).chain([&self.at]);
        if let Some(&node) = named.find(|&&node| node as usize >= nodes) {
            return Err(StateError::UnknownNode { node, last: nodes as NodeId - 1 });
        }
        let visited = &self.estimates.samples()[..(self.cover.lowest() as usize).min(nodes)];
        if self.cover.lowest() as usize > nodes || visited.iter().any(|sample| sample.count == 0) {
            return Err(StateError::NotCovered { lowest: self.cover.lowest() });
        }
        let ahead = self.leg.path.get(self.entered..).unwrap_or(&[]);
        let mut from = self.at;
        let legal = ahead.iter().all(|&to| graph.allows(std::mem::replace(&mut from, to), to));
        if !legal || self.entered > self.leg.path.len() {
            return Err(StateError::IllegalLeg {
                at: self.at,
                path: self.leg.path.clone(),
                entered: self.entered,
            });
        }
        Ok(())
    }
}

//! The one executor: a walker on a field, leg by leg, visit by visit.
//!
//! Everything that walks (a run, a trace, an environment, an ask/tell session, a served agent, a
//! drone) is a loop over a [`Trajectory`]. It asks the agent for a leg, refuses one that the graph
//! does not allow, expands it into visits, has a [`Payer`] pay them, and reports to the agent and
//! an [`Observer`]. It decides nothing itself: the caller chooses how far to go and when to stop.

mod decision;
mod event;
mod fault;
mod order;
mod payer;
mod told;
mod walker;

pub use decision::{Decision, DecisionError};
pub use event::{Event, Observer};
pub use fault::LegError;
pub use order::Order;
pub use payer::Payer;
pub use told::{Paid, Told};
pub use walker::{Setting, Walker};

use crate::agent::{Agent, RemembersEdges};
use crate::closures::ClosureError;
use crate::estimates::Estimates;
use crate::field::{Edge, EdgeError, Field, FieldError, OpenRoads};
use crate::graph::{Graph, NodeId};
use crate::node_scores::NodeScores;
use std::borrow::Cow;
use thiserror::Error;

/// Why the roads of a trajectory could not change; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// The edge cannot be closed or opened.
    #[error(transparent)]
    Edge(#[from] EdgeError),
    /// The agent cannot continue after edges change.
    #[error(transparent)]
    Agent(#[from] RemembersEdges),
    /// The reopening rate is invalid.
    #[error(transparent)]
    Rate(ClosureError),
}

/// One walker on one field.
#[derive(Debug, Clone)]
pub struct Trajectory<A> {
    field: Field,
    walker: Walker<A>,
}

impl<A: Agent> Trajectory<A> {
    /// A walker about to start.
    ///
    /// # Errors
    /// When the walker's start is not a node of the field.
    pub fn new(field: Field, agent: A, setting: Setting) -> Result<Self, FieldError> {
        field.check_node(setting.start)?;
        Ok(Self { field, walker: Walker::new(agent, setting) })
    }

    /// A walker that is known to be on the field.
    pub(crate) fn of(field: Field, walker: Walker<A>) -> Self {
        Self { field, walker }
    }

    /// The field.
    #[inline]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The walker.
    #[inline]
    pub fn walker(&self) -> &Walker<A> {
        &self.walker
    }

    #[inline]
    pub(crate) fn parts(&mut self) -> (&mut Field, &mut Walker<A>) {
        (&mut self.field, &mut self.walker)
    }

    /// The agent.
    pub fn agent_mut(&mut self) -> &mut A {
        self.walker.agent_mut()
    }

    /// The agent, at the end of the walk.
    pub fn into_agent(self) -> A {
        self.walker.into_agent()
    }

    /// The graph to walk.
    #[inline]
    pub fn graph(&self) -> &Graph {
        self.field.graph()
    }

    /// Every reward so far.
    #[inline]
    pub fn estimates(&self) -> &Estimates {
        self.field.estimates()
    }

    /// The node the walker stands on.
    #[inline]
    pub fn at(&self) -> NodeId {
        self.walker.at()
    }

    /// The walker's next order. The answer stays the same until something happens.
    ///
    /// # Errors
    /// When the agent fails or its leg is not legal.
    pub fn order<O: Observer>(&mut self, observer: &mut O) -> Result<Order<&[NodeId]>, LegError> {
        self.walker.plan(&self.field, observer)?;
        Ok(self.walker.order())
    }

    /// Advances by at most `most` visits, but not past the end of the leg; plans a leg first if
    /// there is none. Returns the number of visits made.
    ///
    /// # Errors
    /// When the agent or the payer fails, or the agent's leg is not legal. Do not continue after
    /// the payer has failed: paid visits stay recorded, but the rest of the leg is lost.
    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    pub fn advance<P: Payer, O: Observer>(
        &mut self,
        most: u64,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<u64, LegError> {
        self.walker.advance(&mut self.field, most, payer, observer)
    }

    /// Drops the leg and visits `node` once, whether a road leads there or not.
    ///
    /// # Errors
    /// When the agent or the payer fails.
    ///
    /// # Panics
    /// When the graph does not have this node.
    pub fn go<P: Payer, O: Observer>(
        &mut self,
        node: NodeId,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<(), LegError> {
        self.walker.go(&mut self.field, node, payer, observer)
    }

    /// Drops the leg: the next one is planned from here.
    pub fn abandon(&mut self) {
        self.walker.abandon();
    }

    /// The current decision as far as it remains; right after planning, all of it.
    pub fn decision(&self) -> Decision {
        self.walker.decision()
    }

    /// Makes an earlier decision the walker's own, without calling the agent.
    ///
    /// # Errors
    /// When this decision is not possible here. Nothing changes then.
    pub fn decide<O: Observer>(
        &mut self,
        decision: &Decision,
        observer: &mut O,
    ) -> Result<(), DecisionError> {
        self.walker.decide(&self.field, decision, observer)
    }

    /// Places the walker on `node`, however it got there. No reward is collected. Its leg is
    /// dropped if `node` is elsewhere.
    ///
    /// # Errors
    /// When the graph does not have this node.
    pub fn be_at(&mut self, node: NodeId) -> Result<(), FieldError> {
        self.field.check_node(node)?;
        if !self.graph().is_connected() {
            self.walker.cover_again();
        }
        self.walker.be_at(node);
        Ok(())
    }

    /// Records a `reward` on `node` that somebody else collected; see [`Field::observe`].
    ///
    /// # Errors
    /// When the node does not exist or the reward is invalid.
    pub fn observe(&mut self, node: NodeId, reward: f64) -> Result<(), FieldError> {
        self.field.observe(node, reward)?;
        self.walker.overheard(&self.field, node);
        Ok(())
    }

    /// Closes an edge. Drops the leg and forgets everything derived from the old edges. Nodes that
    /// are no longer reachable from the walker are set aside, if the agent can do without them
    /// ([`Agent::footing`]).
    ///
    /// # Errors
    /// When there is no such edge, it is already closed, the agent needs nodes that would be cut
    /// off, or the agent cannot continue after edges change. Nothing changes then.
    pub fn close(&mut self, edge: Edge) -> Result<(), ChangeError> {
        let roads = self.field.closing(edge)?;
        roads.check(edge, self.walker.agent().footing())?;
        self.change(roads)
    }

    /// Closes all of these edges at once, in addition to those already closed.
    pub(crate) fn close_all(&mut self, edges: Vec<Edge>) -> Result<(), ChangeError> {
        let Some(&first) = edges.first() else { return Ok(()) };
        let mut closed = self.field.closed().clone();
        closed.extend(edges);
        let roads = self.field.closing_all(&closed)?;
        roads.check(first, self.walker.agent().footing())?;
        self.change(roads)
    }

    /// Opens a closed edge again.
    ///
    /// # Errors
    /// When there is no such edge, it is already open, or the agent cannot continue after edges
    /// change. Nothing changes then.
    pub fn open(&mut self, edge: Edge) -> Result<(), ChangeError> {
        let roads = self.field.opening(edge)?;
        self.change(roads)
    }

    fn change(&mut self, roads: OpenRoads) -> Result<(), ChangeError> {
        self.walker.change_graph(&roads.open)?;
        if !(self.graph().is_connected() && roads.open.is_connected()) {
            // The walker may reach unvisited nodes that were out of reach before.
            self.walker.cover_again();
        }
        self.field.change_roads(roads);
        Ok(())
    }

    /// How promising each node looks now; see [`Agent::scores`]. Looking changes nothing.
    pub fn scores(&mut self) -> Option<Vec<f64>> {
        self.walker.scores(&self.field)
    }

    /// The same, for a caller that looks at few nodes; see [`Agent::node_scores`].
    pub fn node_scores(&mut self) -> Option<NodeScores> {
        self.walker.node_scores(&self.field)
    }

    /// What the agent still remembers of all rewards: all of them if it does not forget. See
    /// [`Agent::remembered`].
    pub fn remembered(&self) -> Cow<'_, Estimates> {
        self.walker.remembered(&self.field)
    }
}

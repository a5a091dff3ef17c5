//! What the fleet serves: an agent that leads one robot, or a team.

use super::planning::work_of_plan;
use super::{
    Best, BestQuery, Curve, Definition, Event, EventError, FoundChanges, GraphLimits, Happened,
    Live, LiveTeam, NoSuchNode, NodeEstimate, NodeName, Order, Planning, Positions, Record,
    Reopening, ReplayError, ResumeError, SetAside, Snapshot, TeamSummary, WalkerName,
};
use graph_bandit::team::WalkerId;
use graph_bandit::{CertaintyError, Edge, Estimates, Graph, NodeId, Phase, RoadTimes};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// An agent of the fleet in memory.
pub enum Served {
    /// It leads one robot.
    Alone(Box<Live>),
    /// It is a team.
    Team(Box<LiveTeam>),
}

/// The same for both kinds.
macro_rules! both {
    ($self:ident, $live:ident => $value:expr) => {
        match $self {
            Served::Alone($live) => $value,
            Served::Team($live) => $value,
        }
    };
}

impl Served {
    /// The agent before its first event.
    ///
    /// # Errors
    /// When this version cannot build the definition.
    pub fn new(definition: Definition, limits: GraphLimits) -> Result<Self, ResumeError> {
        let graph = definition.graph.build(definition.seed, limits)?;
        Self::on(definition, graph)
    }

    /// Like [`new`](Self::new), with the graph at hand.
    ///
    /// # Errors
    /// When this version cannot build the definition.
    pub fn on(definition: Definition, graph: Graph) -> Result<Self, ResumeError> {
        if definition.team.is_some() {
            return Ok(Self::Team(Box::new(LiveTeam::on(definition, graph)?)));
        }
        Ok(Self::Alone(Box::new(Live::on(definition, graph)?)))
    }

    /// Restores the agent from a snapshot.
    ///
    /// # Errors
    /// When the snapshot does not belong to this agent.
    pub fn resume(
        definition: Definition,
        snapshot: Snapshot,
        limits: GraphLimits,
    ) -> Result<Self, ResumeError> {
        if definition.team.is_some() {
            let graph = definition.graph.build(definition.seed, limits)?;
            return Ok(Self::Team(Box::new(LiveTeam::at(definition, graph, snapshot)?)));
        }
        Ok(Self::Alone(Box::new(Live::resume(definition, snapshot, limits)?)))
    }

    /// The agent that leads one robot.
    ///
    /// # Errors
    /// When it is a team.
    pub fn alone(&self) -> Result<&Live, EventError> {
        match self {
            Self::Alone(live) => Ok(live),
            Self::Team(team) => Err(EventError::NoWalker { known: team.known_walkers() }),
        }
    }

    /// The team, if it is one.
    pub fn team(&self) -> Option<&LiveTeam> {
        match self {
            Self::Alone(_) => None,
            Self::Team(team) => Some(team),
        }
    }

    /// Its definition.
    pub fn definition(&self) -> &Definition {
        both!(self, live => live.definition())
    }

    /// Its graph, blocked edges included. Shared, so that readers need not hold the agent.
    pub fn graph(&self) -> &Arc<Graph> {
        both!(self, live => live.graph())
    }

    pub(crate) fn positions(&self) -> Arc<OnceCell<Arc<Positions>>> {
        both!(self, live => live.positions())
    }

    /// How many records its log has.
    pub fn sequence(&self) -> u64 {
        both!(self, live => live.sequence())
    }

    /// The sum of all rewards over time.
    pub fn rewards(&self) -> &Curve {
        both!(self, live => live.rewards())
    }

    /// All rewards.
    pub fn estimates(&self) -> &Estimates {
        both!(self, live => live.estimates())
    }

    /// The number of a node.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn find(&self, node: &NodeName) -> Result<NodeId, NoSuchNode> {
        both!(self, live => live.find(node))
    }

    /// The state that is needed to resume from here.
    pub fn snapshot(&self) -> Snapshot {
        both!(self, live => live.snapshot())
    }

    /// Applies the next record of the log.
    ///
    /// # Errors
    /// When it cannot be the next one. The agent must be loaded from its log again then.
    pub fn replay(&mut self, record: &Record) -> Result<(), ReplayError> {
        both!(self, live => live.replay(record))
    }

    /// What is known of the nodes `range`, by number.
    pub fn node_estimates(&mut self, range: Range<NodeId>) -> Vec<NodeEstimate> {
        both!(self, live => live.node_estimates(range))
    }

    /// How long ago a node was last visited; `None` if never, or if the agent does not remember.
    pub fn age(&self, node: NodeId) -> Option<f64> {
        both!(self, live => live.age(node))
    }

    /// The best node so far, and how certain it is.
    ///
    /// # Errors
    /// When there is no such confidence or scale.
    pub fn best(&self, wanted: BestQuery) -> Result<Best, CertaintyError> {
        both!(self, live => live.best(wanted))
    }

    /// The nodes that cannot be reached now; in a team, by no walker.
    pub fn set_aside(&self) -> SetAside {
        both!(self, live => live.set_aside())
    }

    /// The blocked edges, for good or for now, each with its lower node number first; roads in their
    /// direction.
    pub fn blocked(&self) -> Cow<'_, BTreeSet<Edge>> {
        match self {
            Self::Alone(live) => live.blocked(),
            Self::Team(team) => Cow::Borrowed(team.blocked()),
        }
    }

    /// The blocked edges that are expected to reopen; a team does not expect any.
    pub fn reopening(&self) -> Vec<Reopening> {
        self.alone().map(Live::reopening).unwrap_or_default()
    }

    /// The reported times of roads, by direction; a team does not learn any.
    pub fn told_times(&self) -> Option<&BTreeMap<Edge, RoadTimes>> {
        self.alone().ok().map(Live::told_times)
    }

    /// The changes that it found.
    pub fn found(&self) -> FoundChanges {
        match self {
            Self::Alone(live) => live.found().clone(),
            Self::Team(team) => team.found().clone(),
        }
    }

    /// Whether the graph is being covered, or the agent decides.
    pub fn phase(&self) -> Phase {
        match self {
            Self::Alone(live) => live.order().phase,
            Self::Team(team) => team.phase(),
        }
    }

    /// The team and its walkers, if it is one.
    pub fn summary(&self) -> Option<TeamSummary> {
        self.team().map(LiveTeam::summary)
    }

    /// The number of the next report: of the agent alone, or of the team for reports without a walker.
    pub fn next_report(&self) -> u64 {
        match self {
            Self::Alone(live) => live.sequence(),
            Self::Team(team) => team.numbers().next(None),
        }
    }

    /// The present order, of the walker if it is a team. `number` and `seal` are the agent's in its store.
    ///
    /// # Errors
    /// When a walker is named and it is not a team, or the other way round, or there is no such walker.
    pub fn ask(
        &mut self,
        walker: Option<&WalkerName>,
        number: u64,
        seal: &str,
    ) -> Result<Order, EventError> {
        match (self, walker) {
            (Self::Alone(live), None) => Ok(live.ask(number, seal)),
            (Self::Alone(_), Some(_)) => Err(EventError::NotATeam),
            (Self::Team(team), Some(walker)) => team.ask(walker, number),
            (Self::Team(team), None) => {
                Err(EventError::AsksWithoutWalker { known: team.known_walkers() })
            }
        }
    }

    /// Applies an event within a planning budget; in a team, `by` says which walker reports it.
    ///
    /// # Errors
    /// As [`Live::apply_within`].
    pub fn apply_within(
        &mut self,
        by: Option<WalkerId>,
        event: &Event,
        planning: &mut Planning,
    ) -> Result<Happened, EventError> {
        match self {
            Self::Alone(live) => live.apply_within(event, planning),
            Self::Team(team) => team.apply_within(by, event, planning),
        }
    }

    /// Notes when the last visit ended.
    pub(crate) fn come_to(&mut self, time: f64) {
        if let Self::Alone(live) = self {
            live.come_to(time);
        }
    }

    /// Notes the seal of the last record.
    pub(crate) fn sealed(&mut self, seal: &str) {
        if let Self::Team(team) = self {
            team.sealed(seal);
        }
    }

    /// How much work one plan is.
    pub(crate) fn work_of_plan(&self) -> u64 {
        match self {
            Self::Alone(live) => {
                work_of_plan(live.definition().agent.name(), live.graph(), live.place())
            }
            Self::Team(team) => team.work_of_plan(),
        }
    }
}

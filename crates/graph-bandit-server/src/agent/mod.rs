//! An agent at work: its state is a pure function of its definition and the events of its log.
//!
//! After every single visit the next leg is planned at once, not when somebody asks. Planning may
//! draw random numbers, and an ask leaves no record; so only then does the state not depend on who
//! looked at it when.
//!
//! Decisions are facts: every plan is in the record of the report that it was made for, and replay
//! installs it. A planner that gets better never gives a stored agent another past.

mod best;
mod curve;
mod deciding;
mod definition;
mod error;
mod event;
mod graph_source;
mod name;
mod order;
mod place;
mod planning;
mod reach;
mod replay;
mod snapshot;
pub(crate) mod whole;
mod why;

pub use best::{Best, BestWanted, BracketedNode};
pub use curve::{Curve, MOST_POINTS, NoCurve};
pub use deciding::Planned;
pub use definition::{AgentWish, Definition, DefinitionError, Wish};
pub use error::{EventError, ReplayError, ResumeError};
pub(crate) use event::FORMAT;
pub use event::{Event, LAST_SEQUENCE, Receipt, Record, Visits};
pub use graph_source::{GraphLimits, GraphSource, GraphSourceError, GraphWish, ListedGraph};
pub(crate) use name::Name;
pub use name::{LONGEST_NAME, is_name};
pub use order::Order;
pub use place::{Directory, Ends, NoSuchNode, NodeName, Place, Spoken};
pub(crate) use planning::work_of_plan;
pub use planning::{GoesOn, PLANNING_PER_REPORT, Planning};
pub use reach::SetAside;
pub use snapshot::Snapshot;
pub use why::{NodeEstimate, RunnerUp, Why};

use crate::fingerprint::fingerprint_of;
use deciding::{Deciding, Moment};
use graph_bandit::reward::MAX_MAGNITUDE;
use graph_bandit::{
    AskTell, ChangeError, Decision, Edge, Estimates, Graph, MAX_VISITS, NodeId, SessionPlan,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// Where each node is drawn.
pub type Positions = Vec<[f64; 2]>;

/// An agent at work. Its next leg is always planned.
pub struct Live {
    definition: Definition,
    directory: Directory,
    session: AskTell,
    curve: Curve,
    sequence: u64,
    /// Whether the log does not say what is ordered: its last record is of the first format.
    is_order_unsaid: bool,
    /// Whether a snapshot does.
    is_order_in_snapshot: bool,
    /// Whether plans of the first format are not made as they were any more, and the order was planned
    /// anew.
    planned_anew: bool,
    positions: Arc<OnceCell<Arc<Positions>>>,
}

/// What a report came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Happened {
    /// What is answered.
    pub receipt: Receipt,
    /// What was ordered before, where the log does not say it.
    pub ordered: Option<Decision>,
    /// Whether that was planned anew.
    pub planned_anew: bool,
    /// The plans that were made.
    pub plans: Vec<Planned>,
}

impl Live {
    /// The agent before its first event.
    ///
    /// # Errors
    /// When the definition is none that this version can carry out.
    pub fn new(definition: Definition, limits: GraphLimits) -> Result<Self, ResumeError> {
        let graph = definition.graph.build(definition.seed, limits)?;
        Self::on(definition, graph)
    }

    /// As [`new`](Self::new), where the graph is at hand.
    ///
    /// # Errors
    /// When the definition is none that this version can carry out.
    pub fn on(mut definition: Definition, graph: Graph) -> Result<Self, ResumeError> {
        if let Some(origin) = definition.origin.take() {
            let origin_again = origin.clone();
            // What an imported agent did elsewhere is not part of its log here.
            let mut live = Self::at(definition, graph, Snapshot { sequence: 0, ..*origin })?;
            live.definition.origin = Some(origin_again);
            (live.is_order_unsaid, live.planned_anew) = (false, false);
            live.begin()?;
            return Ok(live);
        }
        check_graph(&definition, &graph)?;
        let agent = definition.agent.build(&graph)?;
        let plan =
            SessionPlan { start: definition.start, init: definition.init, seed: definition.seed };
        let session = AskTell::new(graph, agent, plan)?;
        let mut live = Self::of(definition, session, Curve::default());
        live.begin()?;
        Ok(live)
    }

    /// The order before the first record: the one that was given when the agent was created.
    fn begin(&mut self) -> Result<(), ResumeError> {
        if let Some(first) = &self.definition.first {
            self.session.decide(first)?;
        } else {
            self.is_order_unsaid = self.definition.format < FORMAT;
            self.session.ask()?;
            self.definition.first = Some(self.session.decision());
        }
        Ok(())
    }

    /// The agent as a snapshot keeps it.
    ///
    /// # Errors
    /// When the snapshot is not one of this agent.
    pub fn resume(
        definition: Definition,
        snapshot: Snapshot,
        limits: GraphLimits,
    ) -> Result<Self, ResumeError> {
        let graph = definition.graph.build(definition.seed, limits)?;
        Self::at(definition, graph, snapshot)
    }

    fn at(definition: Definition, graph: Graph, snapshot: Snapshot) -> Result<Self, ResumeError> {
        check_graph(&definition, &graph)?;
        let Snapshot { sequence, blocked, curve, state, .. } = snapshot;
        let agent = definition.agent.build(&graph)?;
        let session = AskTell::resume_with(graph, &blocked, agent, state)?;
        curve.check(session.estimates())?;
        let mut live = Self::of(definition, session, curve);
        live.sequence = sequence;
        live.is_order_unsaid = snapshot.is_order_unsaid || snapshot.format < FORMAT;
        live.planned_anew = snapshot.planned_anew;
        live.is_order_in_snapshot = snapshot.format >= FORMAT;
        // A session that somebody else put aside may stand before its next plan.
        live.session.ask()?;
        Ok(live)
    }

    fn of(definition: Definition, session: AskTell, curve: Curve) -> Self {
        let map = session.field().map();
        let directory = Directory::new(map.names().unwrap_or_default(), map.len());
        let (is_order_unsaid, planned_anew, positions) = (false, false, Arc::default());
        Self {
            definition,
            directory,
            session,
            curve,
            sequence: 0,
            is_order_unsaid,
            is_order_in_snapshot: false,
            planned_anew,
            positions,
        }
    }

    /// What it was created as.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Its graph, blocked edges included; whoever keeps it need not keep the agent waiting.
    pub fn graph(&self) -> &Arc<Graph> {
        self.session.field().map()
    }

    /// Where its nodes are drawn, for whoever finds out first.
    pub(crate) fn positions(&self) -> Arc<OnceCell<Arc<Positions>>> {
        Arc::clone(&self.positions)
    }

    /// The edges that are blocked, the lower number first.
    pub fn blocked(&self) -> &BTreeSet<Edge> {
        self.session.field().closed()
    }

    /// How many events it has seen: the number the next one must bear.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Where the walker stands.
    pub fn place(&self) -> NodeId {
        self.session.at()
    }

    /// The sum of all rewards over time.
    pub fn rewards(&self) -> &Curve {
        &self.curve
    }

    /// Everything it was told.
    pub fn estimates(&self) -> &Estimates {
        self.session.estimates()
    }

    /// What to do next, by number: the same until something happens.
    pub fn order(&self) -> graph_bandit::Order<&[NodeId]> {
        let order = self.session.pending();
        // A stay without end is as long as any agent lives.
        graph_bandit::Order { stay: order.stay.min(MAX_VISITS), ..order }
    }

    /// All that must be kept to go on from here.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            format: FORMAT,
            seal: None,
            is_order_unsaid: self.is_order_unsaid,
            planned_anew: self.planned_anew,
            sequence: self.sequence,
            blocked: self.blocked().clone(),
            curve: self.curve.clone(),
            state: self.session.state(),
        }
    }

    /// The number of a node.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn find(&self, node: &NodeName) -> Result<NodeId, NoSuchNode> {
        self.directory.find(node, self.graph().names().unwrap_or_default())
    }

    /// The next visits of the leg, paid these rewards in order.
    ///
    /// # Errors
    /// When there are more rewards than visits.
    pub fn as_ordered(&self, rewards: Vec<f64>) -> Result<Vec<Visits>, EventError> {
        let order = self.order();
        let visits = order.visits();
        if rewards.len() as u64 > visits {
            return Err(EventError::TooManyRewards { rewards: rewards.len(), visits });
        }
        Ok(in_runs(order.nodes().zip(rewards)))
    }

    /// Lets an event happen.
    ///
    /// # Errors
    /// When it cannot have happened: nothing changes then. When the agent fails
    /// ([`EventError::AgentFailed`]), some of it has happened, and the agent must be had from its log
    /// again.
    pub fn apply(&mut self, event: &Event) -> Result<Happened, EventError> {
        self.apply_within(event, &mut Planning::unlimited())
    }

    /// As [`apply`](Self::apply), as far as planning goes: where it is spent, the rest of the report is
    /// told without orders in between, and one plan is made at the end.
    ///
    /// # Errors
    /// As [`apply`](Self::apply). When nobody wants it any more ([`EventError::GivenUp`]), some of it has
    /// happened, too.
    pub fn apply_within(
        &mut self,
        event: &Event,
        planning: &mut Planning,
    ) -> Result<Happened, EventError> {
        let ordered = self.is_order_unsaid.then(|| self.session.decision());
        let planned_anew = self.planned_anew;
        let mut deciding = Deciding::agent(self.definition.agent.name(), planning, &self.session);
        let replanned = self.happen(event, &mut deciding)?;
        let plans = deciding.done(&mut self.session)?;
        (self.is_order_unsaid, self.planned_anew) = (false, false);
        Ok(Happened { receipt: self.counted(replanned), ordered, planned_anew, plans })
    }

    /// Whether the order was dropped and planned anew.
    fn happen(&mut self, event: &Event, deciding: &mut Deciding<'_>) -> Result<bool, EventError> {
        match event {
            Event::Told { visits } => return self.told(visits, deciding),
            Event::LegFailed { at, .. } => {
                self.find(&NodeName::Number(*at))?;
                // On a graph of one node the leg goes on: there it always has, and logs are replayed.
                if self.graph().len() > 1 {
                    self.session.abandon();
                }
                self.stand_on(*at)?;
            }
            Event::EdgeBlocked { edge, at } => {
                self.find(&NodeName::Number(*at))?;
                let closed = self.session.close(*edge);
                closed.map_err(|error| self.refuses_edge(error))?;
                self.stand_on(*at)?;
            }
            Event::EdgeOpened { edge } => {
                let opened = self.session.open(*edge);
                opened.map_err(|error| self.refuses_edge(error))?;
            }
            Event::Observed { observations } => {
                self.observed(observations)?;
                return Ok(false);
            }
            Event::Moved { at, .. } => {
                self.find(&NodeName::Number(*at))?;
                self.session.abandon();
                self.stand_on(*at)?;
            }
        }
        deciding.next(&mut self.session, Moment::After(0))?;
        Ok(true)
    }

    /// The receipt of the event that just happened.
    fn counted(&mut self, replanned: bool) -> Receipt {
        let sequence = self.sequence;
        self.sequence += 1;
        Receipt {
            sequence,
            next_sequence: self.sequence,
            at: self.place(),
            visits: self.estimates().visits(),
            replanned,
        }
    }

    /// Refuses visits that cannot have been.
    fn check_visits(&self, visits: &[Visits]) -> Result<(), EventError> {
        let mut count = 0_u64;
        for Visits { node, rewards } in visits {
            self.find(&NodeName::Number(*node))?;
            if let Some(&reward) = rewards.iter().find(|reward| !in_range(**reward)) {
                let node = Spoken::of(self.graph(), *node);
                return Err(EventError::RewardOutOfRange { node, reward });
            }
            count = count.saturating_add(rewards.len() as u64);
        }
        if count == 0 {
            return Err(EventError::NoVisit);
        }
        if count > MAX_VISITS - self.estimates().visits() {
            return Err(EventError::TooManyVisits);
        }
        Ok(())
    }

    /// What others were paid is known from now on. The order stands: it is planned anew when its leg ends.
    fn observed(&mut self, observations: &[Visits]) -> Result<(), EventError> {
        self.check_visits(observations)?;
        for Visits { node, rewards } in observations {
            for &reward in rewards {
                self.session.observe(*node, reward).map_err(EventError::failed)?;
                self.curve.observe(reward);
            }
        }
        Ok(())
    }

    /// Whether a visit was not the one that was ordered.
    fn told(&mut self, visits: &[Visits], deciding: &mut Deciding<'_>) -> Result<bool, EventError> {
        self.check_visits(visits)?;
        let (mut replanned, mut made) = (false, 0);
        for Visits { node, rewards } in visits {
            for &reward in rewards {
                replanned |= !self.is_ordered(*node);
                if !self.session.graph().allows(self.place(), *node) {
                    // It was carried, or went where the map shows no way.
                    self.stand_on(*node)?;
                    deciding.next(&mut self.session, Moment::Carried(made))?;
                }
                if self.is_ordered(*node) {
                    self.session.tell(*node, reward).map_err(EventError::failed)?;
                } else {
                    self.session.visit(*node, reward).map_err(EventError::failed)?;
                }
                self.curve.push(reward);
                made += 1;
                deciding.next(&mut self.session, Moment::After(made))?;
            }
        }
        Ok(replanned)
    }

    /// Whether the next visit is to be to this node.
    fn is_ordered(&self, node: NodeId) -> bool {
        !self.session.is_idle() && self.session.pending().node == node
    }

    /// The walker is on `at` now.
    fn stand_on(&mut self, at: NodeId) -> Result<(), EventError> {
        self.session.move_to(at).map_err(EventError::failed)
    }

    fn refuses_edge(&self, error: ChangeError) -> EventError {
        EventError::of_change(self.graph(), self.definition.agent.name(), error)
    }
}

/// Refuses a graph that is not the one the agent was created on.
fn check_graph(definition: &Definition, graph: &Graph) -> Result<(), ResumeError> {
    let Some(stored) = &definition.graph_fingerprint else { return Ok(()) };
    let there = fingerprint_of(graph);
    if *stored == there {
        return Ok(());
    }
    let (graph, stored) = (definition.graph.described(), stored.clone());
    Err(ResumeError::OtherGraph { graph, there, stored })
}

fn in_range(reward: f64) -> bool {
    // False for what is not a number, too.
    reward.abs() <= MAX_MAGNITUDE
}

/// Visits one by one, as runs of visits to the same node.
pub fn in_runs(visits: impl IntoIterator<Item = (NodeId, f64)>) -> Vec<Visits> {
    let mut runs: Vec<Visits> = Vec::new();
    for (node, reward) in visits {
        match runs.last_mut() {
            Some(run) if run.node == node => run.rewards.push(reward),
            _ => runs.push(Visits { node, rewards: vec![reward] }),
        }
    }
    runs
}

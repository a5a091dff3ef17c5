//! Starts an agent from its definition or from a snapshot.

use super::live::Live;
use super::{
    ClockKind, Curve, Definition, Directory, FoundChanges, GraphLimits, LastVisits, ResumeError,
    Snapshot,
};
use crate::fingerprint::fingerprint_of;
use graph_bandit::{AskTell, Graph, MAX_VISITS, SessionPlan};
use std::sync::Arc;

impl Live {
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
    pub fn on(mut definition: Definition, graph: Graph) -> Result<Self, ResumeError> {
        if let Some(origin) = definition.origin.take() {
            let origin_again = origin.clone();
            // The log here does not have what an imported agent did elsewhere.
            let mut live = Self::at(definition, graph, Snapshot { sequence: 0, ..*origin })?;
            live.definition.origin = Some(origin_again);
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

    /// The order that was given when the agent was created, before the first record.
    fn begin(&mut self) -> Result<(), ResumeError> {
        if let Some(first) = &self.definition.first {
            self.session.decide(first)?;
        } else {
            self.session.ask()?;
            self.definition.first = Some(self.session.decision());
        }
        Ok(())
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
        let graph = definition.graph.build(definition.seed, limits)?;
        Self::at(definition, graph, snapshot)
    }

    fn at(definition: Definition, graph: Graph, snapshot: Snapshot) -> Result<Self, ResumeError> {
        check_graph(&definition, &graph)?;
        let Snapshot { sequence, blocked, curve, state, .. } = snapshot;
        let state = state.ok_or(ResumeError::OtherKind)?;
        let agent = definition.agent.build(&graph)?;
        let session = AskTell::resume_with(graph, &blocked, agent, state)?;
        curve.check(session.estimates())?;
        let mut live = Self::of(definition, session, curve);
        live.sequence = sequence;
        live.remember_time(snapshot.last_time)?;
        live.remember(snapshot.found, snapshot.seen)?;
        // A session that was exported elsewhere may lack its next plan.
        live.session.ask()?;
        Ok(live)
    }

    /// Takes over what a snapshot says about visits and changes.
    fn remember(&mut self, found: FoundChanges, seen: LastVisits) -> Result<(), ResumeError> {
        if !found.fit(self.curve.visits(), self.graph().len()) {
            return Err(ResumeError::Found { count: found.count() });
        }
        if !seen.fit(&self.seen, self.time()) {
            return Err(ResumeError::Seen);
        }
        (self.found, self.seen) = (found, seen);
        Ok(())
    }

    /// Takes over when the last visit ended, as a snapshot says it.
    fn remember_time(&mut self, last_time: Option<f64>) -> Result<(), ResumeError> {
        // False for NaN, too.
        let fits = |time: f64| time.abs() <= MAX_VISITS as f64 && self.clock() == ClockKind::Stamps;
        if let Some(time) = last_time.filter(|&time| !fits(time)) {
            return Err(ResumeError::LastTime { time });
        }
        self.last_time = last_time;
        Ok(())
    }

    fn of(definition: Definition, session: AskTell, curve: Curve) -> Self {
        let map = session.field().map();
        let directory = Directory::new(map.names().unwrap_or_default(), map.len());
        let seen = definition.nothing_seen(map.len());
        Self {
            definition,
            directory,
            session,
            curve,
            sequence: 0,
            positions: Arc::default(),
            last_time: None,
            found: FoundChanges::default(),
            seen,
        }
    }
}

/// Refuses a graph that is not the one the agent was created on.
pub(super) fn check_graph(definition: &Definition, graph: &Graph) -> Result<(), ResumeError> {
    let there = fingerprint_of(graph);
    if definition.graph_fingerprint == there {
        return Ok(());
    }
    let (graph, stored) = (definition.graph.described(), definition.graph_fingerprint.clone());
    Err(ResumeError::OtherGraph { graph, there, stored })
}

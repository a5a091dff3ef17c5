//! Starts a team from its definition or from a snapshot.

use super::super::resume::check_graph;
use super::super::{
    Curve, Definition, Directory, Format, FoundChanges, LastVisits, ResumeError, Snapshot,
};
use super::definition::{TeamDefinition, team_agent};
use super::live::{KnownName, LiveTeam};
use super::numbers::Numbers;
use graph_bandit::Graph;
use graph_bandit::team::{TeamSession, TeamState, WalkerId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The part of a snapshot that is a team's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamSnapshot {
    /// The session.
    pub state: TeamState,
    /// The report numbers of its walkers.
    pub numbers: Numbers,
    /// The names of walkers, also of those that have left.
    pub names: BTreeMap<WalkerId, KnownName>,
}

impl LiveTeam {
    /// The team before its first event.
    ///
    /// # Errors
    /// When this version cannot build the definition.
    pub fn on(mut definition: Definition, graph: Graph) -> Result<Self, ResumeError> {
        if let Some(origin) = definition.origin.take() {
            let origin_again = origin.clone();
            let mut live = Self::at(definition, graph, *origin)?;
            live.definition.origin = Some(origin_again);
            // The log here does not have what an imported team did elsewhere. Walkers keep their numbers
            // and names; their reports start again at 0.
            (live.sequence, live.numbers) = (0, Numbers::default());
            let walkers = live.walkers().to_vec();
            live.names.retain(|walker, _| walkers.contains(walker));
            return Ok(live);
        }
        check_graph(&definition, &graph)?;
        let team = team_of(&definition)?;
        let session = team.begin(&graph, &definition.agent, definition.seed)?;
        let given = (0..).zip(&team.walkers);
        let names = given.filter_map(|(id, walker)| Some((id, KnownName::of(walker)?))).collect();
        let firsts = team.firsts.clone();
        let mut live = Self::of(definition, session, Curve::default(), names);
        live.begin(&firsts)?;
        Ok(live)
    }

    /// The orders that were given when the team was created, before the first record.
    fn begin(&mut self, firsts: &[graph_bandit::Decision]) -> Result<(), ResumeError> {
        let walkers = self.walkers().to_vec();
        if firsts.len() == walkers.len() {
            for (&walker, first) in walkers.iter().zip(firsts) {
                self.session.decide(walker, first)?;
            }
            return Ok(());
        }
        let mut decided = Vec::with_capacity(walkers.len());
        for walker in walkers {
            self.session.ask(walker)?;
            decided.push(self.session.decision(walker)?);
        }
        if let Some(team) = &mut self.definition.team {
            team.firsts = decided;
        }
        Ok(())
    }

    /// Restores the team from a snapshot.
    ///
    /// # Errors
    /// When the snapshot does not belong to this team.
    pub fn at(
        definition: Definition,
        graph: Graph,
        snapshot: Snapshot,
    ) -> Result<Self, ResumeError> {
        check_graph(&definition, &graph)?;
        let team = team_of(&definition)?;
        let stored = snapshot.team.ok_or(ResumeError::OtherKind)?;
        let TeamSnapshot { state, numbers, names } = *stored;
        let (sharing, agent) = (team.sharing(graph.len())?, team_agent(&definition.agent)?);
        let session = TeamSession::resume(graph, agent.build(), sharing, state)?;
        snapshot.curve.check(session.estimates())?;
        let found = snapshot.found;
        if !found.fit(snapshot.curve.visits(), session.graph().len()) {
            return Err(ResumeError::Found { count: found.count() });
        }
        let mut live = Self::of(definition, session, snapshot.curve, names);
        // A team without a clock, before or after, knows no ages.
        if !(snapshot.seen.are_unknown() || live.seen.are_unknown()) {
            if !snapshot.seen.fit(&live.seen, live.session.now().0) {
                return Err(ResumeError::Seen);
            }
            live.seen = snapshot.seen;
        }
        (live.sequence, live.numbers, live.found) = (snapshot.sequence, numbers, found);
        // A team that was exported elsewhere may lack plans.
        for walker in live.walkers().to_vec() {
            live.session.ask(walker)?;
        }
        Ok(live)
    }

    /// The state that is needed to resume from here.
    pub fn snapshot(&self) -> Snapshot {
        let team = TeamSnapshot {
            state: self.session.state(),
            numbers: self.numbers.clone(),
            names: self.names.clone(),
        };
        Snapshot {
            format: Format::CURRENT,
            seal: None,
            sequence: self.sequence,
            blocked: self.blocked().clone(),
            curve: self.curve.clone(),
            state: None,
            last_time: None,
            found: self.found.clone(),
            seen: self.seen.clone(),
            team: Some(Box::new(team)),
        }
    }

    fn of(
        definition: Definition,
        session: TeamSession,
        curve: Curve,
        names: BTreeMap<WalkerId, KnownName>,
    ) -> Self {
        let map = session.field().map();
        let directory = Directory::new(map.names().unwrap_or_default(), map.len());
        // A team whose agent does not listen has no clock after a restart, so it knows no ages.
        let seen = if session.listens() {
            definition.nothing_seen(map.len())
        } else {
            LastVisits::unknown()
        };
        Self {
            definition,
            directory,
            session,
            curve,
            seen,
            found: FoundChanges::default(),
            sequence: 0,
            numbers: Numbers::default(),
            names,
            unsealed: Vec::new(),
            positions: Arc::default(),
        }
    }
}

fn team_of(definition: &Definition) -> Result<TeamDefinition, ResumeError> {
    definition.team.as_deref().cloned().ok_or(ResumeError::OtherKind)
}

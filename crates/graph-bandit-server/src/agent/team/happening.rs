//! Applies events to a team: what a walker did, who joins and leaves, what somebody else saw.

use super::super::happening::in_range;
use super::super::{
    Event, EventError, FoundChange, Happened, Planning, Receipt, Record, ReplayError, Spoken,
    Visits,
};
use super::deciding::TeamDeciding;
use super::definition::{WalkerDefinition, check_confined};
use super::live::{KnownName, LiveTeam};
use super::numbers::Channel;
use super::refused::refused;
use super::walker::WalkerName;
use graph_bandit::team::{SessionError, TeamSession, WalkerId};
use graph_bandit::{MAX_VISITS, NodeId};

/// What an event did, before orders are given.
#[derive(Debug, Default)]
struct Effect {
    /// The walkers that have or may have lost their orders, the reporter first.
    planned_for: Vec<WalkerId>,
    /// How many visits it had.
    visits: u64,
    /// Whether an order was dropped: the reporter's, or any if an edge changed.
    replanned: bool,
    /// The walker that joined or left.
    walker: Option<WalkerId>,
}

impl LiveTeam {
    /// The next visits of the walker's leg, with these rewards in order.
    ///
    /// # Errors
    /// When there are more rewards than visits, or there is no such walker.
    pub fn as_ordered(
        &self,
        walker: WalkerId,
        rewards: Vec<f64>,
    ) -> Result<Vec<Visits>, EventError> {
        let order = self.order(walker)?;
        let visits = order.visits();
        if rewards.len() as u64 > visits {
            return Err(EventError::TooManyRewards { rewards: rewards.len(), visits });
        }
        Ok(super::super::in_runs(order.nodes().zip(rewards)))
    }

    /// Applies an event that a walker reports, or somebody else.
    ///
    /// # Errors
    /// As [`Live::apply`](crate::agent::Live::apply).
    pub fn apply(&mut self, by: Channel, event: &Event) -> Result<Happened, EventError> {
        self.apply_within(by, event, &mut Planning::unlimited())
    }

    /// Like [`apply`](Self::apply), within a planning budget.
    ///
    /// # Errors
    /// As [`Live::apply_within`](crate::agent::Live::apply_within).
    pub fn apply_within(
        &mut self,
        by: Channel,
        event: &Event,
        planning: &mut Planning,
    ) -> Result<Happened, EventError> {
        self.check_limits(event)?;
        let deciding = TeamDeciding::agent(self.definition.agent.name(), planning);
        let happened = self.happen(by, event, deciding, None)?;
        Ok(happened)
    }

    /// Applies the next record of the log.
    ///
    /// # Errors
    /// When it cannot be the next one. The team must be loaded from its log again then.
    pub fn replay(&mut self, record: &Record) -> Result<(), ReplayError> {
        let by = record.numbered.first().and_then(|numbered| numbered.walker);
        let deciding = TeamDeciding::Log(record.plans.iter());
        // The log says whether it was ordered.
        let said = Some(record.receipt.replanned);
        let happened = self.happen(by, &record.event, deciding, said)?;
        if happened.receipt != record.receipt || happened.numbered != record.numbered {
            return Err(ReplayError::Receipt {
                there: Box::new(happened.receipt),
                stored: Box::new(record.receipt.clone()),
            });
        }
        Ok(())
    }

    /// Applies the event, gives orders, and uses up numbers.
    fn happen(
        &mut self,
        by: Channel,
        event: &Event,
        mut deciding: TeamDeciding<'_>,
        replanned: Option<bool>,
    ) -> Result<Happened, EventError> {
        let effect = self.effect(by, event, &mut deciding)?;
        let Effect { planned_for, visits, walker, .. } = effect;
        for &walker in &planned_for {
            deciding.next(&mut self.session, walker, visits)?;
        }
        let plans = deciding.done(&mut self.session, (&planned_for, visits))?;
        let replanned = replanned.unwrap_or(effect.replanned);
        // An order that was changed is another order: its number is used up.
        let others = planned_for.iter().map(|&other| Some(other)).filter(|&other| other != by);
        let channels: Vec<Channel> = match walker {
            Some(_) => Vec::new(),
            None => std::iter::once(by).chain(others).collect(),
        };
        let log = self.sequence;
        let numbered = self.numbers.use_up(&channels, log);
        self.sequence += 1;
        self.unsealed = if channels.is_empty() { vec![walker] } else { channels };
        let walker = walker.or(by);
        let next_sequence = self.numbers.next(walker);
        let receipt = Receipt {
            sequence: numbered.first().map_or(next_sequence, |numbered| numbered.sequence),
            next_sequence,
            at: walker.and_then(|walker| self.session.at(walker).ok()),
            visits: self.estimates().visits(),
            replanned,
            walker,
            log: Some(log),
        };
        Ok(Happened { receipt, plans, numbered })
    }

    fn effect(
        &mut self,
        by: Channel,
        event: &Event,
        deciding: &mut TeamDeciding<'_>,
    ) -> Result<Effect, EventError> {
        match event {
            Event::Told { visits } => self.told(self.reporter(by)?, visits, deciding),
            Event::LegFailed { at, .. } => {
                let walker = self.reporter(by)?;
                self.check_place(walker, *at)?;
                self.session.fail(walker).map_err(EventError::failed)?;
                self.stand_on(walker, *at)?;
                Ok(Effect { planned_for: vec![walker], replanned: true, ..Effect::default() })
            }
            Event::Moved { at, .. } => {
                let walker = self.reporter(by)?;
                self.check_place(walker, *at)?;
                self.session.move_to(walker, *at).map_err(EventError::failed)?;
                Ok(Effect { planned_for: vec![walker], replanned: true, ..Effect::default() })
            }
            Event::EdgeBlocked { edge, at, directions, .. } => {
                if let (Some(walker), Some(at)) = (by, at) {
                    self.check_place(walker, *at)?;
                }
                let edges = self.edges_to_change(*edge, *directions, "blocked")?;
                self.changed(by, *at, &edges, TeamSession::close)
            }
            Event::EdgeOpened { edge, directions } => {
                let edges = self.edges_to_change(*edge, *directions, "open")?;
                self.changed(by, None, &edges, TeamSession::open)
            }
            Event::Observed { observations } => {
                self.observed(observations)?;
                Ok(Effect::default())
            }
            Event::Joined { walker } => self.joined(walker),
            Event::Left { walker, .. } => {
                self.place(*walker)?;
                self.session.leave(*walker).map_err(EventError::failed)?;
                Ok(Effect { walker: Some(*walker), ..Effect::default() })
            }
        }
    }

    /// The walker that reports.
    fn reporter(&self, by: Channel) -> Result<WalkerId, EventError> {
        let walker = by.ok_or_else(|| EventError::NoWalker { known: self.some_walkers() })?;
        self.walker(&WalkerName::Number(walker))
    }

    fn joined(&mut self, walker: &WalkerDefinition) -> Result<Effect, EventError> {
        let nodes = self.graph().len();
        let most = self.session.most();
        let id = self.session.join(walker.member(nodes));
        let id = id.map_err(|error| EventError::Team(refused(error, self.graph(), most)))?;
        if let Some(known) = KnownName::of(walker) {
            self.names.insert(id, known);
        }
        Ok(Effect { planned_for: vec![id], walker: Some(id), ..Effect::default() })
    }

    /// Refuses what would make planning too long. A log may have it: limits may change.
    fn check_limits(&self, event: &Event) -> Result<(), EventError> {
        match event {
            Event::Joined { walker } => {
                check_confined(&self.session, walker).map_err(EventError::Team)
            }
            Event::EdgeBlocked { edge, directions, .. } => self.check_bridge(*edge, *directions),
            _ => Ok(()),
        }
    }

    /// Refuses visits that cannot have happened.
    fn check_visits(&self, walker: Option<WalkerId>, visits: &[Visits]) -> Result<(), EventError> {
        let mut count = 0_u64;
        for Visits { node, rewards, took } in visits {
            match walker {
                Some(walker) => self.check_place(walker, *node)?,
                None => drop(self.find(&(*node).into())?),
            }
            if let Some(&reward) = rewards.iter().find(|reward| !in_range(**reward)) {
                let node = Spoken::of(self.graph(), *node);
                return Err(EventError::RewardOutOfRange { node, reward });
            }
            if let Some(&took) = took.iter().flatten().next() {
                return Err(EventError::TookToTeam { took });
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

    /// Refuses a node that is not there, or where the walker may not be.
    pub(super) fn check_place(&self, walker: WalkerId, node: NodeId) -> Result<(), EventError> {
        self.find(&node.into())?;
        let allowed = self.session.may_be(walker, node);
        if allowed.map_err(|_| self.left(WalkerName::Number(walker)))? {
            return Ok(());
        }
        let name = self.name(walker).map(str::to_owned);
        let node = Spoken::of(self.graph(), node);
        Err(EventError::MayNotBe { walker: name.unwrap_or_else(|| walker.to_string()), node })
    }

    fn observed(&mut self, observations: &[Visits]) -> Result<(), EventError> {
        self.check_visits(None, observations)?;
        for Visits { node, rewards, .. } in observations {
            for &reward in rewards {
                self.session.observe(*node, reward).map_err(EventError::failed)?;
                self.curve.observe(reward);
                self.see(*node);
            }
        }
        Ok(())
    }

    fn told(
        &mut self,
        walker: WalkerId,
        visits: &[Visits],
        deciding: &mut TeamDeciding<'_>,
    ) -> Result<Effect, EventError> {
        self.check_visits(Some(walker), visits)?;
        let (mut replanned, mut made) = (false, 0);
        for run in visits {
            for &reward in &run.rewards {
                replanned |= !self.is_ordered(walker, run.node);
                self.session.tell(walker, run.node, reward).map_err(EventError::failed)?;
                self.curve.push(reward);
                self.see(run.node);
                if self.session.found_change() {
                    let visits = self.curve.visits();
                    self.found.push(FoundChange { visits, node: run.node });
                }
                made += 1;
                deciding.next(&mut self.session, walker, made)?;
            }
        }
        Ok(Effect { planned_for: vec![walker], visits: made, replanned, walker: None })
    }

    /// Whether the next visit of the walker's order is to this node.
    fn is_ordered(&self, walker: WalkerId, node: NodeId) -> bool {
        let pending = self.session.pending(walker);
        pending.is_ok_and(|order| order.visits() > 0 && order.node == node)
    }

    /// Puts the walker on `at`, if it is not there.
    pub(super) fn stand_on(&mut self, walker: WalkerId, at: NodeId) -> Result<(), EventError> {
        if self.place(walker)? == at {
            return Ok(());
        }
        self.session.move_to(walker, at).map_err(EventError::failed)
    }

    /// What happened after edges changed.
    fn changed(
        &mut self,
        by: Channel,
        at: Option<NodeId>,
        edges: &[(NodeId, NodeId)],
        change: impl Fn(&mut TeamSession, (NodeId, NodeId)) -> Result<Vec<WalkerId>, SessionError>,
    ) -> Result<Effect, EventError> {
        let mut planned_for: Vec<WalkerId> = by.into_iter().collect();
        for &edge in edges {
            let dropped = change(&mut self.session, edge).map_err(EventError::failed)?;
            let is_new = |walker: &WalkerId| !planned_for.contains(walker);
            let others: Vec<WalkerId> = dropped.into_iter().filter(is_new).collect();
            planned_for.extend(others);
        }
        if let Some(walker) = by {
            self.session.fail(walker).map_err(EventError::failed)?;
            self.stand_on(walker, at.unwrap_or(self.place(walker)?))?;
        }
        let replanned = !planned_for.is_empty();
        Ok(Effect { planned_for, replanned, ..Effect::default() })
    }
}

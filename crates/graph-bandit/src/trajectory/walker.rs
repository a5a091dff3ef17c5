//! The walker: an agent, its randomness, its position and its leg.

use super::decision::{Decision, DecisionError};
use super::fault::{Fault, LegError};
use super::{Event, Observer, Order, Payer};
use crate::agent::{Agent, Hearing, Phase, RemembersEdges, Visit};
use crate::clock::Clock;
use crate::cover::{Cover, Init};
use crate::estimates::{Estimates, Sample};
use crate::field::{Edge, Field, Kind};
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::node_scores::NodeScores;
use crate::random::Stream;
use std::borrow::Cow;

/// How a walker starts.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Where it stands.
    pub start: NodeId,
    /// How it covers the graph before the agent decides.
    pub init: Init,
    /// The seed of the agent's own randomness.
    pub stream: Stream,
}

/// A drive along a road and, if reported, its time beyond the visit.
struct Drive {
    road: Edge,
    told: Option<f64>,
}

/// An agent on its way.
///
/// Everything it knows is in a [`Field`], which it may share with others.
#[derive(Debug, Clone)]
pub struct Walker<A> {
    agent: A,
    hearing: Hearing,
    pub(crate) stream: Stream,
    pub(crate) cover: Cover,
    /// Whether the cover is complete. `phase` does not say this: a resumed session may be on a leg
    /// of its agent and still have nodes to cover.
    is_covered: bool,
    pub(crate) clock: Clock,
    pub(crate) at: NodeId,
    pub(crate) leg: Leg,
    pub(crate) phase: Phase,
    /// The number of nodes of the leg's path already entered.
    pub(crate) entered: usize,
}

impl<A: Agent> Walker<A> {
    /// A walker about to start.
    pub fn new(agent: A, setting: Setting) -> Self {
        Self {
            hearing: agent.hearing(),
            agent,
            stream: setting.stream,
            cover: Cover::new(setting.init),
            is_covered: false,
            clock: Clock::default(),
            at: setting.start,
            leg: Leg::default(),
            phase: Phase::Cover,
            entered: 0,
        }
    }

    /// Where it stands.
    #[inline]
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Its clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The agent.
    pub fn agent(&self) -> &A {
        &self.agent
    }

    pub(super) fn agent_mut(&mut self) -> &mut A {
        &mut self.agent
    }

    pub(super) fn into_agent(self) -> A {
        self.agent
    }

    /// Whether the last leg is finished.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.entered == self.leg.path.len() && self.leg.stay == 0
    }

    /// The rest of its leg.
    pub(crate) fn order(&self) -> Order<&[NodeId]> {
        let path = &self.leg.path[self.entered..];
        let node = path.first().copied().unwrap_or(self.at);
        Order { at: self.at, node, path, stay: self.leg.stay, phase: self.phase }
    }

    /// The rest of its leg, and what deciding on it changed.
    pub(super) fn decision(&self) -> Decision {
        Decision {
            path: self.leg.path[self.entered..].to_vec(),
            stay: self.leg.stay,
            phase: self.phase,
            drawn: self.stream.position(),
            trail: self.cover.trail().len() as u64,
        }
    }

    /// Takes a decision as if it had just planned it.
    pub(super) fn decide<O: Observer>(
        &mut self,
        field: &Field,
        decision: &Decision,
        observer: &mut O,
    ) -> Result<(), DecisionError> {
        let leg = decision.leg();
        legal(field.graph(), self.at, &leg)?;
        if !self.cover.fall_back_to(decision.trail, self.at) {
            let there = self.cover.trail().len();
            return Err(DecisionError::Trail { there, wanted: decision.trail });
        }
        self.stream.go_to(decision.drawn);
        self.is_covered = decision.phase == Phase::Learn;
        self.phase = decision.phase;
        self.follow(field, leg, observer);
        Ok(())
    }

    /// Plans a leg if the last one is finished: first those that cover the graph, then the agent's.
    ///
    /// # Errors
    /// When the agent fails or its leg is not legal.
    #[inline]
    pub fn plan<O: Observer>(&mut self, field: &Field, observer: &mut O) -> Result<(), LegError> {
        self.planned(field, observer).map_err(LegError::from)
    }

    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    fn planned<O: Observer>(&mut self, field: &Field, observer: &mut O) -> Result<(), Fault> {
        if !self.is_idle() {
            return Ok(());
        }
        if !self.is_covered {
            if self.plan_cover(field, observer) {
                return Ok(());
            }
            self.end_cover(field, observer);
        }
        self.entered = 0;
        let now = field.seen_from(self.at, &self.clock);
        match self.agent.next_leg(&now, &mut self.stream, &mut self.leg) {
            Ok(()) => self.check(field)?,
            Err(raised) => return Err(self.refuse(LegError::Agent(raised))),
        }
        self.announce(field, observer);
        Ok(())
    }

    /// Drops a leg that cannot be walked.
    #[cold]
    fn refuse(&mut self, error: LegError) -> Fault {
        self.abandon();
        Fault(Box::new(error))
    }

    /// Plans the next leg of the cover, whatever the last leg was; `false` if every node has been
    /// visited.
    pub(crate) fn plan_cover<O: Observer>(&mut self, field: &Field, observer: &mut O) -> bool {
        self.abandon();
        let now = field.seen_from(self.at, &self.clock);
        let found = self.cover.next_leg(&now, &mut self.leg);
        if found {
            self.phase = Phase::Cover;
            self.announce(field, observer);
        }
        found
    }

    /// Drops a leg of the cover if there is nothing left to cover: others observed what it leads to.
    pub(crate) fn leave_cover(&mut self, field: &Field) {
        if self.phase == Phase::Cover && !self.is_idle() {
            let now = field.seen_from(self.at, &self.clock);
            if self.cover.is_done(&now) {
                self.abandon();
            }
        }
    }

    /// Lets the agent decide from here on.
    pub(crate) fn end_cover<O: Observer>(&mut self, field: &Field, observer: &mut O) {
        self.is_covered = true;
        self.phase = Phase::Learn;
        observer.hear(&field.seen_from(self.at, &self.clock), Event::Covered);
    }

    /// Makes this the leg.
    pub(crate) fn follow<O: Observer>(&mut self, field: &Field, leg: Leg, observer: &mut O) {
        self.leg = leg;
        self.entered = 0;
        self.announce(field, observer);
    }

    #[inline]
    fn announce<O: Observer>(&self, field: &Field, observer: &mut O) {
        let planned = Event::Planned { leg: &self.leg, phase: self.phase };
        observer.hear(&field.seen_from(self.at, &self.clock), planned);
    }

    /// Checks that the graph allows the leg.
    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    fn check(&mut self, field: &Field) -> Result<(), Fault> {
        legal(field.graph(), self.at, &self.leg).map_err(|error| self.refuse(error))
    }

    /// Advances by at most `most` visits, but not past the end of the leg; plans a leg first if
    /// there is none. Returns the number of visits made.
    ///
    /// # Errors
    /// When the agent or the payer fails, or the agent's leg is not legal.
    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    pub fn advance<P: Payer, O: Observer>(
        &mut self,
        field: &mut Field,
        most: u64,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<u64, LegError> {
        self.advanced(field, most, payer, observer).map_err(LegError::from)
    }

    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    fn advanced<P: Payer, O: Observer>(
        &mut self,
        field: &mut Field,
        most: u64,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<u64, Fault> {
        let was_covered = self.is_covered;
        self.planned(field, observer)?;
        if self.is_covered && !was_covered {
            payer.begin(self.clock.now());
        }
        let ahead = self.leg.path.len() - self.entered;
        let enter = ahead.min(usize::try_from(most).unwrap_or(usize::MAX));
        let by_road = field.graph().roads().is_some() || payer.tells_times();
        for entered in 1..=enter {
            if by_road {
                self.enter_by_road(field, payer, observer)?;
            } else {
                let node = self.leg.path[self.entered];
                self.entered += 1;
                if let Err(fault) = self.visit(field, (node, 1), payer, observer) {
                    return Err(self.undo_entry(fault));
                }
            }
            if entered == ahead {
                observer.hear(&field.seen_from(self.at, &self.clock), Event::Arrived);
            }
            if self.is_cut() {
                return Ok(entered as u64);
            }
        }
        let stay = self.leg.stay.min(most - enter as u64);
        match self.hearing {
            Hearing::Blocks if stay > 0 => {
                self.leg.stay -= stay;
                self.visit(field, (self.at, stay), payer, observer)?;
            }
            Hearing::Blocks => {}
            Hearing::EveryVisit => {
                for stayed in 1..=stay {
                    self.leg.stay -= 1;
                    self.visit(field, (self.at, 1), payer, observer)?;
                    if self.is_cut() {
                        return Ok(enter as u64 + stayed);
                    }
                }
            }
        }
        Ok(enter as u64 + stay)
    }

    /// Drops the rest of the leg if the agent cuts it.
    #[inline]
    fn is_cut(&mut self) -> bool {
        let is_cut =
            self.hearing == Hearing::EveryVisit && self.phase == Phase::Learn && self.agent.cuts();
        if is_cut {
            self.abandon();
        }
        is_cut
    }

    /// Enters the next node of the path by a road that takes time.
    fn enter_by_road<P: Payer, O: Observer>(
        &mut self,
        field: &mut Field,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<(), Fault> {
        let node = self.leg.path[self.entered];
        let before = self.clock;
        let drive = self.set_out(field, node, payer, observer);
        self.entered += 1;
        if let Err(fault) = self.visit(field, (node, 1), payer, observer) {
            if matches!(*fault.0, LegError::Payer(_)) {
                self.clock = before;
            }
            return Err(self.undo_entry(fault));
        }
        self.learn_time(field, drive)
    }

    /// Spends the time of the road to `node`, if there is one: the payer's time if it provides one,
    /// else the expected time. Returns the payer's time.
    fn set_out<P: Payer, O: Observer>(
        &mut self,
        field: &Field,
        node: NodeId,
        payer: &mut P,
        observer: &mut O,
    ) -> Drive {
        let road = (self.at, node);
        let told = payer.travel(road);
        let time = told.or_else(|| field.graph().travel(self.at, node)).unwrap_or(0.0);
        let until = self.clock.now().after(1).later(time);
        let now = field.seen_from(self.at, &self.clock);
        observer.hear(&now, Event::SetOut { to: node, until });
        self.clock.pass_on_road(time);
        Drive { road, told }
    }

    /// Records the time of a drive.
    fn learn_time(&mut self, field: &mut Field, Drive { road, told }: Drive) -> Result<(), Fault> {
        let Some(time) = told else { return Ok(()) };
        if field.learn_time(road, time) == Kind::Other {
            let changed = self.agent.change_graph(field.graph());
            self.cover.forget_shortcuts();
            changed.map_err(|error| Fault::of_agent(error.into()))?;
        }
        Ok(())
    }

    /// Records that a visit without a move took longer than one unit.
    pub(crate) fn spend(&mut self, time: f64) {
        self.clock.pass_on_road(time);
    }

    /// Takes back what was [spent](Self::spend) since the clock was as `before`.
    pub(crate) fn take_back_to(&mut self, before: Clock) {
        self.clock = self.clock.with_travel_of(before);
    }

    /// Waits for a visit where it stands, then decides again.
    pub(crate) fn wait(&mut self) {
        self.abandon();
        self.leg.stay = 1;
    }

    /// Cuts the path after this many nodes, to decide again there; if that is none, it waits.
    pub(crate) fn stop_after(&mut self, ahead: usize) {
        if ahead == 0 {
            return self.wait();
        }
        self.leg.path.truncate(self.entered + ahead);
        self.leg.stay = 0;
    }

    /// The time of the next step, including its visit: to the next node of the path, or staying.
    pub(crate) fn next_takes(&self, field: &Field) -> f64 {
        let road = match self.leg.path.get(self.entered) {
            Some(&node) => field.graph().travel(self.at, node).unwrap_or(0.0),
            None => 0.0,
        };
        1.0 + road
    }

    /// Undoes entering a node whose visit was not paid for.
    #[cold]
    fn undo_entry(&mut self, fault: Fault) -> Fault {
        if matches!(*fault.0, LegError::Payer(_)) {
            self.entered -= 1;
        }
        fault
    }

    /// Drops the leg and visits `node` once, whether or not a road leads there.
    ///
    /// # Errors
    /// When the agent or the payer fails.
    ///
    /// # Panics
    /// When the field does not have this node.
    pub fn go<P: Payer, O: Observer>(
        &mut self,
        field: &mut Field,
        node: NodeId,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<(), LegError> {
        self.abandon();
        if !field.graph().is_connected() {
            self.cover_again();
        }
        let by_road = field.graph().roads().is_some() || payer.tells_times();
        if !by_road || node == self.at {
            return self.visit(field, (node, 1), payer, observer).map_err(LegError::from);
        }
        let drive = self.set_out(field, node, payer, observer);
        self.visit(field, (node, 1), payer, observer)?;
        Ok(self.learn_time(field, drive)?)
    }

    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    fn visit<P: Payer, O: Observer>(
        &mut self,
        field: &mut Field,
        (node, times): (NodeId, u64),
        payer: &mut P,
        observer: &mut O,
    ) -> Result<(), Fault> {
        let from = self.at;
        let mut visit = Visit { from, node, sample: Sample::default(), phase: self.phase };
        if times == 1 && !payer.pays_by_totals(node) {
            // Most blocks take this path. Their rewards stay in registers: sums that are stored
            // separately and loaded together stall the processor.
            match payer.pay_once(node, self.clock.now(), field.estimates_mut()) {
                Ok(reward) => visit.sample.push(reward),
                Err(raised) => return Err(Fault::of_payer(raised)),
            }
            self.at = node;
            self.clock.pass(1);
            observer.hear(&field.seen_from(self.at, &self.clock), Event::Visited(&visit));
        } else {
            self.collect(field, (&mut visit, times), payer, observer)?;
        }
        let now = field.seen_from(self.at, &self.clock);
        self.agent.observe(&now, &visit).map_err(Fault::of_agent)
    }

    /// Makes many visits, in pieces if the observer needs to see them sooner.
    fn collect<P: Payer, O: Observer>(
        &mut self,
        field: &mut Field,
        (visit, times): (&mut Visit, u64),
        payer: &mut P,
        observer: &mut O,
    ) -> Result<(), Fault> {
        let node = visit.node;
        let by_totals = payer.pays_by_totals(node);
        let before = *field.estimates().sample(node);
        let mut left = times;
        while left > 0 {
            let part = left.min(observer.patience().max(1));
            let so_far = visit.sample;
            let at = self.clock.now();
            let mut piece = *visit;
            if part == 1 && !by_totals {
                let reward = payer.pay_once(node, at, field.estimates_mut());
                let reward = reward.map_err(Fault::of_payer)?;
                visit.sample.push(reward);
                piece.sample = Sample::default();
                piece.sample.push(reward);
            } else {
                let paid = payer.pay((node, part), at, field.estimates_mut(), &mut visit.sample);
                paid.map_err(Fault::of_payer)?;
                piece.sample = visit.sample.since(&so_far);
            }
            self.at = node;
            self.clock.pass(part);
            left -= part;
            observer.hear(&field.seen_from(node, &self.clock), Event::Visited(&piece));
        }
        if by_totals {
            // Differences of totals do not add up to the bit; what the agent observes must not
            // depend on other observers.
            visit.sample = field.estimates().sample(node).since(&before);
        }
        Ok(())
    }

    /// Drops the leg: the next one is planned from here.
    #[inline]
    pub fn abandon(&mut self) {
        self.leg.clear();
        self.entered = 0;
    }

    /// Places it on `node`, however it got there. Its leg is dropped if `node` is elsewhere.
    pub fn be_at(&mut self, node: NodeId) {
        if node != self.at {
            self.at = node;
            self.abandon();
        }
    }

    /// Other nodes are within reach now: checks again whether all of them are visited.
    pub(crate) fn cover_again(&mut self) {
        self.is_covered = false;
    }

    /// Edges were closed or opened. Drops the leg and forgets everything derived from the old
    /// edges.
    ///
    /// # Errors
    /// When the agent cannot continue after edges change. Nothing changes then.
    pub fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        self.agent.change_graph(graph)?;
        self.cover.forget_shortcuts();
        self.abandon();
        Ok(())
    }

    /// How promising each node looks to it; see [`Agent::scores`]. Looking changes nothing.
    pub fn scores(&mut self, field: &Field) -> Option<Vec<f64>> {
        let now = field.seen_from(self.at, &self.clock);
        self.agent.scores(&now, &mut self.stream.clone())
    }

    /// The same, for a caller that looks at few nodes; see [`Agent::node_scores`].
    pub fn node_scores(&mut self, field: &Field) -> Option<NodeScores> {
        let now = field.seen_from(self.at, &self.clock);
        self.agent.node_scores(&now, &mut self.stream.clone())
    }

    /// Somebody else collected a reward on `node`; see [`Agent::overheard`].
    pub(crate) fn overheard(&mut self, field: &Field, node: NodeId) {
        let now = field.seen_from(self.at, &self.clock);
        self.agent.overheard(&now, node);
    }

    /// What its agent still remembers; see [`Agent::remembered`].
    pub fn remembered<'a>(&'a self, field: &'a Field) -> Cow<'a, Estimates> {
        let now = field.seen_from(self.at, &self.clock);
        self.agent.remembered(&now).unwrap_or(Cow::Borrowed(field.estimates()))
    }
}

/// Whether the graph allows a leg that starts on `at`.
#[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
#[inline(always)]
fn legal(graph: &Graph, at: NodeId, leg: &Leg) -> Result<(), LegError> {
    if leg.path.is_empty() && leg.stay == 0 {
        return Err(LegError::EmptyLeg { at });
    }
    let mut from = at;
    for &to in &leg.path {
        if to as usize >= graph.len() || !graph.allows(from, to) {
            return Err(LegError::IllegalStep { from, to });
        }
        from = to;
    }
    Ok(())
}

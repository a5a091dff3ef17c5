//! Where one walker of a team is, and what it still has to do.

use super::agent::Cut;
use super::setup::Member;
use crate::agent::Phase;
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::trajectory::Order;
use std::sync::Arc;

/// One walker of a team.
#[derive(Debug, Clone)]
pub struct Post {
    at: NodeId,
    leg: Leg,
    /// The number of nodes of the path already entered.
    entered: usize,
    /// Steps left on the road to the next node of the path.
    on_road: u64,
    /// Whether the leg leads to a node that nobody had visited when it was planned. Only sessions say so.
    phase: Phase,
    /// Whether its leg ends after the next draw: somebody saw what makes it out of date.
    is_outdated: bool,
    speed: f64,
    /// Whether each node is allowed; `None` if all are.
    allowed: Option<Arc<Vec<bool>>>,
    /// Those of them within reach while edges are closed; `None` if all are.
    within: Option<Arc<Vec<bool>>>,
}

impl Post {
    /// A walker about to start.
    pub(super) fn new(member: &Member) -> Self {
        Self {
            at: member.start,
            leg: Leg::default(),
            entered: 0,
            on_road: 0,
            phase: Phase::Learn,
            is_outdated: false,
            speed: member.speed,
            allowed: member.allowed.clone(),
            within: member.allowed.clone(),
        }
    }

    /// The node it is on, or that it left last.
    #[inline]
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// The nodes it still has to enter.
    #[inline]
    pub fn ahead(&self) -> &[NodeId] {
        &self.leg.path[self.entered..]
    }

    /// The visits it still makes at the end of its path.
    #[inline]
    pub fn stay(&self) -> u64 {
        self.leg.stay
    }

    /// Where its leg ends.
    #[inline]
    pub fn destination(&self) -> NodeId {
        self.leg.path.last().copied().unwrap_or(self.at)
    }

    /// Whether it is on a road, where it draws nothing.
    #[inline]
    pub fn is_on_road(&self) -> bool {
        self.on_road > 0
    }

    /// Whether it has nothing to do.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.entered == self.leg.path.len() && self.leg.stay == 0
    }

    /// Whether it still has to enter a node.
    #[inline]
    pub fn is_moving(&self) -> bool {
        self.entered < self.leg.path.len()
    }

    /// The steps until its leg ends.
    pub fn steps_left(&self, graph: &Graph) -> u64 {
        let mut from = self.at;
        let mut steps = self.leg.stay;
        for (i, &to) in self.ahead().iter().enumerate() {
            let hop = if i == 0 && self.on_road > 0 {
                self.on_road
            } else {
                self.steps_on_road(graph, from, to) + 1
            };
            steps = steps.saturating_add(hop);
            from = to;
        }
        steps
    }

    /// What the time of roads is divided by.
    #[inline]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Whether it is confined to some nodes.
    #[inline]
    pub fn is_confined(&self) -> bool {
        self.within.is_some()
    }

    /// Whether it may be sent to `node`: it is allowed there, and closed edges do not cut it off.
    #[inline]
    pub fn may_enter(&self, node: NodeId) -> bool {
        self.within.as_ref().is_none_or(|within| within[node as usize])
    }

    /// Whether it may be on `node`, however it got there.
    pub(super) fn may_be_on(&self, node: NodeId) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| allowed[node as usize])
    }

    /// The nodes where it may be, if not all.
    pub(super) fn allowed(&self) -> Option<&Arc<Vec<bool>>> {
        self.allowed.as_ref()
    }

    /// The nodes to which closed edges confine it, if it may be everywhere otherwise.
    pub(super) fn part(&self) -> Option<&Arc<Vec<bool>>> {
        self.within.as_ref().filter(|_| self.allowed.is_none())
    }

    /// How many nodes it may be sent to.
    pub(super) fn reach(&self) -> usize {
        let count = |within: &Arc<Vec<bool>>| within.iter().filter(|is_within| **is_within).count();
        self.within.as_ref().map_or(usize::MAX, count)
    }

    /// The nodes to which it may be sent, if not all.
    pub(super) fn within(&self) -> Option<&[bool]> {
        self.within.as_ref().map(|within| within.as_slice())
    }

    /// Confines it to the nodes within reach; `None` if all allowed ones are.
    pub(super) fn confine(&mut self, within: Option<Arc<Vec<bool>>>) {
        self.within = within.or_else(|| self.allowed.clone());
    }

    /// The steps on the road between two neighbours, before the step that enters the second.
    #[inline]
    pub fn steps_on_road(&self, graph: &Graph, from: NodeId, to: NodeId) -> u64 {
        if graph.roads().is_none() {
            return 0;
        }
        // A part of a step counts as a whole one: all walkers have the same steps.
        (graph.travel(from, to).unwrap_or(0.0) / self.speed).ceil() as u64
    }

    /// The steps of a path from where it is.
    pub fn steps_of(&self, graph: &Graph, path: &[NodeId]) -> u64 {
        let mut from = self.at;
        let mut steps = 0;
        for &to in path {
            steps += 1 + self.steps_on_road(graph, from, to);
            from = to;
        }
        steps
    }

    /// Takes this as its leg.
    pub(super) fn follow(&mut self, leg: &Leg) {
        self.leg.clone_from(leg);
        self.entered = 0;
        self.on_road = 0;
        self.is_outdated = false;
    }

    /// Whether its leg ends after the next draw.
    pub(super) fn is_outdated(&self) -> bool {
        self.is_outdated
    }

    /// Ends the leg as the agent says, if the walker `has_drawn`; else it may end with its next draw.
    pub(super) fn cut(&mut self, cut: Cut, has_drawn: bool, estimates: &Estimates) {
        self.is_outdated |= cut == Cut::WithOwnDraw;
        let is_over = self.is_outdated && estimates.count(self.destination()) > 0;
        if has_drawn && (cut == Cut::Now || is_over) {
            self.abandon();
        }
    }

    /// Marks the leg as out of date.
    pub(super) fn outdate(&mut self) {
        self.is_outdated = true;
    }

    /// The phase of its leg.
    pub(super) fn phase(&self) -> Phase {
        if self.is_idle() { Phase::Learn } else { self.phase }
    }

    /// Takes this as its leg, which belongs to this phase.
    pub(super) fn follow_in(&mut self, phase: Phase, leg: &Leg) {
        self.follow(leg);
        self.phase = phase;
    }

    /// Makes one step of its path. Whether it now is on a node.
    pub(super) fn advance(&mut self, graph: &Graph) -> bool {
        let to = self.leg.path[self.entered];
        if self.on_road == 0 {
            let road = self.steps_on_road(graph, self.at, to);
            if road > 0 {
                // This step is the first on the road.
                self.on_road = road;
                return false;
            }
        } else {
            self.on_road -= 1;
            if self.on_road > 0 {
                return false;
            }
        }
        self.at = to;
        self.entered += 1;
        true
    }

    /// The rest of its leg.
    pub(super) fn order(&self) -> Order<&[NodeId]> {
        let path = self.ahead();
        let node = path.first().copied().unwrap_or(self.at);
        Order { at: self.at, node, path, stay: self.leg.stay, phase: self.phase() }
    }

    /// Records a visit to `node`: a part of its leg, or elsewhere, and then the leg is dropped.
    pub(super) fn visited(&mut self, node: NodeId) {
        if self.ahead().first() == Some(&node) {
            self.entered += 1;
        } else if !self.is_moving() && node == self.at && self.leg.stay > 0 {
            self.leg.stay -= 1;
        } else {
            self.abandon();
        }
        self.at = node;
    }

    /// Drops the leg.
    pub(super) fn abandon(&mut self) {
        self.leg.clear();
        self.entered = 0;
        self.on_road = 0;
        self.is_outdated = false;
    }

    /// Places it on `node`, without a leg.
    pub(super) fn be_at(&mut self, node: NodeId) {
        self.abandon();
        self.at = node;
    }

    /// Stays for this many visits.
    #[inline]
    pub(super) fn remain(&mut self, visits: u64) {
        self.leg.stay -= visits;
    }
}

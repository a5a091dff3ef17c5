//! Forced exploration: now and then to a node that the index would not choose, so that changes
//! there are noticed.

use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::index::Index;
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError, Reader};
use crate::planner::{FewestHops, Planner};
use crate::random::Stream;
use crate::schedule::{Arrival, Schedule};
use crate::tuning::Tuned;

/// When, and where to.
#[derive(Debug, Clone, Copy)]
pub enum Exploration {
    /// Never.
    None,
    /// With this probability before each leg, to a node drawn uniformly at random.
    AtRandom(Tuned),
    /// In rounds: this share of all visits goes to rounds in which every node is visited once. A
    /// restart begins a new round.
    InRounds(Tuned),
}

/// Explores, and remembers what that needs.
#[derive(Debug, Clone)]
pub struct Explorer {
    exploration: Exploration,
    /// The visits so far.
    seen: u64,
    /// The visits at the last restart.
    start: u64,
    /// The visits after each node's last one, for rounds only.
    last: Vec<u64>,
    planner: FewestHops,
}

/// The nodes to explore: all others score nothing.
struct Targets<'a> {
    one: Option<NodeId>,
    /// Nodes whose last visit was before this one.
    unseen_since: u64,
    last: &'a [u64],
    /// The nodes as numbered elsewhere, if there is a part of the graph that is out of reach.
    outside: &'a [NodeId],
}

impl Targets<'_> {
    fn is_unseen(&self, node: NodeId) -> bool {
        let node = self.outside.get(node as usize).copied().unwrap_or(node);
        self.last[node as usize] <= self.unseen_since
    }
}

impl Index for Targets<'_> {
    type Clock = Visits;

    fn prepare(&mut self, _now: &Situation<'_>, _t: Visits) {}

    fn score(&self, _estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        let is_target = match self.one {
            Some(target) => node == target,
            None => self.is_unseen(node),
        };
        f64::from(u8::from(is_target))
    }
}

impl Explorer {
    /// Explores `nodes` nodes in this way.
    pub fn new(nodes: usize, exploration: Exploration) -> Self {
        let last = match exploration {
            Exploration::InRounds(_) => vec![0; nodes],
            Exploration::None | Exploration::AtRandom(_) => Vec::new(),
        };
        Self { exploration, seen: 0, start: 0, last, planner: FewestHops::default() }
    }

    /// Records a visit, after which everything began anew if `has_restarted`.
    pub(super) fn observe(&mut self, visit: &Visit, has_restarted: bool) {
        self.seen += visit.sample.count;
        if let Some(last) = self.last.get_mut(visit.node as usize) {
            *last = self.seen;
        }
        if has_restarted {
            self.start = self.seen;
        }
    }

    /// Fills in a leg that explores; `false` if it is not time to. `outside` are the nodes of a
    /// part of the graph as they are numbered outside; none if there is no such part.
    pub(super) fn next_leg(
        &mut self,
        now: &Situation<'_>,
        outside: &[NodeId],
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> bool {
        let t = Visits(self.seen);
        let mut targets = Targets { one: None, unseen_since: 0, last: &self.last, outside };
        match &self.exploration {
            Exploration::None => return false,
            Exploration::AtRandom(probability) => {
                if stream.unit() >= probability.at(t) {
                    return false;
                }
                targets.one = Some(stream.below(now.graph.len() as u64) as NodeId);
            }
            Exploration::InRounds(share) => {
                let round = (exact(self.last.len() as u64) / share.at(t)).ceil().max(1.0) as u64;
                targets.unseen_since = self.seen - (self.seen - self.start) % round;
                if !now.graph.nodes().any(|node| targets.is_unseen(node)) {
                    return false;
                }
            }
        }
        self.planner.plan(now, &targets, stream);
        leg.clear();
        Arrival.commit(now, &self.planner, leg);
        true
    }

    pub(super) fn forget_graph(&mut self) {
        self.planner.forget_graph();
    }

    pub(super) fn store(&self, memory: &mut Memory) {
        memory.counts.extend([self.seen, self.start]);
        memory.counts.extend(&self.last);
    }

    pub(super) fn recall(&self, stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let (seen, start) = (stored.count(), stored.count());
        let last = stored.counts(self.last.len() as u64);
        let is_possible = start <= seen && last.iter().all(|&last| last <= seen);
        if !is_possible || last.len() != self.last.len() {
            return Err(stored.impossible());
        }
        let planner = FewestHops::default();
        Ok(Self { exploration: self.exploration, seen, start, last, planner })
    }
}

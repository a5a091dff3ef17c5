//! The planner of g-drift: like the bargain of g-star, but nodes may have changed since they were
//! seen, and a trip finds out about every node on its way.
//!
//! An improvement that is already in the estimates takes a stay to confirm; rivals share it, as in
//! [`Bargain`](super::Bargain). A change shows at the first visit, so what changes may bring is
//! added up along the way, up to the most that a node can bring, and such a trip is made for one
//! visit.

use super::detours::Detours;
use crate::agent::Situation;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::index::Leader;
use crate::schedule::Amortized;

/// What nodes are expected to bring per visit, beyond the leader.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prospects<'a> {
    /// If they did not change since they were seen, by node; zero for the leader.
    pub(crate) known: &'a [f64],
    /// If they did change, by node; zero for the leader.
    pub(crate) changed: &'a [f64],
    /// The most that changes on one trip can bring.
    pub(crate) most: f64,
    /// The number of visits for which an improvement lasts.
    pub(crate) horizon: f64,
}

/// What a trip is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To stay, as long as the schedule says.
    Stay,
    /// To look once whether the nodes on the way and at its end have changed.
    Look,
}

/// The best bargain among trips to stay and trips to look; ties go to the lowest number.
#[derive(Debug, Clone)]
pub(crate) struct Patrol {
    stays: Amortized,
    detours: Detours,
    /// What changes may bring on the way to each node.
    on_way: Vec<f64>,
    branch: Vec<NodeId>,
}

impl Patrol {
    /// A planner for stays by this schedule, with noise of this declared scale.
    pub(crate) fn new(stays: Amortized, noise_scale: f64) -> Self {
        Self { stays, detours: Detours::new(noise_scale), on_way: Vec::new(), branch: Vec::new() }
    }

    /// Plans a trip; `now.estimates` has the believed means.
    pub(crate) fn plan(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        prospects: &Prospects<'_>,
    ) -> Purpose {
        if self.detours.trips.lay_to_unvisited(now) {
            return Purpose::Look;
        }
        self.detours.search(now, leader);
        self.add_up(now, prospects.changed);
        let (destination, purpose) = self.destination(now, leader, prospects);
        self.detours.trips.lay_to(now, destination);
        purpose
    }

    /// The nodes to enter, in order.
    pub(crate) fn path(&self) -> &[NodeId] {
        self.detours.trips.path()
    }

    /// Adds up along every trip what changes may bring.
    fn add_up(&mut self, now: &Situation<'_>, changed: &[f64]) {
        self.on_way.clear();
        self.on_way.resize(changed.len(), f64::NAN);
        self.on_way[now.at as usize] = 0.0;
        for node in now.graph.nodes() {
            let mut known = node;
            while self.on_way[known as usize].is_nan() {
                self.branch.push(known);
                known = self.detours.trips.before(known);
            }
            let mut sum = self.on_way[known as usize];
            while let Some(node) = self.branch.pop() {
                sum += changed[node as usize];
                self.on_way[node as usize] = sum;
            }
        }
    }

    fn destination(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        prospects: &Prospects<'_>,
    ) -> (NodeId, Purpose) {
        let &Prospects { known, changed, most, horizon } = prospects;
        let sum: f64 = known.iter().sum();
        let highest = known.iter().copied().fold(0.0, f64::max);
        let share = if sum > 0.0 { highest / sum } else { 0.0 };
        let (mut best, mut ratio) = ((leader.node, Purpose::Stay), 1.0);
        for node in now.graph.nodes().filter(|&node| node != leader.node) {
            let s = node as usize;
            let gain = horizon * (share * known[s] + self.on_way[s].min(most));
            let gap = leader.gap(now.estimates, node);
            let detour = self.detours.cost(node);
            if gain <= detour + gap {
                continue;
            }
            let (purpose, visits) = if changed[s] > share * known[s] {
                (Purpose::Look, 1)
            } else {
                let time = self.detours.time(now.graph, node);
                (Purpose::Stay, self.stays.visits(now.estimates.count(node), time))
            };
            // No price is below one step, so that ratios stay finite.
            let price = detour + gap * exact(visits) + self.detours.trips.step();
            if gain > ratio * price {
                (best, ratio) = ((node, purpose), gain / price);
            }
        }
        best
    }

    /// Forgets all nodes and edges.
    pub(crate) fn forget_graph(&mut self) {
        self.detours.forget_graph();
    }
}

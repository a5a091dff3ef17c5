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

/// What trips cost: those of an agent alone, or of a walker of a team.
pub(crate) trait Prices {
    /// How far a visit to `node` is below a visit at home; never negative.
    fn gap(&self, node: NodeId) -> f64;
    /// The cost of going to `node` before going home; never negative.
    fn detour(&self, node: NodeId) -> f64;
    /// How many visits a stay on `node` has.
    fn visits(&mut self, node: NodeId) -> u64;
    /// The cost of one step besides its gap.
    fn step(&self) -> f64;
}

/// What changes may bring on the way to each node.
#[derive(Debug, Clone, Default)]
pub(crate) struct OnWay {
    sums: Vec<f64>,
    branch: Vec<NodeId>,
}

impl OnWay {
    /// Adds up what changes may bring along the trips to these `nodes`, which begin at `at`.
    pub(crate) fn add_up(
        &mut self,
        (at, nodes): (NodeId, impl Iterator<Item = NodeId>),
        before: impl Fn(NodeId) -> NodeId,
        changed: &[f64],
    ) {
        self.sums.clear();
        self.sums.resize(changed.len(), f64::NAN);
        self.sums[at as usize] = 0.0;
        for node in nodes {
            let mut known = node;
            while self.sums[known as usize].is_nan() {
                self.branch.push(known);
                known = before(known);
            }
            let mut sum = self.sums[known as usize];
            while let Some(node) = self.branch.pop() {
                sum += changed[node as usize];
                self.sums[node as usize] = sum;
            }
        }
    }

    /// The best bargain among trips to these `nodes`, or else to stay at `home`; ties go to the first.
    /// Rivals get this `share` of the future.
    pub(crate) fn best_trip(
        &self,
        (home, nodes): (NodeId, impl Iterator<Item = NodeId>),
        share: f64,
        prospects: &Prospects<'_>,
        prices: &mut impl Prices,
    ) -> (NodeId, Purpose) {
        let &Prospects { known, changed, most, horizon } = prospects;
        let (mut best, mut ratio) = ((home, Purpose::Stay), 1.0);
        for node in nodes.filter(|&node| node != home) {
            let s = node as usize;
            let gain = horizon * (share * known[s] + self.sums[s].min(most));
            let gap = prices.gap(node);
            let detour = prices.detour(node);
            if gain <= detour + gap {
                continue;
            }
            let (purpose, visits) = if changed[s] > share * known[s] {
                (Purpose::Look, 1)
            } else {
                (Purpose::Stay, prices.visits(node))
            };
            // No price is below one step, so that ratios stay finite.
            let price = detour + gap * exact(visits) + prices.step();
            if gain > ratio * price {
                (best, ratio) = ((node, purpose), gain / price);
            }
        }
        best
    }
}

impl Prospects<'_> {
    /// The share of the future that the most promising rival gets, if each is tried only until the
    /// next one is.
    pub(crate) fn share(&self) -> f64 {
        let sum: f64 = self.known.iter().sum();
        let highest = self.known.iter().copied().fold(0.0, f64::max);
        if sum > 0.0 { highest / sum } else { 0.0 }
    }
}

/// The best bargain among trips to stay and trips to look; ties go to the lowest number.
#[derive(Debug, Clone)]
pub(crate) struct Patrol {
    stays: Amortized,
    detours: Detours,
    on_way: OnWay,
}

/// What the trips of an agent alone cost.
struct Alone<'a> {
    now: &'a Situation<'a>,
    leader: &'a Leader,
    detours: &'a mut Detours,
    stays: Amortized,
}

impl Prices for Alone<'_> {
    fn gap(&self, node: NodeId) -> f64 {
        self.leader.gap(self.now.estimates, node)
    }

    fn detour(&self, node: NodeId) -> f64 {
        self.detours.cost(node)
    }

    fn visits(&mut self, node: NodeId) -> u64 {
        let time = self.detours.time(self.now.graph, node);
        self.stays.visits(self.now.estimates.count(node), time)
    }

    fn step(&self) -> f64 {
        self.detours.trips.step()
    }
}

impl Patrol {
    /// A planner for stays by this schedule, with noise of this declared scale.
    pub(crate) fn new(stays: Amortized, noise_scale: f64) -> Self {
        Self { stays, detours: Detours::new(noise_scale), on_way: OnWay::default() }
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
        let Self { stays, detours, on_way } = self;
        let trips = (now.at, now.graph.nodes());
        on_way.add_up(trips, |node| detours.trips.before(node), prospects.changed);
        let mut prices = Alone { now, leader, detours, stays: *stays };
        let rivals = (leader.node, now.graph.nodes());
        let (destination, purpose) =
            on_way.best_trip(rivals, prospects.share(), prospects, &mut prices);
        self.detours.trips.lay_to(now, destination);
        purpose
    }

    /// The nodes to enter, in order.
    pub(crate) fn path(&self) -> &[NodeId] {
        self.detours.trips.path()
    }

    /// Forgets all nodes and edges.
    pub(crate) fn forget_graph(&mut self) {
        self.detours.forget_graph();
    }
}

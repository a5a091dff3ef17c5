//! What the paths home cost, repaired when means change instead of searched again.
//!
//! `cost(home) = 0`, and `cost(v)` is the least `price(u)` of all neighbours `u`, where `price(home)
//! = 0` and `price(u) = cost(u) + entry(u)`. Sums are rounded, and rounding keeps order, so only one
//! table satisfies this: a repaired table has the bits of a new one (Ramalingam and Reps, 1996). On
//! roads, `u` is the end of a road from `v`, whose time adds to the price.
//!
//! A node near home is on the way of many others, so one visit may change the costs of a large part
//! of the table. Most of these are not needed soon. So a repair goes only up to a limit, and notes
//! what it leaves: nodes that may have lost their cost, and nodes that may get a lower one. The
//! next repair that goes farther takes these up. A label changes only when all changes below it are
//! known, so every node above the limit whose label is wrong is in one of the two lists, or gets its
//! cost from a node that is.
//!
//! A visit changes the entry cost of one node, unless it is a visit at home: the other entry costs
//! are measured from the mean at home. Then the table is searched again.

mod repair;
mod search;
#[cfg(test)]
mod tests;

use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::index::Leader;
use crate::plan::{Heading, PriceBuckets, Row};
use repair::Repair;

/// How far rounding may move a cost, as a share of it: a sum with one term per node of a path. This
/// holds for paths of 8,000,000 hops even if all errors have one sign.
const ROUNDING: f64 = 1e-9;

/// A visited node changes the paths home from about this many nodes below the limit of a repair; a
/// search visits each node.
const NODES_PER_REPAIR: usize = 300;

/// The costs of the paths to one leader, from all nodes within a radius.
#[derive(Debug, Clone)]
pub(super) struct HomeCosts {
    home: Leader,
    step: f64,
    /// All nodes from which the path costs at most this have a label.
    widest: f64,
    /// Labels up to this are correct, and all other costs are higher.
    limit: f64,
    labels: Vec<Label>,
    /// All nodes that were within the radius since the last search.
    members: Vec<NodeId>,
    /// How much of the log of visits the table accounts for.
    seen: usize,
    /// How much of it the doubt accounts for, and the visits to nodes of the table in it.
    heard: usize,
    pending: usize,
    /// How much cheaper a path home may have become through visits that are not accounted for.
    doubt: f64,
    /// The same for labels above the limit: through all visits since they were all correct.
    stale: f64,
    repair: Repair,
    /// Memory of searches.
    buckets: PriceBuckets,
}

/// What is known about a node.
#[derive(Debug, Clone, Copy)]
struct Label {
    /// The cost of its path home; infinite beyond the radius.
    cost: f64,
    /// The cost of entering it, as far as the table accounts for visits; of no meaning beyond the
    /// radius.
    entry: f64,
}

/// A node that was never within the radius.
const BEYOND: Label = Label { cost: f64::INFINITY, entry: -1.0 };

impl HomeCosts {
    /// No costs yet.
    pub(super) fn new(step: f64) -> Self {
        Self {
            home: Leader::default(),
            step,
            widest: f64::NEG_INFINITY,
            limit: f64::NEG_INFINITY,
            labels: Vec::new(),
            members: Vec::new(),
            seen: 0,
            heard: 0,
            pending: 0,
            doubt: 0.0,
            stale: 0.0,
            repair: Repair::default(),
            buckets: PriceBuckets::default(),
        }
    }

    /// Whether these are the costs of the paths to `home`, measured from its mean.
    pub(super) fn is_for(&self, home: &Leader) -> bool {
        self.home == *home && !self.labels.is_empty()
    }

    /// The cost of the path home from `node`; infinite if it is more than the radius.
    #[inline]
    pub(super) fn of(&self, node: NodeId) -> f64 {
        let cost = self.labels[node as usize].cost;
        if cost <= self.limit { cost } else { f64::INFINITY }
    }

    /// All nodes from which the path costs at most this are known.
    pub(super) fn radius(&self) -> f64 {
        self.limit
    }

    /// What the path home cost from `node` when that was last known, and how far a repair can make the
    /// radius reach.
    pub(super) fn about(&self, node: NodeId) -> (f64, f64) {
        (self.labels[node as usize].cost, self.widest)
    }

    /// The least that the path home costs from `node` after the visits that were heard of.
    ///
    /// The way from a node outside the table leads over its edge, and from there costs at least the
    /// radius; only visits to nodes of the table make that cheaper.
    pub(super) fn at_least(&self, node: NodeId) -> f64 {
        let least = self.of(node).min(self.limit);
        least - self.doubt - ROUNDING * least
    }

    /// The same for a node outside, from what was known before costs above the radius were left for
    /// later.
    pub(super) fn was_at_least(&self, node: NodeId) -> f64 {
        let label = self.labels[node as usize];
        let is_lost = label.cost == f64::INFINITY && label.entry != BEYOND.entry;
        if is_lost {
            return f64::NEG_INFINITY;
        }
        let least = label.cost.min(self.widest);
        least - self.stale - ROUNDING * least
    }

    /// Hears of the visits that this log, which ends now, has more than the last one.
    pub(super) fn doubt(&mut self, estimates: &Estimates, log: &[NodeId]) {
        for &node in &log[self.heard..] {
            let label = self.labels[node as usize];
            if label.entry == BEYOND.entry {
                continue;
            }
            let now = self.home.gap(estimates, node) + self.step;
            let cheaper = (label.entry - now).max(0.0);
            self.stale += cheaper;
            if label.cost <= self.limit {
                self.doubt += cheaper;
            }
            self.pending += usize::from(label.cost < f64::INFINITY);
        }
        self.heard = log.len();
    }

    /// Whether the table accounts for all visits in this log.
    pub(super) fn accounts_for(&self, log: &[NodeId]) -> bool {
        self.seen == log.len()
    }

    /// Whether a repair takes less time than a new search.
    pub(super) fn is_quick_to_repair(&self) -> bool {
        self.pending * NODES_PER_REPAIR + self.repair.left() <= self.members.len()
    }

    /// The table accounts for a log of this length.
    fn settle(&mut self, log: usize) {
        (self.seen, self.heard) = (log, log);
        (self.pending, self.doubt) = (0, 0.0);
    }

    /// What a node offers its neighbours.
    #[inline]
    fn price(&self, node: NodeId) -> f64 {
        if node == self.home.node {
            return 0.0;
        }
        let label = self.labels[node as usize];
        label.cost + label.entry
    }

    /// The nodes from which a road leads to `node`, and what it costs them to go over `node` if it
    /// offers `price`.
    #[inline]
    fn offers<'a>(
        &self,
        graph: &'a Graph,
        node: NodeId,
        price: f64,
    ) -> impl Iterator<Item = (NodeId, f64)> + use<'a> {
        let per_time = price_of_time(&self.home);
        let roads = Row::of(graph, Heading::There, node).timed();
        roads.map(move |(from, time)| (from, price + per_time * time))
    }

    /// The nodes to which a road leads from `node`, and what it costs to go over each of them.
    #[inline]
    fn choices<'a>(
        &'a self,
        graph: &'a Graph,
        node: NodeId,
    ) -> impl Iterator<Item = (NodeId, f64)> + 'a {
        let per_time = price_of_time(&self.home);
        let roads = Row::of(graph, Heading::FromHere, node).timed();
        roads.map(move |(to, time)| (to, self.price(to) + per_time * time))
    }
}

/// The cost of a unit of time on the road.
pub(super) fn price_of_time(home: &Leader) -> f64 {
    home.mean.max(0.0)
}

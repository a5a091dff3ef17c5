//! Repairs of a table: what visits have changed since.

use super::{BEYOND, HomeCosts};
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::plan::PriceQueue;

/// A repair that loses more nodes than this is rare.
const LARGE_REPAIR: usize = 4_096;

/// Memory of repairs.
#[derive(Debug, Clone, Default)]
pub(super) struct Repair {
    /// Nodes by cost.
    queue: PriceQueue,
    /// Whether a node lost the neighbour that its cost came from.
    is_lost: Vec<bool>,
    lost: Vec<NodeId>,
    /// Nodes whose entry cost has changed, and what it was.
    changed: Vec<(NodeId, f64)>,
    /// Nodes above the limit that may have lost their cost, with that cost.
    doubted: Vec<(f64, NodeId)>,
    /// Nodes above the limit that may get a lower cost, with that cost.
    offered: Vec<(f64, NodeId)>,
}

impl Repair {
    /// Forgets what was left for later.
    pub(super) fn forget(&mut self) {
        self.doubted.clear();
        self.offered.clear();
    }

    /// How much was left for later.
    pub(super) fn left(&self) -> usize {
        self.doubted.len() + self.offered.len()
    }
}

impl HomeCosts {
    /// Accounts for the visits in this log, none of them at home. Costs above `limit` may be left
    /// for later; the radius is then the limit.
    pub(in crate::planner::hunt) fn repair(
        &mut self,
        graph: &Graph,
        estimates: &Estimates,
        log: &[NodeId],
        limit: f64,
    ) {
        let mut repair = std::mem::take(&mut self.repair);
        repair.is_lost.resize(graph.len(), false);
        repair.changed.clear();
        repair.queue.drain(|_, _| ());
        self.limit = limit.min(self.widest);
        for &node in &log[self.seen..] {
            let entry = self.home.gap(estimates, node) + self.step;
            let before = self.labels[node as usize];
            if before.cost == f64::INFINITY || entry.to_bits() == before.entry.to_bits() {
                continue;
            }
            self.labels[node as usize].entry = entry;
            repair.changed.push((node, before.entry));
            // The neighbours whose cost came from this node are in doubt.
            if node != self.home.node {
                self.doubt_around(graph, node, before.cost + before.entry, &mut repair);
            }
        }
        repair.changed.sort_unstable_by_key(|&(node, _)| node);
        take_up(&mut repair.doubted, self.limit, &mut repair.queue);
        self.find_lost(graph, &mut repair);
        let is_large = repair.lost.len() > LARGE_REPAIR;
        self.find_anew(graph, estimates, &mut repair);
        if is_large {
            // Each of its many buckets would keep the memory of the largest one.
            repair.queue = PriceQueue::default();
        }
        self.repair = repair;
        self.settle(log.len());
        if self.limit == self.widest {
            self.stale = 0.0;
        }
    }

    /// Queues the nodes that go over `node` if it offers `price`.
    fn doubt_around(&self, graph: &Graph, node: NodeId, price: f64, repair: &mut Repair) {
        for (from, offer) in self.offers(graph, node, price) {
            if self.labels[from as usize].cost == offer && from != self.home.node {
                if offer <= self.limit {
                    repair.queue.push(offer, from);
                } else {
                    repair.doubted.push((offer, from));
                }
            }
        }
    }

    /// Finds the nodes that no longer get their cost from any neighbour, in order of cost: then it
    /// is known of all cheaper nodes whether they are lost.
    fn find_lost(&self, graph: &Graph, repair: &mut Repair) {
        let cost_of = |node: NodeId| self.labels[node as usize].cost;
        while let Some((cost, node)) = repair.queue.pop(|_| (), |_| true) {
            // The cost of a node that was doubted in an earlier repair may have fallen since.
            if repair.is_lost[node as usize] || cost != cost_of(node) {
                continue;
            }
            // Only a strictly cheaper neighbour counts: two nodes must not hold each other.
            let holds = |(u, offer): (NodeId, f64)| {
                (u == self.home.node || cost_of(u) < cost)
                    && offer <= cost
                    && !repair.is_lost[u as usize]
            };
            if self.choices(graph, node).any(holds) {
                continue;
            }
            repair.is_lost[node as usize] = true;
            repair.lost.push(node);
            // What it used to offer: its own entry cost may have changed, too.
            let changed = repair.changed.binary_search_by_key(&node, |&(changed, _)| changed);
            let now = self.labels[node as usize].entry;
            let entry = changed.map_or(now, |place| repair.changed[place].1);
            self.doubt_around(graph, node, cost + entry, repair);
        }
    }

    /// Finds the costs of lost nodes, and what became cheaper.
    fn find_anew(&mut self, graph: &Graph, estimates: &Estimates, repair: &mut Repair) {
        repair.queue.drain(|_, _| ());
        for &node in &repair.lost {
            self.labels[node as usize].cost = f64::INFINITY;
        }
        let mut lost = std::mem::take(&mut repair.lost);
        for node in lost.drain(..) {
            repair.is_lost[node as usize] = false;
            let best = self.best_offer(graph, node);
            self.offer(node, best, repair);
        }
        repair.lost = lost;
        for place in 0..repair.changed.len() {
            self.offer_around(graph, repair.changed[place].0, repair);
        }
        take_up(&mut repair.offered, self.limit, &mut repair.queue);
        while let Some((offer, node)) = repair.queue.pop(|_| (), |_| true) {
            let known = self.labels[node as usize];
            if offer >= known.cost {
                continue;
            }
            // An offer from an earlier repair may be void.
            let best = self.best_offer(graph, node);
            if best > offer {
                self.offer(node, best, repair);
                continue;
            }
            if known.cost == f64::INFINITY {
                if known.entry == BEYOND.entry {
                    self.members.push(node);
                }
                let entry = self.home.gap(estimates, node) + self.step;
                self.labels[node as usize].entry = entry;
            }
            self.labels[node as usize].cost = best;
            self.offer_around(graph, node, repair);
        }
    }

    /// The least that it costs to go over any neighbour.
    #[inline]
    fn best_offer(&self, graph: &Graph, node: NodeId) -> f64 {
        let others = self.choices(graph, node).filter(|&(u, _)| u != node);
        others.map(|(_, offer)| offer).fold(f64::INFINITY, f64::min)
    }

    /// Offers what a node costs beyond to its neighbours.
    #[inline]
    fn offer_around(&self, graph: &Graph, node: NodeId, repair: &mut Repair) {
        let price = self.price(node);
        if price <= self.widest {
            for (from, offer) in self.offers(graph, node, price) {
                self.offer(from, offer, repair);
            }
        }
    }

    /// Queues a node if this cost is lower than its own.
    #[inline]
    fn offer(&self, node: NodeId, price: f64, repair: &mut Repair) {
        let known = self.labels[node as usize].cost;
        if price >= known || price > self.widest || price == f64::INFINITY {
            return;
        }
        if price <= self.limit {
            repair.queue.push(price, node);
            return;
        }
        repair.offered.push((price, node));
        // Its cost may come from the node that makes this offer, at an earlier price. If that node is
        // lost later, its last price does not lead to this one.
        if known < f64::INFINITY {
            repair.doubted.push((known, node));
        }
    }
}

/// Moves what costs at most `limit` to the queue.
fn take_up(waiting: &mut Vec<(f64, NodeId)>, limit: f64, queue: &mut PriceQueue) {
    waiting.retain(|&(cost, node)| {
        if cost <= limit {
            queue.push(cost, node);
        }
        cost > limit
    });
}

//! Cheapest ways from one node to several, or to it, with fewer hops on ties.
//!
//! Entering node `v` costs `c(v)`, and a road's time its price. Without times every neighbour of
//! `v` gets the same offer, so a node's first offer, in order of cost and then of hops, is its
//! best, and a search ends when the last node it looks for is reached.
//!
//! All searches since [`Ways::clear`] stay in memory as trees, so that the ways need not be
//! searched again once it is known which of them are used.

use crate::graph::{Graph, NodeId};
use crate::plan::{Heading, RoadCosts};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is searched.
pub(super) struct Map<'a, C> {
    pub(super) graph: &'a Graph,
    pub(super) costs: &'a RoadCosts<C>,
    pub(super) heading: Heading,
}

impl<C: Fn(NodeId) -> f64> Map<'_, C> {
    /// Passes the other ends of the roads of `node` to `visit`, with the price of each road's time.
    #[inline]
    fn each_neighbor(&self, node: NodeId, mut visit: impl FnMut(NodeId, f64)) {
        match (self.graph.roads(), self.heading) {
            (None, _) => self.graph.neighborhood(node).iter().for_each(|&v| visit(v, 0.0)),
            (Some(roads), Heading::There) => {
                roads.into(node).for_each(|(v, time)| visit(v, self.costs.time * time));
            }
            (Some(_), Heading::FromHere) => {
                let roads = self.graph.roads_from(node);
                roads.for_each(|(v, time)| visit(v, self.costs.time * time));
            }
        }
    }
}

/// A node of a tree of ways.
#[derive(Debug, Clone, Copy)]
struct Branch {
    node: NodeId,
    /// The place of the node before it, counted from the tree's root; a root's own place is 0.
    /// There is no memory for 2^32 branches, so a `u32` holds it.
    before: u32,
}

/// What the present search knows of a node.
#[derive(Debug, Clone, Copy, Default)]
struct Label {
    /// The search that wrote this.
    search: u32,
    /// In hops or rounds.
    hops: u32,
    /// Without the node's own cost, and without that of the root.
    cost: f64,
    branch: u32,
    is_settled: bool,
    /// The search that looks for this node.
    wanted: u32,
}

/// A way found: a tree, and a branch of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    root: usize,
    branch: u32,
}

/// A branch that offers its neighbours a way.
#[derive(Debug, Clone, Copy)]
struct Front {
    node: NodeId,
    branch: u32,
    cost: f64,
}

/// Searches with reused memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Ways {
    search: u32,
    labels: Vec<Label>,
    /// The bits of the price, then the hops, then the node: costs are never negative, so their
    /// bits sort as they do.
    queue: BinaryHeap<Reverse<u128>>,
    branches: Vec<Branch>,
    /// Where the tree of the present search begins.
    root: usize,
    front: Vec<Front>,
    next_front: Vec<Front>,
}

#[inline]
fn key(price: f64, hops: u32, node: NodeId) -> Reverse<u128> {
    Reverse(u128::from(price.to_bits()) << 64 | u128::from(hops) << 32 | u128::from(node))
}

impl Ways {
    /// Forgets all ways.
    pub(super) fn clear(&mut self) {
        self.branches.clear();
    }

    /// Searches from `root` until all of `wanted` have their cheapest way. Of equally cheap ways it
    /// takes one of fewest hops, then one over the branch of lowest number.
    pub(super) fn search(
        &mut self,
        map: &Map<'_, impl Fn(NodeId) -> f64>,
        root: NodeId,
        wanted: &[NodeId],
    ) {
        let has_times = map.graph.roads().is_some();
        let mut left = self.start(map.graph.len(), root, wanted);
        self.queue.clear();
        self.queue.push(key(0.0, 0, root));
        while left > 0
            && let Some(Reverse(top)) = self.queue.pop()
        {
            let (price, node) = (f64::from_bits((top >> 64) as u64), top as NodeId);
            let label = &mut self.labels[node as usize];
            if has_times {
                // Here a node that got a better offer waits twice, and its cost, not its price, is
                // what decides.
                if label.is_settled {
                    continue;
                }
                label.is_settled = true;
                left -= usize::from(label.wanted == self.search);
            }
            let from = *label;
            let price =
                if has_times && node != root { price + (map.costs.entry)(node) } else { price };
            if price == f64::INFINITY {
                continue;
            }
            let hops = from.hops + 1;
            map.each_neighbor(node, |neighbor, toll| {
                let label = &mut self.labels[neighbor as usize];
                let is_new = label.search != self.search;
                let cost = price + toll;
                if is_new {
                    label.search = self.search;
                    label.is_settled = false;
                    label.branch = (self.branches.len() - self.root) as u32;
                    self.branches.push(Branch { node: neighbor, before: from.branch });
                } else if has_times && (cost, hops) < (label.cost, label.hops) && !label.is_settled
                {
                    self.branches[self.root + label.branch as usize].before = from.branch;
                } else {
                    return;
                }
                (label.cost, label.hops) = (cost, hops);
                if has_times {
                    self.queue.push(key(cost, hops, neighbor));
                } else {
                    left -= usize::from(label.wanted == self.search);
                    self.queue.push(key(cost + (map.costs.entry)(neighbor), hops, neighbor));
                }
            });
        }
    }

    /// Searches from `root` for the cheapest ways of at most `most` hops. Of equally cheap ways it
    /// takes one of fewest hops, then one over the node of lowest number.
    pub(super) fn search_within(
        &mut self,
        map: &Map<'_, impl Fn(NodeId) -> f64>,
        root: NodeId,
        most: u32,
    ) {
        self.start(map.graph.len(), root, &[]);
        self.front.clear();
        self.front.push(Front { node: root, branch: 0, cost: 0.0 });
        for round in 1..=most {
            self.next_front.clear();
            for &from in &self.front {
                let entry = if from.node == root { 0.0 } else { (map.costs.entry)(from.node) };
                let price = from.cost + entry;
                if price == f64::INFINITY {
                    continue;
                }
                map.each_neighbor(from.node, |neighbor, toll| {
                    let label = &mut self.labels[neighbor as usize];
                    let cost = price + toll;
                    if label.search == self.search && cost >= label.cost {
                        return;
                    }
                    // What was known before this round still offers its own, shorter way.
                    if label.search == self.search && label.hops == round {
                        self.branches[self.root + label.branch as usize].before = from.branch;
                    } else {
                        label.branch = (self.branches.len() - self.root) as u32;
                        self.branches.push(Branch { node: neighbor, before: from.branch });
                        let front = Front { node: neighbor, branch: label.branch, cost };
                        self.next_front.push(front);
                    }
                    (label.search, label.hops, label.cost) = (self.search, round, cost);
                });
            }
            if self.next_front.is_empty() {
                return;
            }
            for front in &mut self.next_front {
                front.cost = self.labels[front.node as usize].cost;
            }
            self.next_front.sort_unstable_by_key(|front| front.node);
            std::mem::swap(&mut self.front, &mut self.next_front);
        }
    }

    /// Begins a tree; returns how many of `wanted` are not its root.
    fn start(&mut self, nodes: usize, root: NodeId, wanted: &[NodeId]) -> usize {
        if self.labels.len() != nodes || self.search == u32::MAX {
            self.labels.clear();
            self.labels.resize(nodes, Label::default());
            self.search = 0;
        }
        self.search += 1;
        self.root = self.branches.len();
        self.branches.push(Branch { node: root, before: 0 });
        let search = self.search;
        let label = &mut self.labels[root as usize];
        *label = Label { search, wanted: label.wanted, ..Label::default() };
        let mut left = 0;
        for &node in wanted {
            let label = &mut self.labels[node as usize];
            left += usize::from(label.wanted != search && node != root);
            label.wanted = search;
        }
        // The root is settled before anybody counts.
        self.labels[root as usize].wanted = 0;
        left
    }

    /// The way between the present root and `node`, and its cost without that of the last node
    /// entered, if the search found one.
    pub(super) fn way(&self, node: NodeId) -> Option<(f64, Way)> {
        let label = &self.labels[node as usize];
        let way = Way { root: self.root, branch: label.branch };
        (label.search == self.search).then_some((label.cost, way))
    }

    /// The nodes entered on a way, in order.
    pub(super) fn path(&self, way: Way, heading: Heading) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut branch = self.branches[way.root + way.branch as usize];
        let mut place = way.branch;
        while place != 0 {
            let next = self.branches[way.root + branch.before as usize];
            path.push(match heading {
                Heading::There => next.node,
                Heading::FromHere => branch.node,
            });
            (place, branch) = (branch.before, next);
        }
        if heading == Heading::FromHere {
            path.reverse();
        }
        path
    }
}

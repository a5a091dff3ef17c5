//! Cheapest ways from one node to several others, or from these to it. Of equally cheap ways, those
//! with the fewest hops.
//!
//! Entering node `v` costs `c(v)`; if roads take time, their time costs extra. Without times, every
//! neighbour of `v` gets the same offer. So a node's first offer, in order of cost and then of hops,
//! is its best, and a search ends when it has reached the last node that it looks for.
//!
//! All searches since [`Ways::clear`] stay in memory as trees. So nothing is searched again once it
//! is known which ways are used.

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

/// What the present search knows of a node that it reached.
#[derive(Debug, Clone, Copy, Default)]
struct Label {
    /// Without the node's own cost, and without that of the root.
    cost: f64,
    hops: u32,
    branch: u32,
}

/// The bits of a node's flags: a byte per node stays in the cache, labels do not.
const REACHED: u8 = 1;
const WANTED: u8 = 2;
const SETTLED: u8 = 4;

/// A way found: a tree, and a branch of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    root: usize,
    branch: u32,
    pub(super) hops: u32,
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
    flags: Vec<u8>,
    /// The flag of nodes whose way is known in the present search.
    known: u8,
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

    /// Searches from `root` until the `enough` nearest of `wanted` have their cheapest way, and
    /// returns the least that a way to the others can cost; infinity if there are no others or no
    /// ways. Of equally cheap ways it takes one of fewest hops, then one over the branch of lowest
    /// number.
    pub(super) fn search(
        &mut self,
        map: &Map<'_, impl Fn(NodeId) -> f64>,
        (root, enough): (NodeId, usize),
        wanted: &[NodeId],
    ) -> f64 {
        let all = self.start(map.graph.len(), root, wanted);
        let enough = all.min(enough);
        let (found, radius) = if map.graph.roads().is_some() {
            self.search_roads(map, root, enough)
        } else {
            self.search_edges(map, root, enough)
        };
        if found < all { radius } else { f64::INFINITY }
    }

    /// Searches without times; returns the number of wanted nodes found and the price at which it
    /// stopped.
    fn search_edges(
        &mut self,
        map: &Map<'_, impl Fn(NodeId) -> f64>,
        root: NodeId,
        enough: usize,
    ) -> (usize, f64) {
        self.known = REACHED;
        self.queue.clear();
        self.queue.push(key(0.0, 0, root));
        let (mut found, mut radius) = (0, 0.0);
        while found < enough {
            let Some(Reverse(top)) = self.queue.pop() else { return (found, f64::INFINITY) };
            let (price, node) = (f64::from_bits((top >> 64) as u64), top as NodeId);
            radius = price;
            if price == f64::INFINITY {
                break;
            }
            let from = self.labels[node as usize];
            let hops = from.hops + 1;
            for &neighbor in map.graph.neighborhood(node) {
                let flags = &mut self.flags[neighbor as usize];
                if *flags & REACHED != 0 {
                    continue;
                }
                found += usize::from(*flags & WANTED != 0);
                *flags |= REACHED;
                let branch = (self.branches.len() - self.root) as u32;
                self.branches.push(Branch { node: neighbor, before: from.branch });
                self.labels[neighbor as usize] = Label { cost: price, hops, branch };
                self.queue.push(key(price + (map.costs.entry)(neighbor), hops, neighbor));
            }
        }
        (found, radius)
    }

    /// Like [`search_edges`](Self::search_edges), for roads with times: a node may get a better
    /// offer until it is settled, and waits by its cost.
    fn search_roads(
        &mut self,
        map: &Map<'_, impl Fn(NodeId) -> f64>,
        root: NodeId,
        enough: usize,
    ) -> (usize, f64) {
        self.known = SETTLED;
        self.flags[root as usize] &= !SETTLED;
        self.queue.clear();
        self.queue.push(key(0.0, 0, root));
        let (mut found, mut radius) = (0, 0.0);
        while found < enough {
            let Some(Reverse(top)) = self.queue.pop() else { return (found, f64::INFINITY) };
            let (cost, node) = (f64::from_bits((top >> 64) as u64), top as NodeId);
            let flags = &mut self.flags[node as usize];
            if *flags & SETTLED != 0 {
                continue;
            }
            *flags |= SETTLED;
            radius = cost;
            found += usize::from(*flags & WANTED != 0);
            let price = if node == root { 0.0 } else { cost + (map.costs.entry)(node) };
            if price == f64::INFINITY {
                continue;
            }
            let from = self.labels[node as usize];
            let hops = from.hops + 1;
            map.each_neighbor(node, |neighbor, toll| {
                let flags = &mut self.flags[neighbor as usize];
                let label = &mut self.labels[neighbor as usize];
                let cost = price + toll;
                if *flags & REACHED == 0 {
                    *flags |= REACHED;
                    label.branch = (self.branches.len() - self.root) as u32;
                    self.branches.push(Branch { node: neighbor, before: from.branch });
                } else if *flags & SETTLED == 0 && (cost, hops) < (label.cost, label.hops) {
                    self.branches[self.root + label.branch as usize].before = from.branch;
                } else {
                    return;
                }
                (label.cost, label.hops) = (cost, hops);
                self.queue.push(key(cost, hops, neighbor));
            });
        }
        (found, radius)
    }

    /// Searches from `root` for the cheapest ways of at most `most` hops to all of `wanted`. Of
    /// equally cheap ways it takes one of fewest hops, then one over the node of lowest number.
    pub(super) fn search_within(
        &mut self,
        map: &Map<'_, impl Fn(NodeId) -> f64>,
        (root, most): (NodeId, u32),
        wanted: &[NodeId],
    ) {
        self.start(map.graph.len(), root, &[]);
        self.known = REACHED;
        self.front.clear();
        self.front.push(Front { node: root, branch: 0, cost: 0.0 });
        for round in 1..=most {
            let known =
                wanted.iter().map(|&node| self.way(node).map_or(f64::INFINITY, |way| way.0));
            let dearest = known.fold(0.0, f64::max);
            self.next_front.clear();
            for &from in &self.front {
                let entry = if from.node == root { 0.0 } else { (map.costs.entry)(from.node) };
                let price = from.cost + entry;
                // What costs as much as all ways known cannot become part of a cheaper one.
                if price >= dearest {
                    continue;
                }
                map.each_neighbor(from.node, |neighbor, toll| {
                    let cost = price + toll;
                    let flags = &mut self.flags[neighbor as usize];
                    let label = &mut self.labels[neighbor as usize];
                    if *flags & REACHED == 0 || cost < label.cost {
                        if *flags & REACHED != 0 && label.hops == round {
                            self.branches[self.root + label.branch as usize].before = from.branch;
                        } else {
                            // A way known before stays as it is: shorter ways lead over it.
                            *flags |= REACHED;
                            label.hops = round;
                            label.branch = (self.branches.len() - self.root) as u32;
                            self.branches.push(Branch { node: neighbor, before: from.branch });
                            let front = Front { node: neighbor, branch: label.branch, cost };
                            self.next_front.push(front);
                        }
                        label.cost = cost;
                    } else if cost == label.cost && label.hops == round {
                        let tree = &mut self.branches[self.root..];
                        let before = tree[label.branch as usize].before;
                        if from.node < tree[before as usize].node {
                            tree[label.branch as usize].before = from.branch;
                        }
                    }
                });
            }
            if self.next_front.is_empty() {
                return;
            }
            for front in &mut self.next_front {
                front.cost = self.labels[front.node as usize].cost;
            }
            std::mem::swap(&mut self.front, &mut self.next_front);
        }
    }

    /// Begins a tree; returns how many of `wanted` are not its root.
    fn start(&mut self, nodes: usize, root: NodeId, wanted: &[NodeId]) -> usize {
        self.flags.clear();
        self.flags.resize(nodes, 0);
        self.labels.resize(nodes, Label::default());
        self.root = self.branches.len();
        self.branches.push(Branch { node: root, before: 0 });
        self.labels[root as usize] = Label::default();
        let mut left = 0;
        for &node in wanted {
            let flags = &mut self.flags[node as usize];
            left += usize::from(*flags & WANTED == 0 && node != root);
            *flags |= WANTED;
        }
        // The root has its way before the search begins.
        self.flags[root as usize] = REACHED | SETTLED;
        left
    }

    /// The way between the present root and `node`, and its cost without that of the last node
    /// entered, if the search found one.
    pub(super) fn way(&self, node: NodeId) -> Option<(f64, Way)> {
        let label = &self.labels[node as usize];
        let way = Way { root: self.root, branch: label.branch, hops: label.hops };
        (self.flags[node as usize] & self.known != 0).then_some((label.cost, way))
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

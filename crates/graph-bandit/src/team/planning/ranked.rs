//! Cheapest ways on small graphs whose roads take no time, with sets of nodes as bits.
//!
//! Nodes are ranked by what it costs to enter them, once for all searches of a plan. Every neighbour
//! of a settled node gets the same offer, and a node's first offer is its best. So a settled node
//! claims all neighbours that nobody has claimed, in a few operations on words, and only the
//! cheapest of each claim waits in the queue. The cheapest common neighbour of two nodes is the
//! lowest bit that their sets share.

use crate::graph::{Graph, NodeId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// The most nodes of a graph, so that a set takes few words, and numbers of nodes few bits.
const MOST_NODES: usize = 1_024;

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

/// The nodes of a graph by cost, with reused memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranked {
    /// The number of words of a set.
    words: usize,
    /// The cost of each node, then the node.
    keys: Vec<u128>,
    /// The keys that are not in order if nodes are listed as in the plan before.
    moved: Vec<u128>,
    /// The node of each rank, and the rank of each node.
    nodes: Vec<NodeId>,
    ranks: Vec<u32>,
    /// What it costs to enter the node of each rank.
    costs: Vec<f64>,
    /// The ranks of each node's neighbours, as far as they are known.
    rows: Vec<u64>,
    has_row: Vec<bool>,
}

impl Ranked {
    /// Ranks all nodes, if sets of bits suit the graph.
    pub(super) fn rank(&mut self, graph: &Graph, entry: impl Fn(NodeId) -> f64) -> bool {
        let nodes = graph.len();
        let words = nodes.div_ceil(WORD);
        let last = nodes as NodeId - 1;
        let row_lengths = graph.row(last).end;
        if nodes > MOST_NODES || graph.roads().is_some() || words * nodes > row_lengths {
            return false;
        }
        self.words = words;
        if self.nodes.len() != nodes {
            self.nodes.clear();
            self.nodes.extend(graph.nodes());
        }
        self.sort_keys(entry);
        self.costs.clear();
        self.ranks.resize(nodes, 0);
        for (rank, (&key, node)) in self.keys.iter().zip(&mut self.nodes).enumerate() {
            *node = key as NodeId;
            self.costs.push(f64::from_bits((key >> 32) as u64));
            self.ranks[*node as usize] = rank as u32;
        }
        self.rows.resize(nodes * words, 0);
        self.has_row.clear();
        self.has_row.resize(nodes, false);
        true
    }

    /// Sorts the keys. From plan to plan, most nodes keep their order: the few others are sorted by
    /// themselves.
    fn sort_keys(&mut self, entry: impl Fn(NodeId) -> f64) {
        self.keys.clear();
        self.moved.clear();
        for &node in &self.nodes {
            // Costs are never negative, so their bits sort as they do; -0 becomes 0.
            let key = u128::from((entry(node) + 0.0).to_bits()) << 32 | u128::from(node);
            match self.keys.last() {
                // One of the two has moved.
                Some(&before) if before > key => {
                    self.keys.pop();
                    self.moved.extend([before, key]);
                }
                _ => self.keys.push(key),
            }
        }
        self.moved.sort_unstable();
        // Merges from the end, so that nothing is overwritten before it is read.
        let mut kept = self.keys.len();
        self.keys.extend_from_slice(&self.moved);
        for place in (0..self.keys.len()).rev() {
            let Some(&moved) = self.moved.last() else { break };
            if kept > 0 && self.keys[kept - 1] > moved {
                kept -= 1;
                self.keys[place] = self.keys[kept];
            } else {
                self.keys[place] = moved;
                self.moved.pop();
            }
        }
    }

    /// Finds the set of a node's neighbours, if it is not known.
    #[inline]
    fn need_row(&mut self, graph: &Graph, node: NodeId) {
        if std::mem::replace(&mut self.has_row[node as usize], true) {
            return;
        }
        let row = &mut self.rows[node as usize * self.words..][..self.words];
        row.fill(0);
        for &neighbor in graph.neighborhood(node) {
            let rank = self.ranks[neighbor as usize] as usize;
            row[rank / WORD] |= 1 << (rank % WORD);
        }
    }

    /// The set of a node's neighbours, which must be known.
    #[inline]
    fn row(&self, node: NodeId) -> &[u64] {
        &self.rows[node as usize * self.words..][..self.words]
    }

    /// The least that it costs to enter a neighbour of `node`; infinity if it has none.
    pub(super) fn cheapest_neighbor(&mut self, graph: &Graph, node: NodeId) -> f64 {
        self.need_row(graph, node);
        let own = self.ranks[node as usize] as usize;
        for (word, &bits) in self.row(node).iter().enumerate() {
            let others = if own / WORD == word { bits & !(1 << (own % WORD)) } else { bits };
            if others != 0 {
                return self.costs[word * WORD + others.trailing_zeros() as usize];
            }
        }
        f64::INFINITY
    }

    /// What lies between two nodes whose sets are known, on the cheapest way of at most two hops.
    #[inline]
    pub(super) fn between(&self, from: NodeId, to: NodeId) -> Option<Between> {
        let rank = self.ranks[to as usize] as usize;
        let own = self.row(from);
        if own[rank / WORD] >> (rank % WORD) & 1 != 0 {
            return Some(Between::Nothing);
        }
        // The lowest common bit, without a branch that depends on where it is.
        let mut lowest = usize::MAX;
        for (word, (own, other)) in own.iter().zip(self.row(to)).enumerate().rev() {
            let common = own & other;
            let here = word * WORD + common.trailing_zeros() as usize;
            lowest = if common == 0 { lowest } else { here };
        }
        let node = *self.nodes.get(lowest)?;
        Some(Between::Node { node, cost: self.costs[lowest] })
    }
}

/// What lies between two nodes that are at most two hops apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Between {
    /// They are neighbours.
    Nothing,
    /// This neighbour of both, and what it costs to enter it.
    Node { node: NodeId, cost: f64 },
}

/// The neighbours that a settled node claimed.
#[derive(Debug, Clone, Copy)]
struct Claim {
    /// What they cost without their own entry.
    price: f64,
    /// The hops to them.
    hops: u32,
    /// The branch of the settled node.
    branch: u32,
}

/// A node that a search settles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Settled {
    pub(super) node: NodeId,
    /// The branch of the node.
    pub(super) branch: u32,
    /// What the way to it costs, its entry included.
    pub(super) price: f64,
    pub(super) hops: u32,
}

/// A search from one node, which goes farther on request. It settles nodes by price, then by hops,
/// then by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    /// The ranks that nobody has claimed.
    free: Vec<u64>,
    claims: Vec<Claim>,
    /// What is left of each claim.
    left: Vec<u64>,
    /// The price, the hops and the number of a node that waits, and its claim.
    queue: BinaryHeap<Reverse<u128>>,
    /// The settled nodes, and the branch before each.
    branches: Vec<(NodeId, u32)>,
}

impl Search {
    /// Begins, and settles the root.
    pub(super) fn start(
        &mut self,
        (graph, ranked): (&Graph, &mut Ranked),
        root: NodeId,
    ) -> Settled {
        self.free.clear();
        self.free.resize(ranked.words, u64::MAX);
        let rank = ranked.ranks[root as usize] as usize;
        self.free[rank / WORD] &= !(1 << (rank % WORD));
        self.claims.clear();
        self.left.clear();
        self.queue.clear();
        self.branches.clear();
        let root = Settled { node: root, branch: 0, price: 0.0, hops: 0 };
        self.settle((graph, ranked), root, 0);
        root
    }

    /// The least price of a node that is not settled, and its hops; infinity if there is none.
    #[inline]
    pub(super) fn radius(&self) -> (f64, u32) {
        let of =
            |Reverse(key): &Reverse<u128>| (f64::from_bits((key >> 64) as u64), (key >> 32) as u32);
        self.queue.peek().map_or((f64::INFINITY, u32::MAX), of)
    }

    /// Settles the next node.
    pub(super) fn go_on(&mut self, (graph, ranked): (&Graph, &mut Ranked)) -> Option<Settled> {
        let Reverse(key) = *self.queue.peek()?;
        let (node, place) = (NodeId::from((key >> 16) as u16), usize::from(key as u16));
        let rank = ranked.ranks[node as usize] as usize;
        self.left[place * ranked.words + rank / WORD] &= !(1 << (rank % WORD));
        let next = self.cheapest(ranked, place);
        let top = self.queue.peek_mut()?;
        match next {
            Some(key) => *{ top } = Reverse(key),
            None => drop(PeekMut::pop(top)),
        }
        let Claim { hops, branch: before, .. } = self.claims[place];
        let branch = self.branches.len() as u32;
        let price = f64::from_bits((key >> 64) as u64);
        let settled = Settled { node, branch, price, hops };
        self.settle((graph, ranked), settled, before);
        Some(settled)
    }

    /// Adds a settled node's branch, and claims its free neighbours.
    fn settle(&mut self, (graph, ranked): (&Graph, &mut Ranked), from: Settled, before: u32) {
        self.branches.push((from.node, before));
        ranked.need_row(graph, from.node);
        let place = self.left.len();
        let mut any = 0;
        for (row, free) in ranked.row(from.node).iter().zip(&mut self.free) {
            let new = row & *free;
            *free &= !new;
            any |= new;
            self.left.push(new);
        }
        if any == 0 {
            self.left.truncate(place);
            return;
        }
        let Settled { branch, price, hops, .. } = from;
        self.claims.push(Claim { price, hops: hops + 1, branch });
        if let Some(key) = self.cheapest(ranked, self.claims.len() - 1) {
            self.queue.push(Reverse(key));
        }
    }

    /// The key of the cheapest node that is left of a claim.
    #[inline]
    fn cheapest(&self, ranked: &Ranked, place: usize) -> Option<u128> {
        let Claim { price, hops, .. } = self.claims[place];
        let left = &self.left[place * ranked.words..][..ranked.words];
        let word = left.iter().position(|&bits| bits != 0)?;
        let rank = word * WORD + left[word].trailing_zeros() as usize;
        let total = price + ranked.costs[rank];
        // Costs are never negative, so their bits sort as they do. Nodes and claims are numbers
        // below 1,024, so 16 bits hold each.
        let first = u128::from(total.to_bits()) << 64 | u128::from(hops) << 32;
        Some(first | u128::from(ranked.nodes[rank]) << 16 | place as u128)
    }

    /// The nodes entered on the way to a branch, in order.
    pub(super) fn path(&self, branch: u32) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut place = branch;
        while place != 0 {
            let (node, before) = self.branches[place as usize];
            path.push(node);
            place = before;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn ranks_follow_costs_however_they_change() {
        let mut stream = Seed(12).stream();
        let mut ranked = Ranked::default();
        for nodes in [1_usize, 2, 7, 60, 90] {
            let graph = Graph::complete(nodes).unwrap();
            let mut costs: Vec<f64> = (0..nodes).map(|_| stream.below(9) as f64).collect();
            for change in 0..60 {
                for _ in 0..[0, 1, 3, nodes][change % 4] {
                    let node = stream.below(nodes as u64) as usize;
                    costs[node] = if stream.below(2) == 0 { stream.unit() } else { -0.0 };
                }
                assert!(ranked.rank(&graph, |node| costs[node as usize]));
                let mut expected: Vec<NodeId> = graph.nodes().collect();
                expected.sort_by(|&a, &b| {
                    let [x, y] = [a, b].map(|node| costs[node as usize] + 0.0);
                    x.total_cmp(&y).then(a.cmp(&b))
                });
                assert_eq!(ranked.nodes, expected);
                for (rank, &node) in expected.iter().enumerate() {
                    assert_eq!(ranked.ranks[node as usize] as usize, rank);
                    assert_eq!(ranked.costs[rank], costs[node as usize]);
                }
            }
        }
    }
}

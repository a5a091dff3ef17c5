//! Cheapest ways on small graphs whose roads take no time, with sets of nodes as bits.
//!
//! Nodes are ranked by what it costs to enter them, once for all searches of a plan. Every neighbour
//! of a settled node gets the same offer, and a node's first offer is its best. So a settled node
//! claims all neighbours that nobody has claimed, in a few operations on words, and only the
//! cheapest of each claim waits in the queue. Nodes are settled in the order of [`Ways`]'s plain
//! search, ties included, so the ways are the same to the bit.
//!
//! [`Ways`]: super::ways::Ways

use crate::graph::{Graph, NodeId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// The most nodes of a graph, so that a set takes few words.
const MOST_NODES: usize = 1_024;

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

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
#[derive(Debug, Clone, Copy)]
pub(super) struct Settled {
    pub(super) node: NodeId,
    /// The branch of the node before it.
    pub(super) before: u32,
    pub(super) price: f64,
    pub(super) hops: u32,
}

/// Searches of one plan, with reused memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranked {
    /// The number of words of a set.
    words: usize,
    /// The cost of each node, then the node.
    keys: Vec<u128>,
    /// The node of each rank, and the rank of each node.
    nodes: Vec<NodeId>,
    ranks: Vec<u32>,
    /// What it costs to enter the node of each rank.
    costs: Vec<f64>,
    /// The ranks of each node's neighbours, as far as they are known.
    rows: Vec<u64>,
    has_row: Vec<bool>,
    /// The ranks that nobody has claimed, and those that are wanted.
    free: Vec<u64>,
    wanted: Vec<u64>,
    claims: Vec<Claim>,
    /// What is left of each claim.
    left: Vec<u64>,
    /// The claim of each node that waits.
    claim_of: Vec<u32>,
    queue: BinaryHeap<Reverse<u128>>,
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
        // Costs are never negative, so their bits sort as they do; -0 becomes 0.
        let key = |node: NodeId| u128::from((entry(node) + 0.0).to_bits()) << 32 | u128::from(node);
        self.keys.clear();
        self.keys.extend(graph.nodes().map(key));
        self.keys.sort_unstable();
        self.nodes.clear();
        self.costs.clear();
        self.ranks.resize(nodes, 0);
        for (rank, &key) in self.keys.iter().enumerate() {
            let node = key as NodeId;
            self.nodes.push(node);
            self.costs.push(f64::from_bits((key >> 32) as u64));
            self.ranks[node as usize] = rank as u32;
        }
        self.rows.resize(nodes * words, 0);
        self.has_row.clear();
        self.has_row.resize(nodes, false);
        self.claim_of.resize(nodes, 0);
        true
    }

    /// Begins a search from `root` for `wanted`.
    pub(super) fn start(&mut self, root: NodeId, wanted: &[NodeId]) {
        self.free.clear();
        self.free.resize(self.words, u64::MAX);
        self.wanted.clear();
        self.wanted.resize(self.words, 0);
        for &node in wanted {
            let rank = self.ranks[node as usize] as usize;
            self.wanted[rank / WORD] |= 1 << (rank % WORD);
        }
        let rank = self.ranks[root as usize] as usize;
        self.free[rank / WORD] &= !(1 << (rank % WORD));
        self.claims.clear();
        self.left.clear();
        self.queue.clear();
    }

    /// Claims the free neighbours of a settled node, whose branch is `branch`, and passes the wanted
    /// ones to `reach`.
    pub(super) fn claim(
        &mut self,
        graph: &Graph,
        (from, branch): (&Settled, u32),
        mut reach: impl FnMut(NodeId),
    ) {
        let first = from.node as usize * self.words;
        if !self.has_row[from.node as usize] {
            self.has_row[from.node as usize] = true;
            let row = &mut self.rows[first..][..self.words];
            row.fill(0);
            for &neighbor in graph.neighborhood(from.node) {
                let rank = self.ranks[neighbor as usize] as usize;
                row[rank / WORD] |= 1 << (rank % WORD);
            }
        }
        let place = self.left.len();
        self.left.extend_from_slice(&self.rows[first..][..self.words]);
        let new = &mut self.left[place..];
        let mut any = 0;
        for (word, (new, free)) in new.iter_mut().zip(&mut self.free).enumerate() {
            *new &= *free;
            *free &= !*new;
            any |= *new;
            let mut hits = *new & self.wanted[word];
            while hits != 0 {
                reach(self.nodes[word * WORD + hits.trailing_zeros() as usize]);
                hits &= hits - 1;
            }
        }
        if any == 0 {
            self.left.truncate(place);
            return;
        }
        self.claims.push(Claim { price: from.price, hops: from.hops + 1, branch });
        if let Some(key) = self.cheapest(self.claims.len() - 1) {
            self.queue.push(Reverse(key));
        }
    }

    /// Settles the next node: the one of least price, then of fewest hops, then of lowest number.
    pub(super) fn settle(&mut self) -> Option<Settled> {
        let Reverse(key) = *self.queue.peek()?;
        let (price, node) = (f64::from_bits((key >> 64) as u64), key as NodeId);
        let place = self.claim_of[node as usize];
        let claim = self.claims[place as usize];
        let rank = self.ranks[node as usize] as usize;
        self.left[place as usize * self.words + rank / WORD] &= !(1 << (rank % WORD));
        let next = self.cheapest(place as usize);
        let top = self.queue.peek_mut()?;
        match next {
            Some(key) => *{ top } = Reverse(key),
            None => drop(PeekMut::pop(top)),
        }
        Some(Settled { node, before: claim.branch, price, hops: claim.hops })
    }

    /// The key of the cheapest node that is left of a claim, which now waits for it.
    fn cheapest(&mut self, place: usize) -> Option<u128> {
        let Claim { price, hops, .. } = self.claims[place];
        let left = &self.left[place * self.words..][..self.words];
        let mut word = left.iter().position(|&bits| bits != 0)?;
        let mut bits = left[word];
        let rank = word * WORD + bits.trailing_zeros() as usize;
        let total = price + self.costs[rank];
        let mut node = self.nodes[rank];
        // Where rounding makes dearer nodes as dear, the lowest number is first.
        loop {
            bits &= bits - 1;
            while bits == 0 && word + 1 < left.len() {
                word += 1;
                bits = left[word];
            }
            if bits == 0 {
                break;
            }
            let rank = word * WORD + bits.trailing_zeros() as usize;
            if price + self.costs[rank] != total {
                break;
            }
            node = node.min(self.nodes[rank]);
        }
        self.claim_of[node as usize] = place as u32;
        Some(u128::from(total.to_bits()) << 64 | u128::from(hops) << 32 | u128::from(node))
    }
}

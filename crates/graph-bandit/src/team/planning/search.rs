//! Cheapest ways on small graphs whose roads take no time, from one node and as far as asked for.
//!
//! Every neighbour of a settled node gets the same offer, and a node's first offer is its best. So a
//! settled node claims all neighbours that nobody has claimed, and only the cheapest of each claim
//! waits in the queue. Claims are sets of bits in the order of costs.

use super::ranks::{Ranks, first};
use crate::graph::{Graph, NodeId};

/// The most nodes of a graph, so that numbers of nodes take few bits.
pub(super) const MOST_NODES: usize = 1_024;

/// Whether a graph is small enough and has enough edges. Others have other searches, which may find
/// other ways of the same cost.
pub(crate) fn suits(graph: &Graph) -> bool {
    let nodes = graph.len();
    let words = nodes.div_ceil(u64::BITS as usize);
    nodes <= MOST_NODES && graph.roads().is_none() && words * nodes <= graph.row_entries()
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
    root: NodeId,
    /// The nodes that nobody has claimed.
    free: Vec<u64>,
    claims: Vec<Claim>,
    /// The nodes of each claim that are not settled.
    claimed: Vec<u64>,
    /// The price, the hops and the number of a node that waits, and its claim; descending. Most
    /// searches have few claims, for which a heap would take longer.
    queue: Vec<u128>,
    /// The settled nodes, and the branch before each.
    branches: Vec<(NodeId, u32)>,
}

impl Search {
    /// Begins; the root is the first node to be settled.
    pub(super) fn start(&mut self, ranks: &Ranks, root: NodeId) {
        self.root = root;
        self.free.clear();
        self.free.resize(ranks.words(), u64::MAX);
        let (word, bit) = ranks.bit(root);
        self.free[word] &= !bit;
        self.claims.clear();
        self.claimed.clear();
        self.queue.clear();
        self.branches.clear();
    }

    /// The least price of a node that is not settled, and its hops; infinity if there is none. The
    /// root must have been settled.
    #[inline]
    pub(super) fn radius(&self) -> (f64, u32) {
        let of = |key: &u128| (f64::from_bits((key >> 64) as u64), (key >> 32) as u32);
        self.queue.last().map_or((f64::INFINITY, u32::MAX), of)
    }

    /// The next node to be settled.
    #[inline]
    pub(super) fn next(&self) -> Option<Settled> {
        if self.branches.is_empty() {
            return Some(Settled { node: self.root, branch: 0, price: 0.0, hops: 0 });
        }
        let key = *self.queue.last()?;
        let node = NodeId::from((key >> 16) as u16);
        let branch = self.branches.len() as u32;
        let price = f64::from_bits((key >> 64) as u64);
        Some(Settled { node, branch, price, hops: (key >> 32) as u32 })
    }

    /// Settles the [`next`](Self::next) node, whose neighbourhood must be listed; `W` is the number of
    /// words of a set.
    #[inline]
    pub(super) fn go_on<const W: usize>(&mut self, ranks: &Ranks, from: Settled) {
        let mut before = 0;
        // There is none if the node is the root.
        if let Some(key) = self.queue.pop() {
            let place = usize::from(key as u16);
            before = self.claims[place].branch;
            let (word, bit) = ranks.bit(from.node);
            self.claimed[place * W + word] &= !bit;
            self.enqueue_next::<W>(ranks, place);
        }
        self.branches.push((from.node, before));
        let Settled { branch, price, hops, .. } = from;
        let row = ranks.row::<W>(from.node);
        let mut claimed = *row;
        for (claimed, free) in claimed.iter_mut().zip(&mut self.free) {
            *claimed &= *free;
            *free &= !*claimed;
        }
        self.claimed.extend_from_slice(&claimed);
        self.claims.push(Claim { price, hops: hops + 1, branch });
        self.enqueue_next::<W>(ranks, self.claims.len() - 1);
    }

    /// Puts the next node of a claim in its place of the queue, if there is one.
    #[expect(clippy::inline_always, reason = "a part of each settled node's time")]
    #[inline(always)]
    fn enqueue_next<const W: usize>(&mut self, ranks: &Ranks, place: usize) {
        let claim = self.claims[place];
        let rank = first(&self.claimed.as_chunks::<W>().0[place]);
        let Some(&(cost, node)) = ranks.order().get(rank) else { return };
        let total = claim.price + f64::from_bits(cost);
        // Costs are never negative, so their bits sort as they do. Nodes and claims are numbers up to
        // 1,024, so 16 bits hold each.
        let key = u128::from(total.to_bits()) << 64 | u128::from(claim.hops) << 32;
        let key = key | u128::from(node) << 16 | place as u128;
        let mut place = self.queue.len();
        self.queue.push(key);
        while place > 0 && self.queue[place - 1] < key {
            self.queue[place] = self.queue[place - 1];
            place -= 1;
        }
        self.queue[place] = key;
    }

    /// Adds the nodes entered on the way to a branch, in order.
    pub(super) fn add_path(&self, branch: u32, path: &mut Vec<NodeId>) {
        let from = path.len();
        let mut place = branch;
        while place != 0 {
            let (node, before) = self.branches[place as usize];
            path.push(node);
            place = before;
        }
        path[from..].reverse();
    }
}

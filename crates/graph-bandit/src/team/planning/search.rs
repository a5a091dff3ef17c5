//! Cheapest ways on small graphs whose roads take no time, from one node and as far as asked for.
//!
//! Every neighbour of a settled node gets the same offer, and a node's first offer is its best. So a
//! settled node claims all neighbours that nobody has claimed, and only the cheapest of each claim
//! waits in the queue.

use crate::graph::{Graph, NodeId};

/// The most nodes of a graph, so that numbers of nodes take few bits.
const MOST_NODES: usize = 1_024;

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

/// The words of a set of nodes.
const WORDS: usize = MOST_NODES / WORD;

/// Claims that are larger than this are sorted; the cheapest node of others is looked for.
const FEW: usize = 32;

/// Whether a graph is small enough and has enough edges. Others have other searches, which may find
/// other ways of the same cost.
pub(super) fn suits(graph: &Graph) -> bool {
    let nodes = graph.len();
    let words = nodes.div_ceil(WORD);
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
    /// Where they are listed, how many are left, and the next of them.
    first: u32,
    end: u32,
    left: u32,
    next: u32,
    /// Whether they are sorted, the cheapest last.
    is_sorted: bool,
}

/// The bits of a cost, for nodes that have left their claim: above those of all costs.
const TAKEN: u64 = u64::MAX;

/// Memory for some nodes of a claim.
#[derive(Debug, Clone)]
struct NewClaim([(u64, NodeId); WORD]);

impl Default for NewClaim {
    fn default() -> Self {
        Self([(0, 0); WORD])
    }
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
    free: [u64; WORDS],
    claims: Vec<Claim>,
    /// The nodes of all claims, with what it costs to enter them: bits, which sort as costs do.
    claimed: Vec<(u64, NodeId)>,
    /// Memory for the claim of a node.
    new: NewClaim,
    /// The price, the hops and the number of a node that waits, and its claim; descending. Most
    /// searches have few claims, for which a heap would take longer.
    queue: Vec<u128>,
    /// The settled nodes, and the branch before each.
    branches: Vec<(NodeId, u32)>,
}

impl Search {
    /// Begins; the root is the first node to be settled.
    pub(super) fn start(&mut self, root: NodeId) {
        self.root = root;
        self.free = [u64::MAX; WORDS];
        self.free[root as usize / WORD] &= !(1 << (root as usize % WORD));
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
        let (node, place) = (NodeId::from((key >> 16) as u16), usize::from(key as u16));
        let branch = self.branches.len() as u32;
        let price = f64::from_bits((key >> 64) as u64);
        Some(Settled { node, branch, price, hops: self.claims[place].hops })
    }

    /// Settles the [`next`](Self::next) node. Passes the node and its neighbours to `meet`, which
    /// returns what it costs to enter each.
    #[inline]
    pub(super) fn go_on(
        &mut self,
        graph: &Graph,
        from: Settled,
        mut meet: impl FnMut(NodeId) -> f64,
    ) {
        let mut before = 0;
        // There is none if the node is the root.
        if let Some(key) = self.queue.pop() {
            let place = usize::from(key as u16);
            let claim = &mut self.claims[place];
            before = claim.branch;
            claim.drop_next(&mut self.claimed);
            if claim.left > 0 {
                enqueue(&mut self.queue, claim.key(&self.claimed, place));
            }
        }
        self.branches.push((from.node, before));
        let first = self.claimed.len();
        let (mut next, mut least) = (first, TAKEN);
        let new = &mut self.new.0;
        for row in graph.neighborhood(from.node).chunks(WORD) {
            let mut count = 0;
            // Nobody can foretell which neighbours are free or cheap. So there are no branches.
            for &node in row {
                let cost = meet(node).to_bits();
                let free = &mut self.free[node as usize / WORD % WORDS];
                let is_free = *free >> (node as usize % WORD) & 1;
                *free &= !(1 << (node as usize % WORD));
                new[count % WORD] = (cost, node);
                // Neighbours are listed in ascending order, so the lowest of equal costs stays.
                let is_next = is_free & u64::from(cost < least) != 0;
                next = if is_next { self.claimed.len() + count } else { next };
                least = if is_next { cost } else { least };
                count += is_free as usize;
            }
            self.claimed.extend_from_slice(&new[..count]);
        }
        let end = self.claimed.len();
        if first == end {
            return;
        }
        let Settled { branch, price, hops, .. } = from;
        let (left, hops) = ((end - first) as u32, hops + 1);
        let (first, end, next) = (first as u32, end as u32, next as u32);
        let claim = Claim { price, hops, branch, first, end, left, next, is_sorted: false };
        enqueue(&mut self.queue, claim.key(&self.claimed, self.claims.len()));
        self.claims.push(claim);
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

/// Puts a key in its place of a descending list.
#[inline]
fn enqueue(queue: &mut Vec<u128>, key: u128) {
    let mut place = queue.len();
    queue.push(key);
    while place > 0 && queue[place - 1] < key {
        queue[place] = queue[place - 1];
        place -= 1;
    }
    queue[place] = key;
}

impl Claim {
    /// The place of its next node in the queue; `place` is its own among the claims.
    #[inline]
    fn key(&self, claimed: &[(u64, NodeId)], place: usize) -> u128 {
        let (cost, node) = claimed[self.next as usize];
        let total = self.price + f64::from_bits(cost);
        // Costs are never negative, so their bits sort as they do. Nodes and claims are numbers
        // below 1,024, so 16 bits hold each.
        let first = u128::from(total.to_bits()) << 64 | u128::from(self.hops) << 32;
        first | u128::from(node) << 16 | place as u128
    }

    /// Removes its next node, and finds the cheapest of the others; of equal costs, the lowest.
    #[inline]
    fn drop_next(&mut self, claimed: &mut [(u64, NodeId)]) {
        claimed[self.next as usize].0 = TAKEN;
        self.left -= 1;
        let listed = &mut claimed[self.first as usize..self.end as usize];
        if self.left as usize > FEW && !self.is_sorted {
            listed.sort_unstable_by(|a, b| b.cmp(a));
            self.is_sorted = true;
            self.next = self.end;
        }
        if self.is_sorted {
            // Those taken before it was sorted come first.
            self.next = self.next.saturating_sub(1);
            return;
        }
        let (mut next, mut least) = (0, TAKEN);
        for (place, &(cost, _)) in listed.iter().enumerate() {
            let is_next = cost < least;
            next = if is_next { place } else { next };
            least = if is_next { cost } else { least };
        }
        self.next = self.first + next as u32;
    }
}

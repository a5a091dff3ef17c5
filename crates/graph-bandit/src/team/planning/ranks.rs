//! Sets of nodes of a small graph as bits, in the order of what it costs to enter them: the first bit
//! of a set is its cheapest node.

use super::ranking::Ranking;
use crate::graph::{Graph, NodeId};
use std::hint::select_unpredictable;

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

/// The ranks of nodes by cost, then by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranks {
    /// What it costs to enter each node, as bits, which sort as costs do; and the node.
    order: Vec<(u64, NodeId)>,
    /// The rank of each node.
    by_node: Vec<u16>,
    /// The words of a set.
    words: usize,
    /// The neighbourhoods of nodes, and whether each is listed.
    rows: Vec<u64>,
    is_listed: Vec<bool>,
}

impl Ranks {
    /// Orders the nodes by what it costs to enter them now, which the order of a ranking by value
    /// follows, if there is one.
    pub(super) fn update(
        &mut self,
        nodes: usize,
        entry: impl Fn(NodeId) -> f64,
        ranking: Option<&Ranking>,
    ) {
        self.order.resize(nodes, (0, 0));
        self.by_node.resize(nodes, 0);
        let is_ordered = match ranking {
            Some(ranking) => self.number(entry, ranking.nodes()),
            None => self.number(entry, 0..nodes as NodeId),
        };
        // Costs may be equal where values are not.
        if !is_ordered {
            self.order.sort_unstable();
            for (rank, &(_, node)) in self.order.iter().enumerate() {
                self.by_node[node as usize] = rank as u16;
            }
        }
        self.words = nodes.div_ceil(WORD);
        self.rows.resize(nodes * self.words, 0);
        self.is_listed.clear();
        self.is_listed.resize(nodes, false);
    }

    /// Numbers all nodes in this order; whether it is that of costs.
    fn number(
        &mut self,
        entry: impl Fn(NodeId) -> f64,
        nodes: impl Iterator<Item = NodeId>,
    ) -> bool {
        let (mut disorder, mut before) = (0, (0, 0));
        for (rank, (place, node)) in self.order.iter_mut().zip(nodes).enumerate() {
            // Adding 0 makes -0 equal to 0, so that bits of costs sort as costs do.
            let cost = (entry(node) + 0.0).to_bits();
            *place = (cost, node);
            // Without branches, unlike a comparison of pairs.
            let is_tie = u8::from(before.0 == cost);
            disorder |= u8::from(before.0 > cost) | is_tie & u8::from(before.1 > node);
            before = (cost, node);
            self.by_node[node as usize] = rank as u16;
        }
        disorder == 0
    }

    /// What it costs to enter a node.
    pub(super) fn cost(&self, node: NodeId) -> f64 {
        f64::from_bits(self.order[usize::from(self.by_node[node as usize])].0)
    }

    /// The number of words of a set.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// All costs and nodes, by rank.
    #[inline]
    pub(super) fn order(&self) -> &[(u64, NodeId)] {
        &self.order
    }

    /// The word and the bit of a node in sets.
    #[inline]
    pub(super) fn bit(&self, node: NodeId) -> (usize, u64) {
        let rank = usize::from(self.by_node[node as usize]);
        (rank / WORD, 1 << (rank % WORD))
    }

    /// Lists the neighbourhood of a node; `W` is the number of words of a set.
    #[inline]
    pub(super) fn list<const W: usize>(&mut self, graph: &Graph, node: NodeId) {
        if std::mem::replace(&mut self.is_listed[node as usize], true) {
            return;
        }
        let row = &mut self.rows.as_chunks_mut::<W>().0[node as usize];
        row.fill(0);
        for &neighbor in graph.neighborhood(node) {
            let rank = usize::from(self.by_node[neighbor as usize]);
            row[rank / WORD] |= 1 << (rank % WORD);
        }
    }

    /// The neighbourhood of a node, which must be listed.
    #[inline]
    pub(super) fn row<const W: usize>(&self, node: NodeId) -> &[u64; W] {
        &self.rows.as_chunks().0[node as usize]
    }
}

/// The least rank in a set; the number after all ranks if there is none.
#[inline]
pub(super) fn first<const W: usize>(set: &[u64; W]) -> usize {
    first_of_both(set, set)
}

/// The least rank in both sets; the number after all ranks if there is none.
#[expect(clippy::inline_always, reason = "most of the time of finding ways")]
#[inline(always)]
pub(super) fn first_of_both<const W: usize>(one: &[u64; W], other: &[u64; W]) -> usize {
    // The first word that is not zero, then its first bit: finding a bit takes longer. Which
    // word it is, is unpredictable, so there are no branches.
    let (mut both, mut before) = (0, (W - 1) * WORD);
    for word in (0..W).rev() {
        let here = one[word] & other[word];
        both = select_unpredictable(here == 0, both, here);
        before = select_unpredictable(here == 0, before, word * WORD);
    }
    before + both.trailing_zeros() as usize
}

//! Sets of nodes of a small graph as bits, in the order of what it costs to enter them: the first bit
//! of a set is its cheapest node.

use super::ranking::Ranking;
use crate::graph::{Graph, NodeId};

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
    /// Orders the nodes by new costs, which the order of a ranking by value follows, if there is one.
    pub(super) fn update(&mut self, costs: &[f64], ranking: Option<&Ranking>) {
        let nodes = costs.len();
        self.order.resize(nodes, (0, 0));
        self.by_node.resize(nodes, 0);
        let is_ordered = match ranking {
            Some(ranking) => self.number(costs, ranking.nodes()),
            None => self.number(costs, 0..nodes as NodeId),
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
    fn number(&mut self, costs: &[f64], nodes: impl Iterator<Item = NodeId>) -> bool {
        let (mut is_ordered, mut before) = (true, (0, 0));
        for (rank, (place, node)) in self.order.iter_mut().zip(nodes).enumerate() {
            *place = (costs[node as usize].to_bits(), node);
            is_ordered &= before <= *place;
            before = *place;
            self.by_node[node as usize] = rank as u16;
        }
        is_ordered
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

    /// Lists the neighbourhood of a node.
    #[inline]
    pub(super) fn list(&mut self, graph: &Graph, node: NodeId) {
        if std::mem::replace(&mut self.is_listed[node as usize], true) {
            return;
        }
        let row = &mut self.rows[node as usize * self.words..][..self.words];
        row.fill(0);
        for &neighbor in graph.neighborhood(node) {
            let rank = usize::from(self.by_node[neighbor as usize]);
            row[rank / WORD] |= 1 << (rank % WORD);
        }
    }

    /// The neighbourhood of a node, which must be listed.
    #[inline]
    pub(super) fn row(&self, node: NodeId) -> &[u64] {
        &self.rows[node as usize * self.words..][..self.words]
    }
}

/// The least rank in a set.
#[inline]
pub(super) fn first(set: &[u64]) -> Option<usize> {
    let word = set.iter().position(|word| *word != 0)?;
    Some(word * WORD + set[word].trailing_zeros() as usize)
}

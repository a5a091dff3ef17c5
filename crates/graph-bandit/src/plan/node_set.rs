//! A set of nodes that is forgotten at the price of what was in it.

use crate::graph::NodeId;

/// One bit per node, so that the sets of large graphs stay near.
#[derive(Debug, Clone, Default)]
pub(super) struct NodeSet {
    words: Vec<u64>,
    /// What to forget.
    inserted: Vec<NodeId>,
    nodes: usize,
}

impl NodeSet {
    /// Forgets all, before a search in a graph of `nodes` nodes.
    pub(super) fn start(&mut self, nodes: usize) {
        if self.nodes != nodes || self.inserted.len() > nodes / 64 {
            self.words.clear();
            self.words.resize(nodes.div_ceil(64), 0);
            self.nodes = nodes;
        } else {
            for &node in &self.inserted {
                self.words[node as usize / 64] = 0;
            }
        }
        self.inserted.clear();
    }

    #[inline]
    pub(super) fn contains(&self, node: NodeId) -> bool {
        (self.words[node as usize / 64] >> (node % 64)) & 1 == 1
    }

    /// Whether all of `nodes` are in the set.
    #[inline]
    pub(super) fn contains_all(&self, nodes: &[NodeId]) -> bool {
        // Branches hard to foretell cost more than the few look-ups they save.
        nodes.chunks(8).all(|few| few.iter().fold(true, |all, &node| all & self.contains(node)))
    }

    /// Whether the node was not in the set before.
    pub(super) fn insert(&mut self, node: NodeId) -> bool {
        !self.insert_all(&[node]).is_empty()
    }

    /// Inserts `nodes`; answers those that were not in the set before, in the same order.
    #[inline]
    pub(super) fn insert_all(&mut self, nodes: &[NodeId]) -> &[NodeId] {
        // Every node is written behind the last new one, and stays if it is new: no branch.
        let start = self.inserted.len();
        self.inserted.resize(start + nodes.len(), 0);
        let new = &mut self.inserted[start..];
        let mut count = 0;
        for &node in nodes {
            let word = &mut self.words[node as usize / 64];
            let bit = 1 << (node % 64);
            new[count] = node;
            count += usize::from(*word & bit == 0);
            *word |= bit;
        }
        self.inserted.truncate(start + count);
        &self.inserted[start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserts_once_and_forgets() {
        let mut set = NodeSet::default();
        for nodes in [1000, 1000, 1000, 70] {
            set.start(nodes);
            assert!((0..nodes as NodeId).all(|node| !set.contains(node)));
            assert_eq!(set.insert_all(&[3, 64, 3, 5]), [3, 64, 5]);
            assert_eq!(set.insert_all(&[64, 66]), [66]);
            assert!(!set.insert(5) && set.insert(6));
            assert!(set.contains_all(&[3, 5, 6, 64, 66]) && !set.contains_all(&[3, 4]));
        }
    }
}

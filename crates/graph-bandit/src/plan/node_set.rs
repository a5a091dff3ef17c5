//! A set of nodes that costs only its size to clear.

use crate::graph::NodeId;

/// One byte per node: small enough for the cache, and no two nodes share a byte.
#[derive(Debug, Clone, Default)]
pub(super) struct NodeSet {
    flags: Vec<u8>,
    /// The members, for clearing: the first `len` of these, one more than there are nodes.
    inserted: Vec<NodeId>,
    len: usize,
}

impl NodeSet {
    /// Clears the set before a search in a graph of `nodes` nodes.
    pub(super) fn start(&mut self, nodes: usize) {
        if self.inserted.len() != nodes + 1 {
            self.inserted = vec![0; nodes + 1];
            self.flags = vec![0; nodes];
        } else if self.len > nodes / 64 {
            self.flags.fill(0);
        } else {
            for &node in &self.inserted[..self.len] {
                self.flags[node as usize] = 0;
            }
        }
        self.len = 0;
    }

    #[inline]
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.flags[node as usize] != 0
    }

    /// The members, in the order in which they were inserted.
    pub(super) fn members(&self) -> &[NodeId] {
        &self.inserted[..self.len]
    }

    /// Whether all of `nodes` are in the set.
    #[inline]
    pub(super) fn contains_all(&self, nodes: &[NodeId]) -> bool {
        // Unpredictable branches cost more than the few lookups they save.
        nodes.chunks(8).all(|few| few.iter().fold(true, |all, &node| all & self.contains(node)))
    }

    /// Inserts a node; returns whether it is new.
    pub(super) fn insert(&mut self, node: NodeId) -> bool {
        !self.insert_all(&[node]).is_empty()
    }

    /// Inserts `nodes`; returns those that are new, in the same order.
    #[inline]
    pub(super) fn insert_all(&mut self, nodes: &[NodeId]) -> &[NodeId] {
        // Every node is written behind the last new one and kept only if it is new: no branch.
        let start = self.len;
        let mut end = start;
        for &node in nodes {
            let flag = &mut self.flags[node as usize];
            self.inserted[end] = node;
            end += usize::from(*flag ^ 1);
            *flag = 1;
        }
        self.len = end;
        &self.inserted[start..end]
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

//! Paths on a tree: up to the first common ancestor and down.

use super::{Graph, Hops, NodeId};

/// A tree rooted at node 0.
#[derive(Debug, Clone)]
pub(crate) struct TreePaths {
    parent: Vec<NodeId>,
    depth: Vec<u32>,
}

impl TreePaths {
    /// `None` when the graph is not a tree.
    pub(crate) fn new(graph: &Graph) -> Option<Self> {
        if graph.edge_count() + 1 != graph.len() {
            return None;
        }
        let mut hops = Hops::default();
        hops.search(graph, [0], None);
        let depth: Vec<u32> = graph.nodes().map(|v| hops.distance(v).unwrap_or(0)).collect();
        let mut parent = vec![0; graph.len()];
        for &node in hops.reached() {
            for child in graph.neighbors(node) {
                if depth[child as usize] > depth[node as usize] {
                    parent[child as usize] = node;
                }
            }
        }
        Some(Self { parent, depth })
    }

    /// Appends the path.
    ///
    /// # Complexity
    /// O(hops).
    pub(crate) fn path(&self, from: NodeId, to: NodeId, path: &mut Vec<NodeId>) {
        let (mut up, mut down) = (from, to);
        let mut descents = 0;
        while up != down {
            if self.depth[up as usize] >= self.depth[down as usize] {
                up = self.parent[up as usize];
                path.push(up);
            } else {
                descents += 1;
                down = self.parent[down as usize];
            }
        }
        let top = path.len();
        path.resize(top + descents, to);
        let mut below = to;
        for node in path[top..].iter_mut().rev() {
            *node = below;
            below = self.parent[below as usize];
        }
    }
}

//! The connected parts of a draft.

/// Which part each node is in, and how large the parts are.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The part of each node, numbered by its lowest node.
    pub(crate) of: Vec<usize>,
    /// Nodes of each part.
    pub(crate) sizes: Vec<usize>,
    /// The lowest node of each part.
    pub(crate) first: Vec<usize>,
}

impl Parts {
    /// The parts of `nodes` nodes that these edges join.
    pub(crate) fn new(nodes: usize, edges: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut parents: Vec<usize> = (0..nodes).collect();
        for (a, b) in edges {
            let (a, b) = (root(&mut parents, a), root(&mut parents, b));
            // The lower number leads, so that parts are numbered by their lowest node.
            parents[a.max(b)] = a.min(b);
        }
        let mut parts = Self { of: vec![0; nodes], sizes: Vec::new(), first: Vec::new() };
        for node in 0..nodes {
            let leader = root(&mut parents, node);
            if leader == node {
                parts.of[node] = parts.sizes.len();
                parts.sizes.push(0);
                parts.first.push(node);
            } else {
                parts.of[node] = parts.of[leader];
            }
            parts.sizes[parts.of[node]] += 1;
        }
        parts
    }

    /// The part with the most nodes; the first of equals.
    pub(crate) fn largest(&self) -> usize {
        (0..self.sizes.len()).rev().max_by_key(|&part| self.sizes[part]).unwrap_or(0)
    }

    /// Part numbers, the largest first.
    pub(crate) fn by_size(&self) -> Vec<usize> {
        let mut parts: Vec<usize> = (0..self.sizes.len()).collect();
        parts.sort_by_key(|&part| (std::cmp::Reverse(self.sizes[part]), part));
        parts
    }
}

fn root(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_by_their_lowest_node() {
        let parts = Parts::new(7, [(5, 1), (2, 6), (6, 3), (4, 4)].into_iter());
        assert_eq!(parts.of, [0, 1, 2, 2, 3, 1, 2]);
        assert_eq!(parts.sizes, [1, 2, 3, 1]);
        assert_eq!(parts.first, [0, 1, 2, 4]);
        assert_eq!(parts.largest(), 2);
        assert_eq!(parts.by_size(), [2, 1, 0, 3]);
        assert_eq!(Parts::new(2, std::iter::empty()).largest(), 0);
    }
}

//! Strongly connected parts, in which all nodes reach each other, by Tarjan's algorithm.

use super::NodeId;

const UNSEEN: u32 = u32::MAX;

/// The part of each node. Parts are numbered by their lowest nodes, ascending.
///
/// # Panics
/// When a road ends beyond the nodes.
///
/// # Complexity
/// O(|S| + |E|).
pub fn strong_parts(nodes: usize, roads: impl IntoIterator<Item = (NodeId, NodeId)>) -> Vec<u32> {
    let (starts, ends) = rows(nodes, roads);
    let mut search = Search {
        seen: vec![UNSEEN; nodes],
        low: vec![0; nodes],
        next: starts[..nodes].to_vec(),
        on_stack: vec![false; nodes],
        stack: Vec::new(),
        part: vec![UNSEEN; nodes],
        count: 0,
    };
    let mut parts = 0;
    for root in 0..nodes {
        if search.seen[root] == UNSEEN {
            search.from(root as NodeId, &starts, &ends, &mut parts);
        }
    }
    numbered_by_lowest(&search.part, parts)
}

fn rows(
    nodes: usize,
    roads: impl IntoIterator<Item = (NodeId, NodeId)>,
) -> (Vec<u32>, Vec<NodeId>) {
    let roads: Vec<_> = roads.into_iter().collect();
    let mut starts = vec![0_u32; nodes + 1];
    for &(from, _) in &roads {
        starts[from as usize + 1] += 1;
    }
    for s in 0..nodes {
        starts[s + 1] += starts[s];
    }
    let mut free = starts[..nodes].to_vec();
    let mut ends = vec![0; roads.len()];
    for (from, to) in roads {
        let slot = &mut free[from as usize];
        ends[*slot as usize] = to;
        *slot += 1;
    }
    (starts, ends)
}

struct Search {
    /// When each node was first seen.
    seen: Vec<u32>,
    /// The earliest node on the stack that it can reach, as far as known.
    low: Vec<u32>,
    /// The next road of each node to follow.
    next: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<NodeId>,
    part: Vec<u32>,
    count: u32,
}

impl Search {
    /// Depth first, without recursion: a long road must not exhaust the stack.
    fn from(&mut self, root: NodeId, starts: &[u32], ends: &[NodeId], parts: &mut u32) {
        let mut way = vec![root];
        self.enter(root);
        while let Some(&node) = way.last() {
            let s = node as usize;
            if self.next[s] < starts[s + 1] {
                let to = ends[self.next[s] as usize];
                self.next[s] += 1;
                if self.seen[to as usize] == UNSEEN {
                    self.enter(to);
                    way.push(to);
                } else if self.on_stack[to as usize] {
                    self.low[s] = self.low[s].min(self.seen[to as usize]);
                }
                continue;
            }
            way.pop();
            if let Some(&before) = way.last() {
                self.low[before as usize] = self.low[before as usize].min(self.low[s]);
            }
            if self.low[s] == self.seen[s] {
                self.leave(node, *parts);
                *parts += 1;
            }
        }
    }

    fn enter(&mut self, node: NodeId) {
        let s = node as usize;
        (self.seen[s], self.low[s]) = (self.count, self.count);
        self.count += 1;
        self.on_stack[s] = true;
        self.stack.push(node);
    }

    /// Pops the stack down to this node: these nodes form its part.
    fn leave(&mut self, node: NodeId, part: u32) {
        while let Some(member) = self.stack.pop() {
            self.on_stack[member as usize] = false;
            self.part[member as usize] = part;
            if member == node {
                return;
            }
        }
    }
}

fn numbered_by_lowest(part: &[u32], parts: u32) -> Vec<u32> {
    let mut number = vec![UNSEEN; parts as usize];
    let mut next = 0;
    let numbered = part.iter().map(|&part| {
        let number = &mut number[part as usize];
        if *number == UNSEEN {
            *number = next;
            next += 1;
        }
        *number
    });
    numbered.collect()
}

/// The parts: the lowest node and the size of each, the largest first.
pub(super) struct Parts {
    pub(super) list: Vec<(NodeId, usize)>,
}

impl Parts {
    pub(super) fn of(part: &[u32]) -> Self {
        let mut list: Vec<(NodeId, usize)> = Vec::new();
        for (node, &part) in (0..).zip(part) {
            match list.get_mut(part as usize) {
                Some((_, size)) => *size += 1,
                None => list.push((node, 1)),
            }
        }
        list.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
        Self { list }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    /// Which node reaches which, by transitive closure.
    fn by_closure(nodes: usize, roads: &[(NodeId, NodeId)]) -> Vec<u32> {
        let mut reaches = vec![vec![false; nodes]; nodes];
        (0..nodes).for_each(|s| reaches[s][s] = true);
        for &(a, b) in roads {
            reaches[a as usize][b as usize] = true;
        }
        for over in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    reaches[from][to] |= reaches[from][over] && reaches[over][to];
                }
            }
        }
        let together = |a: usize, b: usize| reaches[a][b] && reaches[b][a];
        let lowest = |s| (0..nodes).find(|&v| together(s, v)).unwrap() as u32;
        let part: Vec<u32> = (0..nodes).map(lowest).collect();
        numbered_by_lowest(&part, nodes as u32)
    }

    #[test]
    fn parts_equal_those_of_the_transitive_closure() {
        let mut stream = Seed(8).stream();
        let mut several = 0;
        for case in 0..400 {
            let nodes = 1 + stream.below(12);
            let road = |_| (stream.below(nodes) as NodeId, stream.below(nodes) as NodeId);
            let roads: Vec<_> = (0..case % 25).map(road).collect();
            let parts = strong_parts(nodes as usize, roads.iter().copied());
            assert_eq!(parts, by_closure(nodes as usize, &roads), "{roads:?}");
            several += usize::from(parts.iter().any(|&part| part != 0) && parts.len() > 4);
        }
        assert!(several > 100);
    }

    #[test]
    fn a_long_road_does_not_exhaust_the_stack() {
        let nodes = 300_000;
        let round = (0..nodes as NodeId).map(|s| (s, (s + 1) % nodes as NodeId));
        assert!(strong_parts(nodes, round).iter().all(|&part| part == 0));
    }
}

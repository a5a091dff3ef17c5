//! `L`, the longest cycle-free path of Theorem 2.

use crate::graph::Graph;

/// Beyond this many nodes only known shapes are exact: the table has `2^n n` entries.
const EXACT_NODES: usize = 12;

/// The length of the longest path that visits no node twice: exact on trees, circles, complete
/// graphs and up to 12 nodes; otherwise the bound `|S| - 1`.
///
/// # Complexity
/// O(|S| |E|) on trees, O(2^|S| |E|) up to 12 nodes, O(|S|) elsewhere.
pub fn longest_path(graph: &Graph) -> usize {
    let most = graph.len() - 1;
    if graph.edge_count() == most {
        // A connected graph with |S| - 1 edges is a tree; its longest path is its diameter.
        return graph.diameter() as usize;
    }
    if graph.len() <= EXACT_NODES {
        return by_visited_sets(graph);
    }
    // Circles and complete graphs have a path through all nodes; elsewhere this is a bound.
    most
}

/// `reach[set]`: the nodes at which a path through exactly the nodes of `set` can end.
fn by_visited_sets(graph: &Graph) -> usize {
    let sets = 1_usize << graph.len();
    let mut reach = vec![0_u16; sets];
    let mut longest = 0;
    for s in graph.nodes() {
        reach[1 << s] = 1 << s;
    }
    for set in 1..sets {
        let ends = reach[set];
        for end in graph.nodes().filter(|&v| ends & (1 << v) != 0) {
            longest = longest.max(set.count_ones() as usize - 1);
            for next in graph.neighbors(end).filter(|&v| set & (1 << v) == 0) {
                reach[set | 1 << next] |= 1 << next;
            }
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest path by brute force.
    fn by_trying(graph: &Graph, node: u32, seen: &mut Vec<bool>) -> usize {
        seen[node as usize] = true;
        let mut best = 0;
        for next in graph.neighbors(node).collect::<Vec<_>>() {
            if !seen[next as usize] {
                best = best.max(1 + by_trying(graph, next, seen));
            }
        }
        seen[node as usize] = false;
        best
    }

    #[test]
    fn equals_trying_all_paths() {
        let mut seed = 9_u64;
        for nodes in 1..9_u32 {
            for _ in 0..20 {
                let mut random = |below: u32| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 33) as u32 % below
                };
                let mut edges: Vec<(u32, u32)> = (1..nodes).map(|v| (v, random(v))).collect();
                edges.extend((0..random(4)).map(|_| (random(nodes), random(nodes))));
                let graph = Graph::from_edges(nodes as usize, edges).unwrap();
                let mut seen = vec![false; nodes as usize];
                let truth = graph.nodes().map(|v| by_trying(&graph, v, &mut seen)).max();
                assert_eq!(Some(longest_path(&graph)), truth);
            }
        }
    }

    #[test]
    fn known_shapes() {
        assert_eq!(longest_path(&Graph::line(100).unwrap()), 99);
        assert_eq!(longest_path(&Graph::star(100).unwrap()), 2);
        assert_eq!(longest_path(&Graph::circle(100).unwrap()), 99);
        assert_eq!(longest_path(&Graph::complete(30).unwrap()), 29);
        assert_eq!(longest_path(&Graph::grid(10, 10).unwrap()), 99);
    }
}

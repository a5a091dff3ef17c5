//! Renumbers the nodes for searches, so that neighbours are close in memory.
//!
//! If neighbours have unrelated numbers, as on random geometric graphs, a search mostly waits for
//! memory. Numbered in breadth-first order, they share cache lines.

use super::{Graph, Hops, NodeId};

/// Numbers this far apart are unrelated: their rows share no page.
const FAR: u32 = 1 << 14;

/// A graph under other numbers, and the mapping in both directions.
#[derive(Debug, Clone)]
pub(super) struct Renumbering {
    /// The same graph; neighbourhoods are listed in the order of the old numbers.
    pub(super) graph: Graph,
    new_of_old: Vec<NodeId>,
    old_of_new: Vec<NodeId>,
}

impl Renumbering {
    /// `None` if renumbering would not help.
    pub(super) fn new(graph: &Graph) -> Option<Self> {
        let far = far_entries(graph);
        if far < graph.row_entries() / 4 {
            return None;
        }
        let mut hops = Hops::default();
        hops.search(graph, [0], None);
        let old_of_new = hops.reached().to_vec();
        let mut new_of_old = vec![0; graph.len()];
        for (new, &old) in old_of_new.iter().enumerate() {
            new_of_old[old as usize] = new as NodeId;
        }
        let mut row_starts = Vec::with_capacity(graph.len() + 1);
        let mut rows = Vec::with_capacity(graph.row_entries());
        for &old in &old_of_new {
            row_starts.push(rows.len() as u32);
            rows.extend(graph.neighborhood(old).iter().map(|&v| new_of_old[v as usize]));
        }
        row_starts.push(rows.len() as u32);
        let self_place = graph.self_place;
        let graph = Graph {
            row_starts,
            rows,
            self_place,
            names: None,
            coordinates: None,
            cut_off: None,
            roads: None,
        };
        (far_entries(&graph) <= far / 2).then_some(Self { graph, new_of_old, old_of_new })
    }

    pub(super) fn new_number(&self, old: NodeId) -> NodeId {
        self.new_of_old[old as usize]
    }

    pub(super) fn old_number(&self, new: NodeId) -> NodeId {
        self.old_of_new[new as usize]
    }
}

fn far_entries(graph: &Graph) -> usize {
    let far = |node: NodeId| {
        graph.neighborhood(node).iter().filter(move |&&v| v.abs_diff(node) >= FAR).count()
    };
    graph.nodes().map(far).sum()
}

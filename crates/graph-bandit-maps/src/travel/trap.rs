//! Parts of a directed draft that are connected in both directions.

use crate::draft::Draft;
use crate::error::{Problem, Reason};
use crate::parts::Parts;
use crate::reading::Part;
use graph_bandit::NodeId;
use graph_bandit::graph::strong_parts;

impl Draft {
    /// The parts whose nodes all reach each other, taking each edge from source to target.
    pub(crate) fn strong_parts(&self) -> Parts {
        let roads = self.edges.iter().map(|edge| (edge.source as NodeId, edge.target as NodeId));
        let part = strong_parts(self.nodes.len(), roads);
        let mut parts = Parts { of: Vec::new(), sizes: Vec::new(), first: Vec::new() };
        for (node, &part) in part.iter().enumerate() {
            let part = part as usize;
            if part == parts.sizes.len() {
                parts.sizes.push(0);
                parts.first.push(node);
            }
            parts.sizes[part] += 1;
            parts.of.push(part);
        }
        parts
    }

    /// A road without a way back; one next to the largest part, if possible.
    pub(crate) fn trap(&self, parts: &Parts, listed: Vec<Part>) -> Option<Problem> {
        let largest = parts.largest();
        let leads_over =
            |edge: &&crate::draft::DraftEdge| parts.of[edge.source] != parts.of[edge.target];
        let touches = |edge: &&crate::draft::DraftEdge| {
            leads_over(edge)
                && [edge.source, edge.target].iter().any(|&end| parts.of[end] == largest)
        };
        let edge =
            self.edges.iter().find(touches).or_else(|| self.edges.iter().find(leads_over))?;
        let road = [edge.source, edge.target].map(|end| self.nodes[end].id.clone());
        Some(Problem { line: edge.line, reason: Reason::OneWayTrap { parts: listed, road } })
    }
}

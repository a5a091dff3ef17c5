//! From a draft to a map that keeps directions, and times where they are asked for.

use crate::assemble::says_the_same;
use crate::draft::{Draft, DraftEdge};
use crate::error::Problem;
use crate::note::Note;
use crate::reading::{Component, Reading};
use crate::travel::{Findings, Travel};

impl Draft {
    /// Makes a map of what was found, with the directions and times that `travel` asks for.
    ///
    /// # Errors
    /// As [`Draft::assemble`]; where an edge contradicts itself or has no time, which one; where
    /// directions count and some road cannot be taken back, the parts that have ways there and back.
    pub fn assemble_for(
        mut self,
        component: Component,
        travel: &Travel,
    ) -> Result<Reading, Problem> {
        if !travel.keeps_directions() {
            return self.assemble(component);
        }
        travel.check()?;
        self.merge_whole_numbers();
        self.drop_self_loops();
        self.take_lengths();
        let mut findings = Findings::default();
        if !travel.is_asked() {
            findings.left_out = self.left_out_of_travel();
        }
        self.resolve_directions(travel)?;
        if travel.takes_times() {
            findings = self.time_edges(travel)?;
        } else if travel.is_asked() {
            findings.left_out = self.left_out_of_times(None);
        }
        self.split_two_way()?;
        self.drop_repeats();
        self.check_nodes()?;
        let mut parts = self.connected_parts();
        let mut listed = self.listed(&parts);
        if component == Component::Whole && parts.sizes.len() > 1 {
            return Err(self.disconnected(&parts, listed));
        }
        if travel.is_asked() && self.is_directed() {
            parts = self.strong_parts();
            listed = self.listed(&parts);
            let trap = (component == Component::Whole).then(|| self.trap(&parts, listed.clone()));
            if let Some(trap) = trap.flatten() {
                return Err(trap);
            }
        }
        self.cut(&parts);
        self.finish(travel, listed, findings)
    }

    /// Leaves out edges that say what another says.
    fn drop_repeats(&mut self) {
        let directed = self.is_directed();
        let key = |edge: &DraftEdge| match directed {
            true => (edge.source, edge.target),
            false => (edge.source.min(edge.target), edge.source.max(edge.target)),
        };
        // Stable: of equals the first in the file stays first.
        self.edges.sort_by_key(key);
        let mut kept: Vec<DraftEdge> = Vec::with_capacity(self.edges.len());
        let (mut count, mut example) = (0, None);
        for edge in std::mem::take(&mut self.edges) {
            let same = kept.iter().rev().take_while(|other| key(other) == key(&edge));
            if same.take(COMPARED).any(|other| says_the_same(other, &edge)) {
                count += 1;
                example.get_or_insert([edge.source, edge.target]);
            } else {
                kept.push(edge);
            }
        }
        self.edges = kept;
        if let Some(ends) = example {
            let example = ends.map(|node| self.nodes[node].id.clone());
            self.notes.push(Note::ParallelEdges { count, differing: 0, example });
        }
    }
}

/// Among more edges between two nodes nobody looks for repeats: they are kept.
const COMPARED: usize = 16;

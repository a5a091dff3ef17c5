//! From a draft to a map that keeps directions, and times if requested.

use crate::draft::Draft;
use crate::error::Problem;
use crate::map::Edge;
use crate::reading::{Component, Reading};
use crate::travel::{Findings, RoadKind, Travel};
use graph_bandit::NodeId;

impl Draft {
    /// Makes a map with the directions and times that `travel` asks for.
    ///
    /// # Errors
    /// As [`Draft::assemble`]. Names an edge that contradicts itself or has no time. If directions
    /// count and some road has no way back, lists the parts that are connected in both directions.
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
            self.note_opposite_lines(travel);
        } else if travel.is_asked() {
            findings.left_out = self.left_out_of_times(None);
        }
        self.split_two_way()?;
        self.check_rates(self.road_kind(travel))?;
        self.check_nodes()?;
        let mut parts = self.connected_parts();
        let mut listed = self.listed(&parts);
        if component == Component::Only && parts.sizes.len() > 1 {
            return Err(self.disconnected(&parts, listed));
        }
        if travel.is_asked() && self.is_directed() {
            parts = self.strong_parts();
            listed = self.listed(&parts);
            let trap = (component == Component::Only).then(|| self.trap(&parts, listed.clone()));
            if let Some(trap) = trap.flatten() {
                return Err(trap);
            }
        }
        self.cut(&parts);
        self.finish(travel, listed, findings)
    }

    /// The kind of roads its edges are, once directions are resolved.
    pub(crate) fn road_kind(&self, travel: &Travel) -> RoadKind {
        match (travel.is_asked(), self.is_directed()) {
            (false, _) => RoadKind::Joined,
            (true, false) => RoadKind::TwoWay,
            (true, true) => RoadKind::OneWay,
        }
    }
}

/// Drops edges that repeat another, in its direction if they have one; returns how many, and the
/// ends of one.
pub(crate) fn drop_repeats(edges: &mut Vec<Edge>, directed: bool) -> Option<(usize, [NodeId; 2])> {
    let mut kept: Vec<Edge> = Vec::with_capacity(edges.len());
    let (mut count, mut example) = (0, None);
    // They are sorted: edges between the same nodes are adjacent, in the order of the file.
    for edge in std::mem::take(edges) {
        let mut same = kept.iter().rev().take_while(|other| other.ends() == edge.ends());
        if same.by_ref().take(COMPARED).any(|other| is_repeat(other, &edge, directed)) {
            count += 1;
            example.get_or_insert([edge.source, edge.target]);
        } else {
            kept.push(edge);
        }
    }
    *edges = kept;
    example.map(|ends| (count, ends))
}

fn is_repeat(a: &Edge, b: &Edge, directed: bool) -> bool {
    let same_bends = if a.source == b.source {
        a.bends == b.bends
    } else {
        !directed && a.bends.iter().eq(b.bends.iter().rev())
    };
    same_bends && a.length == b.length && a.time == b.time && a.attributes == b.attributes
}

/// With more edges between two nodes, repeats are not searched for but kept.
const COMPARED: usize = 16;

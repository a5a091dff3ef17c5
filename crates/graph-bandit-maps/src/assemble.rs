//! From a draft to a map: the one place that handles loops, repeats, separate parts and odd ids.

pub use crate::reading::{Component, Part, Reading};

use crate::columns;
use crate::draft::{Draft, DraftEdge, DraftNode};
use crate::error::{Problem, Reason};
use crate::note::Note;
use crate::parts::Parts;
use crate::spelling::whole_number;
use crate::travel::{Direction, Findings, RoadKind, Travel};
use std::collections::HashMap;

impl Draft {
    /// Makes a connected map from the draft.
    ///
    /// # Errors
    /// When there are no nodes, or the parts are not connected and all are wanted.
    pub fn assemble(mut self, component: Component) -> Result<Reading, Problem> {
        self.merge_whole_numbers();
        self.note_directed();
        self.drop_self_loops();
        self.take_lengths();
        let findings = Findings { left_out: self.left_out_of_travel(), ..Findings::default() };
        self.check_rates(RoadKind::Joined)?;
        self.merge_parallel_edges();
        self.check_nodes()?;
        let parts = self.connected_parts();
        let listed = self.listed(&parts);
        if component == Component::Only && parts.sizes.len() > 1 {
            return Err(self.disconnected(&parts, listed));
        }
        self.cut(&parts);
        self.finish(&Travel::default(), listed, findings)
    }

    pub(crate) fn check_nodes(&self) -> Result<(), Problem> {
        if self.nodes.is_empty() {
            return Err(Problem::in_file("there are no nodes; a graph bandit needs at least one"));
        }
        Ok(())
    }

    fn note_directed(&mut self) {
        if self.directed > 0 {
            self.notes.push(Note::Directed { count: self.directed });
        }
    }

    /// If all ids are integers, 3.0 means 3: programs that store ids as floats write it this way.
    pub(crate) fn merge_whole_numbers(&mut self) {
        let odd = |node: &&DraftNode| whole_number(&node.id).is_some_and(|whole| whole != node.id);
        let count = self.nodes.iter().filter(odd).count();
        if count == 0 || self.nodes.iter().any(|node| whole_number(&node.id).is_none()) {
            return;
        }
        let example = self.nodes.iter().find(odd).map(|node| node.id.clone()).unwrap_or_default();
        self.notes.push(Note::WholeNumbers { count, example });
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut kept: Vec<DraftNode> = Vec::new();
        let mut moved = Vec::with_capacity(self.nodes.len());
        for mut node in std::mem::take(&mut self.nodes) {
            if let Some(whole) = whole_number(&node.id) {
                node.id = String::from(whole);
            }
            let place = *places.entry(node.id.clone()).or_insert(kept.len());
            moved.push(place);
            match kept.get_mut(place) {
                None => kept.push(node),
                Some(first) => {
                    first.place = first.place.or(node.place);
                    for (name, value) in node.attributes {
                        first.attributes.entry(name).or_insert(value);
                    }
                }
            }
        }
        self.nodes = kept;
        for edge in &mut self.edges {
            edge.source = moved[edge.source];
            edge.target = moved[edge.target];
        }
    }

    pub(crate) fn drop_self_loops(&mut self) {
        let mut count = 0;
        let mut example = None;
        self.edges.retain(|edge| {
            let is_loop = edge.source == edge.target;
            if is_loop {
                count += 1;
                example.get_or_insert(edge.source);
            }
            !is_loop
        });
        if let Some(node) = example {
            let example = self.nodes[node].id.clone();
            self.notes.push(Note::SelfLoops { count, example });
        }
    }

    pub(crate) fn take_lengths(&mut self) {
        for edge in &mut self.edges {
            edge.length = columns::take_length(&mut edge.attributes, edge.length);
        }
    }

    /// Keeps one edge between two nodes: the shortest, or the first of equals.
    fn merge_parallel_edges(&mut self) {
        let ends = |edge: &DraftEdge| (edge.source.min(edge.target), edge.source.max(edge.target));
        // Stable: of equals, the first in the file stays first.
        self.edges.sort_by(|a, b| {
            let length = |edge: &DraftEdge| edge.length.unwrap_or(f64::INFINITY);
            ends(a).cmp(&ends(b)).then(length(a).total_cmp(&length(b)))
        });
        let (mut count, mut differing, mut example) = (0, 0, None);
        let mut both_ways: Vec<[usize; 2]> = Vec::new();
        let mut back: Option<DraftEdge> = None;
        let mut kept: Vec<DraftEdge> = Vec::with_capacity(self.edges.len());
        for edge in std::mem::take(&mut self.edges) {
            let Some(first) = kept.last().filter(|last| ends(last) == ends(&edge)) else {
                back = None;
                kept.push(edge);
                continue;
            };
            let pair = [first.source, first.target];
            let is_back = leads(first).zip(leads(&edge)).is_some_and(|(one, other)| one != other);
            if is_back && back.is_none() {
                both_ways.push(pair);
                back = Some(edge);
                continue;
            }
            let alike = back.as_ref().filter(|_| is_back).unwrap_or(first);
            count += 1;
            differing += usize::from(!is_repeat(alike, &edge));
            example.get_or_insert(pair);
        }
        self.edges = kept;
        let named = |ends: [usize; 2]| ends.map(|node| self.nodes[node].id.clone());
        let twice = both_ways
            .first()
            .map(|&ends| Note::BothDirections { count: both_ways.len(), example: named(ends) });
        let repeated =
            example.map(|ends| Note::ParallelEdges { count, differing, example: named(ends) });
        self.notes.extend(twice.into_iter().chain(repeated));
    }

    /// The parts joined by edges, whichever way they lead.
    pub(crate) fn connected_parts(&self) -> Parts {
        let ends = self.edges.iter().map(|edge| (edge.source, edge.target));
        Parts::new(self.nodes.len(), ends)
    }

    /// The parts, the largest first.
    pub(crate) fn listed(&self, parts: &Parts) -> Vec<Part> {
        let listed = parts.by_size().into_iter().map(|part| Part {
            nodes: parts.sizes[part],
            member: self.nodes[parts.first[part]].id.clone(),
        });
        listed.collect()
    }

    /// Keeps the largest part.
    pub(crate) fn cut(&mut self, parts: &Parts) {
        if parts.sizes.len() == 1 {
            return;
        }
        let largest = parts.largest();
        let nodes = self.nodes.len() - parts.sizes[largest];
        self.notes.push(Note::SmallerParts { parts: parts.sizes.len() - 1, nodes });
        let mut moved = vec![0; self.nodes.len()];
        let mut kept = Vec::with_capacity(parts.sizes[largest]);
        for (place, node) in std::mem::take(&mut self.nodes).into_iter().enumerate() {
            if parts.of[place] == largest {
                moved[place] = kept.len();
                kept.push(node);
            }
        }
        self.nodes = kept;
        let is_inside = |end: usize| parts.of[end] == largest;
        self.edges.retain(|edge| is_inside(edge.source) && is_inside(edge.target));
        for edge in &mut self.edges {
            edge.source = moved[edge.source];
            edge.target = moved[edge.target];
        }
    }

    pub(crate) fn disconnected(&self, parts: &Parts, listed: Vec<Part>) -> Problem {
        let first = |part: usize| &self.nodes[parts.first[part]];
        let apart = [first(0).id.clone(), first(1).id.clone()];
        Problem { line: first(1).line, reason: Reason::Disconnected { parts: listed, apart } }
    }

    /// If the ids are exactly 0 to n - 1, they are the node numbers.
    pub(crate) fn number_nodes(&mut self) {
        let Some(numbers) = node_numbers(&self.nodes) else { return };
        let mut slots: Vec<Option<DraftNode>> = Vec::new();
        slots.resize_with(self.nodes.len(), || None);
        for (node, &number) in std::mem::take(&mut self.nodes).into_iter().zip(&numbers) {
            slots[number] = Some(node);
        }
        self.nodes = slots.into_iter().flatten().collect();
        for edge in &mut self.edges {
            edge.source = numbers[edge.source];
            edge.target = numbers[edge.target];
        }
    }
}

/// Where an edge leads, if it leads one way.
fn leads(edge: &DraftEdge) -> Option<usize> {
    match edge.direction? {
        Direction::Forward => Some(edge.target),
        Direction::Backward => Some(edge.source),
        Direction::Both => None,
    }
}

fn is_repeat(a: &DraftEdge, b: &DraftEdge) -> bool {
    let same_bends = if a.source == b.source {
        a.bends == b.bends
    } else {
        a.bends.iter().eq(b.bends.iter().rev())
    };
    same_bends && a.length == b.length && a.attributes == b.attributes
}

/// The number of each id, if the ids are exactly 0 to n - 1.
pub(crate) fn node_numbers(nodes: &[DraftNode]) -> Option<Vec<usize>> {
    let spelled = |node: &DraftNode| {
        let number: usize = node.id.parse().ok()?;
        // "007" and "+7" are names, not numbers.
        (number < nodes.len() && number.to_string() == node.id).then_some(number)
    };
    nodes.iter().map(spelled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use serde_json::json;

    fn draft(edges: &[(&str, &str)]) -> Draft {
        let mut draft = Draft::new(Limits::default());
        for (a, b) in edges {
            let (source, target) = (draft.node(a).unwrap(), draft.node(b).unwrap());
            draft.connect(DraftEdge { source, target, ..DraftEdge::default() }).unwrap();
        }
        draft
    }

    fn with_length(draft: &mut Draft, a: &str, b: &str, length: f64) {
        let (source, target) = (draft.node(a).unwrap(), draft.node(b).unwrap());
        let length = Some(length);
        draft.connect(DraftEdge { source, target, length, ..DraftEdge::default() }).unwrap();
    }

    #[test]
    fn whole_numbers_are_node_numbers() {
        let reading = draft(&[("2", "1.0"), ("1", "0")]).assemble(Component::Only).unwrap();
        assert_eq!(reading.map.graph().names(), None);
        assert_eq!(reading.map.graph().edges().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        let note = Note::WholeNumbers { count: 1, example: "1.0".to_owned() };
        assert_eq!(reading.notes, [note]);
        let names = draft(&[("1.0", "2.1")]).assemble(Component::Only).unwrap();
        assert_eq!(names.map.graph().names().unwrap(), ["1.0", "2.1"]);
    }

    #[test]
    fn the_shortest_of_parallel_edges_is_kept_in_its_own_direction() {
        let mut draft = draft(&[("a", "b")]);
        with_length(&mut draft, "a", "b", 7.0);
        with_length(&mut draft, "b", "a", 5.0);
        with_length(&mut draft, "b", "a", 5.0);
        with_length(&mut draft, "b", "b", 1.0);
        let reading = draft.assemble(Component::Only).unwrap();
        let [edge] = reading.map.edges() else { panic!("{:?}", reading.map) };
        assert_eq!((edge.source, edge.target, edge.length), (1, 0, Some(5.0)));
        let example = ["b".to_owned(), "a".to_owned()];
        assert_eq!(
            reading.notes,
            [
                Note::SelfLoops { count: 1, example: "b".to_owned() },
                Note::ParallelEdges { count: 3, differing: 2, example },
            ]
        );
    }

    #[test]
    fn parts_are_named_or_cut() {
        let edges = [("a", "b"), ("c", "d"), ("d", "e"), ("f", "f")];
        let problem = draft(&edges).assemble(Component::Only).unwrap_err();
        for part in
            ["\"c\" is cut off from node \"a\"", "3 parts", "3 nodes with \"c\"", "1 node, \"f\""]
        {
            assert!(problem.to_string().contains(part), "{part}: {problem}");
        }
        let Reason::Disconnected { parts, apart } = problem.reason else {
            panic!("{problem:?} is another reason")
        };
        assert_eq!(parts.iter().map(|part| part.nodes).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(apart, ["a", "c"]);
        let reading = draft(&edges).assemble(Component::Largest).unwrap();
        assert_eq!(reading.map.graph().names().unwrap(), ["c", "d", "e"]);
        assert!(reading.notes.contains(&Note::SmallerParts { parts: 2, nodes: 3 }));
    }

    #[test]
    fn an_empty_draft_is_not_a_map() {
        assert!(Draft::new(Limits::default()).assemble(Component::Largest).is_err());
    }

    #[test]
    fn limits_hold() {
        let mut small = Draft::new(Limits { elements: 2, held_bytes: 20, ..Limits::default() });
        small.node("a").unwrap();
        assert!(small.set(0, "name", json!("a text that is too long")).is_err());
        let mut small = Draft::new(Limits { elements: 2, ..Limits::default() });
        small.node("a").unwrap();
        small.node("b").unwrap();
        assert!(small.node("c").unwrap_err().to_string().contains("more than 2 nodes"));
    }
}

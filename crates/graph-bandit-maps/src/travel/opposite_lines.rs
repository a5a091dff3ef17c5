//! Edge lists whose lines may be one direction each, though they were read as leading both ways.

use super::{Directions, Travel};
use crate::draft::Draft;
use crate::note::Note;
use std::collections::BTreeMap;

impl Draft {
    /// Notes roads that the list has once for each direction, if reading each line as one direction would give
    /// another graph: some other road is listed in one direction only, or a way back takes another time.
    pub(crate) fn note_opposite_lines(&mut self, travel: &Travel) {
        if !self.is_list || travel.directions == Directions::OneWay {
            return;
        }
        let mut times: BTreeMap<(usize, usize), Option<f64>> = BTreeMap::new();
        for edge in &self.edges {
            let time = times.entry((edge.source, edge.target)).or_insert(edge.time);
            // Of several lines, the fastest counts.
            *time = time.zip(edge.time).map(|(a, b)| a.min(b)).or(*time);
        }
        let back = |&(from, to): &(usize, usize)| times.get(&(to, from));
        let mut twice = times.keys().filter(|ends| ends.0 < ends.1 && back(ends).is_some());
        let (count, example) = (twice.clone().count(), twice.next().copied());
        let is_symmetric = times.iter().all(|(ends, time)| back(ends) == Some(time));
        if let Some((a, b)) = example.filter(|_| !is_symmetric) {
            let example = [a, b].map(|node| self.nodes[node].id.clone());
            self.notes.push(Note::OppositeLines { count, example });
        }
    }
}

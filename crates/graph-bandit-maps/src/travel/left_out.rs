//! What a file says about travel that the graph leaves out.

use super::choice::{METADATA, TIMES, value};
use super::directions::{Direction, lenient};
use super::rates::CLOSING;
use super::report::{Field, LeftOutOfTravel};
use crate::draft::Draft;

/// Fields that look like times or speeds.
const SPEEDS: [&str; 5] = ["maxspeed", "speed_kph", "abs_speed_limit", "speed_limit", "cost"];

impl Draft {
    /// What is left out if neither directions nor times count.
    pub(crate) fn left_out_of_travel(&self) -> LeftOutOfTravel {
        LeftOutOfTravel { one_way: self.one_way(), ..self.left_out_of_times(None) }
    }

    /// What is left out if directions count and times come from this field.
    pub(crate) fn left_out_of_times(&self, used: Option<&str>) -> LeftOutOfTravel {
        let names = TIMES.into_iter().chain(SPEEDS).filter(|&name| Some(name) != used);
        let count = |name: &str| {
            let has = |edge: &&crate::draft::DraftEdge| {
                // Most edges have neither.
                (edge.attributes.contains_key(name) || edge.attributes.contains_key(METADATA))
                    && value(&edge.attributes, name).is_some()
            };
            self.edges.iter().filter(has).count()
        };
        let fields = names.map(|name| Field { name: name.to_owned(), count: count(name) });
        let lengths = match used {
            // A time is more precise than a length.
            Some(_) => 0,
            None => self.edges.iter().filter(|edge| edge.length.is_some()).count(),
        };
        let fields = fields.filter(|field| field.count > 0).collect();
        LeftOutOfTravel { one_way: 0, lengths, fields, rates: self.unused_rates() }
    }

    /// How many edges have rates that do not count.
    fn unused_rates(&self) -> usize {
        let has = |edge: &&crate::draft::DraftEdge| {
            edge.rates.is_none() && value(&edge.attributes, CLOSING).is_some()
        };
        self.edges.iter().filter(has).count()
    }

    /// How many roads lack a road in the opposite direction.
    fn one_way(&self) -> usize {
        let mut roads = Vec::with_capacity(self.edges.len());
        for edge in &self.edges {
            let there = (edge.source, edge.target);
            let back = (edge.target, edge.source);
            match lenient(edge, self.is_list) {
                Direction::Forward => roads.push(there),
                Direction::Backward => roads.push(back),
                Direction::Both => roads.extend([there, back]),
            }
        }
        roads.sort_unstable();
        roads.dedup();
        let is_lone = |&&(a, b): &&(usize, usize)| roads.binary_search(&(b, a)).is_err();
        roads.iter().filter(is_lone).count()
    }
}

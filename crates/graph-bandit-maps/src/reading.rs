//! What reading a map gives: the map, what was done to it, and the parts the file has.

use crate::map::Map;
use crate::note::Note;
use crate::travel::{RoadRates, TravelReport};
use serde::Serialize;
use std::fmt;

/// What to take of a map that is not connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Component {
    /// All or nothing: a map of several parts is an error.
    #[default]
    Whole,
    /// The part with the most nodes; the first of several.
    Largest,
}

/// A map, and what was done to it while reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The map.
    pub map: Map,
    /// What was left out or taken otherwise.
    pub notes: Vec<Note>,
    /// The parts the file has, the largest first; the map is the first of them. Where directions count,
    /// parts have ways there and back.
    pub parts: Vec<Part>,
    /// What became of directions and times.
    pub travel: TravelReport,
    /// How often roads close and reopen, where that counts ([`Rates::Used`](crate::Rates)). Where edges lead
    /// both ways and take no time, an edge is named once, the lower node first.
    pub rates: RoadRates,
}

/// A connected part of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// How many nodes it has.
    pub nodes: usize,
    /// One of them: the first in the file.
    pub member: String,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nodes {
            1 => write!(f, "1 node, {:?}", self.member),
            nodes => write!(f, "{nodes} nodes with {:?}", self.member),
        }
    }
}

impl Reading {
    /// A map that nothing was done to.
    pub fn of(map: Map) -> Self {
        let parts = vec![Part { nodes: map.graph().len(), member: map.graph().label(0) }];
        let travel = TravelReport::of_graph(map.graph());
        Self { map, notes: Vec::new(), parts, travel, rates: RoadRates::new() }
    }
}

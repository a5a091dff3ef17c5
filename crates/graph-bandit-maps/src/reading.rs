//! The result of reading a map: the map, the changes made to it, and the parts of the file.

use crate::map::Map;
use crate::note::Note;
use crate::travel::{RoadRates, TravelReport};
use serde::Serialize;
use std::fmt;

/// What to do with a map that is not connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Component {
    /// The only one: a map of several parts is an error.
    #[default]
    Only,
    /// The part with the most nodes; the first of equals.
    Largest,
}

/// A map, and the changes made to it while reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The map.
    pub map: Map,
    /// What was left out or changed.
    pub notes: Vec<Note>,
    /// The parts of the file, the largest first; the map is the first of them. If directions count,
    /// the nodes of a part reach each other in both directions.
    pub parts: Vec<Part>,
    /// What happened to directions and times.
    pub travel: TravelReport,
    /// How often roads close and reopen, if that counts ([`Rates::Used`](crate::Rates)). If edges
    /// lead both ways and take no time, each edge appears once, with the lower node first.
    pub rates: RoadRates,
}

/// A connected part of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The number of its nodes.
    pub nodes: usize,
    /// One of its nodes: the first in the file.
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
    /// A map without changes.
    pub fn of(map: Map) -> Self {
        let parts = vec![Part { nodes: map.graph().len(), member: map.graph().label(0) }];
        let travel = TravelReport::of_graph(map.graph());
        Self { map, notes: Vec::new(), parts, travel, rates: RoadRates::new() }
    }
}

//! What happened to directions and times.

use super::rates::{CLOSING, RoadRates};
use super::rule::Rule;
use super::{Directions, Travel};
use graph_bandit::{ClosureRates, Graph};
use serde::Serialize;

/// What was used of a file's directions and times, what was guessed and what was left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TravelReport {
    /// Whether the file's directions count.
    pub directed: bool,
    /// How many roads the graph has, counting each direction.
    pub roads: usize,
    /// How many of them lack a road in the opposite direction.
    pub one_way: usize,
    /// The source of times, if roads take time.
    pub times: Option<TimesUsed>,
    /// Times that are not in the file.
    pub guessed: Vec<Guess>,
    /// Roads that close and reopen at the rates in the file, if requested.
    pub closing: Option<ClosingRoads>,
    /// What the file has and the graph leaves out.
    pub left_out: LeftOutOfTravel,
}

/// Roads that close and reopen at the rates in their file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClosingRoads {
    /// How many have rates; if edges lead both ways and take no time, how many edges.
    pub roads: usize,
    /// How many of them close for good.
    pub for_good: usize,
    /// The lowest and the highest rate at which they close, per unit of time.
    pub closing_rates: [f64; 2],
    /// The lowest and the highest rate at which they reopen, per unit of time.
    pub reopening_rates: [f64; 2],
}

impl ClosingRoads {
    pub(crate) fn of(rates: &RoadRates) -> Self {
        let range = |rate: fn(&ClosureRates) -> f64| {
            rates.values().map(rate).fold([f64::INFINITY, 0.0], |[low, high], rate| {
                [f64::min(low, rate), f64::max(high, rate)]
            })
        };
        Self {
            roads: rates.len(),
            for_good: rates.values().filter(|rates| rates.reopening() == 0.0).count(),
            closing_rates: range(ClosureRates::closing),
            reopening_rates: range(ClosureRates::reopening),
        }
    }
}

/// The source of times, and how long roads take.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimesUsed {
    /// The field of the file.
    pub field: String,
    /// The unit of its numbers: units, seconds, metres or a speed.
    pub unit: &'static str,
    /// Metres per second, if given.
    pub speed: Option<f64>,
    /// Seconds of a visit, if given.
    pub visit_time: Option<f64>,
    /// The time of the fastest road beyond the visit, in units of one visit.
    pub fastest: f64,
    /// The median time; of two the slower.
    pub median: f64,
    /// The time of the slowest road.
    pub slowest: f64,
}

/// Times that are not in the file, and their source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Guess {
    /// How they were guessed.
    pub rule: Rule,
    /// For how many edges.
    pub count: usize,
}

/// What a file says about travel that the graph leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct LeftOutOfTravel {
    /// Roads that lack a road back in the file, read as two-way.
    pub one_way: usize,
    /// How many edges have a length.
    pub lengths: usize,
    /// Fields that look like times or speeds, and how many edges have them.
    pub fields: Vec<Field>,
    /// How many edges have rates at which they close and reopen.
    pub rates: usize,
}

/// A field of edges, and how many have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// How many edges have it.
    pub count: usize,
}

impl LeftOutOfTravel {
    /// Whether nothing was left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What was left out, in a few words; empty if nothing was.
    pub fn text(&self) -> String {
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let mut list = Vec::new();
        if self.one_way > 0 {
            list.push(format!("{} one-way road{}", self.one_way, s(self.one_way)));
        }
        let lengths = (self.lengths > 0).then_some(("length", self.lengths));
        let fields = self.fields.iter().map(|field| (field.name.as_str(), field.count));
        for (name, count) in lengths.into_iter().chain(fields) {
            list.push(format!("{name} of {count} edge{}", s(count)));
        }
        if self.rates > 0 {
            list.push(format!("{CLOSING} of {} edge{}", self.rates, s(self.rates)));
        }
        list.join(", ")
    }
}

/// What was decided before the graph existed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    pub(crate) used: Option<FieldUsed>,
    pub(crate) guessed: Vec<Guess>,
    pub(crate) left_out: LeftOutOfTravel,
}

#[derive(Debug, Clone)]
pub(crate) struct FieldUsed {
    pub(crate) field: String,
    pub(crate) unit: &'static str,
}

impl TravelReport {
    /// The report of a graph made with these findings.
    pub(crate) fn of(graph: &Graph, travel: &Travel, findings: Findings) -> Self {
        let one_way = match graph.roads() {
            None => 0,
            Some(_) => graph.all_roads().filter(|road| !graph.allows(road.to, road.from)).count(),
        };
        let mut times: Vec<f64> = graph.all_roads().map(|road| road.time).collect();
        times.sort_by(f64::total_cmp);
        let at = |place: usize| times.get(place).copied().unwrap_or(0.0);
        let times = findings.used.map(|FieldUsed { field, unit }| TimesUsed {
            field,
            unit,
            speed: travel.speed,
            visit_time: travel.visit_time,
            fastest: at(0),
            median: at(times.len() / 2),
            slowest: at(times.len().saturating_sub(1)),
        });
        let (guessed, left_out) = (findings.guessed, findings.left_out);
        Self {
            directed: travel.is_asked(),
            roads: graph.road_count(),
            one_way,
            times,
            guessed,
            closing: None,
            left_out,
        }
    }

    /// The report of a graph without a file.
    pub(crate) fn of_graph(graph: &Graph) -> Self {
        let directions = match graph.roads() {
            None => Directions::LeftOut,
            Some(_) => Directions::Declared,
        };
        let travel = Travel { directions, ..Travel::default() };
        Self::of(graph, &travel, Findings::default())
    }
}

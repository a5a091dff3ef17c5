//! How often each road closes and reopens, if a file gives the rates.

use super::choice::value;
use super::{Direction, Helps};
use crate::draft::{Draft, DraftEdge};
use crate::error::{Problem, Reason};
use graph_bandit::{ClosureError, ClosureRates, NodeId};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How often an open road closes, per unit of time.
pub(crate) const CLOSING: &str = "closing_rate";
/// How often a closed road reopens, per unit of time.
pub(crate) const REOPENING: &str = "reopening_rate";

/// Rates of single roads, by source and target.
pub type RoadRates = BTreeMap<(NodeId, NodeId), ClosureRates>;

/// Whether roads close at the rates in their file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rates {
    /// They do not: the rates are attributes like any other.
    #[default]
    LeftOut,
    /// They do: `closing_rate` and `reopening_rate` of an edge, per unit of time.
    Used,
}

impl Draft {
    /// Reads the rates of edges; they also stay attributes.
    pub(crate) fn take_rates(&mut self) -> Result<(), Problem> {
        for field in [CLOSING, REOPENING] {
            self.check_said_once(field)?;
        }
        let mut taken = Vec::with_capacity(self.edges.len());
        for edge in &self.edges {
            taken.push(self.rates_of(edge)?);
        }
        if taken.iter().all(Option::is_none) {
            let text = format!(
                "no edge has a {CLOSING} and a {REOPENING}; add them, or give rates for all roads"
            );
            return Err(Reason::Travel { text, helps: Some(Helps::Closures) }.into());
        }
        for (edge, rates) in self.edges.iter_mut().zip(taken) {
            edge.rates = rates;
        }
        Ok(())
    }

    fn rates_of(&self, edge: &DraftEdge) -> Result<Option<ClosureRates>, Problem> {
        let said = [CLOSING, REOPENING].map(|field| value(&edge.attributes, field));
        let (closing, reopening) = match said {
            [None, None] => return Ok(None),
            [Some(closing), Some(reopening)] => (closing, reopening),
            [Some(_), None] => {
                let text = format!(
                    "has a {CLOSING} but no {REOPENING}; add it, with 0 if it closes for good"
                );
                return Err(self.of_edge(edge, &text, None));
            }
            [None, Some(_)] => {
                let text = format!(
                    "has a {REOPENING} but no {CLOSING}; add it, with 0 if it is always open"
                );
                return Err(self.of_edge(edge, &text, None));
            }
        };
        let numbers = [(CLOSING, closing), (REOPENING, reopening)].map(|(field, value)| {
            number(value).ok_or_else(|| {
                let text = format!("says {field} = {value}; write a number, per unit of time");
                self.of_edge(edge, &text, None)
            })
        });
        let [closing_rate, reopening_rate] = numbers;
        let rates = ClosureRates::new(closing_rate?, reopening_rate?).map_err(|error| {
            let (field, value) = match error {
                ClosureError::Reopening(_) => (REOPENING, reopening),
                _ => (CLOSING, closing),
            };
            self.of_edge(edge, &format!("says {field} = {value}: {error}"), None)
        });
        rates.map(Some)
    }

    /// Refuses edges between the same two nodes that count as one road and close at different
    /// rates.
    ///
    /// Of several edges the fastest counts or, without times, the shortest; only equally good edges
    /// can contradict each other.
    pub(crate) fn check_rates(&self, kind: RoadKind) -> Result<(), Problem> {
        if !self.has_rates() {
            return Ok(());
        }
        let mut roads: Vec<(Road, &DraftEdge)> = Vec::with_capacity(self.edges.len());
        for edge in &self.edges {
            roads.extend(Road::of(edge, kind).into_iter().flatten().map(|road| (road, edge)));
        }
        roads.sort_by(|(a, _), (b, _)| a.order(b));
        let mut first: Option<(Road, &DraftEdge)> = None;
        for (road, edge) in roads {
            match first {
                Some((other, best)) if other.ends == road.ends => {
                    if other.weight == road.weight && best.rates != edge.rates {
                        return Err(self.contradiction(best, edge));
                    }
                }
                _ => first = Some((road, edge)),
            }
        }
        Ok(())
    }

    fn contradiction(&self, one: &DraftEdge, other: &DraftEdge) -> Problem {
        let later = if one.line > other.line { one } else { other };
        let earlier = if one.line > other.line { other } else { one };
        let said = |edge: &DraftEdge| match edge.rates {
            None => "none".to_owned(),
            Some(rates) => format!("{} and {}", rates.closing(), rates.reopening()),
        };
        let place = earlier.line.map_or(String::new(), |line| format!(" on line {line}"));
        let both = one.direction.is_none_or(|direction| direction == Direction::Both);
        let (remedy, helps) = match (self.is_list && both, one.source == other.source) {
            (true, false) => (", or let each line lead one way", Some(Helps::OneWay)),
            _ => ("", None),
        };
        let text = format!(
            "has rates {}, but another edge between the same nodes{place} has rates {}; both are one \
             road, so give them the same rates{remedy}",
            said(later),
            said(earlier)
        );
        self.of_edge(later, &text, helps)
    }

    /// The rates of all roads that have some: of several edges, those of the best.
    ///
    /// # Errors
    /// If no road is one-way or takes time, edges close in both directions; then the two directions
    /// of an edge must not have different rates.
    pub(crate) fn road_rates(&self, kind: RoadKind) -> Result<RoadRates, Problem> {
        if !self.has_rates() {
            return Ok(RoadRates::new());
        }
        let mut best: BTreeMap<(usize, usize), (f64, Option<ClosureRates>)> = BTreeMap::new();
        for edge in &self.edges {
            for Road { ends, weight } in Road::of(edge, kind).into_iter().flatten() {
                let entry = best.entry(ends).or_insert((weight, edge.rates));
                if weight < entry.0 {
                    *entry = (weight, edge.rates);
                }
            }
        }
        let named = |((from, to), (_, rates)): ((usize, usize), (f64, Option<ClosureRates>))| {
            rates.map(|rates| ((from as NodeId, to as NodeId), rates))
        };
        let is_open = |ends: &(usize, usize)| best.contains_key(&(ends.1, ends.0));
        let are_plain = self.edges.iter().all(|edge| edge.time.is_none_or(|time| time == 0.0));
        if kind != RoadKind::Joined && are_plain && best.keys().all(is_open) {
            let differs = |edge: &&DraftEdge| {
                let ends = (edge.source, edge.target);
                best[&ends].1 != best[&(ends.1, ends.0)].1
            };
            if let Some(edge) = self.edges.iter().rev().find(differs) {
                let text = "closes at other rates than the road back, but no road of this map is one-way or takes \
                            time, so edges close in both directions; give both the same rates, or times";
                return Err(self.of_edge(edge, text, Some(Helps::Times)));
            }
            best.retain(|(from, to), _| from < to);
        }
        Ok(best.into_iter().filter_map(named).collect())
    }

    fn has_rates(&self) -> bool {
        self.edges.iter().any(|edge| edge.rates.is_some())
    }

    fn of_edge(&self, edge: &DraftEdge, what: &str, helps: Option<Helps>) -> Problem {
        let text = format!("{} {what}", self.named(edge));
        Problem { line: edge.line, reason: Reason::Travel { text, helps } }
    }
}

/// The kind of roads that edges are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoadKind {
    /// Each edge is one road in both directions, and the shortest counts.
    Joined,
    /// Each edge is a road in each direction, and the fastest counts.
    TwoWay,
    /// Each edge is a road from its source to its target, and the fastest counts.
    OneWay,
}

/// One direction of an edge, with its rank among others.
#[derive(Debug, Clone, Copy)]
struct Road {
    ends: (usize, usize),
    weight: f64,
}

impl Road {
    fn of(edge: &DraftEdge, kind: RoadKind) -> [Option<Self>; 2] {
        let (source, target) = (edge.source, edge.target);
        let time = edge.time.unwrap_or(0.0);
        let there = Self { ends: (source, target), weight: time };
        match kind {
            RoadKind::Joined => {
                let ends = (source.min(target), source.max(target));
                [Some(Self { ends, weight: edge.length.unwrap_or(f64::INFINITY) }), None]
            }
            RoadKind::TwoWay => [Some(there), Some(Self { ends: (target, source), weight: time })],
            RoadKind::OneWay => [Some(there), None],
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        self.ends.cmp(&other.ends).then(self.weight.total_cmp(&other.weight))
    }
}

/// The number of a value or of its text; it need not be finite, so that a message can name it.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

//! How long each road takes, in units of one visit.

use super::choice::{LENGTHS, Meaning, TRAVEL_TIME, value};
use super::directions::{Direction, SIDES, turn_around};
use super::report::{FieldUsed, Findings, Guess};
use super::rule::Rule;
use super::{Helps, Travel};
use crate::draft::{Draft, DraftEdge, Pace};
use crate::error::{Problem, Reason};
use crate::map::Attributes;
use graph_bandit::graph::MAX_TRAVEL;
use serde_json::Value;
use std::collections::BTreeMap;

impl Draft {
    /// Gives every edge its time; an edge that takes longer in one direction becomes two.
    pub(crate) fn time_edges(&mut self, travel: &Travel) -> Result<Findings, Problem> {
        let field = self.field_of_times(travel)?;
        let mut timing = Timing {
            draft: self,
            travel,
            meaning: Meaning::of(&field),
            field: &field,
            said: 0,
            guessed: BTreeMap::new(),
        };
        timing.check()?;
        let mut times = Vec::with_capacity(timing.draft.edges.len());
        for edge in &timing.draft.edges {
            let there = timing.units(edge, ":forward")?;
            let is_two_way = edge.direction == Some(Direction::Both);
            let back = if is_two_way && timing.differs(edge) {
                timing.units(edge, ":backward")?
            } else {
                there
            };
            times.push([there, back]);
        }
        let unit = timing.unit();
        let guessed: Vec<Guess> =
            timing.guessed.iter().map(|(&rule, &count)| Guess { rule, count }).collect();
        if timing.said == 0 && guessed.is_empty() && !self.edges.is_empty() {
            return Err(self.no_such_field(&field));
        }
        let left_out = self.left_out_of_times(Some(&field));
        for (edge, &[there, _]) in self.edges.iter_mut().zip(&times) {
            edge.time = Some(there);
            // Times in units are stored beside the attributes, like lengths.
            if unit == UNITS && field == UNIT_FIELD {
                edge.attributes.remove(UNIT_FIELD);
            }
        }
        for (place, [there, back]) in times.into_iter().enumerate() {
            if there.to_bits() != back.to_bits() {
                let edge = &mut self.edges[place];
                edge.direction = Some(Direction::Forward);
                let mut back = DraftEdge { time: Some(back), ..edge.clone() };
                turn_around(&mut back);
                self.connect(back)?;
            }
        }
        Ok(Findings { used: Some(FieldUsed { field, unit }), guessed, left_out })
    }
}

/// The name of times in units when written.
pub(crate) const UNIT_FIELD: &str = "time";
const UNITS: &str = "units";

/// Computes the times of a draft's edges.
pub(super) struct Timing<'a> {
    pub(super) draft: &'a Draft,
    pub(super) travel: &'a Travel,
    pub(super) field: &'a str,
    meaning: Meaning,
    /// Edges that have the field.
    said: usize,
    pub(super) guessed: BTreeMap<Rule, usize>,
}

impl Timing<'_> {
    /// The unit of the field's numbers.
    fn unit(&self) -> &'static str {
        let Travel { speed, visit_time, .. } = self.travel;
        match self.meaning {
            Meaning::Time if visit_time.is_some() || speed.is_some() => "seconds",
            Meaning::Length if speed.is_some() => "metres",
            Meaning::Time | Meaning::Length => UNITS,
            Meaning::Maxspeed | Meaning::KilometresPerHour => "kilometres per hour",
            Meaning::MetresPerSecond => "metres per second",
            Meaning::PartOfSpeed => "parts of the speed",
        }
    }

    /// Whether the settings fit together.
    fn check(&self) -> Result<(), Problem> {
        let Travel { speed, visit_time, .. } = self.travel;
        let text = match self.meaning {
            Meaning::PartOfSpeed if speed.is_none() => {
                format!("{} is a fraction of the top speed; give that speed", self.field)
            }
            Meaning::Length if speed.is_none() && visit_time.is_some() => {
                format!("{} is in metres; give the speed", self.field)
            }
            _ => return Ok(()),
        };
        Err(Reason::Travel { text, helps: Some(Helps::Speed) }.into())
    }

    /// Whether the two directions of an edge have different speeds.
    fn differs(&self, edge: &DraftEdge) -> bool {
        let by_road = self.field == TRAVEL_TIME && self.draft.pace == Pace::ByRoad;
        let sided = self.meaning == Meaning::Maxspeed || by_road;
        sided && SIDES.iter().any(|name| edge.attributes.contains_key(*name))
    }

    /// The time of an edge beyond the visit, in units.
    fn units(&mut self, edge: &DraftEdge, heading: &str) -> Result<f64, Problem> {
        let seconds = self.seconds(edge, heading)?;
        let units = seconds / self.travel.visit_time.unwrap_or(1.0);
        if units <= MAX_TRAVEL {
            // Turns -0 into 0.
            return Ok(units + 0.0);
        }
        let said = value(&edge.attributes, self.field);
        let said = said.map_or_else(String::new, |value| format!(" ({} = {value})", self.field));
        // Hundreds of digits help nobody.
        let units = if units < 1e15 { units.to_string() } else { format!("{units:.1e}") };
        let text = format!(
            "takes {units} times as long as a visit{said}, but the limit is {MAX_TRAVEL}; check the \
             number, or give the seconds of a visit"
        );
        Err(self.wrong(edge, &text, Some(Helps::VisitTime)))
    }

    fn seconds(&mut self, edge: &DraftEdge, heading: &str) -> Result<f64, Problem> {
        let own = value(&edge.attributes, self.field);
        match (self.meaning, own) {
            (Meaning::Time, Some(value)) => {
                self.said += 1;
                self.number(edge, value, Least::Zero)
            }
            (Meaning::Time, None) => self.without_time(edge, heading),
            (Meaning::Length, own) => {
                let length = match (own, edge.length) {
                    (Some(value), _) => self.number(edge, value, Least::Zero)?,
                    (None, Some(length)) => length,
                    (None, None) => return Err(self.missing(edge)),
                };
                self.said += 1;
                Ok(length / self.travel.speed.unwrap_or(1.0))
            }
            (Meaning::Maxspeed, _) => match self.by_maxspeed(edge, heading)? {
                Some((seconds, None)) => {
                    self.said += 1;
                    Ok(seconds)
                }
                Some((seconds, Some(rule))) => Ok(self.guess(rule, seconds)),
                None => self.by_kind(edge),
            },
            (Meaning::KilometresPerHour, Some(value)) => {
                self.said += 1;
                let speed = self.number(edge, value, Least::AboveZero)?;
                Ok(self.length(edge)? / speed * 3.6)
            }
            (Meaning::MetresPerSecond, Some(value)) => {
                self.said += 1;
                let speed = self.number(edge, value, Least::AboveZero)?;
                Ok(self.length(edge)? / speed)
            }
            (Meaning::PartOfSpeed, own) => {
                let full = self.travel.speed.unwrap_or(1.0);
                let Some(value) = own else {
                    let seconds = self.length(edge)? / full;
                    return Ok(self.guess(Rule::FullSpeed, seconds));
                };
                self.said += 1;
                let part = self.number(edge, value, Least::AboveZero)?;
                if part > 1.0 {
                    let text = format!(
                        "says {} = {value}; write a fraction of the top speed, from 0 to 1",
                        self.field
                    );
                    return Err(self.wrong(edge, &text, None));
                }
                Ok(self.length(edge)? / (part * full))
            }
            (Meaning::KilometresPerHour | Meaning::MetresPerSecond, None) => self.by_speed(edge),
        }
    }

    pub(super) fn length(&self, edge: &DraftEdge) -> Result<f64, Problem> {
        edge.length.ok_or_else(|| {
            let text = format!("has no length, so {} gives no time; add a length", self.field);
            self.wrong(edge, &text, None)
        })
    }

    fn number(&self, edge: &DraftEdge, value: &Value, least: Least) -> Result<f64, Problem> {
        self.number_named(edge, self.field, value, least)
    }

    pub(super) fn number_named(
        &self,
        edge: &DraftEdge,
        field: &str,
        value: &Value,
        least: Least,
    ) -> Result<f64, Problem> {
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let fits = |number: &f64| match least {
            Least::Zero => number.is_finite() && *number >= 0.0,
            Least::AboveZero => number.is_finite() && *number > 0.0,
        };
        number.filter(fits).ok_or_else(|| {
            let range = match least {
                Least::Zero => "0 or more",
                Least::AboveZero => "above 0",
            };
            let text = format!("says {field} = {value}; write a finite number, {range}");
            self.wrong(edge, &text, None)
        })
    }

    /// The error if an edge lacks the field and no rule applies.
    pub(super) fn missing(&self, edge: &DraftEdge) -> Problem {
        let has = |edge: &DraftEdge| {
            let length = LENGTHS.contains(&self.field) && edge.length.is_some();
            length || value(&edge.attributes, self.field).is_some()
        };
        if !self.draft.edges.iter().any(has) {
            return self.draft.no_such_field(self.field);
        }
        match edge.length {
            Some(_) if self.travel.speed.is_none() => {
                let text =
                    format!("has no {}; add it, or give the speed for its length", self.field);
                self.wrong(edge, &text, Some(Helps::Speed))
            }
            _ => self.wrong(edge, &format!("has no {}; add it", self.field), None),
        }
    }

    pub(super) fn wrong(&self, edge: &DraftEdge, what: &str, helps: Option<Helps>) -> Problem {
        let text = format!("{} {what}", self.draft.named(edge));
        Problem { line: edge.line, reason: Reason::Travel { text, helps } }
    }
}

/// The lower bound of a number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Least {
    Zero,
    AboveZero,
}

/// Makes room among the attributes for a time in units; returns whether something else was there.
pub(crate) fn put_time(attributes: &mut Attributes, time: f64) -> bool {
    attributes.insert(UNIT_FIELD.to_owned(), Value::from(time)).is_some()
}

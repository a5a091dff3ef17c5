//! How long a road takes if its file does not say: the rules in the documentation.

use super::choice::{SPEED_LIMIT, TIME_TAKEN, TRAVEL_TIME, value};
use super::maxspeed::{Speed, WALKING, maxspeed, usual};
use super::rule::Rule;
use super::times::{Least, Timing};
use crate::draft::{DraftEdge, Pace};
use crate::error::Problem;

impl Timing<'_> {
    /// Applies a rule to an edge without a time.
    pub(super) fn without_time(&mut self, edge: &DraftEdge, heading: &str) -> Result<f64, Problem> {
        if self.field == TIME_TAKEN
            && let (Some(value), Some(length)) = (value(&edge.attributes, SPEED_LIMIT), edge.length)
        {
            let speed = self.number_named(edge, SPEED_LIMIT, value, Least::AboveZero)?;
            return Ok(self.guess(Rule::SpeedLimit, length / speed));
        }
        if self.field == TRAVEL_TIME && edge.length.is_some() {
            if self.draft.pace == Pace::OnFoot {
                if self.travel.speed.is_some() {
                    return self.by_speed(edge);
                }
                let seconds = self.length(edge)? / WALKING;
                return Ok(self.guess(Rule::OnFoot, seconds));
            }
            if let Some((seconds, rule)) = self.by_maxspeed(edge, heading)? {
                return Ok(self.guess(rule.unwrap_or(Rule::Maxspeed), seconds));
            }
            return self.by_kind(edge);
        }
        self.by_speed(edge)
    }

    /// The time at the edge's `maxspeed`; the rule is a guess if it only names one.
    pub(super) fn by_maxspeed(
        &self,
        edge: &DraftEdge,
        heading: &str,
    ) -> Result<Option<(f64, Option<Rule>)>, Problem> {
        let directed = format!("maxspeed{heading}");
        let (name, value) = match edge.attributes.get(&directed) {
            Some(value) => (directed.as_str(), value),
            None => match edge.attributes.get("maxspeed") {
                Some(value) => ("maxspeed", value),
                None => return Ok(None),
            },
        };
        let Ok(speed) = maxspeed(value) else {
            let text = format!(
                "says {name} = {value}, which is not a speed; write a number in km/h, or one with mph"
            );
            return Err(self.wrong(edge, &text, None));
        };
        let Some(speed) = speed else { return Ok(None) };
        let length = self.length(edge)?;
        Ok(Some(match speed {
            Speed::Said(speed) => (length / speed, None),
            Speed::OfZone(speed) => (length / speed, Some(Rule::Zone)),
        }))
    }

    /// The time at the given speed, otherwise at the usual speed for the kind of road.
    pub(super) fn by_kind(&mut self, edge: &DraftEdge) -> Result<f64, Problem> {
        let kind = edge.attributes.get("highway").and_then(usual);
        match (self.travel.speed, kind) {
            (None, Some(speed)) => {
                let seconds = self.length(edge)? / speed;
                Ok(self.guess(Rule::KindOfRoad, seconds))
            }
            _ => self.by_speed(edge),
        }
    }

    /// The time at the given speed.
    pub(super) fn by_speed(&mut self, edge: &DraftEdge) -> Result<f64, Problem> {
        match (self.travel.speed, edge.length) {
            (Some(speed), Some(length)) => Ok(self.guess(Rule::Speed, length / speed)),
            _ => Err(self.missing(edge)),
        }
    }

    pub(super) fn guess(&mut self, rule: Rule, seconds: f64) -> f64 {
        *self.guessed.entry(rule).or_default() += 1;
        seconds
    }
}

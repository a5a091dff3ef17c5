//! Which field holds the times of roads, and what its numbers mean.

use super::{Helps, Travel};
use crate::draft::Draft;
use crate::error::{Problem, Reason};
use crate::spelling::number_of;
use graph_bandit::nearest_name;
use serde_json::Value;
use std::collections::BTreeSet;

/// Names of times, if no field is given.
pub(super) const TIMES: [&str; 3] = ["time", "travel_time", "abs_time_taken"];
/// Names of lengths.
pub(super) const LENGTHS: [&str; 3] = ["length", "distance", "len"];
/// The time of `OSMnx`, in seconds; if a file has none, it comes from lengths and speeds.
pub(super) const TRAVEL_TIME: &str = "travel_time";
/// The time of Nav2, in seconds.
pub(super) const TIME_TAKEN: &str = "abs_time_taken";
/// The speed of Nav2, in metres per second.
pub(super) const SPEED_LIMIT: &str = "abs_speed_limit";
/// Where Nav2 stores the attributes of an edge.
pub(super) const METADATA: &str = "metadata";

/// The meaning of a field's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Seconds or units.
    Time,
    /// Metres.
    Length,
    /// Kilometres per hour, with the units and words of `OpenStreetMap`.
    Maxspeed,
    /// Kilometres per hour.
    KilometresPerHour,
    /// Metres per second.
    MetresPerSecond,
    /// A fraction of the given speed, 0 to 1.
    PartOfSpeed,
}

impl Meaning {
    pub(super) fn of(field: &str) -> Self {
        match field {
            "maxspeed" => Self::Maxspeed,
            "speed_kph" => Self::KilometresPerHour,
            SPEED_LIMIT => Self::MetresPerSecond,
            "speed_limit" => Self::PartOfSpeed,
            _ if LENGTHS.contains(&field) => Self::Length,
            _ => Self::Time,
        }
    }
}

/// The value of an edge under a name; in the dialect of Nav2 one level deeper.
pub(super) fn value<'a>(attributes: &'a crate::map::Attributes, field: &str) -> Option<&'a Value> {
    let own = attributes.get(field);
    let deeper = || attributes.get(METADATA)?.as_object()?.get(field);
    own.or_else(deeper).filter(|value| !value.is_null() && value.as_str() != Some(""))
}

impl Draft {
    /// The field with the times of roads.
    pub(super) fn field_of_times(&self, travel: &Travel) -> Result<String, Problem> {
        if let Some(field) = &travel.times {
            self.check_said_once(field)?;
            return Ok(field.clone());
        }
        if travel.speed.is_some() {
            return Ok(LENGTHS[0].to_owned());
        }
        let there =
            |name: &&&str| self.edges.iter().any(|edge| value(&edge.attributes, name).is_some());
        let candidates: Vec<&str> = TIMES.iter().filter(there).copied().collect();
        let mut line = None;
        let text = match candidates.as_slice() {
            [field] => {
                self.check_said_once(field)?;
                return Ok((*field).to_owned());
            }
            [] => format!("no known field has times{}; name the field", self.fields()),
            several => {
                let example = self.says_both(several);
                line = example.as_ref().and_then(|(_, line)| *line);
                let example = example.map_or_else(String::new, |(text, _)| format!(" ({text})"));
                let names = several.join(" and ");
                format!("there are {names}{example}; name the field with the time of a road")
            }
        };
        Err(Problem { line, reason: Reason::Travel { text, helps: Some(Helps::Times) } })
    }

    /// An edge that has two of these fields, their values, and its line.
    fn says_both(&self, fields: &[&str]) -> Option<(String, Option<u64>)> {
        self.edges.iter().find_map(|edge| {
            let said = fields.iter().filter_map(|name| {
                value(&edge.attributes, name).map(|value| format!("{name} = {value}"))
            });
            let said: Vec<String> = said.collect();
            let text = || format!("{} says {}", self.named(edge), said.join(" and "));
            (said.len() > 1).then(|| (text(), edge.line))
        })
    }

    /// Refuses a column that appears twice: its meaning is unclear.
    pub(super) fn check_said_once(&self, field: &str) -> Result<(), Problem> {
        let Some((name, line)) = self.repeated.iter().find(|(name, _)| name == field) else {
            return Ok(());
        };
        let text = format!("there are two columns {name:?}; give them different names");
        Err(Problem { line: Some(*line), reason: Reason::Travel { text, helps: None } })
    }

    /// The error that no edge has a field.
    pub(super) fn no_such_field(&self, field: &str) -> Problem {
        let names: Vec<String> = self.numeric().into_iter().collect();
        let near = nearest_name(field, names.iter().map(String::as_str));
        let remedy = match near {
            Some(near) => format!("did you mean {near:?}?"),
            None => "name a field that edges have".to_owned(),
        };
        let text = format!("no edge has a field {field:?}{}; {remedy}", self.fields());
        Reason::Travel { text, helps: Some(Helps::Times) }.into()
    }

    fn fields(&self) -> String {
        let numeric = self.numeric();
        if numeric.is_empty() {
            return " (edges have no numbers)".to_owned();
        }
        let list: Vec<&str> = numeric.iter().map(String::as_str).take(20).collect();
        format!(" (edges have {})", list.join(", "))
    }

    /// The names of numeric edge fields.
    fn numeric(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for edge in &self.edges {
            if edge.length.is_some() && !names.contains(LENGTHS[0]) {
                names.insert(LENGTHS[0].to_owned());
            }
            let deeper = edge.attributes.get(METADATA).and_then(Value::as_object);
            for (name, value) in edge.attributes.iter().chain(deeper.into_iter().flatten()) {
                if number_of(value).is_some() && !names.contains(name) {
                    names.insert(name.clone());
                }
            }
        }
        names
    }
}

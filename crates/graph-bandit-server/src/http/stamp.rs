//! The `time` of reported visits: the robot's remark as text, or numbers for a clock that follows them.

use super::remarks::Remark;
use super::{Problem, kind};
use crate::fleet::MOST_VISITS;
use graph_bandit::MAX_VISITS;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// The largest time, on either side of zero.
const MOST: f64 = MAX_VISITS as f64;

/// When visits were made.
#[derive(Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "`time` is a number, a list with a number for each reward, or a text in RFC 3339"
)]
#[schemars(inline)]
pub(super) enum Stamp {
    /// By the robot's clock, in RFC 3339; a remark.
    Text(#[schemars(extend("format" = "date-time"))] String),
    /// The one visit.
    One(#[schemars(range(min = -MOST, max = MOST))] f64),
    /// Each visit of the leg.
    Each(#[schemars(length(max = MOST_VISITS), inner(range(min = -MOST, max = MOST)))] Vec<f64>),
}

impl Remark for Stamp {
    fn remark(self) -> Result<String, Self> {
        match self {
            Self::Text(text) => Ok(text),
            number => Err(number),
        }
    }
}

impl Stamp {
    /// The numbers.
    pub(super) fn of_each_visit(self) -> Option<Vec<f64>> {
        match self {
            Self::Text(_) => None,
            Self::One(time) => Some(vec![time]),
            Self::Each(times) => Some(times),
        }
    }

    /// The number of a report with one visit.
    pub(super) fn of_one_visit(self) -> Result<Option<f64>, Problem> {
        let Some(times) = self.of_each_visit() else { return Ok(None) };
        let [time] = times[..] else {
            let detail = format!("`time` has {} numbers for one `reward`; give one", times.len());
            return Err(Problem::new(kind::CONTENT, detail));
        };
        Ok(Some(time))
    }

    /// What `time` may be beside this form of rewards.
    pub(super) fn described(form: &str) -> Value {
        let text = json!({"type": "string", "format": "date-time"});
        let number = json!({"type": "number", "minimum": -MOST, "maximum": MOST});
        let nothing = json!({"type": "null"});
        match form {
            "reward" => json!({"anyOf": [text, number, nothing]}),
            "rewards" => {
                let each = json!({"type": "array", "items": number, "maxItems": MOST_VISITS});
                json!({"anyOf": [text, number, each, nothing]})
            }
            _ => json!({"anyOf": [text, nothing]}),
        }
    }
}

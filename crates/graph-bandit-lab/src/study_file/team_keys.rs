//! The keys of a team: who walks, where they start, and how they share.

use crate::error::LabError;
use crate::node_name::NodeName;
use crate::team::{ShareSource, Starts, TeamStudy};
use graph_bandit::Graph;
use graph_bandit::team::Draws;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// The most walkers that a key may allow on one node.
const MOST_SEATS: u64 = 100_000;

/// How many walkers there are, or the file that lists them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "`walkers` must be a whole number, or the name of a CSV file")]
pub enum WalkersText {
    /// Their number.
    Number(i64),
    /// A file with one row per walker.
    File(String),
}

impl fmt::Display for WalkersText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::File(file) => file.fmt(f),
        }
    }
}

impl WalkersText {
    /// Their number if the text says it; a file is not read.
    pub(crate) fn number(&self) -> Option<usize> {
        self.to_string().trim().parse().ok()
    }
}

impl JsonSchema for WalkersText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Walkers".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}],
            "examples": [5, "walkers.csv"]
        })
    }
}

/// Where walkers start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "`starts` must be \"random\", a node, or one node per walker such as [0, 4]"
)]
pub enum StartsText {
    /// All on the node of this number.
    Number(u32),
    /// As on the command line: `random`, or nodes separated by commas.
    Text(String),
    /// One node for each.
    Nodes(Vec<NodeName>),
}

impl StartsText {
    fn read(&self, graph: &Graph) -> Result<Starts, LabError> {
        match self {
            Self::Number(node) => Ok(Starts::Nodes(vec![*node])),
            Self::Text(text) => Starts::parse(text, graph),
            Self::Nodes(nodes) => Starts::find(nodes.iter(), graph),
        }
    }
}

impl JsonSchema for StartsText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Starts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let node = schemars::json_schema!({"type": ["integer", "string"]});
        schemars::json_schema!({
            "anyOf": [
                {"type": ["integer", "string"]},
                {"type": "array", "items": node, "minItems": 1}
            ],
            "examples": ["random", 0, [0, 4]]
        })
    }
}

/// A team as the keys of a case and its study say it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TeamKeys {
    /// Who walks.
    pub walkers: WalkersText,
    /// Where they start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<StartsText>,
    /// What a node pays several of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
    /// What walkers on one node draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<Draws>,
    /// The most walkers that are sent to one node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<u64>,
}

impl TeamKeys {
    /// The team on `graph`. Relative paths start at `base`.
    ///
    /// # Errors
    /// Names the key or the file that is wrong.
    pub(crate) fn read(&self, base: &Path, graph: &Graph) -> Result<TeamStudy, LabError> {
        let mut team = TeamStudy::parse(&self.walkers.to_string(), base, graph)?;
        if let Some(starts) = &self.starts {
            if team.starts != Starts::Random {
                let reason = "the file of walkers has a column start; leave one of the two out";
                return Err(LabError::setting("starts", reason));
            }
            team.starts = starts.read(graph)?;
        }
        if let Some(text) = &self.share {
            team.share = ShareSource::parse(text, base)?;
        }
        team.draws = self.draws.unwrap_or_default();
        team.seats = self.seats.map(seats).transpose()?;
        Ok(team)
    }
}

fn seats(seats: u64) -> Result<usize, LabError> {
    if (1..=MOST_SEATS).contains(&seats) {
        return Ok(seats as usize);
    }
    let reason = format!("{seats} is not from 1 to {MOST_SEATS}; say how many fit on one node");
    Err(LabError::setting("seats", reason))
}

/// Teams in one phrase: how many walkers, what they share and draw, and how many fit on a node. `None`
/// if there is no team.
pub(super) fn in_words(teams: &[TeamKeys]) -> Option<String> {
    if teams.is_empty() {
        return None;
    }
    let numbers: Vec<usize> = teams.iter().filter_map(|team| team.walkers.number()).collect();
    let walkers = match (numbers.iter().min(), numbers.iter().max()) {
        (Some(1), Some(1)) if numbers.len() == teams.len() => "1 walker".to_owned(),
        (Some(least), Some(most)) if numbers.len() == teams.len() => {
            if least == most {
                format!("{most} walkers")
            } else {
                format!("{least} to {most} walkers")
            }
        }
        _ => format!("walkers {}", distinct(teams.iter().map(|team| team.walkers.to_string()))),
    };
    let share = |team: &TeamKeys| team.share.clone().unwrap_or("equal".to_owned());
    let draws = |team: &TeamKeys| match team.draws.unwrap_or_default() {
        Draws::One => "one draw per node".to_owned(),
        Draws::Own => "one draw per walker".to_owned(),
    };
    let seats = teams.iter().filter_map(|team| team.seats).map(|seats| seats.to_string());
    let seats = match distinct(seats) {
        none if none.is_empty() => none,
        seats => format!(", at most {seats} on a node"),
    };
    let (shares, draws) = (distinct(teams.iter().map(share)), distinct(teams.iter().map(draws)));
    Some(format!("{walkers}, share {shares}, {draws}{seats}"))
}

/// The different texts, in the order of their first appearance.
fn distinct(texts: impl Iterator<Item = String>) -> String {
    let mut different: Vec<String> = Vec::new();
    for text in texts {
        if !different.contains(&text) {
            different.push(text);
        }
    }
    different.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(walkers: WalkersText) -> TeamKeys {
        TeamKeys { walkers, starts: None, share: None, draws: None, seats: None }
    }

    #[test]
    fn a_phrase_names_walkers_shares_draws_and_seats() {
        let [one, five] = [1, 5].map(|number| team(WalkersText::Number(number)));
        let file = team(WalkersText::File("walkers.csv".to_owned()));
        let special = TeamKeys {
            share: Some("log:0.05".to_owned()),
            draws: Some(Draws::Own),
            seats: Some(2),
            ..five.clone()
        };
        assert_eq!(in_words(&[]), None);
        for (teams, words) in [
            (vec![one.clone()], "1 walker, share equal, one draw per node"),
            (vec![five.clone(), five.clone()], "5 walkers, share equal, one draw per node"),
            (vec![five.clone(), one], "1 to 5 walkers, share equal, one draw per node"),
            (
                vec![special, file],
                "walkers 5 or walkers.csv, share log:0.05 or equal, one draw per walker or one draw per node, \
                 at most 2 on a node",
            ),
        ] {
            assert_eq!(in_words(&teams).as_deref(), Some(words));
        }
    }
}

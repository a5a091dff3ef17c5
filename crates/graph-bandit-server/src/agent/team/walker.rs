//! How clients name a walker: by its number, or by the name that it was given.

use super::super::name::is_name;
use super::super::whole_number::whole_number;
use graph_bandit::team::WalkerId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A walker of a team, by its number or its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a walker is a number or a name")]
#[schemars(rename = "Walker")]
pub enum WalkerName {
    /// By number.
    #[serde(deserialize_with = "whole_number")]
    Number(WalkerId),
    /// By name, or a number in quotes.
    Name(String),
}

impl WalkerName {
    /// As a query or a path has it.
    pub fn of_text(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Number)
    }

    /// The same walker, by number if the name is a number in quotes.
    #[must_use]
    pub fn plain(self) -> Self {
        match self {
            Self::Name(name) => Self::of_text(&name),
            number @ Self::Number(_) => number,
        }
    }
}

impl fmt::Display for WalkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => write!(f, "{name:?}"),
        }
    }
}

/// Whether a walker may have this name: one that cannot be taken for a number.
pub(super) fn is_walker_name(text: &str) -> bool {
    is_name(text) && !text.bytes().all(|byte| byte.is_ascii_digit())
}

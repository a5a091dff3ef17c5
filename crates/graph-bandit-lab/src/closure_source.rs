//! Which roads close at random, as flags, studies and Python write it.

use graph_bandit::{ClosureError, ClosureRates};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How roads close and reopen, written `RATE,RATE` or `map`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ClosureSource {
    /// All roads close at one rate and reopen at another.
    All(ClosureRates),
    /// Each road has its own rates, given by its map.
    Map,
}

const MAP: &str = "map";

/// Why a text cannot be read as closures.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ClosureTextError {
    /// It is not two rates.
    #[error(
        "{0:?} is not two rates; write a closing and a reopening rate per unit of time, such as 0.01,0.1, or {MAP} \
         to read each road's rates from the map"
    )]
    NotRates(String),
    /// A rate is out of range.
    #[error(transparent)]
    Rates(#[from] ClosureError),
}

impl FromStr for ClosureSource {
    type Err = ClosureTextError;

    fn from_str(text: &str) -> Result<Self, ClosureTextError> {
        if text.trim() == MAP {
            return Ok(Self::Map);
        }
        let unreadable = || ClosureTextError::NotRates(text.to_owned());
        let (closing, reopening) = text.split_once(',').ok_or_else(unreadable)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unreadable());
        Ok(Self::All(ClosureRates::new(number(closing)?, number(reopening)?)?))
    }
}

impl fmt::Display for ClosureSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(rates) => write!(f, "{},{}", rates.closing(), rates.reopening()),
            Self::Map => f.write_str(MAP),
        }
    }
}

impl Serialize for ClosureSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ClosureSource {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|error| de::Error::custom(format!("`closures`: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_closures_read_back() {
        for text in ["0.01,0.1", "0,0.5", "1000,0", "0.1,0.000001", "map"] {
            let source: ClosureSource = text.parse().unwrap();
            assert_eq!(source.to_string().parse(), Ok(source), "{text}");
        }
        assert_eq!(" 0.10 , 5e-1".parse::<ClosureSource>().unwrap().to_string(), "0.1,0.5");
    }
}

//! Members of requests whose errors name the member, for `#[serde(deserialize_with)]`.

use super::place::NodeName;
use super::whole_number::optional_whole_number;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A message about a member that cannot be read.
pub(crate) fn unreadable<E: Error>(name: &str, error: &serde_json::Error) -> E {
    E::custom(format_args!("{name}: {error}"))
}

/// Reads a member by way of its JSON, so that the message has one place in the text and not two.
fn read<'de, D: Deserializer<'de>, T>(
    name: &str,
    from: D,
    reader: impl FnOnce(Value) -> Result<T, serde_json::Error>,
) -> Result<T, D::Error> {
    reader(Value::deserialize(from)?).map_err(|error| unreadable(name, &error))
}

fn plain<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    name: &str,
    from: D,
) -> Result<T, D::Error> {
    read(name, from, serde_json::from_value)
}

pub(crate) fn name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    plain("name", from)
}

pub(crate) fn start<'de, D: Deserializer<'de>>(from: D) -> Result<Option<NodeName>, D::Error> {
    plain("start", from)
}

pub(crate) fn speed<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    plain("speed", from)
}

pub(crate) fn nodes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<NodeName>>, D::Error> {
    plain("nodes", from)
}

pub(crate) fn seats<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    read("seats", from, optional_whole_number)
}

pub(crate) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    read("number", from, optional_whole_number)
}

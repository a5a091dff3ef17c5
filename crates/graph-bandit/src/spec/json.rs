//! Specs as JSON: the name, then the parameters in their order,
//! `{"family":"grid","rows":10,"columns":10}`.

use super::text::{default, unknown, wrong};
use super::{Entry, Spec, SpecError};
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json};

impl<E: Entry> Serialize for Spec<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1 + self.pairs().count()))?;
        map.serialize_entry(E::TAG, self.name())?;
        for (parameter, value) in self.pairs() {
            map.serialize_entry(parameter.name(), value)?;
        }
        map.end()
    }
}

impl<'de, E: Entry> Deserialize<'de> for Spec<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;
        Self::of_fields(&fields).map_err(D::Error::custom)
    }
}

impl<E: Entry> Spec<E> {
    /// Reads the fields of an object; missing parameters take their defaults.
    ///
    /// # Errors
    /// When the entry or parameter does not exist, a parameter is missing, or a value is invalid.
    pub fn of_fields(fields: &Map<String, Json>) -> Result<Self, SpecError> {
        let Some(name) = fields.get(E::TAG).and_then(Json::as_str) else {
            let example = Self::names().first().copied().unwrap_or_default();
            return Err(SpecError::NotAnObject { kind: E::KIND, tag: E::TAG, example });
        };
        let entry = E::table().find(name)?;
        let is_known = |field: &str| entry.parameters().iter().any(|known| known.name() == field);
        if let Some(odd) = fields.keys().find(|field| *field != E::TAG && !is_known(field)) {
            return Err(unknown(entry, odd));
        }
        let values =
            entry.parameters().iter().map(|parameter| match fields.get(parameter.name()) {
                None => default(entry, *parameter),
                Some(json) => {
                    let value = parameter.kind().of_json(json);
                    value.ok_or_else(|| wrong(entry.name(), *parameter, json.to_string()))
                }
            });
        Self::new(entry, values.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use crate::AgentSpec;
    use serde_json::json;

    #[test]
    fn every_parameter_is_written_and_any_may_be_left_out() {
        let mut ucb = json!({
            "agent": "g-ucb", "bonus": 1.0, "doubling": "exact", "destinations": "all-best",
            "restarts": "never", "period": 1000.0
        });
        assert_eq!(json!("g-ucb".parse::<AgentSpec>().unwrap()), ucb);
        ucb["restarts"] = "oracle".into();
        assert_eq!(json!("g-ucb:restarts=oracle".parse::<AgentSpec>().unwrap()), ucb);
        let read = |value| serde_json::from_value::<AgentSpec>(value).unwrap();
        assert_eq!(read(ucb), "g-ucb:restarts=oracle".parse().unwrap());
        let short = json!({"agent": "g-ucb", "restarts": "oracle"});
        assert_eq!(read(short), "g-ucb:restarts=oracle".parse().unwrap());
    }
}

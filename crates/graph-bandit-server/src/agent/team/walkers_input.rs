//! The walkers of a request: how many, or one by one.

use super::super::name::Name;
use super::super::place::{NoSuchNode, NodeName};
use super::super::whole_number::whole_number;
use super::definition::{MOST_WALKERS, WalkerDefinition};
use super::refused::TeamRefused;
use super::walker::is_walker_name;
use graph_bandit::NodeId;
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The walkers of a team to create: how many, or one by one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum WalkersInput {
    /// How many; all are alike. More may join later.
    Count(#[schemars(range(max = MOST_WALKERS))] usize),
    /// One by one; at most 64 if one of them has `nodes`.
    Each(#[schemars(length(max = MOST_WALKERS))] Vec<WalkerInput>),
}

/// Says what cannot be read, and why. A derived reader would only say that neither form fits.
impl<'de> Deserialize<'de> for WalkersInput {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(WalkersReader)
    }
}

struct WalkersReader;

impl<'de> Visitor<'de> for WalkersReader {
    type Value = WalkersInput;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, 0 or greater, or a list with an object for each walker")
    }

    fn visit_u64<E: Error>(self, count: u64) -> Result<WalkersInput, E> {
        Ok(WalkersInput::Count(usize::try_from(count).unwrap_or(usize::MAX)))
    }

    /// `3.0` is the same number as `3`.
    fn visit_f64<E: Error>(self, count: f64) -> Result<WalkersInput, E> {
        let exact = whole_number(IntoDeserializer::<E>::into_deserializer(count));
        let other = || E::invalid_value(Unexpected::Float(count), &self);
        exact.map(WalkersInput::Count).map_err(|_: E| other())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut each: A) -> Result<WalkersInput, A::Error> {
        let mut walkers = Vec::new();
        while let Some(ByName(walker)) = each.next_element()? {
            walkers.push(walker);
        }
        Ok(WalkersInput::Each(walkers))
    }
}

/// A walker as an object. A derived reader would also take a list of its values.
struct ByName(WalkerInput);

impl<'de> Deserialize<'de> for ByName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ByNameReader).map(Self)
    }
}

struct ByNameReader;

impl<'de> Visitor<'de> for ByNameReader {
    type Value = WalkerInput;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"an object, such as {"name": "anna", "start": 3}"#)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<WalkerInput, A::Error> {
        WalkerInput::deserialize(MapAccessDeserializer::new(members))
    }
}

/// A walker of a team to create. All members are optional; `{}` is a walker that starts where the team does and may go
/// everywhere.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewWalker")]
pub struct WalkerInput {
    /// Its name, by which reports may refer to it. Two walkers of a team never have the same name, and a name does not
    /// consist of digits alone. Default: no name; the walker is called by its number.
    #[schemars(with = "Option<Name>")]
    pub name: Option<String>,
    /// The node where it starts. Default: `start` of the team, whose own default is node 0.
    pub start: Option<NodeName>,
    /// How fast it is: a road takes its time on the map divided by this number. Default: 1.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub speed: Option<f64>,
    /// The nodes where it may be. Default: all nodes.
    pub nodes: Option<Vec<NodeName>>,
}

impl WalkerInput {
    /// The walker with its nodes by number; `number` is the one it will have.
    pub(super) fn defined(
        self,
        number: u64,
        start: NodeId,
        find: impl Fn(&NodeName) -> Result<NodeId, NoSuchNode>,
    ) -> Result<WalkerDefinition, TeamRefused> {
        let Self { name, start: wanted, speed, nodes } = self;
        if let Some(name) = name.as_ref().filter(|name| !is_walker_name(name)) {
            return Err(TeamRefused::BadName { name: name.clone() });
        }
        let walker = || name.clone().unwrap_or_else(|| number.to_string());
        let found = |field: &'static str, node: &NodeName| {
            find(node).map_err(|error| TeamRefused::Node { field, walker: walker(), error })
        };
        let start = wanted.as_ref().map_or(Ok(start), |start| found("start", start))?;
        let nodes = match nodes {
            None => None,
            Some(nodes) => {
                let found: Result<BTreeSet<NodeId>, _> =
                    nodes.iter().map(|node| found("nodes", node)).collect();
                Some(found?.into_iter().collect())
            }
        };
        // A speed of 1 is the default; it is stored in one way only.
        let speed = speed.filter(|speed| *speed != 1.0);
        Ok(WalkerDefinition { name, start, speed, nodes })
    }
}

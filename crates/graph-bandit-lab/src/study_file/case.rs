//! One case of a study: a graph, how its roads are taken, and what is not as the study says.

use crate::closure_source::ClosureSource;
use crate::node_name::NodeName;
use graph_bandit::travel::MAX_TRAVEL_NOISE;
use graph_bandit_maps::{Directions, Travel};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// One graph of a study, and what differs on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Case {
    /// The graph: `grid:10x10` or the path of a map, relative to this file.
    pub graph: String,
    /// What a reader calls it (default: the text of the graph).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Agents of this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<String>>,
    /// Means of this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
    /// Means of this case in preset `program`, where the authors' program used others than the
    /// paper says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_means: Option<String>,
    /// Noise of this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<String>,
    /// The node to start on in this case instead of the study's: its number, or its name in the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<NodeName>,
    /// Steps that count on this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Runs of this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// Take the directions that the map's file declares, and let each line of an edge list lead one
    /// way. Default: every edge leads both ways.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub directed: bool,
    /// The field of the map's edges that says how long a road takes, such as `travel_time`. Default:
    /// every edge takes one step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
    /// How fast lengths are travelled, in metres per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// How many seconds a visit takes. Default: the numbers of the file are units of one visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visit_time: Option<f64>,
    /// Of a map in several parts, take the one with the most nodes. Default: such a map is an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub largest_component: bool,
    /// Roads that close and reopen at random, at two rates per unit of time, as in `0.01,0.1`, or at
    /// those that the map says road by road: `map`. Default: all roads are always open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "two_rates")]
    pub closures: Option<ClosureSource>,
    /// Noise of the time that drives take: its standard deviation as a multiple of the road's mean.
    /// Default: drives take what the map says.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_scale")]
    #[schemars(range(min = 0.0, max = MAX_TRAVEL_NOISE))]
    pub travel_noise: Option<f64>,
    /// Where the case stands on the axis of a `final` figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
}

impl Case {
    /// What a reader calls the case.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.graph)
    }

    /// What of its map's directions and times counts.
    pub fn travel(&self) -> Travel {
        Travel {
            directions: if self.directed { Directions::OneWay } else { Directions::LeftOut },
            times: self.times.clone(),
            speed: self.speed,
            visit_time: self.visit_time,
        }
    }
}

fn two_rates(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({
        "type": ["string", "null"],
        "pattern": "^([^,]+,[^,]+|map)$",
        "examples": ["0.01,0.1", "map"]
    })
}

fn some_scale<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let scale = f64::deserialize(from)?;
    let wrong = |error| D::Error::custom(format!("`travel-noise`: {error}"));
    graph_bandit::Travel::noisy(scale).map(|_| Some(scale)).map_err(wrong)
}

//! One case of a study: a graph, how its roads are read, and its differences from the study.

use super::means_text;
use super::team_keys::{StartsText, WalkersText};
use crate::closure_source::ClosureSource;
use crate::node_name::NodeName;
use graph_bandit::team::Draws;
use graph_bandit::travel::MAX_TRAVEL_NOISE;
use graph_bandit_maps::{Directions, Travel};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// One graph of a study, and its own settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Case {
    /// The graph: `grid:10x10` or the path of a map, relative to this file.
    pub graph: String,
    /// Its title (default: the text of the graph).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Agents for this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<String>>,
    /// Means for this case instead of the study's.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "means_text::optional"
    )]
    #[schemars(schema_with = "means_text::schema")]
    pub means: Option<String>,
    /// Means for this case in preset `program`, where the authors' program differs from the paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_means: Option<String>,
    /// Noise for this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<String>,
    /// The start node for this case instead of the study's: its number, or its name in the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<NodeName>,
    /// Steps that count for this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Runs for this case instead of the study's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// Use the directions in the map's file; each line of an edge list leads one way. Default:
    /// every edge leads both ways; with `times`, `speed` or `visit-time`, the directions that the
    /// file declares count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub directed: bool,
    /// The edge field of the map that says how long a road takes: a time such as `travel_time`, a
    /// length, or a speed. Default: every edge takes one step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
    /// The speed that turns lengths into times, in metres per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// How many seconds a visit takes. Default: the numbers in the file are already in units of one
    /// visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visit_time: Option<f64>,
    /// If a map has several parts, take the one with the most nodes. Default: refuse it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub largest_component: bool,
    /// Roads close and reopen at random. `0.01,0.1` gives the closing rate, then the reopening
    /// rate, per unit of time; `map` takes the rates of each road from the map. Default: all roads
    /// are always open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "two_rates")]
    pub closures: Option<ClosureSource>,
    /// Noise of travel times: the standard deviation as a multiple of the road's mean. Default:
    /// drives take the time on the map.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_scale")]
    #[schemars(range(min = 0.0, max = MAX_TRAVEL_NOISE))]
    pub travel_noise: Option<f64>,
    /// The walkers for this case instead of the study's: their number, or a CSV file with one row per walker and the columns
    /// `start`, `speed` and `nodes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walkers: Option<WalkersText>,
    /// Where the walkers start in this case: `random`, drawn for every run, or a node, or one node for each, as
    /// in `[0, 4]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<StartsText>,
    /// What c walkers on one node are worth in this case, as a multiple f(c) of one draw: `equal`, `capacity:3`,
    /// `power:0.5`, `log:0.05`, `sequel` (the shares of the paper on teams), or `file:shares.csv` with one
    /// row per node: f(1),f(2),..
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<String>,
    /// What walkers on one node draw in this case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "super::names::<Draws>")]
    pub draws: Option<Draws>,
    /// The most walkers that are sent to one node in this case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<u64>,
    /// The position of the case on the axis of a `final` or `over-root` figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
}

impl Case {
    /// The title of the case.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.graph)
    }

    /// Which directions and times of its map count.
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

//! How the roads of a cell's map are read: part of what determines its runs.

use graph_bandit_maps::{Directions, Travel};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which directions and times of a map count, as a plan stores it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CellTravel {
    /// Whether each line of an edge list leads one way.
    pub directed: bool,
    /// The field with the time of a road.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
    /// The speed for lengths, in metres per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// How many seconds a visit takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visit_time: Option<f64>,
}

impl CellTravel {
    /// The options, if any differ from the default.
    pub(super) fn of(travel: &Travel) -> Option<Self> {
        travel.is_asked().then(|| Self {
            directed: travel.directions == Directions::OneWay,
            times: travel.times.clone(),
            speed: travel.speed,
            visit_time: travel.visit_time,
        })
    }

    pub(super) fn travel(&self) -> Travel {
        Travel {
            directions: if self.directed { Directions::OneWay } else { Directions::Declared },
            times: self.times.clone(),
            speed: self.speed,
            visit_time: self.visit_time,
        }
    }
}

impl fmt::Display for CellTravel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let directed = self.directed.then(|| "directed".to_owned());
        let times = self.times.as_ref().map(|field| format!("times={field}"));
        let speed = self.speed.map(|speed| format!("speed={speed}"));
        let visit_time = self.visit_time.map(|seconds| format!("visit-time={seconds}"));
        let all: Vec<String> = [directed, times, speed, visit_time].into_iter().flatten().collect();
        f.write_str(&all.join(" "))
    }
}

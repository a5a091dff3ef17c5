//! An order as the service answers it: the core's order with its number, the names and coordinates of its
//! nodes, and the reason. Clients get it, watchers see it, and drones read it back.

use super::event::LAST_SEQUENCE;
use super::{Live, Place, Why};
use graph_bandit::team::WalkerId;
use graph_bandit::{NodeId, Phase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to do next: walk `path`, collect a reward at each node you enter, then stay for `stay` more rewards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Order {
    /// The number that the next report must have.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub sequence: u64,
    /// The walker that the order is for. Present only if the agent is a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walker: Option<WalkerId>,
    /// The number of the agent. A later agent of the same name has a different number. A report
    /// may repeat it: the service then refuses the report if another agent now has the name.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub number: u64,
    /// The seal of the order. A report may repeat it: the service then refuses the report if it
    /// has lost this order.
    pub seal: String,
    /// The walker's node.
    pub at: Place,
    /// The nodes to enter, in order; empty if the walker stays.
    pub path: Vec<Place>,
    /// How many more rewards to collect at the end of the path.
    pub stay: u64,
    /// How long each step of the path is expected to take, travel and visit together, in units of one visit. Present
    /// only if roads run one way, if roads take time (by the map or by reports), or if a blocked edge is expected to
    /// reopen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Vec<f64>>,
    /// When the first visit at the end of the path is expected to end, on the agent's clock (`time` of the agent; in a
    /// team, `time` of the walker). If the path is empty, this is the present time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrival: Option<f64>,
    /// `times` in seconds, if the graph has a visit time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times_in_seconds: Option<Vec<f64>>,
    /// `arrival` in seconds, if the graph has a visit time. It is a moment on the agent's clock, not a duration. The
    /// sum of `times_in_seconds` is how long the path takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrival_in_seconds: Option<f64>,
    /// Whether the leg is part of initialization, or the agent decided on it.
    pub phase: Phase,
    /// Why the leg leads there.
    pub why: Why,
}

impl Live {
    /// The present order. It stays the same until the next event. `number` and `seal` are the agent's in
    /// its store.
    pub fn ask(&mut self, number: u64, seal: &str) -> Order {
        let graph_bandit::Order { path, stay, phase, .. } = self.order();
        let path = path.to_vec();
        let why = self.knowledge().why(phase, &path);
        let times = self.expected_times(&path);
        let arrival = times.as_ref().map(|times| self.time() + times.iter().sum::<f64>());
        let visit_time = self.definition().graph.visit_time();
        let in_seconds = |time: f64| visit_time.map(|seconds| time * seconds);
        let all_in_seconds = |times: &Vec<f64>| {
            visit_time.map(|seconds| times.iter().map(|time| time * seconds).collect())
        };
        let place = |node| Place::of(self.graph(), node);
        Order {
            sequence: self.sequence(),
            walker: None,
            number,
            seal: seal.to_owned(),
            at: place(self.place()),
            path: path.into_iter().map(place).collect(),
            stay,
            times_in_seconds: times.as_ref().and_then(all_in_seconds),
            arrival_in_seconds: arrival.and_then(in_seconds),
            times,
            arrival,
            phase,
            why,
        }
    }

    /// How long each step along a path is expected to take, if roads run one way or take time.
    fn expected_times(&self, path: &[NodeId]) -> Option<Vec<f64>> {
        let graph = self.session.graph();
        graph.roads()?;
        let from = std::iter::once(self.place()).chain(path.iter().copied());
        // A path leads along open roads.
        let time = |(from, &to)| 1.0 + graph.travel(from, to).unwrap_or(0.0);
        Some(from.zip(path).map(time).collect())
    }
}

//! An order as it goes over the wire: the core's order with the places that its nodes are, its number,
//! and why. Requests are answered with it, watchers see it, and drones read it back.

use super::event::LAST_SEQUENCE;
use super::{Live, Place, Why};
use graph_bandit::Phase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Walk the path, collecting a reward at each node entered, then stay for so many more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Order {
    /// The number that the report of it must bear.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub sequence: u64,
    /// The number of the agent: another one that bears its name some day has another. A report may
    /// bear it, and is then refused by the other one.
    #[serde(default)]
    #[schemars(range(max = LAST_SEQUENCE))]
    pub number: u64,
    /// The seal of the log that the order comes from. A report may bear it, and is then refused where
    /// the service has lost what came before it.
    #[serde(default)]
    pub seal: String,
    /// Where the walker stands.
    pub at: Place,
    /// The nodes to enter in turn; none when the walker stays.
    pub path: Vec<Place>,
    /// Further rewards where the path ends.
    pub stay: u64,
    /// Whether the leg covers the graph or is the agent's own.
    pub phase: Phase,
    /// Why it leads there.
    pub why: Why,
}

impl Live {
    /// The next order: the same until something happens. `number` and `seal` are those of the agent in
    /// its store.
    pub fn ask(&mut self, number: u64, seal: &str) -> Order {
        let graph_bandit::Order { path, stay, phase, .. } = self.order();
        let path = path.to_vec();
        let why = self.why(phase, &path);
        let place = |node| Place::of(self.graph(), node);
        Order {
            sequence: self.sequence(),
            number,
            seal: seal.to_owned(),
            at: place(self.place()),
            path: path.into_iter().map(place).collect(),
            stay,
            phase,
            why,
        }
    }
}

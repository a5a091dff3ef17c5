//! What the program sends to the page about a race.

use graph_bandit::spec::Dash;
use graph_bandit::{Graph, NodeId, Phase};
use graph_bandit_server::agent::{Place, Why};
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// A race at its beginning.
#[derive(Debug, Clone, Serialize)]
pub struct Opening {
    /// Its number.
    pub id: u64,
    /// Its graph, and where nodes are drawn.
    pub graph: GraphShown,
    /// What nodes truly pay on average, by number.
    pub means: Vec<f64>,
    /// The agents.
    pub agents: Vec<Agent>,
    /// How many visits every agent made before the race began, at least one to each node.
    pub init_steps: u64,
    /// How long the race is.
    pub steps: u64,
    /// The moments at which regret is recorded.
    pub points: Vec<u64>,
    /// The state at the beginning.
    pub progress: Progress,
}

/// A graph as the page draws it.
#[derive(Debug, Clone)]
pub struct GraphShown {
    /// The graph.
    pub graph: Arc<Graph>,
    /// Where each node is drawn.
    pub positions: Arc<Vec<[f64; 2]>>,
}

impl Serialize for GraphShown {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Members<'a> {
            nodes: usize,
            #[serde(skip_serializing_if = "Option::is_none")]
            edges: Option<Vec<(NodeId, NodeId)>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            roads: Option<Vec<(NodeId, NodeId, f64)>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            names: Option<&'a [String]>,
            positions: &'a [[f64; 2]],
        }
        let Self { graph, positions } = self;
        let has_roads = graph.roads().is_some();
        let roads = || graph.all_roads().map(|road| (road.from, road.to, road.time)).collect();
        let members = Members {
            nodes: graph.len(),
            edges: (!has_roads).then(|| graph.edges().collect()),
            roads: has_roads.then(roads),
            names: graph.names(),
            positions,
        };
        members.serialize(to)
    }
}

/// An agent of the race.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Agent {
    /// Its name, with the parameters that differ from their defaults.
    pub label: String,
    /// Its colour in the palette of all figures, as in `c3`.
    pub colour: String,
    /// The dashes of its line.
    pub dash: Dash,
}

/// The progress of a race since the last answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// The present moment.
    pub t: u64,
    /// Roads that are closed, the lower number first.
    pub closed: Vec<(NodeId, NodeId)>,
    /// Every racer, in the order of the set-up.
    pub racers: Vec<RacerNow>,
}

/// One racer, and what it did since the last answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RacerNow {
    /// Visits: the node, how many in a row, and when the last of them ended.
    pub moves: Vec<(NodeId, u64, f64)>,
    /// Regret at each recorded moment that it has passed.
    pub points: Vec<f64>,
    /// Regret now.
    pub regret: f64,
    /// Rewards since the race began.
    pub reward: f64,
    /// Legs begun.
    pub legs: u64,
    /// Nodes visited since: the node, its total visits, its mean reward.
    pub known: Vec<(NodeId, u64, f64)>,
    /// Where it stands.
    pub at: Place,
    /// When its last visit ended: at `t`, or earlier if it is on a road.
    pub since: f64,
    /// The nodes to enter in turn; empty when it stays.
    pub path: Vec<Place>,
    /// Further visits at the end of the path.
    pub stay: u64,
    /// How long each step of the path takes, if roads run one way or take time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Vec<f64>>,
    /// Whether the leg covers the graph or is the agent's own.
    pub phase: Phase,
    /// Why it goes there.
    pub why: Why,
    /// Why it cannot go on, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
}

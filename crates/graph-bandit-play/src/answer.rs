//! What the page is told of a race.

use graph_bandit::{Graph, NodeId, Phase};
use graph_bandit_server::agent::{Place, Why};
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// A race as it begins.
#[derive(Debug, Clone, Serialize)]
pub struct Opening {
    /// Its number.
    pub id: u64,
    /// Its graph, and where nodes are drawn.
    pub graph: GraphShown,
    /// What nodes truly pay on average, by number.
    pub means: Vec<f64>,
    /// Who takes part.
    pub agents: Vec<Agent>,
    /// Visits that were made before it begins, by every agent: to each node at least once.
    pub init_steps: u64,
    /// How long it is.
    pub steps: u64,
    /// At which moments regret is kept.
    pub points: Vec<u64>,
    /// How it begins.
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

/// An agent that takes part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Agent {
    /// Its name, with the parameters that are not the usual ones.
    pub label: String,
    /// Its colour in the palette of all figures, as in `c3`.
    pub colour: String,
}

/// How far a race has come since the page heard of it last.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// When it is now.
    pub t: u64,
    /// Roads that are closed, the lower number first.
    pub closed: Vec<(NodeId, NodeId)>,
    /// Every racer, in the order of the set-up.
    pub racers: Vec<RacerNow>,
}

/// One racer, and what it did since the page heard of it last.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RacerNow {
    /// Visits: the node, how many in a row, and when the last of them ended.
    pub moves: Vec<(NodeId, u64, f64)>,
    /// Regret at each of the moments that it has come past.
    pub points: Vec<f64>,
    /// Regret now.
    pub regret: f64,
    /// Rewards since the race began.
    pub reward: f64,
    /// Legs begun.
    pub legs: u64,
    /// Nodes of which it knows more: the node, visits in all, the mean of its rewards.
    pub known: Vec<(NodeId, u64, f64)>,
    /// Where it stands.
    pub at: Place,
    /// When its last visit ended: at `t`, or before, where it is on a road.
    pub since: f64,
    /// The nodes to enter in turn; none when it stays.
    pub path: Vec<Place>,
    /// Further visits where the path ends.
    pub stay: u64,
    /// How long each step of the path takes, where roads run one way or take time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Vec<f64>>,
    /// Whether the leg covers the graph or is the agent's own.
    pub phase: Phase,
    /// Why it goes there.
    pub why: Why,
    /// Why it cannot go on, if it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
}

//! What a race is made of, checked before it begins.

use crate::change::{Change, RoadChange, edges_between};
use crate::refusal::Refusal;
use graph_bandit::{AgentSpec, Edge, Graph, GraphSpec, NodeId, Preset, RunPlan, Seed};
use graph_bandit_lab::{Entrant, MeansSource, RoadChanges, Study, Window};
use graph_bandit_server::agent::{GraphLimits, GraphSourceError, ListedGraph};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How large a graph may be, so that the page stays lively.
pub const GRAPH_LIMITS: GraphLimits = GraphLimits { nodes: 2_000, edges: 10_000 };
/// The most agents of a race.
pub const MOST_AGENTS: usize = 6;
/// The most steps of a race.
pub const MOST_STEPS: u64 = 1_000_000;
/// The most changes of a race.
pub const MOST_CHANGES: usize = 1_000;
/// At how many moments regret is kept.
pub const POINTS: u64 = 400;

/// A race, as its page writes it. It is run number 0 of the study that `gbandit run` makes of the same settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The graph.
    pub graph: GraphWanted,
    /// The agents, as on the command line.
    pub agents: Vec<String>,
    /// The mean rewards, as on the command line.
    #[serde(default = "usual_means")]
    pub means: String,
    /// The noise around them, as on the command line.
    #[serde(default = "usual_noise")]
    pub noise: String,
    /// Steps that count; units of time, where roads take any.
    pub steps: u64,
    /// Where all randomness comes from.
    #[serde(default)]
    pub seed: u64,
    /// Where agents start.
    #[serde(default)]
    pub start: NodeId,
    /// What happens during the race, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// A graph: of a family, or listed, as drawn ones and those of map files are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a graph is a text such as \"grid:10x10\", or nodes with edges or roads"
)]
pub enum GraphWanted {
    /// A family and its size.
    Family(String),
    /// Nodes, and edges or roads.
    Listed(Box<ListedGraph>),
}

fn usual_means() -> String {
    "uniform:0.5,9.5".to_owned()
}

fn usual_noise() -> String {
    "uniform:0.5".to_owned()
}

impl Setup {
    /// The study whose first run the race is.
    ///
    /// # Errors
    /// Names the field that is wrong, and what would be right.
    pub fn study(&self) -> Result<Study, Refusal> {
        self.check_sizes()?;
        let seed = Seed(self.seed);
        let graph = Arc::new(self.graph(seed)?);
        let noise = self.noise.parse();
        let study = Study {
            agents: self.specs()?.into_iter().map(Entrant::Named).collect(),
            preset: Preset::Paper,
            means: self.means()?,
            noise: noise.map_err(|error| Refusal::field("noise", error))?,
            plan: RunPlan { start: self.start, ..RunPlan::new(self.steps, POINTS) },
            window: Window::FIRST,
            roads: RoadChanges::default(),
            runs: 1,
            seed,
            graph,
        };
        study.check()?;
        self.check_changes(&study.graph)?;
        Ok(study)
    }

    fn check_sizes(&self) -> Result<(), Refusal> {
        if self.agents.len() > MOST_AGENTS {
            let reason = format!(
                "{} agents are too many to watch; name at most {MOST_AGENTS}",
                self.agents.len()
            );
            return Err(Refusal::field("agents", reason));
        }
        if self.steps > MOST_STEPS {
            let reason = format!(
                "{} steps are too many to watch; the limit is {MOST_STEPS} (`gbandit run` has no such limit)",
                self.steps
            );
            return Err(Refusal::field("steps", reason));
        }
        Ok(())
    }

    /// The agents.
    pub(crate) fn specs(&self) -> Result<Vec<AgentSpec>, Refusal> {
        let parse = |text: &String| AgentSpec::parse(text, Preset::Paper);
        let specs: Result<_, _> = self.agents.iter().map(parse).collect();
        specs.map_err(|error| Refusal::field("agents", error))
    }

    /// Not from a file: a page must not have the program read one.
    fn means(&self) -> Result<MeansSource, Refusal> {
        let spec = self.means.parse().map_err(|error| Refusal::field("means", error))?;
        Ok(MeansSource::Drawn(spec))
    }

    fn graph(&self, seed: Seed) -> Result<Graph, Refusal> {
        let built = match &self.graph {
            GraphWanted::Family(text) => {
                let spec = text.parse::<GraphSpec>().map_err(GraphSourceError::from);
                spec.and_then(|spec| {
                    let size = spec.size();
                    GRAPH_LIMITS.check(size.nodes, size.edges)?;
                    Ok(spec.build(seed)?)
                })
            }
            GraphWanted::Listed(listed) => listed.build(GRAPH_LIMITS),
        };
        built.map_err(|error| match error {
            GraphSourceError::TooLarge { what, size, limit } => {
                let reason = format!("{size} {what} are too many to watch; the limit is {limit}");
                Refusal::field("graph", reason)
            }
            other => Refusal::field("graph", other),
        })
    }

    /// Roads that are there, closed only while open and opened only while closed, in order of time.
    fn check_changes(&self, graph: &Graph) -> Result<(), Refusal> {
        if self.changes.len() > MOST_CHANGES {
            let reason =
                format!("{} changes are too many; the limit is {MOST_CHANGES}", self.changes.len());
            return Err(Refusal::field("changes", reason));
        }
        let mut closed = BTreeSet::new();
        let mut before = 0;
        for change in &self.changes {
            if change.t < before {
                let reason = format!(
                    "the change at t = {} stands after one at t = {before}; list them in order",
                    change.t
                );
                return Err(Refusal::field("changes", reason));
            }
            before = change.t;
            check_change(graph, &mut closed, change.what)?;
        }
        Ok(())
    }
}

/// Notes a change of roads, if it can be.
///
/// # Errors
/// When there is no such road, or it is closed or open already. Nothing is noted then.
pub(crate) fn check_change(
    graph: &Graph,
    closed: &mut BTreeSet<Edge>,
    change: RoadChange,
) -> Result<(), Refusal> {
    let (a, b) = change.ends();
    let name = |node: NodeId| match graph.names() {
        Some(names) => format!("{:?}", names[node as usize]),
        None => format!("node {node}"),
    };
    let last = graph.len() - 1;
    if let Some(node) = [a, b].into_iter().find(|&node| node as usize > last) {
        let reason = format!("there is no node {node}; the nodes are 0 to {last}");
        return Err(Refusal::field("changes", reason));
    }
    let problem = match change {
        _ if edges_between(graph, (a, b)).is_empty() => "there is no road between",
        RoadChange::Close(_) if !closed.insert((a, b)) => "there is a closed road already between",
        RoadChange::Open(_) if !closed.remove(&(a, b)) => "there is no closed road between",
        _ => return Ok(()),
    };
    Err(Refusal::field("changes", format!("{problem} {} and {}", name(a), name(b))))
}

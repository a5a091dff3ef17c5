//! What a race is made of, checked before it begins.

use crate::change::{Change, RoadChange, edges_between};
use crate::refusal::Refusal;
use graph_bandit::{AgentSpec, Edge, Graph, GraphSpec, MeansSpec, NodeId, Preset, RunPlan, Seed};
use graph_bandit_lab::{Entrant, MeansSource, RoadChanges, Study, Window};
use graph_bandit_server::agent::{GraphLimits, GraphSourceError, ListedGraph};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The largest graph of a race, so that the page stays responsive.
pub const GRAPH_LIMITS: GraphLimits = GraphLimits { nodes: 2_000, edges: 10_000 };
/// The most agents of a race.
pub const MOST_AGENTS: usize = 6;
/// The most steps of a race.
pub const MOST_STEPS: u64 = 1_000_000;
/// The most changes of a race.
pub const MOST_CHANGES: usize = 1_000;
/// At how many moments regret is recorded.
pub const POINTS: u64 = 400;

/// The set-up of a race, as the page sends it. The race is run 0 of the study that `gbandit run` makes of the same
/// settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The graph.
    pub graph: SetupGraph,
    /// The agents, as on the command line.
    pub agents: Vec<String>,
    /// The mean rewards, as on the command line.
    #[serde(default = "default_means")]
    pub means: String,
    /// The noise around them, as on the command line.
    #[serde(default = "default_noise")]
    pub noise: String,
    /// The length of the race in steps; in units of time if roads take time.
    pub steps: u64,
    /// The seed of all randomness.
    #[serde(default)]
    pub seed: u64,
    /// Where agents start.
    #[serde(default)]
    pub start: NodeId,
    /// The changes during the race, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// The graph of a race: of a family, or listed, like a drawing or a map file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a graph is a text such as \"grid:10x10\", or nodes with edges or roads"
)]
pub enum SetupGraph {
    /// A family and its size.
    Family(String),
    /// Nodes, and edges or roads.
    Listed(Box<ListedGraph>),
}

fn default_means() -> String {
    "uniform:0.5,9.5".to_owned()
}

fn default_noise() -> String {
    "uniform:0.5".to_owned()
}

impl Setup {
    /// The study whose first run is this race.
    ///
    /// # Errors
    /// When a field is wrong; the refusal names the field and the remedy.
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
            team: None,
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

    /// Means from a file are refused: a page must not make the program read files.
    fn means(&self) -> Result<MeansSource, Refusal> {
        let spec: MeansSpec = self.means.parse().map_err(|error| Refusal::field("means", error))?;
        if spec.changes() {
            let reason = format!(
                "{} changes over time, and races need means that do not; use `gbandit run`",
                self.means
            );
            return Err(Refusal::field("means", reason));
        }
        Ok(MeansSource::Drawn(spec))
    }

    fn graph(&self, seed: Seed) -> Result<Graph, Refusal> {
        let built = match &self.graph {
            SetupGraph::Family(text) => {
                let spec = text.parse::<GraphSpec>().map_err(GraphSourceError::from);
                spec.and_then(|spec| {
                    let size = spec.size();
                    GRAPH_LIMITS.check(size.nodes, size.edges)?;
                    Ok(spec.build(seed)?)
                })
            }
            SetupGraph::Listed(listed) => listed.build(GRAPH_LIMITS),
        };
        built.map_err(|error| match error {
            GraphSourceError::TooLarge { what, size, limit } => {
                let reason = format!("{size} {what} are too many to watch; the limit is {limit}");
                Refusal::field("graph", reason)
            }
            other => Refusal::field("graph", other),
        })
    }

    /// Checks that changes are in order of time, and that each closes an open road or opens a closed one.
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
                    "the change at t = {} comes after one at t = {before}; list changes in order",
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

/// Records a change of roads in `closed`, if it is possible.
///
/// # Errors
/// When there is no such road, or it is already closed or open. Nothing is recorded then.
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
        RoadChange::Close(_) if !closed.insert((a, b)) => "the road is already closed between",
        RoadChange::Open(_) if !closed.remove(&(a, b)) => "there is no closed road between",
        _ => return Ok(()),
    };
    Err(Refusal::field("changes", format!("{problem} {} and {}", name(a), name(b))))
}

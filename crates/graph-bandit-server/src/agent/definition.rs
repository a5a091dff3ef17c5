//! What an agent is created as, checked once and kept for ever: with its log it is the agent.

use super::event::{FORMAT, first_format, is_first_format};
use super::graph_source::{GraphInput, GraphLimits, GraphSource, GraphSourceError};
use super::name::Name;
use super::place::{Directory, NoSuchNode, NodeName};
use super::snapshot::Snapshot;
use super::whole_number::whole_number;
use crate::fingerprint::fingerprint_of;
use graph_bandit::agents::parameters::NOISE_SCALE;
use graph_bandit::{AgentSpec, Decision, Graph, Init, NodeId, Preset, Seed, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// The agent to create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Wish")]
#[schemars(example = json!({"id": "rover", "graph": "grid:10x10", "agent": "g-ucb:bonus=0.5", "seed": 7}))]
pub struct AgentRequest {
    /// What to call it; the service finds a name where none is given.
    #[serde(default)]
    #[schemars(with = "Option<Name>")]
    pub id: Option<String>,
    /// The graph.
    pub graph: GraphInput,
    /// The agent: `"g-ucb:bonus=0.5"` or `{"agent": "g-ucb", "bonus": 0.5}`; default: g-star.
    #[serde(default)]
    pub agent: Option<AgentInput>,
    /// Where the walker stands; default: on node 0.
    #[serde(default)]
    pub start: Option<NodeName>,
    /// Where all randomness comes from.
    #[serde(default, deserialize_with = "whole_number")]
    pub seed: u64,
    /// How the graph is covered before the agent decides; default: nearest, by short ways.
    #[serde(default)]
    pub init: Option<Init>,
    /// The sub-Gaussian scale of the noise, for agents that are told of it.
    #[serde(default)]
    pub noise_scale: Option<f64>,
}

/// An agent as a text or an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum AgentInput {
    /// As on the command line.
    #[schemars(example = "g-ucb:bonus=0.5")]
    Text(String),
    /// As in JSON files; what is not given is the default.
    Object(#[schemars(with = "AgentSpec")] Map<String, Value>),
}

/// What an agent is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The graph.
    pub graph: GraphSource,
    /// The agent and its parameters.
    pub agent: AgentSpec,
    /// Where the walker stood first.
    pub start: NodeId,
    /// Where all randomness comes from.
    pub seed: Seed,
    /// How the graph is covered.
    pub init: Init,
    /// What it was before it came here, if it was imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Box<Snapshot>>,
    /// The format of the definition.
    #[serde(default = "first_format", skip_serializing_if = "is_first_format")]
    pub format: u32,
    /// A fingerprint of the graph: a family that is drawn at random must be drawn the same again. Not in
    /// the first format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph_fingerprint: Option<String>,
    /// The order before the first record. Not in the first format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Decision>,
}

/// Why no such agent can be.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// No such graph.
    #[error("graph: {0}")]
    Graph(#[from] GraphSourceError),
    /// No such agent.
    #[error("agent: {0}")]
    Agent(#[from] SpecError),
    /// No such start.
    #[error("start: {0}")]
    Start(#[from] NoSuchNode),
    /// An agent that does not listen.
    #[error(
        "noise_scale: agent {agent} is not told of noise; leave it out, set the agent's own \
         parameters ({parameters}), or take an agent that has noise-scale, such as g-star"
    )]
    NotToldOfNoise {
        /// The agent.
        agent: &'static str,
        /// What parameters it has.
        parameters: String,
    },
}

impl Definition {
    /// Whether an agent that is created as the other one is this one: whatever was planned for it, and
    /// in whichever format it is kept.
    pub fn is_same(&self, other: &Self) -> bool {
        let Self { graph, agent, start, seed, init, origin, .. } = self;
        let origins = [origin, &other.origin]
            .map(|origin| origin.as_ref().and_then(|origin| serde_json::to_string(origin).ok()));
        (graph, agent, start, seed, init)
            == (&other.graph, &other.agent, &other.start, &other.seed, &other.init)
            && origins[0] == origins[1]
    }

    /// The definition of an agent that goes on where an exported one stood, and its graph.
    ///
    /// # Errors
    /// When there is no such graph.
    pub fn imported(
        self,
        snapshot: Snapshot,
        limits: GraphLimits,
    ) -> Result<(Self, Graph), GraphSourceError> {
        let graph = self.graph.build(self.seed, limits)?;
        let fingerprint = self.graph_fingerprint.unwrap_or_else(|| fingerprint_of(&graph));
        let definition = Self {
            origin: Some(Box::new(snapshot)),
            format: FORMAT,
            graph_fingerprint: Some(fingerprint),
            first: None,
            ..self
        };
        Ok((definition, graph))
    }

    /// As the first format has it, for programs that read no other.
    #[must_use]
    pub fn in_first_format(self) -> Self {
        let origin = self.origin.map(|origin| Box::new(origin.in_first_format()));
        Self { origin, format: 1, graph_fingerprint: None, first: None, ..self }
    }

    /// As 0.1 would have understood a request that says nothing of `init`: it covered the graph by number.
    pub(crate) fn formerly(&self) -> Self {
        Self { init: Init::Lowest, ..self.clone() }
    }
}

impl AgentRequest {
    /// The definition that is meant, and the graph it speaks of.
    ///
    /// # Errors
    /// When there is no such graph, agent or start.
    pub fn define(self, limits: GraphLimits) -> Result<(Definition, Graph), DefinitionError> {
        let seed = Seed(self.seed);
        let agent = match self.agent {
            None => AgentSpec::parse("g-star", Preset::Paper)?,
            Some(AgentInput::Text(text)) => AgentSpec::parse(&text, Preset::Paper)?,
            Some(AgentInput::Object(fields)) => AgentSpec::of_fields(&fields)?,
        };
        let agent = match self.noise_scale {
            Some(scale) => with_noise_scale(&agent, scale)?,
            None => agent,
        };
        let source = GraphSource::try_from(self.graph).map_err(GraphSourceError::from)?;
        let graph = source.build(seed, limits)?;
        agent.build(&graph)?;
        let names = graph.names().unwrap_or_default();
        let directory = Directory::new(names, graph.len());
        let start = self.start.as_ref().map_or(Ok(0), |start| directory.find(start, names))?;
        let definition = Definition {
            graph: source,
            agent,
            start,
            seed,
            init: self.init.unwrap_or(Init::Nearest),
            origin: None,
            format: FORMAT,
            graph_fingerprint: Some(fingerprint_of(&graph)),
            first: None,
        };
        Ok((definition, graph))
    }
}

fn with_noise_scale(agent: &AgentSpec, scale: f64) -> Result<AgentSpec, DefinitionError> {
    if agent.values().find(&NOISE_SCALE).is_none() {
        let parameters: Vec<&str> = agent.parameters().into_iter().map(|(name, _)| name).collect();
        let parameters = parameters.join(", ");
        return Err(DefinitionError::NotToldOfNoise { agent: agent.name(), parameters });
    }
    Ok(agent.with(&format!("{}={scale:?}", NOISE_SCALE.name))?)
}

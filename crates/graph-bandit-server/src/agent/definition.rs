//! The definition of an agent, checked once and never changed. Definition and log are the agent.

use super::format::Format;
use super::graph_source::{GraphInput, GraphLimits, GraphSource, GraphSourceError};
use super::name::Name;
use super::place::{Directory, NoSuchNode, NodeName};
use super::snapshot::Snapshot;
use super::stamps::ClockKind;
use super::team::{self, ShareInput, TeamDefinition, TeamRefused, TeamRequest, WalkersInput};
use super::whole_number::{optional_whole_number, whole_number};
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
#[schemars(example = json!({"id": "rover", "graph": "grid:10x10", "agent": "g-ucb:bonus=0.5", "seed": 7}))]
pub struct AgentRequest {
    /// Its name. By default, the service makes one up.
    #[schemars(with = "Option<Name>")]
    pub id: Option<String>,
    /// The graph.
    pub graph: GraphInput,
    /// The agent: `"g-ucb:bonus=0.5"` or `{"agent": "g-ucb", "bonus": 0.5}`; default: g-star. The service refuses
    /// agents that must be told when means change (`restarting-klucb`, and `g-ucb` with `restarts=oracle`): they work
    /// only in simulated runs, such as those of `gbandit run`.
    pub agent: Option<AgentInput>,
    /// The node where the walker starts; default: node 0.
    pub start: Option<NodeName>,
    /// The seed of all randomness.
    #[serde(default, deserialize_with = "whole_number")]
    pub seed: u64,
    /// The order in which initialization visits the nodes; default: nearest.
    pub init: Option<Init>,
    /// The sub-Gaussian scale of the noise. Only for agents that use one.
    pub noise_scale: Option<f64>,
    /// What its clock follows. `count` (the default): it counts visits and time on roads, or `took` if a report has
    /// it. `stamps`: it follows `time`, which every reported visit must have.
    pub clock: Option<ClockKind>,
    /// For a team: how many walkers, or a list of them. Every walker asks and reports on its own. Without `walkers`, the
    /// agent leads one robot. A team may begin with no walkers, and walkers may join later. A team has at most 1000
    /// walkers at the same time, or 64 while one of them is confined to some of the nodes (see `most` of the type
    /// `Team`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walkers: Option<WalkersInput>,
    /// For a team: what several walkers on one node are worth; default: `equal` (a second walker adds nothing).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<ShareInput>,
    /// For a team: the most walkers that are sent to one node; default: any number.
    #[serde(
        default,
        deserialize_with = "optional_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(range(min = 1))]
    pub seats: Option<u64>,
}

/// An agent as a text or an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "an agent is a text such as \"g-ucb:bonus=0.5\", or an object such as {\"agent\": \"g-ucb\"}"
)]
#[schemars(inline)]
pub enum AgentInput {
    /// As on the command line.
    #[schemars(example = "g-ucb:bonus=0.5")]
    Text(String),
    /// As in JSON files; missing parameters have their defaults.
    Object(#[schemars(with = "AgentSpec")] Map<String, Value>),
}

/// The definition of an agent.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The format of the definition.
    pub format: Format,
    /// The graph.
    pub graph: GraphSource,
    /// The agent and its parameters.
    pub agent: AgentSpec,
    /// The node where the walker starts.
    pub start: NodeId,
    /// The seed of all randomness.
    pub seed: Seed,
    /// How the graph is covered.
    pub init: Init,
    /// Its state when it was imported, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Box<Snapshot>>,
    /// A fingerprint of the graph: a random family must be drawn the same again.
    pub graph_fingerprint: String,
    /// The order before the first record; absent from exports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Decision>,
    /// What its clock follows; absent if it counts.
    #[serde(default, skip_serializing_if = "ClockKind::is_count")]
    pub clock: ClockKind,
    /// The walkers and shares of a team; absent if it is an agent alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Box<TeamDefinition>>,
}

/// Why an agent cannot be created.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The graph is wrong.
    #[error("graph: {0}")]
    Graph(#[from] GraphSourceError),
    /// The agent is wrong.
    #[error("agent: {0}")]
    Agent(#[from] SpecError),
    /// The start is not a node.
    #[error("start: {0}")]
    Start(#[from] NoSuchNode),
    /// The team is wrong.
    #[error(transparent)]
    Team(#[from] TeamRefused),
    /// The agent does not use a noise scale.
    #[error(
        "noise_scale: agent {agent} does not use it; leave it out, set the agent's own \
         parameters ({parameters}), or take an agent that has noise-scale, such as g-star"
    )]
    NoNoiseScale {
        /// The agent.
        agent: &'static str,
        /// The parameters it has.
        parameters: String,
    },
}

impl Definition {
    /// Whether both define the same agent, whatever was planned for it.
    pub fn is_same(&self, other: &Self) -> bool {
        let Self { graph, agent, start, seed, init, origin, clock, team, .. } = self;
        let origins = [origin, &other.origin]
            .map(|origin| origin.as_ref().and_then(|origin| serde_json::to_string(origin).ok()));
        (graph, agent, start, seed, init, clock)
            == (&other.graph, &other.agent, &other.start, &other.seed, &other.init, &other.clock)
            && origins[0] == origins[1]
            && settings(team.as_deref()) == settings(other.team.as_deref())
    }

    /// The definition of an agent that continues an exported one, and its graph.
    ///
    /// # Errors
    /// When the graph cannot be built.
    pub fn imported(
        self,
        snapshot: Snapshot,
        limits: GraphLimits,
    ) -> Result<(Self, Graph), GraphSourceError> {
        let graph = self.graph.build(self.seed, limits)?;
        Ok((Self { origin: Some(Box::new(snapshot)), first: None, ..self }, graph))
    }
}

impl AgentRequest {
    /// Resolves the request into a definition and its graph.
    ///
    /// # Errors
    /// When the graph, the agent or the start is wrong.
    pub fn define(self, limits: GraphLimits) -> Result<(Definition, Graph), DefinitionError> {
        let seed = Seed(self.seed);
        let is_team = self.walkers.is_some();
        let scaled = |agent: AgentSpec| match self.noise_scale {
            Some(scale) => with_noise_scale(&agent, scale),
            None => Ok(agent),
        };
        let alone = if is_team { None } else { Some(scaled(alone(self.agent.clone())?)?) };
        let source = GraphSource::try_from(self.graph).map_err(GraphSourceError::from)?;
        let graph = source.build(seed, limits)?;
        let names = graph.names().unwrap_or_default();
        let directory = Directory::new(names, graph.len());
        let start = self.start.as_ref().map_or(Ok(0), |start| directory.find(start, names))?;
        if is_team {
            refuse_for_team(
                "init",
                self.init.is_some(),
                "the walkers of a team cover the graph together",
            )?;
            refuse_for_team(
                "clock",
                self.clock.is_some(),
                "the clock of every walker counts its visits",
            )?;
        }
        let request = TeamRequest {
            walkers: self.walkers,
            share: self.share,
            seats: self.seats.map(|seats| usize::try_from(seats).unwrap_or(usize::MAX)),
            agent: self.agent,
            start,
            seed,
        };
        let (team, led_by) = team::define(request, &graph)?.unzip();
        // One of the two is there.
        let agent = scaled(alone.or(led_by).map_or_else(|| self::alone(None), Ok)?)?;
        if !is_team {
            agent.build_for_use(&graph)?;
        }
        let definition = Definition {
            format: Format::CURRENT,
            graph: source,
            agent,
            start,
            seed,
            init: self.init.unwrap_or(Init::Nearest),
            origin: None,
            graph_fingerprint: fingerprint_of(&graph),
            first: None,
            clock: self.clock.unwrap_or_default(),
            team: team.map(Box::new),
        };
        Ok((definition, graph))
    }
}

/// The agent that leads one robot.
fn alone(agent: Option<AgentInput>) -> Result<AgentSpec, DefinitionError> {
    Ok(match agent {
        None => AgentSpec::parse("g-star", Preset::Paper)?,
        Some(AgentInput::Text(text)) => AgentSpec::parse(&text, Preset::Paper)?,
        Some(AgentInput::Object(fields)) => AgentSpec::of_fields(&fields)?,
    })
}

/// Refuses a field that teams do not have.
fn refuse_for_team(
    field: &'static str,
    is_given: bool,
    instead: &'static str,
) -> Result<(), TeamRefused> {
    if is_given { Err(TeamRefused::NotForTeams { field, instead }) } else { Ok(()) }
}

/// What was asked for of a team, whatever was planned for it.
fn settings(team: Option<&TeamDefinition>) -> Option<TeamDefinition> {
    team.map(|team| TeamDefinition { firsts: Vec::new(), ..team.clone() })
}

fn with_noise_scale(agent: &AgentSpec, scale: f64) -> Result<AgentSpec, DefinitionError> {
    if agent.values().find(&NOISE_SCALE).is_none() {
        let parameters: Vec<&str> = agent.parameters().into_iter().map(|(name, _)| name).collect();
        let parameters = parameters.join(", ");
        return Err(DefinitionError::NoNoiseScale { agent: agent.name(), parameters });
    }
    Ok(agent.with(&format!("{}={scale:?}", NOISE_SCALE.name))?)
}

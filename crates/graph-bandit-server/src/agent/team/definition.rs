//! The part of a definition that makes an agent a team: who walks, and what a node pays several of them.

use super::super::definition::{AgentInput, DefinitionError};
use super::super::name::{LONGEST_NAME, Name};
use super::super::place::{Directory, NoSuchNode, NodeName};
use super::super::planning::{PLANNING_PER_REPORT, work_of_plan};
use super::super::whole_number::whole_number;
use super::walker::is_walker_name;
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::{Member, SessionError, SetupError, ShareError, Sharing, TeamSession};
use graph_bandit::{AgentSpec, Decision, Graph, NodeId, Preset, Seed, SpecError};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;

/// The most walkers of a served team.
pub const MOST_WALKERS: usize = 1_000;
/// The most walkers of a team in which some may not be everywhere: planning takes the fourth power of
/// their number.
pub const MOST_CONFINED: usize = 64;

/// The walkers of a team to create: how many, or one by one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`walkers` is a number, or a list with an object for each walker")]
#[schemars(inline)]
pub enum WalkersInput {
    /// This many, all alike. More may join later.
    Count(
        #[serde(deserialize_with = "whole_number")]
        #[schemars(range(max = MOST_WALKERS))]
        usize,
    ),
    /// One by one.
    Each(
        #[serde(deserialize_with = "objects")]
        #[schemars(length(max = MOST_WALKERS))]
        Vec<WalkerInput>,
    ),
}

/// Reads walkers that are objects. A derived reader would also take a list of their values.
fn objects<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<WalkerInput>, D::Error> {
    let walkers = Vec::<Map<String, Value>>::deserialize(input)?;
    let read = |walker| serde_json::from_value(Value::Object(walker)).map_err(D::Error::custom);
    walkers.into_iter().map(read).collect()
}

/// A walker that joins a team.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewWalker")]
pub struct WalkerInput {
    /// Its name: one that no walker of the team had before, and not a number. Without a name, it has only its number.
    #[serde(default)]
    #[schemars(with = "Option<Name>")]
    pub name: Option<String>,
    /// The node where it starts; default: the team's `start`, or node 0.
    #[serde(default)]
    pub start: Option<NodeName>,
    /// The time of a road is divided by this; default: 1.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub speed: Option<f64>,
    /// The nodes where it may be; default: all.
    #[serde(default)]
    pub nodes: Option<Vec<NodeName>>,
}

/// What several walkers on one node are worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "`share` is a text such as \"log:0.05\", or a list of rows of numbers"
)]
#[schemars(inline)]
pub enum ShareInput {
    /// As on the command line: `equal`, `capacity:N`, `power:P`, `log:A`.
    #[schemars(example = "log:0.05")]
    Text(String),
    /// For each node `f(1)`, `f(2)` and so on, as multiples of one reward: `f(1)` is 1, and no number is smaller than
    /// the one before it. There may be as many walkers as the rows have numbers.
    Rows(Vec<Vec<f64>>),
}

/// What a request says about a team.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TeamRequest {
    pub(crate) walkers: Option<WalkersInput>,
    pub(crate) share: Option<ShareInput>,
    pub(crate) seats: Option<usize>,
    pub(crate) agent: Option<AgentInput>,
    pub(crate) start: NodeId,
    pub(crate) seed: Seed,
}

/// The part of a definition that makes it a team's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamDefinition {
    /// The walkers with which it begins.
    pub walkers: Vec<WalkerDefinition>,
    /// What several walkers on one node are worth.
    pub share: ShareInput,
    /// The most walkers sent to one node, if there is a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<usize>,
    /// The first orders of these walkers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub firsts: Vec<Decision>,
}

/// A walker as the log keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "JoinedWalker")]
pub struct WalkerDefinition {
    /// Its name, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it starts.
    pub start: NodeId,
    /// What the time of roads is divided by; absent if that is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// The nodes where it may be, ascending; absent if it may be everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<NodeId>>,
}

/// Why a team cannot be created, or a walker cannot join.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TeamRefused {
    /// There is no such text of a share.
    #[error("share: {0}")]
    ShareText(SpecError),
    /// The shares are invalid.
    #[error("share: {0}")]
    Share(#[from] ShareError),
    /// The rows have no numbers.
    #[error("share: the rows have no numbers; give f(1), f(2) and so on for every node")]
    EmptyRows,
    /// Something of a team was given for an agent alone.
    #[error("`{field}` is for teams; give `walkers`, too, or leave it out")]
    NotATeam {
        /// The field.
        field: &'static str,
    },
    /// Something was given that teams do not have.
    #[error("`{field}` is for agents alone; leave it out: {instead}")]
    NotForTeams {
        /// The field.
        field: &'static str,
        /// What teams do instead.
        instead: &'static str,
    },
    /// Too many walkers.
    #[error("walkers: {walkers} walkers are too many; this team has room for {most}")]
    TooMany {
        /// How many were given.
        walkers: usize,
        /// The most.
        most: usize,
    },
    /// Too many walkers for a team in which some may not be everywhere.
    #[error(
        "walkers: {walkers} walkers are too many for a team in which some may not be everywhere; the limit is \
         {MOST_CONFINED}: send fewer, allow all of them on all nodes, or report which blocked edges are open \
         again"
    )]
    TooManyConfined {
        /// How many were given.
        walkers: usize,
    },
    /// Planning for all of them at once takes too long.
    #[error(
        "walkers: planning for {walkers} walkers at once on a graph of this size takes too long; create the team \
         with at most {most}, and let the others join"
    )]
    TooMuchPlanning {
        /// How many were given.
        walkers: usize,
        /// How many would do.
        most: u64,
    },
    /// A name is invalid.
    #[error(
        "{name:?} is not a name for a walker; write 1 to {LONGEST_NAME} letters, digits, `-` or `_`, not only digits"
    )]
    BadName {
        /// The name.
        name: String,
    },
    /// A name is not new.
    #[error(
        "the name {name:?} was given to another walker of this team; choose a name that no walker had before"
    )]
    NameTaken {
        /// The name.
        name: String,
    },
    /// There is no such node.
    #[error("walker {walker}: {error}")]
    Node {
        /// The walker's name or number.
        walker: String,
        /// What is wrong.
        error: NoSuchNode,
    },
    /// The walker does not fit the graph.
    #[error("{0}")]
    Member(SetupError),
    /// The agent cannot lead this team.
    #[error("agent: {0}")]
    Leader(String),
}

/// Why a session refused a walker.
pub(super) fn refused(error: SessionError, most: usize) -> TeamRefused {
    match error {
        SessionError::Member(error) => TeamRefused::Member(error),
        SessionError::Full { .. } => TeamRefused::TooMany { walkers: most + 1, most },
        other => TeamRefused::Leader(other.to_string()),
    }
}

/// The team of a request, and its agent; nothing if the request is for an agent alone.
pub(crate) fn define(
    request: TeamRequest,
    graph: &Graph,
) -> Result<Option<(TeamDefinition, AgentSpec)>, DefinitionError> {
    let TeamRequest { walkers, share, seats, agent, start, seed } = request;
    let Some(walkers) = walkers else {
        let given = [("share", share.is_some()), ("seats", seats.is_some())];
        return match given.iter().find(|(_, is_given)| *is_given) {
            Some(&(field, _)) => Err(TeamRefused::NotATeam { field }.into()),
            None => Ok(None),
        };
    };
    let agent = leader(agent)?;
    let names = graph.names().unwrap_or_default();
    let directory = Directory::new(names, graph.len());
    let given = match walkers {
        WalkersInput::Count(count) if count > MOST_WALKERS => {
            return Err(TeamRefused::TooMany { walkers: count, most: MOST_WALKERS }.into());
        }
        WalkersInput::Count(count) => vec![WalkerInput::default(); count],
        WalkersInput::Each(walkers) => walkers,
    };
    let number = given.len();
    let mut known = BTreeSet::new();
    let mut walkers = Vec::with_capacity(number);
    for (place, walker) in given.into_iter().enumerate() {
        let find = |node: &NodeName| directory.find(node, names);
        let walker = walker.defined(place as u64, start, find)?;
        if let Some(name) = walker.name.clone().filter(|name| !known.insert(name.clone())) {
            return Err(TeamRefused::NameTaken { name }.into());
        }
        walkers.push(walker);
    }
    let share = share.unwrap_or_else(|| ShareInput::Text("equal".to_owned()));
    let team = TeamDefinition { walkers, share, seats, firsts: Vec::new() };
    // Everything that can be refused is refused now.
    let session = team.begin(graph, &agent, seed)?;
    let most = PLANNING_PER_REPORT / work_of_team_plan(agent.name(), &session).max(1);
    if number as u64 > most.max(1) {
        return Err(TeamRefused::TooMuchPlanning { walkers: number, most: most.max(1) }.into());
    }
    Ok(Some((team, agent)))
}

/// The agent that leads the team. What is stored is its form for one walker, which has the same parameters.
fn leader(agent: Option<AgentInput>) -> Result<AgentSpec, DefinitionError> {
    let spec = match agent {
        None => TeamSpec::parse("g-star", Preset::Paper)?,
        Some(AgentInput::Text(text)) => TeamSpec::parse(&text, Preset::Paper)?,
        Some(AgentInput::Object(fields)) => TeamSpec::of_fields(&fields)?,
    };
    let text = spec.to_string();
    AgentSpec::parse(&text, Preset::Paper).map_err(|_| {
        let reason = format!(
            "{text} plans for all walkers at once; use g-star, which plans for each walker"
        );
        TeamRefused::Leader(reason).into()
    })
}

impl TeamDefinition {
    /// The shares of every node.
    pub(super) fn sharing(&self, nodes: usize) -> Result<Sharing, TeamRefused> {
        match &self.share {
            ShareInput::Text(text) => {
                let spec: ShareSpec = text.parse().map_err(TeamRefused::ShareText)?;
                spec.sharing_of(MOST_WALKERS, nodes).map_err(TeamRefused::ShareText)
            }
            ShareInput::Rows(rows) => {
                let most = rows.iter().map(Vec::len).max().unwrap_or(0);
                if most == 0 {
                    return Err(TeamRefused::EmptyRows);
                }
                let most = most.min(MOST_WALKERS);
                Ok(Sharing::by_node(most, nodes, rows)?)
            }
        }
    }

    /// The team before its first record, without orders.
    pub(super) fn begin(
        &self,
        graph: &Graph,
        agent: &AgentSpec,
        seed: Seed,
    ) -> Result<TeamSession, TeamRefused> {
        let (sharing, agent) = (self.sharing(graph.len())?, team_agent(agent)?);
        let most = sharing.walkers();
        if self.walkers.len() > most {
            return Err(TeamRefused::TooMany { walkers: self.walkers.len(), most });
        }
        let made = TeamSession::new(graph.clone(), agent.build(), sharing, seed);
        let mut session = made.map_err(|error| refused(error, most))?;
        if self.seats == Some(0) {
            let (walkers, nodes) = (self.walkers.len().max(1), graph.len());
            return Err(TeamRefused::Member(SetupError::TooFewSeats { walkers, nodes, seats: 0 }));
        }
        if let Some(seats) = self.seats {
            session = session.with_seats(seats);
        }
        for walker in &self.walkers {
            check_confined(&session, walker)?;
            session.join(walker.member(graph.len())).map_err(|error| refused(error, most))?;
        }
        Ok(session)
    }
}

/// How much work a plan for one walker is. Where some may not be everywhere, all are matched with seats.
pub(super) fn work_of_team_plan(agent: &str, session: &TeamSession) -> u64 {
    let (walkers, nodes) = (session.walkers().len() as u64, session.graph().len() as u64);
    // The seats of every node are listed for every walker, and then matched.
    let matched = walkers.saturating_pow(4) / 16 + walkers * walkers * nodes / 2;
    let seats = if session.is_confined() { matched } else { 16 * walkers };
    work_of_plan(agent, session.graph(), 0).saturating_add(seats)
}

/// The agent in its form for teams.
pub(super) fn team_agent(agent: &AgentSpec) -> Result<TeamSpec, TeamRefused> {
    let spec = TeamSpec::parse(&agent.to_string(), Preset::Paper);
    spec.map_err(|error| TeamRefused::Leader(error.to_string()))
}

/// Refuses a walker that would make planning too long.
pub(super) fn check_confined(
    session: &TeamSession,
    walker: &WalkerDefinition,
) -> Result<(), TeamRefused> {
    let walkers = session.walkers().len() + 1;
    let is_confined = walker.nodes.is_some() || session.is_confined();
    if is_confined && walkers > MOST_CONFINED {
        return Err(TeamRefused::TooManyConfined { walkers });
    }
    Ok(())
}

impl WalkerInput {
    /// The walker with its nodes by number; `number` is the one it will have.
    pub(super) fn defined(
        self,
        number: u64,
        start: NodeId,
        find: impl Fn(&NodeName) -> Result<NodeId, NoSuchNode>,
    ) -> Result<WalkerDefinition, TeamRefused> {
        let Self { name, start: wanted, speed, nodes } = self;
        if let Some(name) = name.as_ref().filter(|name| !is_walker_name(name)) {
            return Err(TeamRefused::BadName { name: name.clone() });
        }
        let walker = || name.clone().unwrap_or_else(|| number.to_string());
        let found = |node: &NodeName| {
            find(node).map_err(|error| TeamRefused::Node { walker: walker(), error })
        };
        let start = wanted.as_ref().map_or(Ok(start), found)?;
        let nodes = match nodes {
            None => None,
            Some(nodes) => {
                let found: Result<BTreeSet<NodeId>, _> = nodes.iter().map(found).collect();
                Some(found?.into_iter().collect())
            }
        };
        // A speed of 1 is the default; it is stored in one way only.
        let speed = speed.filter(|speed| *speed != 1.0);
        Ok(WalkerDefinition { name, start, speed, nodes })
    }
}

impl WalkerDefinition {
    pub(super) fn member(&self, nodes: usize) -> Member {
        let flags = |allowed: &Vec<NodeId>| {
            let mut flags = vec![false; nodes];
            for &node in allowed {
                if let Some(flag) = flags.get_mut(node as usize) {
                    *flag = true;
                }
            }
            Arc::new(flags)
        };
        Member {
            start: self.start,
            speed: self.speed.unwrap_or(1.0),
            allowed: self.nodes.as_ref().map(flags),
        }
    }
}

//! The part of a definition that makes an agent a team: who walks, and what a node pays several of them.

use super::super::definition::{AgentInput, DefinitionError};
use super::super::name::Name;
use super::super::place::{Directory, NoSuchNode, NodeName};
use super::super::planning::{PLANNING_PER_REPORT, work_of_plan};
use super::super::whole_number::whole_number;
use super::refused::{TeamRefused, does_not_fit, refused};
use super::walker::is_walker_name;
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::{Member, SetupError, Sharing, TeamSession};
use graph_bandit::{AgentSpec, Decision, Graph, NodeId, Preset, Seed, SpecError};
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The most walkers of a served team.
pub const MOST_WALKERS: usize = 1_000;
/// The most walkers of a team in which some may not be everywhere: planning takes the fourth power of
/// their number.
pub const MOST_CONFINED: usize = 64;

/// The walkers of a team to create: how many, or one by one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum WalkersInput {
    /// How many; all are alike. More may join later.
    Count(#[schemars(range(max = MOST_WALKERS))] usize),
    /// One by one; at most 64 if one of them has `nodes`.
    Each(#[schemars(length(max = MOST_WALKERS))] Vec<WalkerInput>),
}

/// Says what cannot be read, and why. A derived reader would only say that neither form fits.
impl<'de> Deserialize<'de> for WalkersInput {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(WalkersReader)
    }
}

struct WalkersReader;

impl<'de> Visitor<'de> for WalkersReader {
    type Value = WalkersInput;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, 0 or greater, or a list with an object for each walker")
    }

    fn visit_u64<E: Error>(self, count: u64) -> Result<WalkersInput, E> {
        Ok(WalkersInput::Count(usize::try_from(count).unwrap_or(usize::MAX)))
    }

    /// `3.0` is the same number as `3`.
    fn visit_f64<E: Error>(self, count: f64) -> Result<WalkersInput, E> {
        let exact = whole_number(IntoDeserializer::<E>::into_deserializer(count));
        let other = || E::invalid_value(Unexpected::Float(count), &self);
        exact.map(WalkersInput::Count).map_err(|_: E| other())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut each: A) -> Result<WalkersInput, A::Error> {
        let mut walkers = Vec::new();
        while let Some(ByName(walker)) = each.next_element()? {
            walkers.push(walker);
        }
        Ok(WalkersInput::Each(walkers))
    }
}

/// A walker as an object. A derived reader would also take a list of its values.
struct ByName(WalkerInput);

impl<'de> Deserialize<'de> for ByName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ByNameReader).map(Self)
    }
}

struct ByNameReader;

impl<'de> Visitor<'de> for ByNameReader {
    type Value = WalkerInput;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"an object, such as {"name": "anna", "start": 3}"#)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<WalkerInput, A::Error> {
        WalkerInput::deserialize(MapAccessDeserializer::new(members))
    }
}

/// A walker of a team to create. All members are optional; `{}` is a walker that starts where the team does and may go
/// everywhere.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewWalker")]
pub struct WalkerInput {
    /// Its name, by which reports may refer to it. Two walkers of a team never have the same name, and a name does not
    /// consist of digits alone. Default: no name; the walker is called by its number.
    #[serde(default)]
    #[schemars(with = "Option<Name>")]
    pub name: Option<String>,
    /// The node where it starts. Default: `start` of the team.
    #[serde(default)]
    pub start: Option<NodeName>,
    /// How fast it is: a road takes its time on the map divided by this number. Default: 1.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub speed: Option<f64>,
    /// The nodes where it may be. Default: all nodes.
    #[serde(default)]
    pub nodes: Option<Vec<NodeName>>,
}

/// What several walkers on one node are worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "give a text such as \"log:0.05\", or a list of rows of numbers")]
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
    /// Its speed: times of roads are divided by it. Absent if it is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// The nodes where it may be, ascending; absent if it may go everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<NodeId>>,
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
        None => TeamSpec::parse("g-star", Preset::Paper),
        Some(AgentInput::Text(text)) => TeamSpec::parse(&text, Preset::Paper),
        Some(AgentInput::Object(fields)) => TeamSpec::of_fields(&fields),
    };
    let spec = spec.map_err(only_leaders)?;
    AgentSpec::parse(&spec.to_string(), Preset::Paper).map_err(|_| {
        let reason = format!(
            "{} plans for all walkers at once, but the robots of a service ask one by one, each when its own \
             leg ends; use g-star, which plans for each walker ({} works in studies: `gbandit run --walkers`)",
            spec.name(),
            spec.name()
        );
        TeamRefused::Leader(reason).into()
    })
}

/// Leaves out the agents that cannot lead a team here, where a message lists what there is.
fn only_leaders(error: SpecError) -> SpecError {
    let SpecError::Unknown { kind, name, mut known } = error else { return error };
    known.retain(|text| AgentSpec::parse(text, Preset::Paper).is_ok());
    SpecError::Unknown { kind, name, known }
}

impl TeamDefinition {
    /// The shares of every node.
    pub(super) fn sharing(&self, nodes: usize) -> Result<Sharing, TeamRefused> {
        match &self.share {
            ShareInput::Text(text) if text.trim_start().starts_with("file:") => {
                Err(TeamRefused::ShareFile { text: text.clone() })
            }
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
        let (walkers, most) = (self.walkers.len(), sharing.walkers());
        if walkers > MOST_CONFINED && self.walkers.iter().any(|walker| walker.nodes.is_some()) {
            return Err(TeamRefused::TooManyConfined { walkers });
        }
        if walkers > most {
            return Err(TeamRefused::TooMany { walkers, most });
        }
        let made = TeamSession::new(graph.clone(), agent.build(), sharing, seed);
        let mut session = made.map_err(|error| refused(error, graph, most))?;
        if self.seats == Some(0) {
            let (walkers, nodes) = (walkers.max(1), graph.len());
            let error = SetupError::TooFewSeats { walkers, nodes, seats: 0 };
            return Err(does_not_fit(&error, graph));
        }
        if let Some(seats) = self.seats {
            session = session.with_seats(seats);
        }
        let members = self.walkers.iter().map(|walker| walker.member(graph.len())).collect();
        session.join_all(members).map_err(|error| refused(error, graph, most))?;
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
        let found = |field: &'static str, node: &NodeName| {
            find(node).map_err(|error| TeamRefused::Node { field, walker: walker(), error })
        };
        let start = wanted.as_ref().map_or(Ok(start), |start| found("start", start))?;
        let nodes = match nodes {
            None => None,
            Some(nodes) => {
                let found: Result<BTreeSet<NodeId>, _> =
                    nodes.iter().map(|node| found("nodes", node)).collect();
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

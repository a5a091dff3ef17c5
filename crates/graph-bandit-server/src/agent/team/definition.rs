//! The part of a definition that makes an agent a team: who walks, and what a node pays several of them.

use super::super::definition::{AgentInput, DefinitionError};
use super::super::place::{Directory, NodeName};
use super::super::planning::{PLANNING_PER_REPORT, work_of_plan};
use super::refused::{TeamRefused, does_not_fit, refused};
use super::walkers_input::{WalkerInput, WalkersInput};
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::{Member, SetupError, Sharing, TeamSession};
use graph_bandit::{AgentSpec, Decision, Graph, NodeId, Preset, Seed, SpecError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most walkers of a served team.
pub const MOST_WALKERS: usize = 1_000;
/// The most walkers of a team with confined walkers: planning takes the fourth power of
/// their number.
pub const MOST_CONFINED: usize = 64;

/// What several walkers on one node are worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "give a text such as \"log:0.05\", or a list of rows of numbers")]
#[schemars(inline)]
pub enum ShareInput {
    /// As on the command line: `equal`, `capacity:ROOM`, `power:EXPONENT`, `log:BEND`.
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
             leg ends; use g-star or g-drift, which plan for each walker ({} works in studies: `gbandit run --walkers`)",
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

/// How much work a plan for one walker is. Where some are confined to some nodes, all are matched with seats.
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

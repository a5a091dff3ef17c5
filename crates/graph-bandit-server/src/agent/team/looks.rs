//! What a team shows: its walkers, their orders, and what all of them know.

use super::super::best::KnownRewards;
use super::super::{
    Best, BestQuery, EventError, Knowledge, LAST_SEQUENCE, NodeEstimate, Place, SetAside,
};
use super::definition::{ShareInput, work_of_team_plan};
use super::live::LiveTeam;
use super::taken::Others;
use super::walker::WalkerName;
use graph_bandit::team::WalkerId;
use graph_bandit::{CertaintyError, NodeId, Phase};
use schemars::JsonSchema;
use serde::Serialize;
use std::ops::Range;

/// A team and its walkers.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Team")]
pub struct TeamSummary {
    /// The walkers in the team, in the order in which they joined.
    pub walkers: Vec<WalkerSummary>,
    /// How many walkers the team may have at the same time: 1000, or the length of the rows of `share` if that is less.
    /// At most 64 while some walker is confined to some of the nodes, because it has `nodes`, or because blocked edges
    /// cut nodes off.
    pub most: usize,
    /// What several walkers on one node are worth.
    pub share: ShareInput,
    /// The most walkers that are sent to one node; absent if there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<usize>,
    /// How many records the history has.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub records: u64,
}

/// A walker of a team.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "TeamWalker")]
pub struct WalkerSummary {
    /// Its number.
    pub walker: WalkerId,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of its next report.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub sequence: u64,
    /// Where it is.
    pub at: Place,
    /// The nodes that its order still leads to, in turn; empty if it stays.
    pub path: Vec<NodeId>,
    /// How many more rewards to collect at the end of the path.
    pub stay: u64,
    /// How many visits it has reported.
    pub visits: u64,
    /// Its clock, in units of one visit. It counts the visits that it reported, and the time on the roads between them
    /// at its speed. Present only if roads run one way or take time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Its speed: times of roads are divided by it.
    pub speed: f64,
    /// The nodes where it may be; absent if it may go everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<NodeId>>,
}

impl LiveTeam {
    /// The team and its walkers.
    pub fn summary(&self) -> TeamSummary {
        let team = self.team();
        TeamSummary {
            walkers: self
                .walkers()
                .iter()
                .filter_map(|&walker| self.walker_summary(walker))
                .collect(),
            most: self.most(),
            share: team.map_or(ShareInput::Text("equal".to_owned()), |team| team.share.clone()),
            seats: team.and_then(|team| team.seats),
            records: self.sequence(),
        }
    }

    /// A walker, if it is in the team.
    pub fn walker_summary(&self, walker: WalkerId) -> Option<WalkerSummary> {
        let order = self.order(walker).ok()?;
        Some(WalkerSummary {
            walker,
            name: self.name(walker).map(str::to_owned),
            sequence: self.numbers.next(Some(walker)),
            at: Place::of(self.graph(), order.at),
            path: order.path.to_vec(),
            stay: order.stay,
            visits: self.session.visits(walker).ok()?,
            time: self.time(walker),
            speed: self.session.speed(walker).ok()?,
            nodes: self.session.nodes_of(walker).ok()?,
        })
    }

    /// The walkers, as a message names them.
    pub(crate) fn known_walkers(&self) -> String {
        self.some_walkers()
    }

    /// How much work a plan for one walker is.
    pub(crate) fn work_of_plan(&self) -> u64 {
        work_of_team_plan(self.definition.agent.name(), &self.session)
    }

    /// Whether some nodes were never visited.
    pub fn phase(&self) -> Phase {
        let is_unseen = |sample: &graph_bandit::Sample| sample.count == 0;
        if self.estimates().samples().iter().any(is_unseen) { Phase::Cover } else { Phase::Learn }
    }

    /// The present order of a walker. `number` is the team's in its store.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn ask(&self, walker: &WalkerName, number: u64) -> Result<super::super::Order, EventError> {
        let id = self.walker(walker)?;
        let order = self.order(id)?;
        let phase = order.phase;
        let within = self.session.within_reach(id).map_err(EventError::failed)?;
        let others = Others::of(self, id);
        let knowledge = self.knowledge(order.at).sent_within(within).sharing(others.shared(self));
        let mut why = knowledge.why(phase, order.path);
        others.explain((self, &knowledge), (phase, order.destination()), &mut why);
        let times = self.session.times(id, order.path).map_err(EventError::failed)?;
        let now = self.time(id).unwrap_or_default();
        let arrival = times.as_ref().map(|times| now + times.iter().sum::<f64>());
        let visit_time = self.definition.graph.visit_time();
        let in_seconds = |times: &Vec<f64>| {
            visit_time.map(|seconds| times.iter().map(|time| time * seconds).collect())
        };
        let place = |node| Place::of(self.graph(), node);
        Ok(super::super::Order {
            sequence: self.numbers.next(Some(id)),
            walker: Some(id),
            number,
            seal: self.numbers.seal(Some(id)).to_owned(),
            at: place(order.at),
            path: order.path.iter().copied().map(place).collect(),
            stay: order.stay,
            times_in_seconds: times.as_ref().and_then(in_seconds),
            times,
            arrival_in_seconds: arrival.zip(visit_time).map(|(time, seconds)| time * seconds),
            arrival,
            phase,
            why,
        })
    }

    /// The clock of a walker, if roads run one way or take time.
    fn time(&self, walker: WalkerId) -> Option<f64> {
        self.graph().roads()?;
        self.session.time(walker).ok().map(|time| time.0)
    }

    /// What is known to a walker on the node `at`.
    fn knowledge(&self, at: NodeId) -> Knowledge<'_> {
        Knowledge::new(&self.definition.agent, self.session.field(), at, None)
            .remembering(self.session.remembered())
    }

    /// The nodes that no walker can reach now.
    pub fn set_aside(&self) -> SetAside {
        SetAside::of_team(&self.session)
    }

    /// What is known of the nodes `range`, by number.
    pub fn node_estimates(&self, range: Range<NodeId>) -> Vec<NodeEstimate> {
        let knowledge = Knowledge::of_team(self.definition.agent.noise_scale(), &self.session);
        range.map(|node| knowledge.node(node)).collect()
    }

    /// The best node so far, and how certain it is.
    ///
    /// # Errors
    /// When there is no such confidence or scale.
    pub fn best(&self, wanted: BestQuery) -> Result<Best, CertaintyError> {
        let known = KnownRewards {
            agent: &self.definition.agent,
            graph: self.graph(),
            all: self.estimates(),
            remembered: &self.session.remembered(),
            aside: &self.set_aside(),
        };
        known.best(wanted)
    }
}

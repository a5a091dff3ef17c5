//! Why the agent goes where it goes, in the paper's numbers: estimate, bound, radius and path cost.
//!
//! The bound is always G-UCB's, Eq. (5). Agents with other scores have their own number beside it.

use super::{Live, Place, SetAside};
use graph_bandit::agents::parameters::BONUS;
use graph_bandit::index::{Index, Ucb};
use graph_bandit::team::{TeamSession, WalkerId};
use graph_bandit::{AgentSpec, Estimates, Field, Graph, NodeId, NodeScores, Phase, Visits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Why a leg leads where it does. All numbers except `path_cost` and `set_aside_nodes` describe the node where the
/// leg ends. Numbers that are unknown or infinite are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Why {
    /// The reason, in a few words.
    pub reason: Cow<'static, str>,
    /// What is known of the destination.
    #[serde(flatten)]
    pub destination: NodeEstimate,
    /// The cost of the path: for each node of `path` before the destination, the highest bound minus the bound of
    /// that node, added up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_cost: Option<f64>,
    /// Of the other nodes within reach, the most promising one. In a team, what counts is how much this walker would
    /// add there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<RunnerUp>,
    /// In a team: nodes with a higher bound, where this walker would add no more than at its destination because orders of
    /// other walkers end there. At most ten, the highest bounds first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<Taken>,
    /// How many nodes the agent left out because blocked edges cut them off.
    #[serde(default, skip_serializing_if = "is_none")]
    pub set_aside_nodes: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_none(number: &u64) -> bool {
    *number == 0
}

/// A node, and what the agent knows about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "KnownNode")]
pub struct RunnerUp {
    /// Its number, name and place.
    #[serde(flatten)]
    pub place: Place,
    /// What is known of it.
    #[serde(flatten)]
    pub estimate: NodeEstimate,
}

/// A node that other walkers of the team have taken, and whose bound is higher than that of this walker's destination.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TakenNode")]
pub struct Taken {
    /// The node, and what is known of it.
    #[serde(flatten)]
    pub node: RunnerUp,
    /// The walkers whose orders end there: they are there, or on their way.
    pub walkers: Vec<WalkerId>,
}

/// What is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodeEstimate {
    /// How often it was visited. A reward that others observed counts as a visit.
    pub visits: u64,
    /// How many of its rewards the agent still remembers, where discounted rewards count in part. Absent if the agent
    /// remembers all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub remembered: Option<f64>,
    /// The mean of the rewards that the agent remembers; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// How far above the estimate the true mean may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// `estimate` plus `radius`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The agent's own score for the node. For g-ucb, it is the bound. For g-star, it is the expected improvement on
    /// the best known node; being worse counts as 0, so the score is never negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Whether blocked edges keep the agent from it: the robot cannot reach it, or could not come
    /// back. Orders do not lead there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub set_aside: bool,
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// The bonus of a bound for noise of this scale. The paper's bonus of 1 is for rewards of range one, whose scale is a
/// half.
fn bonus_for(noise_scale: Option<f64>) -> f64 {
    noise_scale.map_or(1.0, |scale| 2.0 * scale)
}

/// How many rewards of a node are remembered, if that is not all of its visits.
pub(super) fn remembered(weight: f64, visits: u64) -> Option<f64> {
    (weight != visits as f64).then_some(weight)
}

/// What an agent knows at one moment about nodes and about a leg.
pub struct Knowledge<'a> {
    field: &'a Field,
    remembered: Cow<'a, Estimates>,
    at: NodeId,
    reach: f64,
    scores: Option<NodeScores>,
    aside: SetAside,
    /// The nodes to which a walker of a team may be sent, ascending; `None` if all that are not set aside.
    within: Option<Vec<NodeId>>,
    /// What one more walker adds at nodes where orders of others end, as a multiple of one reward; 1 elsewhere.
    shared: BTreeMap<NodeId, f64>,
}

impl<'a> Knowledge<'a> {
    /// What `agent` knows of `field` on the node `at`; `scores` are its own numbers for nodes, if it has any
    /// ([`Trajectory::node_scores`](graph_bandit::Trajectory::node_scores)).
    pub fn new(
        agent: &AgentSpec,
        field: &'a Field,
        at: NodeId,
        scores: Option<NodeScores>,
    ) -> Self {
        // The bound is G-UCB's; the bonus of other agents belongs to their own bounds.
        let own = agent.values().find(&BONUS).filter(|_| agent.name() == "g-ucb");
        let bonus = own.unwrap_or_else(|| bonus_for(agent.noise_scale()));
        Self::with_bonus(bonus, field, at, scores)
    }

    /// What a team knows whose agent declares this noise scale, apart from where its walkers are.
    pub fn of_team(noise_scale: Option<f64>, session: &'a TeamSession) -> Self {
        let knowledge = Self::with_bonus(bonus_for(noise_scale), session.field(), 0, None);
        knowledge.remembering(session.remembered()).setting_aside(SetAside::of_team(session))
    }

    fn with_bonus(bonus: f64, field: &'a Field, at: NodeId, scores: Option<NodeScores>) -> Self {
        let mut ucb = Ucb::new(bonus);
        // All visits count here, also those that are forgotten: the bound stays on the safe side.
        ucb.prepare_at(Visits(field.estimates().visits()));
        let reach = ucb.reach().unwrap_or(0.0);
        let remembered = Cow::Borrowed(field.estimates());
        let aside = SetAside::of(field, at);
        let (within, shared) = (None, BTreeMap::new());
        Self { field, remembered, at, reach, scores, aside, within, shared }
    }

    /// The same, of an agent that still remembers this much
    /// ([`Trajectory::remembered`](graph_bandit::Trajectory::remembered)).
    #[must_use]
    pub fn remembering(self, remembered: Cow<'a, Estimates>) -> Self {
        Self { remembered, ..self }
    }

    /// The same, with these nodes set aside.
    #[must_use]
    pub(super) fn setting_aside(self, aside: SetAside) -> Self {
        Self { aside, ..self }
    }

    /// The same, of a walker that may be sent to these nodes only.
    #[must_use]
    pub(super) fn sent_within(self, within: Option<Vec<NodeId>>) -> Self {
        Self { within, ..self }
    }

    /// The same, of a walker of a team. For each node where orders of others end, `shared` says how many times one
    /// reward the walker would add there.
    #[must_use]
    pub(super) fn sharing(self, shared: BTreeMap<NodeId, f64>) -> Self {
        Self { shared, ..self }
    }

    pub(super) fn may_lead_to(&self, node: NodeId) -> bool {
        let is_within = |within: &Vec<NodeId>| within.binary_search(&node).is_ok();
        !self.aside.has(node) && self.within.as_ref().is_none_or(is_within)
    }

    /// Whether the walker may be sent to every node.
    fn may_lead_anywhere(&self) -> bool {
        self.aside.count() == 0 && self.within.is_none()
    }

    /// What the agent remembers.
    fn estimates(&self) -> &Estimates {
        &self.remembered
    }

    /// The map, closed edges included.
    fn graph(&self) -> &Graph {
        self.field.map()
    }

    /// Why the leg leads along `path`.
    pub fn why(&self, phase: Phase, path: &[NodeId]) -> Why {
        let destination = path.last().copied().unwrap_or(self.at);
        let known = self.node(destination);
        let runner_up = self.runner_up(destination);
        let scores_higher = |other: &RunnerUp| other.estimate.score > known.score;
        let reason = match (phase, path.is_empty()) {
            (Phase::Cover, _) if self.aside.count() > 0 => {
                "not every node within reach has been visited yet"
            }
            (Phase::Cover, _) => "not every node has been visited yet",
            (Phase::Learn, false) => "the most promising plan leads there",
            (Phase::Learn, true) if runner_up.as_ref().is_some_and(scores_higher) => {
                "staying promises more than any trip, counting the path there"
            }
            (Phase::Learn, true) => "the most promising plan is to stay",
        };
        let path_cost = self.path_cost(path);
        let set_aside_nodes = self.aside.count();
        Why {
            reason: reason.into(),
            destination: known,
            path_cost,
            runner_up,
            taken: Vec::new(),
            set_aside_nodes,
        }
    }

    /// The bound of a node; infinite if it was never visited.
    pub(super) fn bound(&self, node: NodeId) -> f64 {
        self.estimates().estimate(node).bound(self.reach)
    }

    /// The bound of a node, times what the walker would add there.
    pub(super) fn worth(&self, node: NodeId) -> f64 {
        match self.shared.get(&node) {
            None => self.bound(node),
            // Nothing, also of a node that may pay any amount.
            Some(0.0) => 0.0,
            Some(multiple) => multiple * self.bound(node),
        }
    }

    /// A node, and what is known of it.
    pub(super) fn known(&self, node: NodeId) -> RunnerUp {
        RunnerUp { place: Place::of(self.graph(), node), estimate: self.node(node) }
    }

    /// What is known of a node.
    pub fn node(&self, node: NodeId) -> NodeEstimate {
        let estimates = self.estimates();
        let known = estimates.estimate(node);
        let estimate = finite(known.mean);
        let visits = self.field.estimates().count(node);
        NodeEstimate {
            visits,
            remembered: remembered(estimates.weight(node), visits),
            estimate,
            radius: estimate.and_then(|_| finite(self.reach * known.spread)),
            bound: finite(known.bound(self.reach)),
            score: self.score(node).and_then(finite),
            set_aside: self.aside.has(node),
        }
    }

    /// The agent's own score for a node, if it has scores.
    fn score(&self, node: NodeId) -> Option<f64> {
        self.scores.as_ref().map(|scores| scores.of(self.field.estimates(), node))
    }

    /// The cost of a path: the nodes before the destination.
    fn path_cost(&self, path: &[NodeId]) -> Option<f64> {
        let bounds = self.estimates().all();
        let highest = if self.may_lead_anywhere() {
            bounds.iter().fold(f64::NEG_INFINITY, |top, known| top.max(known.bound(self.reach)))
        } else {
            let within = bounds.iter().zip(0..).filter(|&(_, node)| self.may_lead_to(node));
            within.fold(f64::NEG_INFINITY, |top, (known, _)| top.max(known.bound(self.reach)))
        };
        let highest = finite(highest)?;
        let on_the_way = path.split_last().map_or(&[][..], |(_, before)| before);
        let short = |&node: &NodeId| highest - bounds[node as usize].bound(self.reach);
        // An empty sum would be negative zero.
        Some(on_the_way.iter().map(short).fold(0.0, |cost, short| cost + short))
    }

    /// The node with the highest score. Ties, and agents without scores, go by the highest bound, then by
    /// the lowest number. In a team, a bound counts for what the walker would add.
    fn runner_up(&self, destination: NodeId) -> Option<RunnerUp> {
        let is_other = |node: NodeId| node != destination && self.may_lead_to(node);
        let with_worth = |node: NodeId| (node, self.worth(node));
        let higher = |best: (NodeId, f64), other: (NodeId, f64)| {
            if other.1 > best.1 { other } else { best }
        };
        let (best, _) = if let Some(scores) = &self.scores {
            let highest = scores.highest(self.field.estimates(), is_other);
            highest.into_iter().map(with_worth).reduce(higher)
        } else {
            let others = self.graph().nodes().filter(|&node| is_other(node));
            others.map(with_worth).reduce(higher)
        }?;
        Some(self.known(best))
    }
}

impl Live {
    /// What is known of the nodes `range`, by number.
    pub fn node_estimates(&mut self, range: std::ops::Range<NodeId>) -> Vec<NodeEstimate> {
        let knowledge = self.knowledge();
        range.map(|node| knowledge.node(node)).collect()
    }

    /// What it knows now.
    pub(super) fn knowledge(&mut self) -> Knowledge<'_> {
        let scores = self.session.node_scores();
        let (agent, field) = (&self.definition.agent, self.session.field());
        let knowledge = Knowledge::new(agent, field, self.session.at(), scores);
        knowledge.remembering(self.session.remembered())
    }
}

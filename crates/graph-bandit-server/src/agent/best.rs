//! The best node so far, as the service answers it, and how certain it is.

use super::why::remembered;
use super::{Live, Place, SetAside};
use graph_bandit::reward::MAX_MAGNITUDE;
use graph_bandit::{AgentSpec, Bracketed, Certainty, CertaintyError, Estimates, Graph, NodeId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The confidence to ask for, and the noise of the rewards.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BestQuery {
    /// The probability that all intervals hold at once; default: 0.95.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub confidence: Option<f64>,
    /// The sub-Gaussian scale of the noise; default: the agent's noise scale, or 0.5 if it has none.
    #[schemars(range(min = 0.0, max = MAX_MAGNITUDE))]
    pub noise_scale: Option<f64>,
}

/// A visited node, the mean of its rewards, and an interval for its true mean.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "BracketedNode")]
pub struct BracketedNode {
    /// Its number, name and place.
    #[serde(flatten)]
    pub place: Place,
    /// How often it was visited. A reward that others observed counts as a visit.
    pub visits: u64,
    /// How many of its rewards the agent still remembers, where discounted rewards count in part. Absent if the agent
    /// remembers all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub remembered: Option<f64>,
    /// The mean of the rewards that the agent remembers.
    pub estimate: f64,
    /// The lowest and the highest value that its true mean may have.
    pub interval: [f64; 2],
    /// Whether blocked edges keep the agent from it: the robot cannot reach it, or could not come
    /// back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(default)]
    pub set_aside: bool,
}

/// The best node so far, judged by the rewards that the agent remembers. Most agents for changing rewards forget old
/// rewards. All other agents remember every reward.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Best {
    /// The visited node with the highest mean; absent before the first visit, and while the agent remembers no
    /// reward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<BracketedNode>,
    /// Of the other visited nodes, the one whose interval reaches highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<BracketedNode>,
    /// How many nodes have not been visited.
    pub unvisited: usize,
    /// How many visited nodes have no interval because the agent remembers none of their rewards; absent if there are
    /// none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(default)]
    pub forgotten: usize,
    /// Whether every node has an interval, and the interval of the best node lies above all others.
    pub settled: bool,
    /// The probability that the best node is better than the runner-up, for normal noise of scale `noise_scale` and a
    /// flat prior. It ignores how the two nodes were chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub chance: Option<f64>,
    /// The probability that all intervals hold at once, at all times. It is guaranteed only if the agent does not
    /// forget. If the agent forgets, the intervals assume that there are no rewards other than those it remembers, and
    /// that means have been constant since the first of them.
    pub confidence: f64,
    /// The sub-Gaussian scale of the noise that the intervals assume.
    pub noise_scale: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Live {
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

/// What the best node is found by.
pub(super) struct KnownRewards<'a> {
    pub(super) agent: &'a AgentSpec,
    pub(super) graph: &'a Graph,
    pub(super) all: &'a Estimates,
    pub(super) remembered: &'a Estimates,
    pub(super) aside: &'a SetAside,
}

impl KnownRewards<'_> {
    /// The best node so far, and how certain it is.
    pub(super) fn best(&self, wanted: BestQuery) -> Result<Best, CertaintyError> {
        let declared = || self.agent.noise_scale().unwrap_or(Certainty::NOISE_SCALE);
        let scale = wanted.noise_scale.unwrap_or_else(declared);
        let confidence = wanted.confidence.unwrap_or(Certainty::CONFIDENCE);
        let certainty = Certainty::new(scale, confidence)?;
        let found = self.remembered.best(&certainty);
        let unvisited = self.all.samples().iter().filter(|all| all.count == 0).count();
        // Nodes without an interval.
        let unknown = found.map_or(self.graph.len(), |found| found.unvisited);
        let visits = |node: NodeId| self.all.count(node);
        let shown = |known: Bracketed| BracketedNode {
            place: Place::of(self.graph, known.node),
            visits: visits(known.node),
            remembered: remembered(known.weight, visits(known.node)),
            estimate: known.mean,
            interval: [known.low(), known.high()],
            set_aside: self.aside.has(known.node as NodeId),
        };
        Ok(Best {
            best: found.map(|found| shown(found.node)),
            runner_up: found.and_then(|found| found.runner_up).map(shown),
            unvisited,
            forgotten: unknown.saturating_sub(unvisited),
            settled: found.is_some_and(|found| found.is_settled()),
            chance: found.and_then(|found| found.chance),
            confidence,
            noise_scale: scale,
        })
    }
}

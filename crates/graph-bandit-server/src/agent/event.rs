//! The events of an agent, as its log keeps them.
//!
//! Nodes are numbers here, and every visit names its node, so that the meaning of a record does not
//! depend on the records before it.

use super::deciding::Planned;
use super::team::{Numbered, WalkerDefinition};
use super::{Format, Happened};
use graph_bandit::team::WalkerId;
use graph_bandit::{NodeId, Paid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The highest number of a report: databases have signed integers.
pub const LAST_SEQUENCE: u64 = i64::MAX as u64;

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// A robot made visits, and collected rewards.
    Told {
        /// The visits, in order.
        visits: Vec<Visits>,
    },
    /// The robot could not finish the leg.
    LegFailed {
        /// The walker's node after the report.
        at: NodeId,
        /// The reason, in the robot's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// An edge or a road is blocked.
    EdgeBlocked {
        /// The edge, or the road from the first node to the second.
        #[schemars(with = "[NodeId; 2]")]
        edge: (NodeId, NodeId),
        /// The walker's node after the report. In a team, absent if the report names no walker.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<NodeId>,
        /// Whether a road is blocked in one direction or in both.
        #[serde(default, skip_serializing_if = "Directions::is_one")]
        directions: Directions,
        /// The rate at which it is expected to reopen, per unit of time; absent if it is not expected to reopen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reopening_rate: Option<f64>,
    },
    /// A blocked edge or road is open again.
    EdgeOpened {
        /// The edge, or the road from the first node to the second.
        #[schemars(with = "[NodeId; 2]")]
        edge: (NodeId, NodeId),
        /// Whether a road is open again in one direction or in both.
        #[serde(default, skip_serializing_if = "Directions::is_one")]
        directions: Directions,
    },
    /// Somebody else observed rewards. The walker's place and its order stay the same.
    Observed {
        /// The observed rewards, in the order of the report.
        observations: Vec<Visits>,
    },
    /// The walker is on another node: somebody moved the robot, or another robot took over. No reward was collected.
    Moved {
        /// The walker's node after the report.
        at: NodeId,
        /// The reason, in the robot's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A walker joined the team.
    Joined {
        /// The walker.
        walker: WalkerDefinition,
    },
    /// A walker left the team. What it reported stays.
    Left {
        /// The number of the walker.
        walker: WalkerId,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// Consecutive visits to one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Visits {
    /// The node.
    pub node: NodeId,
    /// Their rewards, in order.
    pub rewards: Vec<f64>,
    /// How long each step took, travel and visit together, in units of one visit. Steps without a reported time have
    /// null. Absent if no step has a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub took: Vec<Option<f64>>,
}

impl Visits {
    /// One by one.
    pub(super) fn each(&self) -> impl Iterator<Item = Paid> + '_ {
        let took = self.took.iter().copied().chain(std::iter::repeat(None));
        self.rewards.iter().zip(took).map(|(&reward, took)| Paid { reward, took })
    }

    fn push(&mut self, Paid { reward, took }: Paid) {
        if took.is_some() || !self.took.is_empty() {
            self.took.resize(self.rewards.len(), None);
            self.took.push(took);
        }
        self.rewards.push(reward);
    }
}

/// Groups visits into runs of visits to the same node.
pub fn in_runs<P: Into<Paid>>(visits: impl IntoIterator<Item = (NodeId, P)>) -> Vec<Visits> {
    let mut runs: Vec<Visits> = Vec::new();
    for (node, paid) in visits {
        if runs.last().is_none_or(|run| run.node != node) {
            runs.push(Visits { node, rewards: Vec::new(), took: Vec::new() });
        }
        if let Some(run) = runs.last_mut() {
            run.push(paid.into());
        }
    }
    runs
}

/// Which directions of a road a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Directions {
    /// Only from the first node to the second. The service refuses it on a graph without roads, where an edge always
    /// counts in both directions.
    #[default]
    One,
    /// Both directions.
    Both,
}

impl Directions {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    fn is_one(&self) -> bool {
        *self == Self::One
    }
}

/// The answer to a report. The log keeps it, so that a repeated report gets the same answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The number of the report.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub sequence: u64,
    /// The number of the next report.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub next_sequence: u64,
    /// The walker's node after the report. In a team, absent if the report names no walker, or if the walker left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<NodeId>,
    /// How many rewards are known after the report, including those that others observed.
    pub visits: u64,
    /// Whether the agent dropped the order and planned again. In a team: the order of any walker.
    pub replanned: bool,
    /// In a team, the walker that reported, joined or left; `sequence` and `next_sequence` are then its numbers. Absent
    /// if the report names no walker; `sequence` and `next_sequence` are then the team's numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walker: Option<WalkerId>,
    /// In a team, the number of the record in the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = LAST_SEQUENCE))]
    pub log: Option<u64>,
}

impl Receipt {
    /// Where the log has the record of this receipt.
    pub fn record(&self) -> u64 {
        self.log.unwrap_or(self.sequence)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
pub(super) fn is_false(is: &bool) -> bool {
    !is
}

/// One line of an agent's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The format of the record.
    pub format: Format,
    /// The seal of the record before; of the definition, before the first.
    pub after: String,
    /// A fingerprint of the report: tells a repeat from a conflict.
    pub fingerprint: String,
    /// The robot's key for its report, so that no other report is taken for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Which robot reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub robot: Option<String>,
    /// When it happened, by the robot's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// What happened.
    pub event: Event,
    /// The answer.
    pub receipt: Receipt,
    /// The plans that were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<Planned>,
    /// The report numbers of walkers that it used up, the reporter's first. Only in the log of a team.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbered: Vec<Numbered>,
}

impl Record {
    /// The record of an event and its outcome.
    pub fn of(event: Event, happened: Happened) -> Self {
        let Happened { receipt, plans, numbered } = happened;
        Self {
            format: Format::CURRENT,
            after: String::new(),
            fingerprint: String::new(),
            id: None,
            robot: None,
            time: None,
            event,
            receipt,
            plans,
            numbered,
        }
    }
}

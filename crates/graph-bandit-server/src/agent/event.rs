//! What can happen to an agent, as its log keeps it.
//!
//! Nodes are numbers here and every visit names its node, so that a record means the same whatever
//! came before it.

use super::Happened;
use super::deciding::Planned;
use graph_bandit::{Decision, NodeId, Paid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The last number a report can bear: databases have whole numbers with a sign.
pub const LAST_SEQUENCE: u64 = i64::MAX as u64;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// Visits were made and paid.
    Told {
        /// In the order in which they were made.
        visits: Vec<Visits>,
    },
    /// The leg could not be finished.
    LegFailed {
        /// Where the walker stands now.
        at: NodeId,
        /// Why, in the robot's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// There is no way along an edge any more.
    EdgeBlocked {
        /// The edge; a road, as it runs.
        #[schemars(with = "[NodeId; 2]")]
        edge: (NodeId, NodeId),
        /// Where the walker stands now.
        at: NodeId,
        /// Whether a road is blocked in the other direction, too.
        #[serde(default, skip_serializing_if = "Directions::is_one")]
        directions: Directions,
        /// The rate at which it is expected to reopen, per unit of time; absent if it is not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reopening_rate: Option<f64>,
    },
    /// There is a way along a blocked edge again.
    EdgeOpened {
        /// The edge; a road, as it runs.
        #[schemars(with = "[NodeId; 2]")]
        edge: (NodeId, NodeId),
        /// Whether a road is open in the other direction, too.
        #[serde(default, skip_serializing_if = "Directions::is_one")]
        directions: Directions,
    },
    /// Somebody or something else was paid; the walker did not move, and its order stands.
    Observed {
        /// In the order in which they were reported.
        observations: Vec<Visits>,
    },
    /// The walker is somewhere else, however it got there: another robot took over, say. Nothing was
    /// collected.
    Moved {
        /// Where it stands now.
        at: NodeId,
        /// Why, in the robot's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// Visits to one node, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Visits {
    /// The node.
    pub node: NodeId,
    /// What they paid, in order.
    pub rewards: Vec<f64>,
    /// How long each step took, travel and visit together, in units of one visit; absent where nothing was told, null
    /// for steps of which nothing was told.
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

/// Visits one by one, as runs of visits to the same node.
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

/// Which directions of a road are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Directions {
    /// From its first end to its second; an edge, which always leads both ways, as a whole.
    #[default]
    One,
    /// There and back.
    Both,
}

impl Directions {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    fn is_one(&self) -> bool {
        *self == Self::One
    }
}

/// What is answered to a report: kept in the log, so that a repeat is answered the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The number of the report.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub sequence: u64,
    /// The number the next report must bear.
    #[schemars(range(max = LAST_SEQUENCE))]
    pub next_sequence: u64,
    /// Where the walker stands after it.
    pub at: NodeId,
    /// Visits in all, after it.
    pub visits: u64,
    /// Whether the order was dropped and the agent planned anew.
    pub replanned: bool,
}

/// The format of records, definitions and snapshots that this version writes. The first one, of version
/// 0.1, has no word of formats: plans were not kept but made again.
pub(crate) const FORMAT: u32 = 2;

pub(super) fn first_format() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
pub(super) fn is_first_format(format: &u32) -> bool {
    *format == 1
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
    #[serde(default = "first_format", skip_serializing_if = "is_first_format")]
    pub format: u32,
    /// The seal of the record before; of the definition, before the first. Not in the first format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What was reported, as a fingerprint: tells a repeat from a conflict.
    pub fingerprint: String,
    /// What the robot calls its report, so that nobody else's is taken for it.
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
    /// What was answered.
    pub receipt: Receipt,
    /// What was ordered before, where the log does not say it: its records are of the first format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordered: Option<Decision>,
    /// Whether that order was planned anew, because plans of the first format are not made as they were
    /// any more.
    #[serde(default, skip_serializing_if = "is_false")]
    pub planned_anew: bool,
    /// The plans that were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<Planned>,
}

impl Record {
    /// What happened, and what it came to.
    pub fn of(event: Event, happened: Happened) -> Self {
        let Happened { receipt, ordered, planned_anew, plans } = happened;
        Self {
            format: FORMAT,
            after: None,
            fingerprint: String::new(),
            id: None,
            robot: None,
            time: None,
            event,
            receipt,
            ordered,
            planned_anew,
            plans,
        }
    }

    /// As the first format has it, for programs that read no other: it does not say what was planned.
    #[must_use]
    pub fn in_first_format(self) -> Self {
        Self {
            format: 1,
            after: None,
            id: None,
            robot: None,
            time: None,
            ordered: None,
            planned_anew: false,
            plans: Vec::new(),
            ..self
        }
    }
}
